//===- ControlOps.cpp - Control of differentiation ------------------------===//
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

void StopGradientOp::getResiduals(ActiveSet, ActiveSet,
                                  SmallVectorImpl<Value> &) {}
LogicalResult StopGradientOp::buildVJP(OpBuilder &, ValueRange, ValueRange,
                                       ActiveSet, SmallVectorImpl<Value> &) {
  return success();
}
LogicalResult StopGradientOp::buildJVP(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return success();
}
bool StopGradientOp::isLinearIn(unsigned) { return false; }
bool StopGradientOp::isCutAt(unsigned) { return true; }
