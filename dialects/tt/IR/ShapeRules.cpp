//===- ShapeRules.cpp - VJP and JVP of shape ops --------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

// The shape ops are linear and read no primal values, but for take's index.
#define TT_LINEAR_NO_RESIDUALS(OP)                                             \
  void OP::getResiduals(ActiveSet, ActiveSet, Values &) {}                     \
  bool OP::isLinearIn(unsigned) { return true; }                               \
  bool OP::isCutAt(unsigned) {                                                 \
    return !isa<FloatType>(tensorOf(getOutput()).getElementType());            \
  }

TT_LINEAR_NO_RESIDUALS(BroadcastOp)
TT_LINEAR_NO_RESIDUALS(ReshapeOp)
TT_LINEAR_NO_RESIDUALS(TransposeOp)
TT_LINEAR_NO_RESIDUALS(SliceOp)
TT_LINEAR_NO_RESIDUALS(PadOp)
TT_LINEAR_NO_RESIDUALS(ConcatOp)

/// d_input = sum of d_output over the dimensions that repeat.
LogicalResult BroadcastOp::buildVJP(OpBuilder &builder, ValueRange,
                                    ValueRange cotangents, ActiveSet,
                                    Values &operandCotangents) {
  SmallVector<int64_t> repeated;
  for (int64_t i = 0, e = tensorOf(getOutput()).getRank(); i < e; ++i)
    if (!llvm::is_contained(getDims(), i))
      repeated.push_back(i);
  operandCotangents[0] =
      repeated.empty()
          ? cotangents[0]
          : SumOp::create(builder, getLoc(), cotangents[0], repeated).getOutput();
  return success();
}
LogicalResult BroadcastOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  resultTangents[0] = BroadcastOp::create(builder, getLoc(), getType(),
                                          tangents[0], getDims());
  return success();
}

LogicalResult ReshapeOp::buildVJP(OpBuilder &builder, ValueRange,
                                  ValueRange cotangents, ActiveSet,
                                  Values &operandCotangents) {
  operandCotangents[0] =
      Emit(builder, getLoc()).reshape(cotangents[0], shapeOf(getInput()));
  return success();
}
LogicalResult ReshapeOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                  Values &resultTangents) {
  resultTangents[0] =
      Emit(builder, getLoc()).reshape(tangents[0], shapeOf(getOutput()));
  return success();
}

LogicalResult TransposeOp::buildVJP(OpBuilder &builder, ValueRange,
                                    ValueRange cotangents, ActiveSet,
                                    Values &operandCotangents) {
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    inverse[dim] = i;
  operandCotangents[0] =
      TransposeOp::create(builder, getLoc(), cotangents[0], inverse).getOutput();
  return success();
}
LogicalResult TransposeOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  resultTangents[0] =
      TransposeOp::create(builder, getLoc(), tangents[0], getPermutation())
          .getOutput();
  return success();
}

/// d_input = d_output with zeros around it.
LogicalResult SliceOp::buildVJP(OpBuilder &builder, ValueRange,
                                ValueRange cotangents, ActiveSet,
                                Values &operandCotangents) {
  int64_t high = shapeOf(getInput())[getDim()] - getStart() - getSize();
  operandCotangents[0] = PadOp::create(builder, getLoc(), cotangents[0],
                                       getDim(), getStart(), high)
                             .getOutput();
  return success();
}
LogicalResult SliceOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                Values &resultTangents) {
  resultTangents[0] = SliceOp::create(builder, getLoc(), tangents[0], getDim(),
                                      getStart(), getSize())
                          .getOutput();
  return success();
}

LogicalResult PadOp::buildVJP(OpBuilder &builder, ValueRange,
                              ValueRange cotangents, ActiveSet,
                              Values &operandCotangents) {
  operandCotangents[0] =
      SliceOp::create(builder, getLoc(), cotangents[0], getDim(), getLow(),
                      shapeOf(getInput())[getDim()])
          .getOutput();
  return success();
}
LogicalResult PadOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                              Values &resultTangents) {
  resultTangents[0] = PadOp::create(builder, getLoc(), tangents[0], getDim(),
                                    getLow(), getHigh())
                          .getOutput();
  return success();
}

LogicalResult ConcatOp::buildVJP(OpBuilder &builder, ValueRange,
                                 ValueRange cotangents, ActiveSet active,
                                 Values &operandCotangents) {
  int64_t start = 0;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    int64_t size = shapeOf(input)[getDim()];
    if (active.operand(i))
      operandCotangents[i] = SliceOp::create(builder, getLoc(), cotangents[0],
                                             getDim(), start, size)
                                 .getOutput();
    start += size;
  }
  return success();
}
LogicalResult ConcatOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                 Values &resultTangents) {
  Emit e(builder, getLoc());
  SmallVector<Value> parts;
  for (auto [i, input] : llvm::enumerate(getInputs()))
    parts.push_back(tangents[i] ? tangents[i] : e.splat(input.getType(), 0));
  resultTangents[0] =
      ConcatOp::create(builder, getLoc(), parts, getDim()).getOutput();
  return success();
}

void TakeOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIndex());
}
/// d_input is d_output where the position along dim is the index, else 0.
LogicalResult TakeOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                               ValueRange cotangents, ActiveSet,
                               Values &operandCotangents) {
  Emit e(builder, getLoc());
  ArrayRef<int64_t> shape = shapeOf(getInput());
  SmallVector<int64_t> others;
  for (int64_t i = 0, n = shape.size(); i < n; ++i)
    if (i != int64_t(getDim()))
      others.push_back(i);
  // In the index's own type: a narrower one could wrap into the dimension.
  Type indexType = tensorOf(residuals[0]).getElementType();
  Value positions = IotaOp::create(
      builder, getLoc(), tensorOf(getInput()).clone(indexType), getDim());
  Value hit = e.compare(ComparePredicate::EQ, positions,
                        e.broadcast(residuals[0], shape, {}));
  operandCotangents[0] = e.select(hit, e.broadcast(cotangents[0], shape, others),
                                  e.splat(getInput().getType(), 0));
  return success();
}
LogicalResult TakeOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                               Values &resultTangents) {
  resultTangents[0] =
      TakeOp::create(builder, getLoc(), tangents[0], getIndex(), getDim())
          .getOutput();
  return success();
}
bool TakeOp::isLinearIn(unsigned i) { return i == 0; }
bool TakeOp::isCutAt(unsigned i) { return i == 1; }
