//===- LinearOps.cpp - Matrix products ------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static Value matmul(Emit &e, Value a, Value b, bool ta, bool tb) {
  return MatmulOp::create(e.builder, e.loc, a, b, ta, tb).getOutput();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType lhs = tensorOf(adaptor.getLhs()), rhs = tensorOf(adaptor.getRhs());
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank ||
      lhs.getElementType() != rhs.getElementType()) // (C1)
    return emitOptionalError(loc, "'tt.matmul' op expected operands of one rank "
                                  ">= 2 and one element type, but got ",
                             lhs, " and ", rhs);
  if (lhs.getShape().drop_back(2) != rhs.getShape().drop_back(2)) // (C2)
    return emitOptionalError(loc, "'tt.matmul' op expected equal leading "
                                  "dimensions, but got ", lhs, " and ", rhs);
  bool ta = adaptor.getTransposeLhs(), tb = adaptor.getTransposeRhs();
  int64_t m = lhs.getDimSize(rank - (ta ? 1 : 2));
  int64_t k = lhs.getDimSize(rank - (ta ? 2 : 1));
  int64_t k2 = rhs.getDimSize(rank - (tb ? 1 : 2));
  int64_t n = rhs.getDimSize(rank - (tb ? 2 : 1));
  if (k != k2) // (C3)
    return emitOptionalError(loc, "'tt.matmul' op expected equal contracted "
                                  "sizes, but got ", k, " and ", k2);
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  shape.append({m, n});
  types.push_back(lhs.clone(shape));
  return success();
}
void MatmulOp::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {
  residuals.push_back(active.operand(1) ? getLhs() : Value());
  residuals.push_back(active.operand(0) ? getRhs() : Value());
}
/// C = A B: dA = dC B^T, dB = A^T dC, each with the flags that give the
/// operand's own orientation.
LogicalResult MatmulOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                 ValueRange cotangents, ActiveSet active,
                                 Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value d = cotangents[0], lhs = residuals[0], rhs = residuals[1];
  bool ta = getTransposeLhs(), tb = getTransposeRhs();
  if (active.operand(0))
    operandCotangents[0] =
        ta ? matmul(e, rhs, d, tb, true) : matmul(e, d, rhs, false, !tb);
  if (active.operand(1))
    operandCotangents[1] =
        tb ? matmul(e, d, lhs, true, ta) : matmul(e, lhs, d, !ta, false);
  return success();
}
LogicalResult MatmulOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                 Values &resultTangents) {
  Emit e(builder, getLoc());
  bool ta = getTransposeLhs(), tb = getTransposeRhs();
  if (tangents[0])
    resultTangents[0] = matmul(e, tangents[0], getRhs(), ta, tb);
  if (tangents[1])
    resultTangents[0] = e.addOrNull(resultTangents[0],
                                    matmul(e, getLhs(), tangents[1], ta, tb));
  return success();
}
bool MatmulOp::isLinearIn(unsigned) { return true; }
bool MatmulOp::isCutAt(unsigned) { return false; }
int64_t MatmulOp::getMatmulFlops() {
  int64_t k = shapeOf(getLhs())[tensorOf(getLhs()).getRank() -
                                (getTransposeLhs() ? 2 : 1)];
  return 2 * tensorOf(getOutput()).getNumElements() * k;
}

LogicalResult LinearOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType input = tensorOf(adaptor.getInput());
  RankedTensorType weight = tensorOf(adaptor.getWeight());
  if (weight.getRank() != 2 || input.getRank() < 1 ||
      weight.getElementType() != input.getElementType()) // (C1)
    return emitOptionalError(loc, "'tt.linear' op expected a weight of rank 2 "
                                  "and the input's element type, but got ",
                             weight, " for input ", input);
  bool inOut = adaptor.getLayout() == WeightLayout::InOut;
  int64_t in = weight.getDimSize(inOut ? 0 : 1);
  int64_t out = weight.getDimSize(inOut ? 1 : 0);
  if (input.getShape().back() != in) // (C2)
    return emitOptionalError(loc, "'tt.linear' op expected an input whose last "
                                  "dimension is ", in, ", but got ", input);
  if (Value bias = adaptor.getBias()) {
    RankedTensorType type = tensorOf(bias);
    if (type.getRank() != 1 || type.getDimSize(0) != out ||
        type.getElementType() != input.getElementType()) // (C3)
      return emitOptionalError(loc, "'tt.linear' op expected a bias of shape [",
                               out, "], but got ", type);
  }
  SmallVector<int64_t> shape(input.getShape().drop_back());
  shape.push_back(out);
  types.push_back(input.clone(shape));
  return success();
}
void LinearOp::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {
  residuals.push_back(active.operand(1) ? getInput() : Value());
  residuals.push_back(active.operand(0) ? getWeight() : Value());
}

/// A tensor [.., C] as a matrix [rows, C].
static Value asMatrix(Emit &e, Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t rows = RankedTensorType::get(shape.drop_back(), e.builder.getI1Type())
                     .getNumElements();
  return e.reshape(value, {rows, shape.back()});
}

/// d_input = d W^T, d_weight = x^T d over all rows, d_bias = column sum of d.
LogicalResult LinearOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                 ValueRange cotangents, ActiveSet active,
                                 Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value d = cotangents[0];
  bool inOut = getLayout() == WeightLayout::InOut;
  if (active.operand(0))
    operandCotangents[0] =
        LinearOp::create(builder, getLoc(), d, residuals[1], Value(),
                         inOut ? WeightLayout::OutIn : WeightLayout::InOut)
            .getOutput();
  if (active.operand(1)) {
    Value x = asMatrix(e, residuals[0]), dm = asMatrix(e, d);
    operandCotangents[1] = inOut ? matmul(e, x, dm, true, false)
                                 : matmul(e, dm, x, true, false);
  }
  if (getBias() && active.operand(2))
    operandCotangents[2] = e.columnSum(d);
  return success();
}
LogicalResult LinearOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                 Values &resultTangents) {
  Emit e(builder, getLoc());
  Value sum;
  auto apply = [&](Value x, Value w) {
    return LinearOp::create(builder, getLoc(), x, w, Value(), getLayout())
        .getOutput();
  };
  if (tangents[0])
    sum = apply(tangents[0], getWeight());
  if (tangents[1])
    sum = e.addOrNull(sum, apply(getInput(), tangents[1]));
  if (tangents.size() > 2 && tangents[2])
    sum = e.addOrNull(sum, e.perColumn(tangents[2], getOutput()));
  resultTangents[0] = sum;
  return success();
}
bool LinearOp::isLinearIn(unsigned i) { return i < 2 ? !getBias() : false; }
bool LinearOp::isCutAt(unsigned) { return false; }
int64_t LinearOp::getMatmulFlops() {
  return 2 * tensorOf(getOutput()).getNumElements() * shapeOf(getInput()).back();
}
