//===- RopeOps.cpp - Rotary position embedding ----------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

LogicalResult RopeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  int64_t rank = type.getRank();
  if (rank < 2 || type.getShape().back() % 2) // (C1)
    return emitOptionalError(loc, "'tt.rope' op expected rank >= 2 and an even last "
                                  "dimension, but got ", type);
  Value positions = adaptor.getPositions();
  if (positions && shapeOf(positions) != ArrayRef<int64_t>(type.getDimSize(rank - 2))) // (C2)
    return emitOptionalError(loc, "'tt.rope' op expected positions of shape [",
                             type.getDimSize(rank - 2), "], but got ",
                             positions.getType());
  if (!(adaptor.getTheta().convertToDouble() > 0)) // (C3)
    return emitOptionalError(loc, "'tt.rope' op expected a positive theta");
  types.push_back(type);
  return success();
}
static Value rotate(OpBuilder &builder, RopeOp op, Value value, Value positions,
                    bool inverse) {
  return RopeOp::create(builder, op.getLoc(), value, positions, op.getTheta(),
                        op.getLayout(), inverse)
      .getOutput();
}
void RopeOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getPositions());
}
LogicalResult RopeOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                               ValueRange cotangents, ActiveSet,
                               Values &operandCotangents) {
  operandCotangents[0] =
      rotate(builder, *this, cotangents[0], residuals[0], !getInverse());
  return success();
}
LogicalResult RopeOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                               Values &resultTangents) {
  resultTangents[0] =
      rotate(builder, *this, tangents[0], getPositions(), getInverse());
  return success();
}
bool RopeOp::isLinearIn(unsigned i) { return i == 0; }
bool RopeOp::isCutAt(unsigned i) { return i == 1; }
