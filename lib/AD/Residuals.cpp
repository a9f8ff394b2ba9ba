//===- Residuals.cpp - What is kept between forward and backward ----------===//
#include "tt/AD/Residuals.h"

#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tt;

bool tt::isFreeInBackward(Operation *op) {
  return isa_and_present<ConstantOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp,
                         RngFoldOp, RngKeyOp>(op);
}

static void findReaders(Value value, llvm::SetVector<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (isFreeInBackward(user))
      findReaders(user->getResult(0), readers);
    else
      readers.insert(user);
  }
}

SmallVector<KeptValue> tt::keptValues(const AdjointPair &pair) {
  SmallVector<KeptValue> kept;
  func::FuncOp forward = pair.forward, backward = pair.backward, primal = pair.primal;
  Operation *terminator = forward.getBody().front().getTerminator();
  for (auto [i, source] : llvm::enumerate(pair.residuals)) {
    KeptValue value{source, cast<RankedTensorType>(backward.getArgumentTypes()[i]), 0, {}, {}};
    int64_t width = (value.type.getElementTypeBitWidth() + 7) / 8;
    value.bytes = value.type.getNumElements() * width; // checked: hasBoundedSize
    if (source.kind == ResidualSource::Argument)
      value.forward = forward.getArgument(source.index);
    else
      value.forward = terminator->getOperand(
          source.kind == ResidualSource::Result ? source.index
                                                : primal.getNumResults() + source.index);
    llvm::SetVector<Operation *> readers;
    findReaders(backward.getArgument(i), readers);
    value.readers.assign(readers.begin(), readers.end());
    llvm::sort(value.readers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    kept.push_back(std::move(value));
  }
  return kept;
}

std::string tt::placeOf(Location location) {
  std::string place = sourcePlace(location);
  return place.empty() ? "an unknown place" : place;
}

std::string tt::describeReader(Operation *reader) {
  std::string what = reader->getName().getStringRef().str();
  if (auto call = dyn_cast<func::CallOp>(reader)) {
    what = "@" + call.getCallee().str();
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (std::optional<AdjointPair> pair = callee ? readAdjoint(callee) : std::nullopt)
      what = ("the adjoint of @" + pair->primal.getSymName()).str();
  }
  if (isa<func::ReturnOp>(reader))
    what = "the result of the backward";
  return what + " at " + placeOf(reader->getLoc());
}
