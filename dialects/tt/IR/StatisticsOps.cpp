//===- StatisticsOps.cpp - log_softmax, logsumexp, variance ---------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/Infer.h"
#include "tt/IR/LossEmit.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// The type of `input` without `dims`, which must be dimensions of it.
static LogicalResult inferWithout(std::optional<Location> loc, StringRef op,
                                  Value input, ArrayRef<int64_t> dims,
                                  SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(input);
  if (failed(checkDims(loc, op, type, dims))) // (C1)
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i)
    if (!llvm::is_contained(dims, i))
      shape.push_back(type.getDimSize(i));
  types.push_back(type.clone(shape));
  return success();
}

/// `value` in the type that sums are formed in.
static Value widened(Emit &e, Value value) {
  return e.cast(value, accumulationType(tensorOf(value).getElementType()));
}
static Value narrowed(Emit &e, Value value, Value like) {
  return e.cast(value, tensorOf(like).getElementType());
}

//===----------------------------------------------------------------------===//
// logsumexp
//===----------------------------------------------------------------------===//

/// `value` where it is finite, else 0: what may be subtracted from +-inf.
static Value finiteOrZero(Emit &e, Value value) {
  Value infinity = e.splat(value.getType(), std::numeric_limits<double>::infinity());
  Value isFinite = e.compare(ComparePredicate::LT, e.abs(value), infinity);
  return e.select(isFinite, value, e.splat(value.getType(), 0));
}

static Value largestOver(Emit &e, Value x, ArrayRef<int64_t> dims) {
  for (int64_t dim : llvm::reverse(dims))
    x = MaxOp::create(e.builder, e.loc, x, dim).getOutput();
  // A shift that cancels: no derivative goes through it.
  return finiteOrZero(e, e.stopGradient(x));
}

Centered tt::emitCentered(Emit &e, Value x, Value lse, ArrayRef<int64_t> dims) {
  if (tensorOf(x).getElementType().isF64())
    return {x, lse};
  Value shift = largestOver(e, x, dims);
  Value below = e.sub(x, e.alongDims(shift, x, dims)), given = e.sub(lse, shift);
  Value powers = e.exp(e.stopGradient(below));
  Value off = e.sub(e.log(e.sumOver(powers, dims)), e.stopGradient(given));
  Value bound = e.scale(e.abs(e.stopGradient(lse)), kRoundedLse);
  Value isRounding = e.compare(ComparePredicate::LE, e.abs(off), bound);
  return {below, e.add(given, e.select(isRounding, off, e.splat(off.getType(), 0)))};
}

Value tt::emitLogSumExp(Emit &e, Value x, ArrayRef<int64_t> dims) {
  Value shift = largestOver(e, x, dims);
  Value sum = e.sumOver(e.exp(e.sub(x, e.alongDims(shift, x, dims))), dims);
  // A slice of -inf alone: the slope of the logarithm at 0 would meet its cotangents.
  Value isEmpty = e.compare(ComparePredicate::EQ, sum, e.splat(sum.getType(), 0));
  Value safe = e.select(isEmpty, e.splat(sum.getType(), 1), sum);
  return e.select(isEmpty, e.splat(sum.getType(), -std::numeric_limits<double>::infinity()),
                  e.add(e.log(safe), shift));
}

LogicalResult LogSumExpOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  return inferWithout(loc, "tt.logsumexp", adaptor.getInput(), adaptor.getDims(),
                      types);
}
OpFoldResult LogSumExpOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}
void LogSumExpOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.append({getInput(), getOutput()});
}
/// e^(input - output); 0 in a slice of -inf.
static Value softmaxOver(Emit &e, Value input, Value output, ArrayRef<int64_t> dims) {
  Value x = widened(e, input), lse = finiteOrZero(e, widened(e, output));
  Centered centered = emitCentered(e, x, lse, dims);
  return e.exp(e.sub(centered.x, e.alongDims(centered.lse, x, dims)));
}
LogicalResult LogSumExpOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet,
                                    Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value p = softmaxOver(e, residuals[0], residuals[1], getDims());
  Value d = e.alongDims(widened(e, cotangents[0]), p, getDims());
  operandCotangents[0] = narrowed(e, e.mul(p, d), getInput());
  return success();
}
LogicalResult LogSumExpOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  Emit e(builder, getLoc());
  Value p = softmaxOver(e, getInput(), getOutput(), getDims());
  Value product = e.mul(p, widened(e, tangents[0]));
  resultTangents[0] = narrowed(e, e.sumOver(product, getDims()), getInput());
  return success();
}
bool LogSumExpOp::isLinearIn(unsigned) { return false; }
bool LogSumExpOp::isCutAt(unsigned) { return false; }
LogicalResult LogSumExpOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value lse = emitLogSumExp(e, widened(e, getInput()), getDims());
  results[0] = narrowed(e, lse, getInput());
  return success();
}

//===----------------------------------------------------------------------===//
// log_softmax
//===----------------------------------------------------------------------===//

LogicalResult LogSoftmaxOp::verify() {
  if (tensorOf(getInput()).getRank() == 0) // (C1)
    return emitOpError() << "expected a tensor of rank 1 or more, but got "
                         << getInput().getType();
  return success();
}
void LogSoftmaxOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getOutput());
}
LogicalResult LogSoftmaxOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                     ValueRange cotangents, ActiveSet,
                                     Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value p = e.exp(widened(e, residuals[0])), d = widened(e, cotangents[0]);
  Value part = e.mul(p, e.alongRow(e.rowSum(d), p));
  operandCotangents[0] = narrowed(e, e.sub(d, part), getInput());
  return success();
}
LogicalResult LogSoftmaxOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                     Values &resultTangents) {
  Emit e(builder, getLoc());
  Value p = e.exp(widened(e, getOutput())), t = widened(e, tangents[0]);
  Value mean = e.rowSum(e.mul(p, t));
  resultTangents[0] = narrowed(e, e.sub(t, e.alongRow(mean, t)), getInput());
  return success();
}
bool LogSoftmaxOp::isLinearIn(unsigned) { return false; }
bool LogSoftmaxOp::isCutAt(unsigned) { return false; }
LogicalResult LogSoftmaxOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value x = widened(e, getInput());
  // Without the shift, an output near 0 would lose the digits of a large lse.
  Value shift = finiteOrZero(e, e.stopGradient(e.rowMax(x)));
  Value centered = e.sub(x, e.alongRow(shift, x));
  Value rest = e.log(e.rowSum(e.exp(centered)));
  results[0] = narrowed(e, e.sub(centered, e.alongRow(rest, x)), getInput());
  return success();
}

//===----------------------------------------------------------------------===//
// variance
//===----------------------------------------------------------------------===//

/// The number of elements of a slice along `dims`.
static int64_t sliceSize(Value input, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shapeOf(input)[dim]; // checked: bounded by the operand's elements
  return count;
}

LogicalResult VarianceOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  if (failed(inferWithout(loc, "tt.variance", adaptor.getInput(),
                          adaptor.getDims(), types)))
    return failure();
  int64_t count = sliceSize(adaptor.getInput(), adaptor.getDims());
  int64_t correction = adaptor.getCorrection();
  if (correction < 0 || correction >= count) // (C2)
    return emitOptionalError(loc, "'tt.variance' op expected a correction in [0, ",
                             count, "), but got ", correction);
  return success();
}
void VarianceOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getInput());
}
static Value lessMean(Emit &e, Value x, ArrayRef<int64_t> dims) {
  Value mean = MeanOp::create(e.builder, e.loc, x, dims).getOutput();
  return e.sub(x, e.alongDims(mean, x, dims));
}
/// input - mean, widened. Far from 0 the rounding of the mean is as large as the spread;
/// what it leaves, its own mean, is taken off as well.
static Value centeredOver(Emit &e, Value input, ArrayRef<int64_t> dims) {
  return lessMean(e, lessMean(e, widened(e, input), dims), dims);
}
static double perElement(VarianceOp op) {
  return 1.0 / double(sliceSize(op.getInput(), op.getDims()) -
                      int64_t(op.getCorrection()));
}
/// 2 (input - mean) / (n - correction) d; the mean's own part sums to 0.
LogicalResult VarianceOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                   ValueRange cotangents, ActiveSet,
                                   Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value centered = centeredOver(e, residuals[0], getDims());
  Value d = e.scale(widened(e, cotangents[0]), 2 * perElement(*this));
  operandCotangents[0] =
      narrowed(e, e.mul(centered, e.alongDims(d, centered, getDims())), getInput());
  return success();
}
LogicalResult VarianceOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                   Values &resultTangents) {
  Emit e(builder, getLoc());
  Value product = e.mul(centeredOver(e, getInput(), getDims()), widened(e, tangents[0]));
  Value sum = e.scale(e.sumOver(product, getDims()), 2 * perElement(*this));
  resultTangents[0] = narrowed(e, sum, getInput());
  return success();
}
bool VarianceOp::isLinearIn(unsigned) { return false; }
bool VarianceOp::isCutAt(unsigned) { return false; }
LogicalResult VarianceOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value centered = centeredOver(e, getInput(), getDims());
  Value sum = e.sumOver(e.mul(centered, centered), getDims());
  results[0] = narrowed(e, e.scale(sum, perElement(*this)), getInput());
  return success();
}
