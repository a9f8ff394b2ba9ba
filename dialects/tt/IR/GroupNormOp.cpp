//===- GroupNormOp.cpp - Normalization over groups of channels ------------===//
//
// A group is a row of the input reshaped to [N, groups, m]; only gamma and beta
// know channels.
//
//===----------------------------------------------------------------------===//
#include "tt/IR/NormEmit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// Fails unless gamma or beta is one value per channel; null is fine.
static LogicalResult checkPerChannel(std::optional<Location> loc, StringRef name,
                                     Value vector, RankedTensorType input) {
  if (!vector)
    return success();
  RankedTensorType type = tensorOf(vector);
  if (type.getRank() == 1 && type.getDimSize(0) == input.getDimSize(1) &&
      type.getElementType() == input.getElementType())
    return success();
  return emitOptionalError(loc, "'tt.group_norm' op expected ", name, " of shape [",
                           input.getDimSize(1), "] and type ", input.getElementType(),
                           " to match input, but got ", type);
}

LogicalResult GroupNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType input = tensorOf(adaptor.getInput());
  int64_t groups = adaptor.getGroups();
  if (input.getRank() < 2) // (C1)
    return emitOptionalError(loc, "'tt.group_norm' op expected an input of rank 2 or "
                                  "more, but got ", input);
  if (groups < 1 || input.getDimSize(1) % groups != 0) // (C2)
    return emitOptionalError(loc, "'tt.group_norm' op expected groups to divide the ",
                             input.getDimSize(1), " channels, but got ", groups);
  if (failed(checkPerChannel(loc, "gamma", adaptor.getGamma(), input)) ||
      failed(checkPerChannel(loc, "beta", adaptor.getBeta(), input))) // (C3)
    return failure();
  if (failed(checkEps(loc, "tt.group_norm", adaptor.getEps(), input.getElementType()))) // (C4)
    return failure();
  types.push_back(input);
  Type stat = accumulationType(input.getElementType());
  types.append(2, RankedTensorType::get({input.getDimSize(0), groups}, stat));
  return success();
}

void GroupNormOp::getResiduals(ActiveSet active, ActiveSet live, Values &residuals) {
  bool output = live.result(0);
  bool normalizedRead = (output && (active.operand(0) || active.operand(1))) ||
                        (live.result(2) && active.operand(0));
  residuals.push_back(normalizedRead ? getInput() : Value());
  residuals.push_back(output && active.operand(0) ? getGamma() : Value());
  residuals.push_back(normalizedRead ? getMean() : Value());
  residuals.push_back(normalizedRead ? getRstd() : Value());
}

namespace {
/// Emission in both shapes of one op's values.
struct Groups {
  Emit &e;
  GroupNormOp op;
  Type stat;

  Groups(Emit &e, GroupNormOp op)
      : e(e), op(op), stat(tensorOf(op.getRstd()).getElementType()) {}

  /// [N, groups, m] in the type of the statistics.
  RankedTensorType groupType() {
    RankedTensorType type = tensorOf(op.getInput());
    int64_t n = type.getDimSize(0), groups = op.getGroups(), m = 1;
    for (int64_t size : type.getShape().drop_front())
      m *= size; // checked: bounded by the type's elements
    return RankedTensorType::get({n, groups, m / groups}, stat);
  }
  Value byGroup(Value value) {
    return e.reshape(e.cast(value, stat), groupType().getShape());
  }
  /// One per element of a group.
  Value ones() {
    return e.splat(RankedTensorType::get({groupType().getDimSize(2)}, stat), 1);
  }
  Value byChannel(Value value) { return e.reshape(value, shapeOf(op.getInput())); }
  /// A vector [C] repeated as the input, in the type of the statistics.
  Value spread(Value vector) {
    return e.broadcast(e.cast(vector, stat), shapeOf(op.getInput()), {1});
  }
  Value narrow(Value value) {
    return e.cast(value, tensorOf(op.getInput()).getElementType());
  }
  /// Sum over all dimensions but the channels.
  Value channelSum(Value value) {
    SmallVector<int64_t> dims;
    for (int64_t i = 0, rank = tensorOf(value).getRank(); i < rank; ++i)
      if (i != 1)
        dims.push_back(i);
    return e.sumOver(value, dims);
  }
};
} // namespace

LogicalResult GroupNormOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet active,
                                    Values &operandCotangents) {
  Emit e(builder, getLoc());
  Groups groups(e, *this);
  Value mean = residuals[2], rstd = residuals[3];
  Value x = residuals[0] ? groups.byGroup(residuals[0]) : Value();
  Value d = cotangents[0] ? e.cast(cotangents[0], groups.stat) : Value();
  if (active.operand(0)) {
    Value sum;
    if (d) { // rows of layer_norm with gamma already in the cotangent
      Value h = groups.byGroup(e.mul(d, groups.spread(residuals[1])));
      sum = LayerNormBwdOp::create(builder, getLoc(), x, groups.ones(), mean, rstd, h)
                .getDInput();
    }
    sum = e.addOrNull(sum, emitStatCotangent(e, groups.groupType(), x, mean, rstd,
                                             cotangents[1], cotangents[2]));
    if (sum)
      operandCotangents[0] = groups.narrow(groups.byChannel(sum));
  }
  if (d && active.operand(1)) {
    Value xhat = groups.byChannel(emitNormalized(e, x, mean, rstd));
    operandCotangents[1] = groups.narrow(groups.channelSum(e.mul(d, xhat)));
  }
  if (d && getBeta() && active.operand(2))
    operandCotangents[2] = groups.narrow(groups.channelSum(d));
  return success();
}

/// As layer_norm: with xhat = (x - mean) rstd, d mean = mean(dx),
/// d rstd = -rstd^2 mean(xhat dx), d xhat = rstd (dx - mean(dx) - xhat mean(xhat dx)).
LogicalResult GroupNormOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  Emit e(builder, getLoc());
  Groups groups(e, *this);
  Value xhat = emitNormalized(e, groups.byGroup(getInput()), getMean(), getRstd());
  Value sum;
  if (tangents[0]) {
    Value dx = groups.byGroup(tangents[0]);
    Value dMean = e.rowMean(dx), along = e.rowMean(e.mul(xhat, dx));
    Value centered = e.sub(dx, e.alongRow(dMean, dx));
    centered = e.sub(centered, e.mul(xhat, e.alongRow(along, xhat)));
    Value dXhat = groups.byChannel(e.mul(centered, e.alongRow(getRstd(), centered)));
    sum = e.mul(dXhat, groups.spread(getGamma()));
    resultTangents[1] = dMean;
    resultTangents[2] = e.neg(e.mul(e.mul(getRstd(), getRstd()), along));
  }
  if (tangents[1])
    sum = e.addOrNull(sum, e.mul(groups.byChannel(xhat), groups.spread(tangents[1])));
  if (getBeta() && tangents[2])
    sum = e.addOrNull(sum, groups.spread(tangents[2]));
  resultTangents[0] = groups.narrow(sum);
  return success();
}
bool GroupNormOp::isLinearIn(unsigned i) { return i == 1 && !getBeta(); }
bool GroupNormOp::isCutAt(unsigned) { return false; }

/// The rows' norm without a scale of its own, then gamma and beta per channel.
LogicalResult GroupNormOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Groups groups(e, *this);
  Value x = groups.byGroup(getInput());
  auto norm =
      LayerNormOp::create(builder, getLoc(), x, groups.ones(), Value(), getEps());
  Value y = e.mul(groups.byChannel(norm.getOutput()), groups.spread(getGamma()));
  if (getBeta())
    y = e.add(y, groups.spread(getBeta()));
  results.assign({groups.narrow(y), norm.getMean(), norm.getRstd()});
  return success();
}
