//===- RandomOps.cpp - Counter-based random ops ---------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static bool isSite(int64_t site) { return site >= 0 && site <= 0xffffffffLL; }

LogicalResult RngKeyOp::verify() {
  for (Value operand : getOperands())
    if (!tensorOf(operand).getElementType().isInteger(64))
      return emitOpError() << "expected i64 scalars, but got " << operand.getType();
  return success();
}

LogicalResult RngFoldOp::verify() {
  if (!isSite(getSite())) // (C1)
    return emitOpError() << "expected site in [0, 2^32), but got " << int64_t(getSite());
  return success();
}

LogicalResult DropoutTileOp::verify() {
  if (getInput().getType().getRank() != 2) // (C1)
    return emitOpError() << "expected a tile of rank 2, but got " << getInput().getType();
  double p = getP().convertToDouble();
  if (!(p >= 0 && p < 1)) // (C2)
    return emitOpError() << "expected p in [0, 1), but got " << std::to_string(p);
  if (!isSite(getSite())) // (C3)
    return emitOpError() << "expected site in [0, 2^32), but got " << int64_t(getSite());
  if (int64_t(getRowStride()) < 1) // (C4)
    return emitOpError() << "expected a positive row_stride, but got "
                         << int64_t(getRowStride());
  return success();
}

LogicalResult DropoutOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  double p = adaptor.getP().convertToDouble();
  if (!(p >= 0 && p < 1)) // (C1)
    return emitOptionalError(loc, "'tt.dropout' op expected p in [0, 1), but got ",
                             std::to_string(p));
  int64_t samples = adaptor.getSamples();
  RankedTensorType type = tensorOf(adaptor.getInput());
  if (samples < 1 || type.getNumElements() % samples) // (C2)
    return emitOptionalError(loc, "'tt.dropout' op expected samples to divide the ",
                             type.getNumElements(), " elements, but got ", samples);
  if (!isSite(adaptor.getSite())) // (C3)
    return emitOptionalError(loc, "'tt.dropout' op expected site in [0, 2^32), "
                                  "but got ", int64_t(adaptor.getSite()));
  types.push_back(type);
  return success();
}
void DropoutOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getKey());
}
static Value sameMask(OpBuilder &builder, DropoutOp op, Value value, Value key) {
  return DropoutOp::create(builder, op.getLoc(), value, key, op.getP(),
                           op.getSite(), op.getSamples())
      .getOutput();
}
LogicalResult DropoutOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                  ValueRange cotangents, ActiveSet,
                                  Values &operandCotangents) {
  operandCotangents[0] = sameMask(builder, *this, cotangents[0], residuals[0]);
  return success();
}
LogicalResult DropoutOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                  Values &resultTangents) {
  resultTangents[0] = sameMask(builder, *this, tangents[0], getKey());
  return success();
}
bool DropoutOp::isLinearIn(unsigned i) { return i == 0; }
bool DropoutOp::isCutAt(unsigned i) { return i == 1; }

/// (C1) and (C2) of the generators.
template <typename Op> static LogicalResult verifyGenerator(Op op) {
  int64_t samples = op.getSamples(), count = tensorOf(op.getOutput()).getNumElements();
  if (samples < 1 || count % samples) // (C1)
    return op.emitOpError() << "expected samples to divide the " << count
                            << " elements, but got " << samples;
  if (!isSite(op.getSite())) // (C2)
    return op.emitOpError() << "expected site in [0, 2^32), but got "
                            << int64_t(op.getSite());
  return success();
}
LogicalResult RandomUniformOp::verify() { return verifyGenerator(*this); }
LogicalResult RandomNormalOp::verify() { return verifyGenerator(*this); }
