//===- LossResult.cpp - What a training step minimises --------------------===//
#include "tt/Training/LossResult.h"

#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

std::optional<unsigned> tt::lossResult(func::FuncOp function) {
  if (function.getNumResults() == 1)
    return 0;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto name = function.getResultAttrOfType<StringAttr>(i, kOutputAttr))
      if (name.getValue() == "loss")
        return i;
  return std::nullopt;
}

void tt::detachMetrics(func::FuncOp function) {
  std::optional<unsigned> loss = lossResult(function);
  Operation *terminator = function.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (OpOperand &result : terminator->getOpOperands()) {
    Value value = result.get();
    auto type = cast<RankedTensorType>(value.getType());
    if (result.getOperandNumber() != loss && isa<FloatType>(type.getElementType()))
      result.set(StopGradientOp::create(builder, value.getLoc(), type, value));
  }
}
