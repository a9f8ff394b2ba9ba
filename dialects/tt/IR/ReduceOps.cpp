//===- ReduceOps.cpp - Reductions and softmax -----------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/Infer.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// The dimensions of `input` that are not in `dims`.
static SmallVector<int64_t> keptDims(Value input, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (int64_t i = 0, e = tensorOf(input).getRank(); i < e; ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  return kept;
}

static LogicalResult inferReduction(std::optional<Location> loc, StringRef op,
                                    Value input, ArrayRef<int64_t> dims,
                                    SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(input);
  if (failed(checkDims(loc, op, type, dims))) // (C1)
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : keptDims(input, dims))
    shape.push_back(type.getDimSize(dim));
  types.push_back(type.clone(shape));
  return success();
}

static int64_t countReduced(Value input, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shapeOf(input)[dim]; // bounded by the operand's element count
  return count;
}

#define TT_SUM_LIKE(OP, NAME, FACTOR)                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location> loc, \
                                     Adaptor adaptor,                          \
                                     SmallVectorImpl<Type> &types) {           \
    return inferReduction(loc, NAME, adaptor.getInput(), adaptor.getDims(),    \
                          types);                                              \
  }                                                                            \
  void OP::getResiduals(ActiveSet, ActiveSet, Values &) {}                     \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange,                   \
                             ValueRange cotangents, ActiveSet,                 \
                             Values &operandCotangents) {                      \
    Emit e(builder, getLoc());                                                 \
    Value d = cotangents[0];                                                   \
    if (FACTOR != 1.0)                                                         \
      d = e.scale(d, FACTOR);                                                  \
    operandCotangents[0] =                                                     \
        e.broadcast(d, shapeOf(getInput()), keptDims(getInput(), getDims()));  \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    resultTangents[0] =                                                        \
        OP::create(builder, getLoc(), tangents[0], getDims()).getOutput();     \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned) { return true; }                               \
  bool OP::isCutAt(unsigned) { return false; }

TT_SUM_LIKE(SumOp, "tt.sum", 1.0)
TT_SUM_LIKE(MeanOp, "tt.mean", (1.0 / countReduced(getInput(), getDims())))

OpFoldResult SumOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

LogicalResult MaxOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  int64_t dim = adaptor.getDim();
  if (failed(checkDim(loc, "tt.max", tensorOf(adaptor.getInput()), dim)) ||
      failed(inferReduction(loc, "tt.max", adaptor.getInput(), {dim}, types)))
    return failure(); // (C1)
  types.push_back(
      cast<RankedTensorType>(types[0]).clone(IntegerType::get(context, 32)));
  return success();
}
void MaxOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIndex());
}
/// `d` [kept dims] at the position `index` along dim, 0 elsewhere.
static Value atIndex(Emit &e, MaxOp op, Value index, Value d) {
  int64_t dim = op.getDim();
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  SmallVector<int64_t> kept = keptDims(op.getInput(), {dim});
  Value hit = e.compare(ComparePredicate::EQ, e.iotaLike(op.getInput(), dim),
                        e.broadcast(index, shape, kept));
  return e.select(hit, d, e.splat(op.getInput().getType(), 0));
}
LogicalResult MaxOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                              ValueRange cotangents, ActiveSet,
                              Values &operandCotangents) {
  Emit e(builder, getLoc());
  int64_t dim = getDim();
  Value d = e.broadcast(cotangents[0], shapeOf(getInput()),
                        keptDims(getInput(), {dim}));
  operandCotangents[0] = atIndex(e, *this, residuals[0], d);
  return success();
}
LogicalResult MaxOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                              Values &resultTangents) {
  Emit e(builder, getLoc());
  int64_t dim = getDim();
  Value picked = atIndex(e, *this, getIndex(), tangents[0]);
  resultTangents[0] = SumOp::create(builder, getLoc(), picked,
                                    ArrayRef<int64_t>{dim}).getOutput();
  return success();
}
bool MaxOp::isLinearIn(unsigned) { return false; }
bool MaxOp::isCutAt(unsigned) { return false; }

LogicalResult SoftmaxOp::verify() {
  if (tensorOf(getInput()).getRank() == 0) // (C1)
    return emitOpError() << "expected a tensor of rank 1 or more, but got "
                         << getInput().getType();
  return success();
}
void SoftmaxOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getOutput());
}
LogicalResult SoftmaxOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                  ValueRange cotangents, ActiveSet,
                                  Values &operandCotangents) {
  operandCotangents[0] =
      SoftmaxBwdOp::create(builder, getLoc(), residuals[0], cotangents[0]);
  return success();
}
// The Jacobian is symmetric: the JVP is the VJP.
LogicalResult SoftmaxOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                  Values &resultTangents) {
  resultTangents[0] =
      SoftmaxBwdOp::create(builder, getLoc(), getOutput(), tangents[0]);
  return success();
}
bool SoftmaxOp::isLinearIn(unsigned) { return false; }
bool SoftmaxOp::isCutAt(unsigned) { return false; }

/// The maximum is a shift that cancels: no derivative goes through it.
LogicalResult SoftmaxOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Type element = tensorOf(getInput()).getElementType();
  Value x = e.cast(getInput(), accumulationType(element));
  Value largest = e.stopGradient(e.rowMax(x));
  Value powers = e.exp(e.sub(x, e.alongRow(largest, x)));
  Value p = e.div(powers, e.alongRow(e.rowSum(powers), powers));
  results[0] = e.cast(p, element);
  return success();
}

LogicalResult SoftmaxBwdOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Type element = tensorOf(getOutput()).getElementType();
  Value p = e.cast(getOutput(), accumulationType(element));
  Value d = e.cast(getDOutput(), accumulationType(element));
  Value inner = e.rowSum(e.mul(d, p));
  results[0] = e.cast(e.mul(p, e.sub(d, e.alongRow(inner, d))), element);
  return success();
}
