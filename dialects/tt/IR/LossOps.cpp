//===- LossOps.cpp - Losses -----------------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static LogicalResult checkLogits(std::optional<Location> loc, StringRef op,
                                 Value logits, Value targets) {
  RankedTensorType type = tensorOf(logits);
  if (type.getRank() >= 1 && type.getShape().drop_back() == shapeOf(targets)) // (C1)
    return success();
  return emitOptionalError(loc, "'", op, "' op expected logits of the targets' "
                                         "shape and one dimension more, but got ",
                           type, " for targets ", targets.getType());
}

/// e^(logits - lse), in the type of lse.
static Value softmaxOfRows(Emit &e, Value logits, Value lse) {
  Value z = e.cast(logits, tensorOf(lse).getElementType());
  return e.exp(e.sub(z, e.alongRow(lse, z)));
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkLogits(loc, "tt.cross_entropy", adaptor.getLogits(),
                         adaptor.getTargets())))
    return failure();
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Type stat = accumulationType(logits.getElementType());
  auto perRow = RankedTensorType::get(logits.getShape().drop_back(), stat);
  bool none = adaptor.getReduction() == Reduction::None;
  types.push_back(none ? perRow : RankedTensorType::get({}, stat));
  types.push_back(perRow);
  return success();
}
void CrossEntropyOp::getResiduals(ActiveSet, ActiveSet live, Values &residuals) {
  residuals.append({getLogits(), live.result(0) ? getTargets() : Value(), getLse()});
}
LogicalResult CrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet,
                                       Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value logits = residuals[0], lse = residuals[2], dLse = cotangents[1];
  if (cotangents[0])
    operandCotangents[0] =
        CrossEntropyBwdOp::create(builder, getLoc(), logits, residuals[1], lse,
                                  cotangents[0], getReduction(), getIgnoreIndex())
            .getDLogits();
  if (!dLse)
    return success();
  Value p = softmaxOfRows(e, logits, lse); // d lse / d logits
  Value through = e.cast(e.mul(p, e.alongRow(dLse, p)),
                         tensorOf(logits).getElementType());
  operandCotangents[0] = e.addOrNull(operandCotangents[0], through);
  return success();
}
/// d loss = sum of (d loss / d logits) * tangent; d lse = sum softmax * tangent.
LogicalResult CrossEntropyOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                       Values &resultTangents) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getLse()).getElementType();
  Value one = e.splat(getLoss().getType(), 1);
  Value gradient = CrossEntropyBwdOp::create(
                       builder, getLoc(), getLogits(), getTargets(), getLse(),
                       one, getReduction(), getIgnoreIndex())
                       .getDLogits();
  Value dz = e.cast(tangents[0], stat);
  Value product = e.mul(e.cast(gradient, stat), dz);
  if (getReduction() == Reduction::None) {
    resultTangents[0] = e.rowSum(product);
  } else {
    resultTangents[0] = e.total(product);
  }
  Value p = softmaxOfRows(e, getLogits(), getLse());
  resultTangents[1] = e.rowSum(e.mul(p, dz));
  return success();
}
bool CrossEntropyOp::isLinearIn(unsigned) { return false; }
bool CrossEntropyOp::isCutAt(unsigned i) { return i == 1; }

LogicalResult CrossEntropyBwdOp::inferReturnTypes(MLIRContext *,
                                                  std::optional<Location> loc,
                                                  Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  if (failed(checkLogits(loc, "tt.cross_entropy_bwd", adaptor.getLogits(),
                         adaptor.getTargets())))
    return failure();
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Type stat = accumulationType(logits.getElementType());
  Type perRow = RankedTensorType::get(logits.getShape().drop_back(), stat);
  Type scalar = RankedTensorType::get({}, stat);
  Type loss = adaptor.getReduction() == Reduction::None ? perRow : scalar;
  if (adaptor.getLse().getType() != perRow || adaptor.getDLoss().getType() != loss)
    return emitOptionalError(loc, "'tt.cross_entropy_bwd' op expected lse of type ",
                             perRow, " and d_loss of type ", loss);
  types.push_back(logits);
  return success();
}

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

/// True in the rows whose target is a class and not ignored.
static Value countedRows(Emit &e, Value targets, int64_t classes, int64_t ignored) {
  Type type = targets.getType();
  Value no = e.splat(tensorOf(targets).clone(e.builder.getI1Type()), 0);
  Value isClass = e.compare(ComparePredicate::GE, targets, e.splat(type, 0));
  Value isBelow =
      e.compare(ComparePredicate::LT, targets, e.splat(type, double(classes)));
  Value isKept =
      e.compare(ComparePredicate::NE, targets, e.splat(type, double(ignored)));
  return e.select(isClass, e.select(isBelow, isKept, no), no);
}

/// True at the class that is the row's target.
static Value isTarget(Emit &e, Value targets, Value like) {
  Value classes = e.iotaLike(like, tensorOf(like).getRank() - 1,
                             tensorOf(targets).getElementType());
  return e.compare(ComparePredicate::EQ, classes, e.alongRow(targets, classes));
}

/// What a row weighs in the loss: 0 if it is not counted, else 1, divided by the
/// number of counted rows for mean.
static Value rowWeights(Emit &e, Value counted, Type stat, Reduction reduction) {
  Value weights = e.cast(counted, stat);
  if (reduction != Reduction::Mean)
    return weights;
  Value number = e.total(weights);
  number = e.maximum(number, e.splat(number.getType(), 1));
  return e.div(weights, e.broadcast(number, shapeOf(weights), {}));
}

/// ln sum e^row, -inf for a row of -inf; NaN and +inf are kept. The maximum is
/// a shift that cancels: no derivative goes through it.
static Value logSumExpOfRows(Emit &e, Value z) {
  Value largest = e.stopGradient(e.rowMax(z));
  Value infinity = e.splat(largest.getType(), std::numeric_limits<double>::infinity());
  Value isFinite = e.compare(ComparePredicate::LT, e.abs(largest), infinity);
  Value shift = e.select(isFinite, largest, e.splat(largest.getType(), 0));
  Value sum = e.rowSum(e.exp(e.sub(z, e.alongRow(shift, z))));
  return e.add(e.log(sum), shift);
}

LogicalResult CrossEntropyOp::buildDecomposition(OpBuilder &builder,
                                                 Values &results) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getLse()).getElementType();
  Value z = e.cast(getLogits(), stat), targets = getTargets();
  Value lse = logSumExpOfRows(e, z);
  Value zero = e.splat(z.getType(), 0);
  Value picked = e.rowSum(e.select(isTarget(e, targets, z), z, zero));
  Value counted = countedRows(e, targets, shapeOf(z).back(), getIgnoreIndex());
  Value losses = e.sub(lse, picked);
  losses = e.select(counted, losses, e.splat(losses.getType(), 0));
  if (getReduction() == Reduction::Mean)
    losses = e.mul(losses, rowWeights(e, counted, stat, getReduction()));
  results[0] = getReduction() == Reduction::None ? losses : e.total(losses);
  results[1] = lse;
  return success();
}

LogicalResult CrossEntropyBwdOp::buildDecomposition(OpBuilder &builder,
                                                    Values &results) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getLse()).getElementType();
  Value targets = getTargets();
  Value p = softmaxOfRows(e, getLogits(), getLse());
  Value oneHot = e.cast(isTarget(e, targets, p), stat);
  Value counted = countedRows(e, targets, shapeOf(p).back(), getIgnoreIndex());
  Value weights = rowWeights(e, counted, stat, getReduction());
  Value dLoss = getDLoss(); // one per row (none), else one for all
  if (getReduction() != Reduction::None)
    dLoss = e.broadcast(dLoss, shapeOf(weights), {});
  weights = e.mul(weights, dLoss);
  Value d = e.mul(e.sub(p, oneHot), e.alongRow(weights, p));
  // A row that is not counted gives 0 even where its logits are not finite.
  d = e.select(e.alongRow(counted, d), d, e.splat(d.getType(), 0));
  results[0] = e.cast(d, tensorOf(getLogits()).getElementType());
  return success();
}
