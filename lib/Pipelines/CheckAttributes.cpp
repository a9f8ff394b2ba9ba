//===- CheckAttributes.cpp - Attributes that nothing reads ----------------===//
//
// MLIR keeps any attribute that an op does not declare. In a user's file such a
// name is a misspelt one, and what it was to say would be lost in silence.
//
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/NearestName.h"
#include "tt/IR/TTOps.h"
#include "tt/Remat/ReplayCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;

/// Names that may stand on an op besides those that it declares: what earlier
/// stages leave there, so that their output can be loaded again.
static SmallVector<StringRef> knownOn(Operation *op) {
  if (isa<ModuleOp>(op))
    return {"tt.memory"};
  if (isa<func::FuncOp>(op))
    return {kAdjointAttr, kTangentAttr};
  if (isa<func::CallOp>(op))
    return {kReplayAttr};
  return {};
}

static LogicalResult refuse(Location loc, const Twine &where, StringRef name,
                            ArrayRef<StringRef> known) {
  return emitError(loc) << where << " has no attribute '" << name << "'"
                        << didYouMean(name, known);
}

static LogicalResult checkOp(Operation *op) {
  SmallVector<StringRef> known = knownOn(op);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (llvm::is_contained(known, name))
      continue;
    for (StringAttr declared : op->getName().getAttributeNames())
      known.push_back(declared);
    return refuse(op->getLoc(), op->getName().getStringRef(), name, known);
  }
  return success();
}

/// TTDialect knows the tt attributes of arguments.
static LogicalResult checkSignature(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Location loc = function.isExternal() ? function.getLoc() : function.getArgument(i).getLoc();
    for (NamedAttribute attribute : mlir::function_interface_impl::getArgAttrs(function, i))
      if (!attribute.getName().getValue().starts_with("tt.") &&
          attribute.getName() != "check.range")
        return refuse(loc, "argument " + Twine(i), attribute.getName(),
                      {"check.range", kParamAttr, kInputAttr, kStateAttr, kInitAttr,
                       kFrozenAttr, kIndexLimitAttr, kIndexIgnoreAttr});
  }
  static constexpr StringRef onResults[] = {kOutputAttr, kUpdatesAttr, kStridesAttr};
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attribute : mlir::function_interface_impl::getResultAttrs(function, i)) {
      StringRef name = attribute.getName();
      if (!llvm::is_contained(onResults, name))
        return refuse(function.getLoc(), "result " + Twine(i), name, onResults);
      if (name != kStridesAttr && !isa<StringAttr>(attribute.getValue()))
        return emitError(function.getLoc()) << "result " << i << ": expected '" << name
                                            << "' to be a string, but got "
                                            << attribute.getValue();
    }
  return success();
}

LogicalResult tt::checkAttributes(ModuleOp module) {
  WalkResult walk = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<KernelOp, StepOp>(op)) // the compiler's own
      return WalkResult::skip();
    auto function = dyn_cast<func::FuncOp>(op);
    if (failed(checkOp(op)) || (function && failed(checkSignature(function))))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
