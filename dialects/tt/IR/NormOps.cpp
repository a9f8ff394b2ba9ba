//===- NormOps.cpp - Normalizations ---------------------------------------===//
#include "NarrowFloat.h"

#include "tt/IR/NormEmit.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// Checks gamma or beta against the input; null is fine.
static LogicalResult checkPerColumn(std::optional<Location> loc, StringRef op,
                                    StringRef name, Value vector,
                                    RankedTensorType input) {
  if (!vector)
    return success();
  RankedTensorType type = tensorOf(vector);
  if (type.getRank() == 1 && type.getDimSize(0) == input.getShape().back() &&
      type.getElementType() == input.getElementType())
    return success();
  return emitOptionalError(loc, "'", op, "' op expected ", name, " of shape [",
                           input.getShape().back(), "] and type ",
                           input.getElementType(), " to match input, but got ",
                           type);
}

LogicalResult tt::checkEps(std::optional<Location> loc, StringRef op, const APFloat &eps,
                           Type element) {
  FloatType stat = accumulationType(element);
  if (!(eps.convertToDouble() > 0))
    return emitOptionalError(loc, "'", op, "' op expected a positive eps, but got ",
                             std::to_string(eps.convertToDouble()));
  if (narrowTo(stat, eps).isNormal())
    return success();
  return emitOptionalError(loc, "'", op, "' op expected an eps that is a normal number of ",
                           stat, ", in which rstd is computed, but got ",
                           llvm::formatv("{0:e2}", eps.convertToDouble()).str());
}

static LogicalResult checkNorm(std::optional<Location> loc, StringRef op,
                               Value inputValue, Value gamma, Value beta,
                               const APFloat &eps) {
  RankedTensorType input = tensorOf(inputValue);
  if (input.getRank() == 0) // (C1)
    return emitOptionalError(loc, "'", op, "' op expected an input of rank 1 or "
                                           "more, but got ", input);
  if (failed(checkPerColumn(loc, op, "gamma", gamma, input)) ||
      failed(checkPerColumn(loc, op, "beta", beta, input))) // (C2)
    return failure();
  return checkEps(loc, op, eps, input.getElementType()); // (C3)
}

/// The type of a per-row statistic.
static RankedTensorType statType(Value input) {
  RankedTensorType type = tensorOf(input);
  return RankedTensorType::get(type.getShape().drop_back(),
                               accumulationType(type.getElementType()));
}

Value tt::emitNormalized(Emit &e, Value input, Value mean, Value rstd) {
  Value x = e.cast(input, tensorOf(rstd).getElementType());
  if (mean)
    x = e.sub(x, e.alongRow(mean, x));
  return e.mul(x, e.alongRow(rstd, x));
}

/// d_mean / C - rstd^2 xhat d_rstd / C.
Value tt::emitStatCotangent(Emit &e, RankedTensorType type, Value input, Value mean,
                            Value rstd, Value dMean, Value dRstd) {
  double perElement = 1.0 / double(type.getShape().back());
  Value sum;
  if (dMean)
    sum = e.broadcast(e.scale(dMean, perElement), type.getShape(),
                      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1)));
  if (dRstd) {
    Value xhat = emitNormalized(e, input, mean, rstd);
    Value factor = e.scale(e.mul(e.mul(rstd, rstd), dRstd), -perElement);
    sum = e.addOrNull(sum, e.mul(xhat, e.alongRow(factor, xhat)));
  }
  return sum ? e.cast(sum, type.getElementType()) : sum;
}

/// d_gamma = column sum of d_output * xhat.
static Value gammaCotangent(Emit &e, Value xhat, Value d, Value like) {
  Value product = e.mul(e.cast(d, tensorOf(xhat).getElementType()), xhat);
  return e.cast(e.columnSum(product), tensorOf(like).getElementType());
}

//===----------------------------------------------------------------------===//
// layer_norm
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(checkNorm(loc, "tt.layer_norm", adaptor.getInput(),
                       adaptor.getGamma(), adaptor.getBeta(),
                       adaptor.getEps())))
    return failure();
  types.push_back(adaptor.getInput().getType());
  types.append(2, statType(adaptor.getInput()));
  return success();
}
void LayerNormOp::getResiduals(ActiveSet active, ActiveSet live, Values &residuals) {
  bool output = live.result(0); // else only mean and rstd
  bool normalizedRead = (output && (active.operand(0) || active.operand(1))) ||
                        (live.result(2) && active.operand(0));
  residuals.push_back(normalizedRead ? getInput() : Value());
  residuals.push_back(output && active.operand(0) ? getGamma() : Value());
  residuals.push_back(normalizedRead ? getMean() : Value());
  residuals.push_back(normalizedRead ? getRstd() : Value());
}
LogicalResult LayerNormOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet active,
                                    Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value d = cotangents[0], x = residuals[0], mean = residuals[2],
        rstd = residuals[3];
  if (active.operand(0)) {
    if (d)
      operandCotangents[0] =
          LayerNormBwdOp::create(builder, getLoc(), x, residuals[1], mean, rstd, d)
              .getDInput();
    Value stats = emitStatCotangent(e, tensorOf(getInput()), x, mean, rstd,
                                    cotangents[1], cotangents[2]);
    operandCotangents[0] = e.addOrNull(operandCotangents[0], stats);
  }
  if (d && active.operand(1))
    operandCotangents[1] =
        gammaCotangent(e, emitNormalized(e, x, mean, rstd), d, getGamma());
  if (d && getBeta() && active.operand(2))
    operandCotangents[2] = e.columnSum(d);
  return success();
}
/// With xhat = (x - mean) rstd: d mean = mean(dx), d rstd = -rstd^2 mean(xhat dx),
/// d xhat = rstd (dx - mean(dx) - xhat mean(xhat dx)).
LogicalResult LayerNormOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getRstd()).getElementType();
  Type element = tensorOf(getInput()).getElementType();
  Value xhat = emitNormalized(e, getInput(), getMean(), getRstd());
  Value sum;
  if (tangents[0]) {
    Value dx = e.cast(tangents[0], stat);
    Value dmean = e.rowMean(dx), m2 = e.rowMean(e.mul(xhat, dx));
    Value centered = e.sub(dx, e.alongRow(dmean, dx));
    centered = e.sub(centered, e.mul(xhat, e.alongRow(m2, xhat)));
    Value dxhat = e.mul(centered, e.alongRow(getRstd(), centered));
    sum = e.mul(dxhat, e.perColumn(e.cast(getGamma(), stat), dxhat));
    resultTangents[1] = dmean;
    resultTangents[2] = e.neg(e.mul(e.mul(getRstd(), getRstd()), m2));
  }
  if (tangents[1])
    sum = e.addOrNull(
        sum, e.mul(xhat, e.perColumn(e.cast(tangents[1], stat), xhat)));
  if (getBeta() && tangents[2])
    sum = e.addOrNull(sum, e.perColumn(e.cast(tangents[2], stat), xhat));
  resultTangents[0] = e.cast(sum, element);
  return success();
}
bool LayerNormOp::isLinearIn(unsigned i) { return i == 1 && !getBeta(); }
bool LayerNormOp::isCutAt(unsigned) { return false; }

LogicalResult LayerNormBwdOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkNorm(loc, "tt.layer_norm_bwd", adaptor.getInput(),
                       adaptor.getGamma(), Value(), APFloat(1.0))))
    return failure();
  Type stat = statType(adaptor.getInput());
  if (adaptor.getMean().getType() != stat || adaptor.getRstd().getType() != stat ||
      adaptor.getDOutput().getType() != adaptor.getInput().getType())
    return emitOptionalError(loc, "'tt.layer_norm_bwd' op expected mean and rstd "
                                  "of type ", stat, " and a d_output of type ",
                             adaptor.getInput().getType());
  types.push_back(adaptor.getInput().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// rms_norm
//===----------------------------------------------------------------------===//

/// What a column is multiplied by, in element type `stat`.
static Value scaleOf(Emit &e, Value gamma, bool unitOffset, Type stat) {
  Value factor = e.cast(gamma, stat);
  return unitOffset ? e.shift(factor, 1) : factor;
}

LogicalResult RMSNormOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  if (failed(checkNorm(loc, "tt.rms_norm", adaptor.getInput(), adaptor.getGamma(),
                       Value(), adaptor.getEps())))
    return failure();
  types.push_back(adaptor.getInput().getType());
  types.push_back(statType(adaptor.getInput()));
  return success();
}
void RMSNormOp::getResiduals(ActiveSet active, ActiveSet live, Values &residuals) {
  residuals.push_back(getInput());
  residuals.push_back(live.result(0) && active.operand(0) ? getGamma() : Value());
  residuals.push_back(getRstd());
}
LogicalResult RMSNormOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                  ValueRange cotangents, ActiveSet active,
                                  Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value d = cotangents[0], x = residuals[0], rstd = residuals[2];
  if (active.operand(0)) {
    if (d)
      operandCotangents[0] =
          RMSNormBwdOp::create(builder, getLoc(), x, residuals[1], rstd, d,
                               getUnitOffset())
              .getDInput();
    Value stats = emitStatCotangent(e, tensorOf(getInput()), x, Value(), rstd,
                                    Value(), cotangents[1]);
    operandCotangents[0] = e.addOrNull(operandCotangents[0], stats);
  }
  if (d && active.operand(1))
    operandCotangents[1] =
        gammaCotangent(e, emitNormalized(e, x, Value(), rstd), d, getGamma());
  return success();
}
/// d rstd = -rstd^2 mean(xhat dx), d xhat = rstd dx - xhat rstd mean(xhat dx).
LogicalResult RMSNormOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                  Values &resultTangents) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getRstd()).getElementType();
  Value xhat = emitNormalized(e, getInput(), Value(), getRstd());
  Value sum;
  if (tangents[0]) {
    Value dx = e.cast(tangents[0], stat);
    Value m2 = e.rowMean(e.mul(xhat, dx));
    Value rest = e.sub(dx, e.mul(xhat, e.alongRow(m2, xhat)));
    Value dxhat = e.mul(rest, e.alongRow(getRstd(), rest));
    Value factor = scaleOf(e, getGamma(), getUnitOffset(), stat);
    sum = e.mul(dxhat, e.perColumn(factor, dxhat));
    resultTangents[1] = e.neg(e.mul(e.mul(getRstd(), getRstd()), m2));
  }
  if (tangents[1])
    sum = e.addOrNull(
        sum, e.mul(xhat, e.perColumn(e.cast(tangents[1], stat), xhat)));
  resultTangents[0] = e.cast(sum, tensorOf(getInput()).getElementType());
  return success();
}
bool RMSNormOp::isLinearIn(unsigned i) { return i == 1 && !getUnitOffset(); }
bool RMSNormOp::isCutAt(unsigned) { return false; }

LogicalResult RMSNormBwdOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  if (failed(checkNorm(loc, "tt.rms_norm_bwd", adaptor.getInput(),
                       adaptor.getGamma(), Value(), APFloat(1.0))))
    return failure();
  Type stat = statType(adaptor.getInput());
  if (adaptor.getRstd().getType() != stat ||
      adaptor.getDOutput().getType() != adaptor.getInput().getType())
    return emitOptionalError(loc, "'tt.rms_norm_bwd' op expected rstd of type ",
                             stat, " and a d_output of type ",
                             adaptor.getInput().getType());
  types.push_back(adaptor.getInput().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value x = e.cast(getInput(), tensorOf(getRstd()).getElementType());
  results[1] = e.rowMean(x);
  Value centered = e.sub(x, e.alongRow(results[1], x));
  // What the rounding of the mean leaves, as the op's text says.
  centered = e.sub(centered, e.alongRow(e.rowMean(centered), x));
  Value variance = e.rowMean(e.mul(centered, centered));
  results[2] = e.rsqrt(e.shift(variance, getEps().convertToDouble()));
  Value xhat = e.mul(centered, e.alongRow(results[2], centered));
  Type stat = tensorOf(xhat).getElementType();
  Value y = e.mul(xhat, e.perColumn(e.cast(getGamma(), stat), xhat));
  if (getBeta())
    y = e.add(y, e.perColumn(e.cast(getBeta(), stat), y));
  results[0] = e.cast(y, tensorOf(getInput()).getElementType());
  return success();
}

LogicalResult RMSNormOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getRstd()).getElementType();
  if (getUnitOffset() && tensorOf(getInput()).getElementType() == stat) {
    // Exact in this type, and an op with an emitter of its own.
    auto plain = RMSNormOp::create(builder, getLoc(), getInput(),
                                   e.shift(getGamma(), 1), getEps());
    results.assign({plain.getOutput(), plain.getRstd()});
    return success();
  }
  Value x = e.cast(getInput(), stat);
  Value square = e.rowMean(e.mul(x, x));
  results[1] = e.rsqrt(e.shift(square, getEps().convertToDouble()));
  Value xhat = e.mul(x, e.alongRow(results[1], x));
  Value factor = scaleOf(e, getGamma(), getUnitOffset(), stat);
  results[0] = e.cast(e.mul(xhat, e.perColumn(factor, xhat)),
                      tensorOf(getInput()).getElementType());
  return success();
}

/// rstd (h - mean(h) - xhat mean(h xhat)), h = d factor; without `mean` the term
/// mean(h) is left out.
static Value decomposeNormBwd(Emit &e, Value input, Value factor, Value mean,
                              Value rstd, Value d) {
  Type stat = tensorOf(rstd).getElementType();
  Value xhat = emitNormalized(e, input, mean, rstd);
  Value h = e.mul(e.cast(d, stat), e.perColumn(factor, xhat));
  Value rest = h;
  if (mean)
    rest = e.sub(rest, e.alongRow(e.rowMean(h), rest));
  Value along = e.rowMean(e.mul(h, xhat));
  rest = e.sub(rest, e.mul(xhat, e.alongRow(along, xhat)));
  return e.cast(e.mul(rest, e.alongRow(rstd, rest)),
                tensorOf(input).getElementType());
}

LogicalResult LayerNormBwdOp::buildDecomposition(OpBuilder &builder,
                                                 Values &results) {
  Emit e(builder, getLoc());
  Value factor = e.cast(getGamma(), tensorOf(getRstd()).getElementType());
  results[0] = decomposeNormBwd(e, getInput(), factor, getMean(), getRstd(),
                                getDOutput());
  return success();
}

LogicalResult RMSNormBwdOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getRstd()).getElementType();
  Value factor = scaleOf(e, getGamma(), getUnitOffset(), stat);
  if (getUnitOffset() && tensorOf(getGamma()).getElementType() == stat)
    results[0] = RMSNormBwdOp::create(builder, getLoc(), getInput(), factor,
                                      getRstd(), getDOutput())
                     .getDInput();
  else
    results[0] = decomposeNormBwd(e, getInput(), factor, Value(), getRstd(),
                                  getDOutput());
  return success();
}
