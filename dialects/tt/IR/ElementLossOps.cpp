//===- ElementLossOps.cpp - mse, kl_div, bce_with_logits ------------------===//
//
// Losses that add one term per element. Each op gives its term and the term's
// partial derivatives; reduction and rules are shared.
//
//===----------------------------------------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// What the sum of all terms is multiplied by; nullopt keeps every term.
static std::optional<double> factorOf(Reduction reduction, RankedTensorType type) {
  if (reduction == Reduction::None)
    return std::nullopt;
  if (reduction == Reduction::Sum)
    return 1.0;
  int64_t count = type.getNumElements();
  return count > 0 ? 1.0 / double(count) : 0.0;
}
static std::optional<double> factorOf(KlReduction reduction, RankedTensorType type) {
  if (reduction != KlReduction::BatchMean)
    return factorOf(reduction == KlReduction::Mean  ? Reduction::Mean
                    : reduction == KlReduction::Sum ? Reduction::Sum
                                                    : Reduction::None,
                    type);
  int64_t samples = type.getDimSize(0);
  return samples > 0 ? 1.0 / double(samples) : 0.0;
}

static RankedTensorType termType(RankedTensorType input) {
  return input.clone(accumulationType(input.getElementType()));
}
static Type lossType(RankedTensorType input, std::optional<double> factor) {
  RankedTensorType terms = termType(input);
  return factor ? terms.clone(ArrayRef<int64_t>()) : terms;
}

/// The loss of `terms`.
static Value reduced(Emit &e, Value terms, std::optional<double> factor) {
  if (!factor)
    return terms;
  Value sum = e.total(terms);
  return *factor == 1.0 ? sum : e.scale(sum, *factor);
}
/// The cotangent of each term.
static Value spread(Emit &e, Value dLoss, ArrayRef<int64_t> shape,
                    std::optional<double> factor) {
  if (!factor)
    return dLoss;
  if (*factor != 1.0)
    dLoss = e.scale(dLoss, *factor);
  return e.broadcast(dLoss, shape, {});
}

namespace {
/// The operands of a loss in the type of its terms; null if not given.
struct Terms {
  Value x, y, weight;
};
} // namespace

template <typename Op> static Terms termsOf(Emit &e, Op op, ValueRange operands) {
  Type element = tensorOf(op.getLoss()).getElementType();
  auto cast = [&](unsigned i) {
    return i < operands.size() && operands[i] ? e.cast(operands[i], element) : Value();
  };
  return {cast(0), cast(1), cast(2)};
}

//===----------------------------------------------------------------------===//
// Terms and their derivatives: partial(i) times d
//===----------------------------------------------------------------------===//

static Value term(Emit &e, MseOp, Terms t) {
  Value difference = e.sub(t.x, t.y);
  return e.mul(difference, difference);
}
static Value partial(Emit &e, MseOp, Terms t, Value d, unsigned i) {
  return e.mul(e.scale(d, i == 0 ? 2 : -2), e.sub(t.x, t.y));
}

/// True where the target's probability is not 0.
static Value hasWeight(Emit &e, KlDivOp op, Terms t) {
  Value probability = op.getLogTarget() ? e.exp(t.y) : t.y;
  return e.compare(ComparePredicate::NE, probability,
                   e.splat(probability.getType(), 0));
}
static Value term(Emit &e, KlDivOp op, Terms t) {
  Value counts = hasWeight(e, op, t), zero = e.splat(t.x.getType(), 0);
  Value y = e.select(counts, t.y, e.splat(t.y.getType(), 1));
  Value x = e.select(counts, t.x, zero); // 0 times an infinite input is 0
  Value l = op.getLogTarget() ? e.mul(e.exp(y), e.sub(y, x))
                              : e.mul(y, e.sub(e.log(y), x));
  return e.select(counts, l, zero);
}
static Value partial(Emit &e, KlDivOp op, Terms t, Value d, unsigned i) {
  Value counts = hasWeight(e, op, t), zero = e.splat(d.getType(), 0);
  Value y = e.select(counts, t.y, e.splat(t.y.getType(), 1));
  Value slope;
  if (i == 0) {
    slope = e.neg(op.getLogTarget() ? e.exp(y) : y);
  } else {
    Value x = e.select(counts, t.x, zero);
    slope = op.getLogTarget() ? e.mul(e.exp(y), e.shift(e.sub(y, x), 1))
                              : e.sub(e.shift(e.log(y), 1), x);
  }
  return e.select(counts, e.mul(d, slope), zero);
}

/// ln(1 + e^-x). One op, as its parts have kinks at 0 that the whole has not.
static Value softplusOfNegative(Emit &e, Value x) {
  return SoftplusOp::create(e.builder, e.loc, e.neg(x));
}
/// w - 1, or null for w = 1.
static Value extraWeight(Emit &e, Terms t) {
  return t.weight ? e.perColumn(e.shift(t.weight, -1), t.x) : Value();
}
static Value term(Emit &e, BceWithLogitsOp, Terms t) {
  Value one = e.splat(t.x.getType(), 1);
  Value soft = softplusOfNegative(e, t.x);
  if (Value extra = extraWeight(e, t))
    soft = e.mul(soft, e.add(e.mul(extra, t.y), one));
  return e.add(e.mul(e.sub(one, t.y), t.x), soft);
}
static Value partial(Emit &e, BceWithLogitsOp, Terms t, Value d, unsigned i) {
  Value one = e.splat(t.x.getType(), 1), extra = extraWeight(e, t), slope;
  if (i == 0) { // (1 - y) - (1 + (w - 1) y) sigmoid(-x)
    slope = e.sigmoid(e.neg(t.x));
    if (extra)
      slope = e.mul(slope, e.add(e.mul(extra, t.y), one));
    slope = e.sub(e.sub(one, t.y), slope);
  } else if (i == 2) { // y ln(1 + e^-x), of every row
    slope = e.mul(t.y, softplusOfNegative(e, t.x));
  } else { // (w - 1) ln(1 + e^-x) - x
    slope = e.neg(t.x);
    if (extra)
      slope = e.add(slope, e.mul(extra, softplusOfNegative(e, t.x)));
  }
  return e.mul(d, slope);
}

//===----------------------------------------------------------------------===//
// Types, residuals, rules
//===----------------------------------------------------------------------===//

LogicalResult MseOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                      Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType input = tensorOf(adaptor.getInput());
  types.push_back(lossType(input, factorOf(adaptor.getReduction(), input)));
  return success();
}
void MseOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.append({getInput(), getTarget()});
}

LogicalResult KlDivOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                        Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType input = tensorOf(adaptor.getInput());
  bool isBatchMean = adaptor.getReduction() == KlReduction::BatchMean;
  if (isBatchMean && input.getRank() == 0) // (C1)
    return emitOptionalError(loc, "'tt.kl_div' op expected an input of rank 1 or "
                                  "more for batchmean, but got ", input);
  types.push_back(lossType(input, factorOf(adaptor.getReduction(), input)));
  return success();
}
void KlDivOp::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {
  residuals.push_back(active.operand(1) ? getInput() : Value());
  residuals.push_back(getTarget());
}

LogicalResult BceWithLogitsOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location> loc,
                                                Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  if (Value weight = adaptor.getPosWeight()) {
    RankedTensorType type = tensorOf(weight);
    if (logits.getRank() == 0 || type.getRank() != 1 ||
        type.getDimSize(0) != logits.getShape().back() ||
        type.getElementType() != logits.getElementType()) // (C1)
      return emitOptionalError(loc, "'tt.bce_with_logits' op expected a pos_weight "
                                    "of one element per column and the type of the "
                                    "logits ", logits, ", but got ", type);
  }
  types.push_back(lossType(logits, factorOf(adaptor.getReduction(), logits)));
  return success();
}
void BceWithLogitsOp::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {
  residuals.push_back(getLogits());
  bool targetRead = active.operand(0) || active.operand(2);
  residuals.push_back(targetRead ? getTarget() : Value());
  residuals.push_back(active.operand(0) || active.operand(1) ? getPosWeight() : Value());
}

template <typename Op>
static void pullBack(Op op, Emit &e, ValueRange residuals, Value dLoss,
                     ActiveSet active, Values &operandCotangents) {
  Terms terms = termsOf(e, op, residuals);
  RankedTensorType type = tensorOf(op->getOperand(0));
  Value d = spread(e, dLoss, type.getShape(), factorOf(op.getReduction(), type));
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (!active.operand(i))
      continue;
    Value part = partial(e, op, terms, d, i);
    if (i == 2) // one weight for all rows
      part = e.columnSum(part);
    operandCotangents[i] = e.cast(part, type.getElementType());
  }
}
template <typename Op>
static Value pushForward(Op op, Emit &e, ValueRange tangents) {
  Terms terms = termsOf(e, op, op->getOperands());
  Type element = tensorOf(op.getLoss()).getElementType();
  Value sum;
  for (auto [i, tangent] : llvm::enumerate(tangents)) {
    if (!tangent)
      continue;
    Value direction = e.cast(tangent, element);
    if (i == 2) // one weight for all rows
      direction = e.perColumn(direction, terms.x);
    sum = e.addOrNull(sum, partial(e, op, terms, direction, i));
  }
  return reduced(e, sum, factorOf(op.getReduction(), tensorOf(op->getOperand(0))));
}

#define TT_ELEMENT_LOSS_RULES(OP)                                              \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange residuals,         \
                             ValueRange cotangents, ActiveSet active,          \
                             Values &operandCotangents) {                      \
    Emit e(builder, getLoc());                                                 \
    pullBack(*this, e, residuals, cotangents[0], active, operandCotangents);   \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    Emit e(builder, getLoc());                                                 \
    resultTangents[0] = pushForward(*this, e, tangents);                       \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildDecomposition(OpBuilder &builder, Values &results) {  \
    Emit e(builder, getLoc());                                                 \
    Value terms = term(e, *this, termsOf(e, *this, getOperands()));            \
    results[0] = reduced(                                                      \
        e, terms, factorOf(getReduction(), tensorOf((*this)->getOperand(0)))); \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned) { return false; }                              \
  bool OP::isCutAt(unsigned) { return false; }

TT_ELEMENT_LOSS_RULES(MseOp)
TT_ELEMENT_LOSS_RULES(KlDivOp)
TT_ELEMENT_LOSS_RULES(BceWithLogitsOp)
