//===- LossOps.cpp - Cross-entropy ----------------------------------------===//
#include "tt/IR/LossEmit.h"
#include "tt/IR/NarrowFloat.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

LogicalResult tt::checkLossForm(std::optional<Location> loc, StringRef op,
                                const llvm::APFloat &smoothing,
                                const llvm::APFloat &zLoss, FloatType type) {
  double s = smoothing.convertToDouble();
  if (!(s >= 0 && s <= 1)) // (C3)
    return emitOptionalError(loc, "'", op, "' op expected label_smoothing in [0, 1], "
                                           "but got ", numberText(smoothing));
  if (!(zLoss.convertToDouble() >= 0) || !isHeldBy(type, zLoss)) // (C4)
    return emitOptionalError(loc, "'", op, "' op expected a z_loss that is finite and "
                                           "not negative, but got ",
                             numberText(zLoss, type));
  return success();
}

/// The constraints of cross_entropy and of its adjoint.
template <typename Adaptor>
static LogicalResult checkOperands(std::optional<Location> loc, StringRef op,
                                   Adaptor adaptor) {
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Value targets = adaptor.getTargets();
  if (logits.getRank() < 1 ||
      logits.getShape().drop_back() != shapeOf(targets)) // (C1)
    return emitOptionalError(loc, "'", op, "' op expected logits of the targets' "
                                           "shape and one dimension more, but got ",
                             logits, " for targets ", targets.getType());
  if (Value weights = adaptor.getWeights()) {
    auto wanted = RankedTensorType::get({logits.getShape().back()},
                                        logits.getElementType());
    if (weights.getType() != wanted) // (C2)
      return emitOptionalError(loc, "'", op, "' op expected weights of type ", wanted,
                               ", but got ", weights.getType());
  }
  FloatType type = accumulationType(tensorOf(adaptor.getLogits()).getElementType());
  return checkLossForm(loc, op, adaptor.getLabelSmoothing(), adaptor.getZLoss(), type);
}

static Centered centerRows(Emit &e, Value z, Value lse) {
  return emitCentered(e, z, lse, {tensorOf(z).getRank() - 1});
}

namespace {
/// The parts of the formula, for the op, its rules and its adjoint. Values come
/// apart from the op, since a rule has residuals in their place.
struct RowLosses {
  Emit &e;
  Value targets, weights; // weights may be null
  Type stat;
  int64_t classes, ignored;
  double smoothing, zLoss;

  RowLosses(Emit &e, Value logits, Value targets, const LossForm &form)
      : e(e), targets(targets), weights(form.weights),
        stat(accumulationType(tensorOf(logits).getElementType())),
        classes(shapeOf(logits).back()), ignored(form.ignored),
        smoothing(form.smoothing.convertToDouble()), zLoss(form.zLoss.convertToDouble()) {}

  /// s/V; the sum over no classes is 0.
  double perClass() const { return classes > 0 ? smoothing / double(classes) : 0; }

  Value counted() { return emitCountedRows(e, targets, classes, ignored); }
  /// True at the class that is the row's target.
  Value isTarget(Value like) {
    Value ids = e.iotaLike(like, tensorOf(like).getRank() - 1,
                           tensorOf(targets).getElementType());
    return e.compare(ComparePredicate::EQ, ids, e.alongRow(targets, ids));
  }
  /// Of each row, the element at its target; 0 for a target that is no class.
  Value atTarget(Value values) {
    return e.rowSum(e.select(isTarget(values), values, e.splat(values.getType(), 0)));
  }
  /// A value per class, as `vector`, repeated for every row of `like`.
  Value perClassOf(Value vector, Value like) {
    return e.perColumn(e.cast(vector, stat), like);
  }
  /// w[t] per row, null without weights.
  Value targetWeights(Value like) {
    return weights ? atTarget(perClassOf(weights, like)) : Value();
  }
  Value weighted(Value rows, Value targetWeights) {
    return targetWeights ? e.mul(rows, targetWeights) : rows;
  }
  /// `rows` where they count, else 0.
  Value masked(Value rows, Value counted) {
    return e.select(counted, rows, e.splat(rows.getType(), 0));
  }
  /// What a mean divides by.
  Value divisor(Value counted, Value targetWeights) {
    Value each = targetWeights ? masked(targetWeights, counted) : e.cast(counted, stat);
    return emitDivisor(e, e.total(each));
  }
  /// What w[t] multiplies in a row: (1 - s) (lse - z[t]) + z_loss lse^2.
  Value onTarget(const Centered &centered, Value lse) {
    Value l = e.sub(centered.lse, atTarget(centered.x));
    if (smoothing != 0)
      l = e.scale(l, 1 - smoothing);
    return zLoss != 0 ? e.add(l, e.scale(e.mul(lse, lse), zLoss)) : l;
  }
  /// The loss's slope in w[t] but for the share: a mean has w[t] in its divisor, too.
  Value slopeInTargetWeight(const Centered &centered, Value lse, Value meanLoss) {
    Value slope = onTarget(centered, lse);
    return meanLoss ? e.sub(slope, meanLoss) : slope;
  }
  /// What w[c] multiplies: s/V (lse - z[c]).
  Value onClasses(const Centered &centered) {
    Value lse = e.alongRow(centered.lse, centered.x);
    return e.scale(e.sub(lse, centered.x), perClass());
  }
};
} // namespace

/// d loss / d w[c] = sum over rows of g (onTarget [c = t] + onClasses[c]), and for
/// mean less g loss [c = t], since w[t] is in the divisor too.
Value tt::emitWeightsCotangent(Emit &e, Value logits, Value targets, Value lse,
                               const LossForm &form, Value share, Value meanLoss) {
  RowLosses rows(e, logits, targets, form);
  Value z = e.cast(logits, rows.stat);
  Centered centered = centerRows(e, z, lse);
  Value onTarget = rows.slopeInTargetWeight(centered, lse, meanLoss);
  Value parts = e.select(rows.isTarget(z), e.alongRow(onTarget, z),
                         e.splat(z.getType(), 0));
  if (rows.smoothing != 0)
    parts = e.add(parts, rows.onClasses(centered));
  parts = e.mul(parts, e.alongRow(share, z));
  parts = e.select(e.alongRow(rows.counted(), z), parts, e.splat(z.getType(), 0));
  return e.columnSum(parts);
}
static Value weightsCotangent(Emit &e, CrossEntropyOp op, ValueRange residuals,
                              Value dLoss) {
  Value logits = residuals[0], targets = residuals[1], lse = residuals[2];
  LossForm form = LossForm::of(op, residuals[3]);
  Value share = dLoss, meanLoss;
  if (op.getReduction() == Reduction::Mean) {
    RowLosses rows(e, logits, targets, form);
    Value counted = rows.counted();
    share = e.div(share, rows.divisor(counted, rows.targetWeights(e.cast(logits, rows.stat))));
    meanLoss = e.broadcast(residuals[4], shapeOf(lse), {});
  }
  if (op.getReduction() != Reduction::None)
    share = e.broadcast(share, shapeOf(lse), {});
  return e.cast(emitWeightsCotangent(e, logits, targets, lse, form, share, meanLoss),
                tensorOf(logits).getElementType());
}

Value tt::emitWeightsTangent(Emit &e, Value logits, Value targets, Value lse,
                             const LossForm &form, Value dWeights, Value meanLoss) {
  RowLosses rows(e, logits, targets, form);
  Value z = e.cast(logits, rows.stat);
  Centered centered = centerRows(e, z, lse);
  Value onTarget = rows.slopeInTargetWeight(centered, lse, meanLoss);
  Value direction = rows.perClassOf(dWeights, z);
  Value each = e.mul(onTarget, rows.atTarget(direction));
  if (rows.smoothing != 0)
    each = e.add(each, e.rowSum(e.mul(rows.onClasses(centered), direction)));
  return rows.masked(each, rows.counted());
}
static Value weightsTangent(Emit &e, CrossEntropyOp op, Value dWeights) {
  LossForm form = LossForm::of(op, op.getWeights());
  bool isMean = op.getReduction() == Reduction::Mean;
  Value lse = op.getLse();
  Value meanLoss = isMean ? e.broadcast(op.getLoss(), shapeOf(lse), {}) : Value();
  Value each = emitWeightsTangent(e, op.getLogits(), op.getTargets(), lse, form, dWeights,
                                  meanLoss);
  if (op.getReduction() == Reduction::None)
    return each;
  Value sum = e.total(each);
  if (!isMean)
    return sum;
  RowLosses rows(e, op.getLogits(), op.getTargets(), form);
  Value z = e.cast(op.getLogits(), rows.stat);
  return e.div(sum, rows.divisor(rows.counted(), rows.targetWeights(z)));
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(loc, "tt.cross_entropy", adaptor)))
    return failure();
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Type stat = accumulationType(logits.getElementType());
  auto perRow = RankedTensorType::get(logits.getShape().drop_back(), stat);
  bool none = adaptor.getReduction() == Reduction::None;
  types.push_back(none ? perRow : RankedTensorType::get({}, stat));
  types.push_back(perRow);
  return success();
}
void CrossEntropyOp::getResiduals(ActiveSet active, ActiveSet live, Values &residuals) {
  bool loss = live.result(0);
  bool lossRead = getWeights() && loss && active.operand(2);
  residuals.append({getLogits(), loss ? getTargets() : Value(), getLse(),
                    loss ? getWeights() : Value(),
                    lossRead && getReduction() == Reduction::Mean ? getLoss() : Value()});
}
LogicalResult CrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet active,
                                       Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value logits = residuals[0], lse = residuals[2], dLse = cotangents[1];
  if (cotangents[0] && active.operand(0))
    operandCotangents[0] =
        CrossEntropyBwdOp::create(builder, getLoc(), logits, residuals[1], lse,
                                  cotangents[0], residuals[3], getReduction(),
                                  getIgnoreIndex(), getLabelSmoothing(), getZLoss())
            .getDLogits();
  if (cotangents[0] && getWeights() && active.operand(2))
    operandCotangents[2] = weightsCotangent(e, *this, residuals, cotangents[0]);
  if (!dLse || !active.operand(0))
    return success();
  Value p = emitSoftmaxFromLse(e, logits, lse); // d lse / d logits
  Value through = e.cast(e.mul(p, e.alongRow(dLse, p)),
                         tensorOf(logits).getElementType());
  operandCotangents[0] = e.addOrNull(operandCotangents[0], through);
  return success();
}

/// d loss = sum of (d loss / d logits) * tangent; d lse = sum softmax * tangent.
static void logitsTangent(Emit &e, CrossEntropyOp op, Value tangent,
                          Values &resultTangents) {
  Type stat = tensorOf(op.getLse()).getElementType();
  Value one = e.splat(op.getLoss().getType(), 1);
  Value gradient = CrossEntropyBwdOp::create(
                       e.builder, e.loc, op.getLogits(), op.getTargets(), op.getLse(),
                       one, op.getWeights(), op.getReduction(), op.getIgnoreIndex(),
                       op.getLabelSmoothing(), op.getZLoss())
                       .getDLogits();
  Value dz = e.cast(tangent, stat);
  Value product = e.mul(e.cast(gradient, stat), dz);
  resultTangents[0] =
      op.getReduction() == Reduction::None ? e.rowSum(product) : e.total(product);
  Value p = emitSoftmaxFromLse(e, op.getLogits(), op.getLse());
  resultTangents[1] = e.rowSum(e.mul(p, dz));
}

LogicalResult CrossEntropyOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                       Values &resultTangents) {
  Emit e(builder, getLoc());
  if (tangents[0])
    logitsTangent(e, *this, tangents[0], resultTangents);
  if (getWeights() && tangents[2])
    resultTangents[0] =
        e.addOrNull(resultTangents[0], weightsTangent(e, *this, tangents[2]));
  return success();
}
bool CrossEntropyOp::isLinearIn(unsigned) { return false; }
bool CrossEntropyOp::isCutAt(unsigned i) { return i == 1; }

LogicalResult CrossEntropyBwdOp::inferReturnTypes(MLIRContext *,
                                                  std::optional<Location> loc,
                                                  Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(loc, "tt.cross_entropy_bwd", adaptor)))
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

Value tt::emitSoftmaxFromLse(Emit &e, Value logits, Value lse) {
  Centered rows = centerRows(e, e.cast(logits, tensorOf(lse).getElementType()), lse);
  return e.exp(e.sub(rows.x, e.alongRow(rows.lse, rows.x)));
}

CrossEntropyOp tt::emitRowLosses(Emit &e, Value logits, Value targets,
                                 const LossForm &form) {
  return CrossEntropyOp::create(e.builder, e.loc, logits, targets, form.weights,
                                Reduction::None, form.ignored, form.smoothing,
                                form.zLoss);
}

Value tt::emitRowLossesBwd(Emit &e, Value logits, Value targets, Value lse,
                           Value dLosses, const LossForm &form) {
  return CrossEntropyBwdOp::create(e.builder, e.loc, logits, targets, lse, dLosses,
                                   form.weights, Reduction::None, form.ignored,
                                   form.smoothing, form.zLoss)
      .getDLogits();
}

Value tt::emitCountedRows(Emit &e, Value targets, int64_t classes, int64_t ignored) {
  Type type = targets.getType();
  Value no = e.splat(tensorOf(targets).clone(e.builder.getI1Type()), 0);
  Value isClass = e.compare(ComparePredicate::GE, targets, e.splat(type, 0));
  Value isBelow =
      e.compare(ComparePredicate::LT, targets, e.splat(type, double(classes)));
  Value isKept =
      e.compare(ComparePredicate::NE, targets, e.splat(type, double(ignored)));
  return e.select(isClass, e.select(isBelow, isKept, no), no);
}

Value tt::emitDivisor(Emit &e, Value number) {
  Value isZero = e.compare(ComparePredicate::EQ, number, e.splat(number.getType(), 0));
  return e.select(isZero, e.splat(number.getType(), 1), number);
}

LogicalResult CrossEntropyOp::buildDecomposition(OpBuilder &builder,
                                                 Values &results) {
  Emit e(builder, getLoc());
  RowLosses rows(e, getLogits(), getTargets(), LossForm::of(*this, getWeights()));
  Value z = e.cast(getLogits(), rows.stat);
  Value lse = emitLogSumExp(e, z, {tensorOf(z).getRank() - 1});
  Value ofTarget = rows.targetWeights(z), counted = rows.counted();
  Centered centered = centerRows(e, z, lse);
  Value losses = rows.weighted(rows.onTarget(centered, lse), ofTarget);
  if (rows.smoothing != 0) {
    Value all = rows.onClasses(centered);
    if (getWeights())
      all = e.mul(all, rows.perClassOf(getWeights(), z));
    losses = e.add(losses, e.rowSum(all));
  }
  losses = rows.masked(losses, counted);
  results[1] = lse;
  results[0] = losses;
  if (getReduction() == Reduction::None)
    return success();
  results[0] = e.total(losses);
  if (getReduction() == Reduction::Mean)
    results[0] = e.div(results[0], rows.divisor(counted, ofTarget));
  return success();
}

LogicalResult CrossEntropyBwdOp::buildDecomposition(OpBuilder &builder,
                                                    Values &results) {
  Emit e(builder, getLoc());
  RowLosses rows(e, getLogits(), getTargets(), LossForm::of(*this, getWeights()));
  Value p = emitSoftmaxFromLse(e, getLogits(), getLse());
  Value counted = rows.counted(), ofTarget = rows.targetWeights(p);
  Value share = getDLoss(); // one per row (none), else one for all
  if (getReduction() == Reduction::Mean)
    share = e.div(share, rows.divisor(counted, ofTarget));
  if (getReduction() != Reduction::None)
    share = e.broadcast(share, shapeOf(getLse()), {});

  Value onTarget = rows.weighted(e.splat(getLse().getType(), 1 - rows.smoothing), ofTarget);
  Value onAll = onTarget; // a of the formula
  Value weights = getWeights() ? rows.perClassOf(getWeights(), p) : Value();
  if (rows.smoothing != 0) {
    Value all = e.splat(getLse().getType(), rows.smoothing);
    if (weights) {
      Value sum = e.scale(e.total(e.cast(getWeights(), rows.stat)), rows.perClass());
      all = e.broadcast(sum, shapeOf(getLse()), {});
    }
    onAll = e.add(onAll, all);
  }
  if (rows.zLoss != 0)
    onAll = e.add(onAll, rows.weighted(e.scale(getLse(), 2 * rows.zLoss), ofTarget));

  Value zero = e.splat(p.getType(), 0);
  Value d = e.sub(e.mul(p, e.alongRow(onAll, p)),
                  e.select(rows.isTarget(p), e.alongRow(onTarget, p), zero));
  if (rows.smoothing != 0)
    d = e.sub(d, weights ? e.scale(weights, rows.perClass())
                         : e.splat(p.getType(), rows.perClass()));
  d = e.mul(d, e.alongRow(share, p));
  // A row that is not counted gives 0 even where its logits are not finite.
  d = e.select(e.alongRow(counted, d), d, zero);
  results[0] = e.cast(d, tensorOf(getLogits()).getElementType());
  return success();
}
