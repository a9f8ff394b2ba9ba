//===- PlantedFault.cpp - Faults put in on purpose ------------------------===//
#include "PlantedFault.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;
using reference::Derivatives;

std::optional<PlantedFault> PlantedFault::parse(StringRef text, std::string &error) {
  auto [kind, op] = text.split(':');
  PlantedFault fault;
  fault.op = op.str();
  fault.kind = llvm::StringSwitch<Kind>(kind)
                   .Case("reverse", Reverse)
                   .Case("offset", Offset)
                   .Case("forward", Forward)
                   .Case("compiled", Compiled)
                   .Case("second-way", SecondWay)
                   .Default(None);
  if (fault.kind != None && op.starts_with("tt."))
    return fault;
  error = "found " + text.str() +
          ", wanted reverse:, offset:, forward:, compiled: or second-way: and an op, such "
          "as reverse:tt.gelu";
  return std::nullopt;
}

void PlantedFault::mark(ModuleOp module) const {
  if (kind != Reverse && kind != Offset && kind != Forward)
    return;
  unsigned count = 0;
  module.walk([&](Operation *inner) {
    inner->setLoc(FileLineColLoc::get(module.getContext(), inner->getName().getStringRef(),
                                      ++count, 1));
  });
}

/// Float results are 1.001 times what they were, or 1/1000 more, for all their readers.
static void changeResults(Operation *op, bool adds = false) {
  for (Value value : op->getResults()) {
    if (value.use_empty() || !isa<FloatType>(tensorOf(value).getElementType()))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Emit e(builder, op->getLoc());
    Value changed = adds ? e.shift(value, 0.001) : e.scale(value, 1.001);
    value.replaceAllUsesExcept(changed, changed.getDefiningOp());
  }
}

/// Changes the last of the ops that each `op` left in functions with attribute `kind`, if
/// there are at least `least` of them.
static void changeRules(ModuleOp derived, StringRef kind, StringRef op, size_t least,
                        bool adds = false) {
  for (auto function : derived.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kind))
      continue;
    llvm::MapVector<Location, SmallVector<Operation *>> emitted;
    for (Operation &inner : function.getBody().front().without_terminator()) {
      auto place = inner.getLoc()->findInstanceOf<FileLineColLoc>();
      if (place && place.getFilename() == op && !isa<ConstantOp>(inner))
        emitted[place].push_back(&inner);
    }
    for (auto &[place, ops] : emitted)
      if (ops.size() >= least)
        changeResults(ops.back(), adds);
  }
}

Derivatives::Hook PlantedFault::onPair() const {
  if (kind != Reverse && kind != Offset)
    return {};
  return [op = op, adds = kind == Offset](ModuleOp derived, std::string &) {
    changeRules(derived, kAdjointAttr, op, 1, adds);
    return true;
  };
}

/// A tangent function has the op itself, too, and then what its rule emits.
Derivatives::Hook PlantedFault::onTangent() const {
  if (kind != Forward)
    return {};
  return [op = op](ModuleOp derived, std::string &) {
    changeRules(derived, kTangentAttr, op, 2);
    return true;
  };
}

void PlantedFault::changeCode(ModuleOp module, bool fuses) const {
  if (kind != Compiled && (kind != SecondWay || fuses))
    return;
  SmallVector<Operation *> found;
  module.walk([&](Operation *inner) {
    if (inner->getName().getStringRef() == op)
      found.push_back(inner);
  });
  for (Operation *inner : found)
    changeResults(inner);
}
