//===- LossOps.cpp - Cross-entropy ----------------------------------------===//
#include "tt/IR/LossEmit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

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
  double smoothing = adaptor.getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0 && smoothing <= 1)) // (C3)
    return emitOptionalError(loc, "'", op, "' op expected label_smoothing in [0, 1], "
                                           "but got ", std::to_string(smoothing));
  double zLoss = adaptor.getZLoss().convertToDouble();
  if (!(zLoss >= 0) || adaptor.getZLoss().isInfinity()) // (C4)
    return emitOptionalError(loc, "'", op, "' op expected a z_loss that is finite and "
                                           "not negative, but got ",
                             std::to_string(zLoss));
  return success();
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
void CrossEntropyOp::getResiduals(ActiveSet, ActiveSet live, Values &residuals) {
  bool loss = live.result(0);
  residuals.append({getLogits(), loss ? getTargets() : Value(), getLse(),
                    loss ? getWeights() : Value()});
}
LogicalResult CrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet,
                                       Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value logits = residuals[0], lse = residuals[2], dLse = cotangents[1];
  if (cotangents[0])
    operandCotangents[0] =
        CrossEntropyBwdOp::create(builder, getLoc(), logits, residuals[1], lse,
                                  cotangents[0], residuals[3], getReduction(),
                                  getIgnoreIndex(), getLabelSmoothing(), getZLoss())
            .getDLogits();
  if (!dLse)
    return success();
  Value p = emitSoftmaxFromLse(e, logits, lse); // d lse / d logits
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
                       builder, getLoc(), getLogits(), getTargets(), getLse(), one,
                       getWeights(), getReduction(), getIgnoreIndex(),
                       getLabelSmoothing(), getZLoss())
                       .getDLogits();
  Value dz = e.cast(tangents[0], stat);
  Value product = e.mul(e.cast(gradient, stat), dz);
  resultTangents[0] =
      getReduction() == Reduction::None ? e.rowSum(product) : e.total(product);
  Value p = emitSoftmaxFromLse(e, getLogits(), getLse());
  resultTangents[1] = e.rowSum(e.mul(p, dz));
  return success();
}
bool CrossEntropyOp::isLinearIn(unsigned) { return false; }
bool CrossEntropyOp::isCutAt(unsigned i) { return i != 0; }

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
  Value z = e.cast(logits, tensorOf(lse).getElementType());
  return e.exp(e.sub(z, e.alongRow(lse, z)));
}

CrossEntropyOp tt::emitRowLosses(Emit &e, Value logits, Value targets,
                                 int64_t ignored) {
  llvm::APFloat zero(0.0);
  return CrossEntropyOp::create(e.builder, e.loc, logits, targets, Value(),
                                Reduction::None, ignored, zero, zero);
}

Value tt::emitRowLossesBwd(Emit &e, Value logits, Value targets, Value lse,
                           Value dLosses, int64_t ignored) {
  llvm::APFloat zero(0.0);
  return CrossEntropyBwdOp::create(e.builder, e.loc, logits, targets, lse, dLosses,
                                   Value(), Reduction::None, ignored, zero, zero)
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

namespace {
/// The parts of the formula, for the op and its adjoint.
template <typename Op> struct RowLosses {
  Emit &e;
  Op op;
  Type stat;
  int64_t classes;
  double smoothing, zLoss;

  RowLosses(Emit &e, Op op)
      : e(e), op(op), stat(tensorOf(op.getLse()).getElementType()),
        classes(shapeOf(op.getLogits()).back()),
        smoothing(op.getLabelSmoothing().convertToDouble()),
        zLoss(op.getZLoss().convertToDouble()) {}

  /// s/V; the sum over no classes is 0.
  double perClass() const { return classes > 0 ? smoothing / double(classes) : 0; }

  Value counted() {
    return emitCountedRows(e, op.getTargets(), classes, op.getIgnoreIndex());
  }
  /// True at the class that is the row's target.
  Value isTarget(Value like) {
    Value targets = op.getTargets();
    Value ids = e.iotaLike(like, tensorOf(like).getRank() - 1,
                           tensorOf(targets).getElementType());
    return e.compare(ComparePredicate::EQ, ids, e.alongRow(targets, ids));
  }
  /// w repeated for every row of `like`; null without weights.
  Value classWeights(Value like) {
    return op.getWeights() ? e.perColumn(e.cast(op.getWeights(), stat), like) : Value();
  }
  /// w[t] per row, null without weights.
  Value targetWeights(Value like) {
    Value weights = classWeights(like);
    return weights ? e.rowSum(e.select(isTarget(like), weights,
                                       e.splat(weights.getType(), 0)))
                   : Value();
  }
  Value weighted(Value rows, Value targetWeights) {
    return targetWeights ? e.mul(rows, targetWeights) : rows;
  }
  /// What a mean divides by.
  Value divisor(Value counted, Value targetWeights) {
    Value ones = e.cast(counted, stat);
    if (targetWeights)
      ones = e.select(counted, targetWeights, e.splat(targetWeights.getType(), 0));
    return emitDivisor(e, e.total(ones));
  }
};
} // namespace

LogicalResult CrossEntropyOp::buildDecomposition(OpBuilder &builder,
                                                 Values &results) {
  Emit e(builder, getLoc());
  RowLosses<CrossEntropyOp> rows(e, *this);
  Value z = e.cast(getLogits(), rows.stat);
  Value lse = emitLogSumExp(e, z, {tensorOf(z).getRank() - 1});
  Value picked = e.rowSum(e.select(rows.isTarget(z), z, e.splat(z.getType(), 0)));
  Value ofTarget = rows.targetWeights(z);
  Value losses = rows.weighted(e.sub(lse, picked), ofTarget);
  if (rows.smoothing != 0) {
    Value gaps = e.sub(e.alongRow(lse, z), z);
    if (Value weights = rows.classWeights(z))
      gaps = e.mul(gaps, weights);
    losses = e.add(e.scale(losses, 1 - rows.smoothing),
                   e.scale(e.rowSum(gaps), rows.perClass()));
  }
  if (rows.zLoss != 0)
    losses = e.add(losses,
                   rows.weighted(e.scale(e.mul(lse, lse), rows.zLoss), ofTarget));
  Value counted = rows.counted();
  losses = e.select(counted, losses, e.splat(losses.getType(), 0));
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
  RowLosses<CrossEntropyBwdOp> rows(e, *this);
  Value p = emitSoftmaxFromLse(e, getLogits(), getLse());
  Value counted = rows.counted(), ofTarget = rows.targetWeights(p);
  Value share = getDLoss(); // one per row (none), else one for all
  if (getReduction() == Reduction::Mean)
    share = e.div(share, rows.divisor(counted, ofTarget));
  if (getReduction() != Reduction::None)
    share = e.broadcast(share, shapeOf(getLse()), {});

  Value onTarget = rows.weighted(e.splat(getLse().getType(), 1 - rows.smoothing), ofTarget);
  Value onAll = onTarget; // a of the formula
  Value weights = rows.classWeights(p);
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
