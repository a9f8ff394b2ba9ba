//===- LinearLossOps.cpp - Cross-entropy of a linear map, in chunks -------===//
#include "OperandNumber.h"

#include "tt/IR/LossEmit.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// The number of rows; the type bounds it.
static int64_t rowCount(Value targets) { return tensorOf(targets).getNumElements(); }

/// The constraints of linear_cross_entropy and of its adjoint.
template <typename Adaptor>
static LogicalResult checkOperands(std::optional<Location> loc, StringRef op,
                                   Adaptor adaptor) {
  RankedTensorType hidden = tensorOf(adaptor.getHidden());
  RankedTensorType weight = tensorOf(adaptor.getWeight());
  Value targets = adaptor.getTargets();
  if (hidden.getRank() < 1 ||
      hidden.getShape().drop_back() != shapeOf(targets)) // (C1)
    return emitOptionalError(loc, "'", op, "' op expected hidden of the targets' shape "
                                           "and one dimension more, but got ",
                             hidden, " for targets ", targets.getType());
  bool inOut = adaptor.getLayout() == WeightLayout::InOut;
  int64_t width = hidden.getShape().back();
  if (weight.getRank() != 2 || weight.getElementType() != hidden.getElementType() ||
      weight.getDimSize(inOut ? 0 : 1) != width) // (C2)
    return emitOptionalError(loc, "'", op, "' op expected a weight of rank 2, type ",
                             hidden.getElementType(), " and input size ", width,
                             ", but got ", weight);
  int64_t chunks = adaptor.getChunks(), rows = rowCount(targets);
  if (chunks < 1 || chunks > rows) // (C3)
    return emitOptionalError(loc, "'", op, "' op expected chunks in [1, ", rows,
                             "], but got ", chunks);
  auto perClass = RankedTensorType::get({weight.getDimSize(inOut ? 1 : 0)},
                                        hidden.getElementType());
  if (Value classWeights = adaptor.getClassWeights())
    if (classWeights.getType() != perClass) // (C4)
      return emitOptionalError(loc, "'", op, "' op expected weights of type ", perClass,
                               ", but got ", classWeights.getType());
  if (Value bias = adaptor.getBias())
    if (bias.getType() != perClass) // (C7)
      return emitOptionalError(loc, "'", op, "' op expected a bias of type ", perClass,
                               ", but got ", bias.getType());
  FloatType type = accumulationType(tensorOf(adaptor.getHidden()).getElementType());
  return checkLossForm(loc, op, adaptor.getLabelSmoothing(), adaptor.getZLoss(), type);
}

/// Types of the loss and of lse.
template <typename Adaptor>
static std::pair<Type, Type> lossTypes(Adaptor adaptor) {
  RankedTensorType hidden = tensorOf(adaptor.getHidden());
  Type stat = accumulationType(hidden.getElementType());
  Type perRow = RankedTensorType::get(hidden.getShape().drop_back(), stat);
  bool none = adaptor.getReduction() == Reduction::None;
  return {none ? perRow : RankedTensorType::get({}, stat), perRow};
}

LogicalResult LinearCrossEntropyOp::inferReturnTypes(MLIRContext *,
                                                     std::optional<Location> loc,
                                                     Adaptor adaptor,
                                                     SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(loc, "tt.linear_cross_entropy", adaptor)))
    return failure();
  auto [loss, perRow] = lossTypes(adaptor);
  types.append({loss, perRow});
  return success();
}
LogicalResult LinearCrossEntropyBwdOp::inferReturnTypes(MLIRContext *,
                                                        std::optional<Location> loc,
                                                        Adaptor adaptor,
                                                        SmallVectorImpl<Type> &types) {
  if (failed(checkOperands(loc, "tt.linear_cross_entropy_bwd", adaptor)))
    return failure();
  auto [loss, perRow] = lossTypes(adaptor);
  Value dLse = adaptor.getDLse();
  if (adaptor.getLse().getType() != perRow || adaptor.getDLoss().getType() != loss ||
      (dLse && dLse.getType() != perRow))
    return emitOptionalError(loc, "'tt.linear_cross_entropy_bwd' op expected lse and "
                                  "d_lse of type ", perRow, " and d_loss of type ", loss);
  types.append({adaptor.getHidden().getType(), adaptor.getWeight().getType()});
  if (Value bias = adaptor.getBias())
    types.push_back(bias.getType());
  return success();
}

template <typename Op> static int64_t logitsFlops(Op op) {
  // checked: the logits are no value of the graph, so their type bounds nothing
  int64_t flops = 2 * rowCount(op.getTargets());
  if (__builtin_mul_overflow(flops, tensorOf(op.getWeight()).getNumElements(), &flops))
    return std::numeric_limits<int64_t>::max() / 4;
  return flops;
}
int64_t LinearCrossEntropyOp::getMatmulFlops() { return logitsFlops(*this); }
int64_t LinearCrossEntropyBwdOp::getMatmulFlops() { return 3 * logitsFlops(*this); }

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
/// What the op reads: its operands, or the residuals of a rule.
struct Read {
  Value hidden, weight, targets, classWeights, bias; // the last two may be null
};

/// The rows of one op, cut into runs.
template <typename Op> struct Chunks {
  Emit &e;
  Op op;
  int64_t rows, chunks;
  Value weight, bias;
  LossForm form;

  Chunks(Emit &e, Op op, const Read &read)
      : e(e), op(op), rows(rowCount(op.getTargets())), chunks(op.getChunks()),
        weight(read.weight), bias(read.bias), form(LossForm::of(op, read.classWeights)),
        hidden(asMatrix(read.hidden)), targets(asVector(read.targets)) {}
  Chunks(Emit &e, Op op)
      : Chunks(e, op, {op.getHidden(), op.getWeight(), op.getTargets(),
                       op.getClassWeights(), op.getBias()}) {}

  /// [.., C] as [rows, C].
  Value asMatrix(Value value) {
    return e.reshape(value, {rows, shapeOf(value).back()});
  }
  Value asVector(Value value) { return e.reshape(value, ArrayRef<int64_t>{rows}); }

  /// Rows of chunk c of a vector or matrix over all rows.
  Value slice(Value value, int64_t c) {
    int64_t start = startOf(c), size = startOf(c + 1) - start;
    return SliceOp::create(e.builder, e.loc, value, 0, start, size).getOutput();
  }
  /// checked: at most the number of rows
  int64_t startOf(int64_t c) {
    return c * (rows / chunks) + std::min(c, rows % chunks);
  }
  Value joined(ArrayRef<Value> parts) {
    return ConcatOp::create(e.builder, e.loc, parts, 0).getOutput();
  }
  Value hiddenOf(int64_t c) { return slice(hidden, c); }
  Value targetsOf(int64_t c) { return slice(targets, c); }
  Value linear(Value hidden, Value weight, Value bias = {}) {
    return LinearOp::create(e.builder, e.loc, hidden, weight, bias, op.getLayout())
        .getOutput();
  }
  Value logitsOf(int64_t c) { return linear(hiddenOf(c), weight, bias); }
  int64_t classes() {
    return shapeOf(weight)[op.getLayout() == WeightLayout::InOut ? 1 : 0];
  }
  /// What a mean divides by: the number of counted rows, or the sum of their
  /// targets' weights; 1 if that is 0.
  Value divisor(Type stat) {
    Value counted = emitCountedRows(e, targets, classes(), form.ignored);
    if (!form.weights)
      return emitDivisor(e, e.total(e.cast(counted, stat)));
    Value each = GatherRowsOp::create(e.builder, e.loc, e.cast(form.weights, stat),
                                      targets).getOutput();
    return emitDivisor(e, e.total(e.select(counted, each, e.splat(each.getType(), 0))));
  }
  /// What the rows' losses are multiplied by: a vector over all rows, or one number.
  Value shares(Value dLoss, Type stat) {
    if (op.getReduction() == Reduction::None)
      return asVector(dLoss);
    return op.getReduction() == Reduction::Mean ? e.div(dLoss, divisor(stat)) : dLoss;
  }
  /// The same for the rows of chunk c.
  Value sharesOf(Value shares, int64_t c) {
    if (op.getReduction() == Reduction::None)
      return slice(shares, c);
    return e.broadcast(shares, {startOf(c + 1) - startOf(c)}, {});
  }
  /// Losses of all rows, reduced; also of their tangents.
  Value reduced(Value perRow) {
    if (op.getReduction() == Reduction::None)
      return e.reshape(perRow, shapeOf(op.getTargets()));
    Value sum = e.total(perRow);
    return op.getReduction() == Reduction::Mean
               ? e.div(sum, divisor(tensorOf(perRow).getElementType()))
               : sum;
  }

  Value hidden, targets; // [rows, K], [rows]
};
} // namespace

LogicalResult LinearCrossEntropyOp::buildDecomposition(OpBuilder &builder,
                                                       Values &results) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyOp> rows(e, *this);
  SmallVector<Value> losses, lses;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value logits = rows.logitsOf(c);
    auto chunk = emitRowLosses(e, logits, rows.targetsOf(c), rows.form);
    losses.push_back(chunk.getLoss());
    lses.push_back(chunk.getLse());
  }
  results[1] = e.reshape(rows.joined(lses), shapeOf(getTargets()));
  results[0] = rows.reduced(rows.joined(losses));
  return success();
}

LogicalResult LinearCrossEntropyBwdOp::buildDecomposition(OpBuilder &builder,
                                                          Values &results) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyBwdOp> rows(e, *this);
  bool inOut = getLayout() == WeightLayout::InOut;
  Value lse = rows.asVector(getLse());
  Value shares = rows.shares(getDLoss(), tensorOf(lse).getElementType());
  Value dLse = getDLse() ? rows.asVector(getDLse()) : Value();
  bool wantsHidden = !getDHidden().use_empty(), wantsWeight = !getDWeight().use_empty();
  bool wantsBias = getDBias() && !getDBias().use_empty();
  SmallVector<Value> dHidden;
  Value dWeight, dBias;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value h = rows.hiddenOf(c), chunkLse = rows.slice(lse, c);
    Value logits = rows.logitsOf(c);
    Value d = emitRowLossesBwd(e, logits, rows.targetsOf(c), chunkLse,
                               rows.sharesOf(shares, c), rows.form);
    if (dLse) {
      Value p = emitSoftmaxFromLse(e, logits, chunkLse);
      Value through = e.mul(p, e.alongRow(rows.slice(dLse, c), p));
      d = e.add(d, e.cast(through, tensorOf(d).getElementType()));
    }
    if (wantsHidden)
      dHidden.push_back(LinearOp::create(builder, getLoc(), d, getWeight(), Value(),
                                         inOut ? WeightLayout::OutIn : WeightLayout::InOut)
                            .getOutput());
    if (wantsBias) {
      Value sums = e.columnSum(d);
      dBias = dBias ? e.add(sums, dBias) : sums;
    }
    if (!wantsWeight)
      continue;
    Value part = MatmulOp::create(builder, getLoc(), inOut ? h : d, inOut ? d : h,
                                  /*transpose_lhs=*/true, /*transpose_rhs=*/false)
                     .getOutput();
    // The part comes first: the sum then rides along with its own product, and no
    // two parts wait for each other.
    dWeight = dWeight ? e.add(part, dWeight) : part;
  }
  if (wantsHidden)
    results[0] = e.reshape(rows.joined(dHidden), shapeOf(getHidden()));
  results[1] = dWeight;
  if (wantsBias)
    results[2] = dBias;
  return success();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {
enum Operand { Hidden, Weight, Targets, ClassWeights, Bias };
enum Slot { SlotHidden, SlotWeight, SlotTargets, SlotLse, SlotClassWeights, SlotBias,
            SlotLoss };
} // namespace

void LinearCrossEntropyOp::getResiduals(ActiveSet active, ActiveSet live,
                                        Values &residuals) {
  bool readsLoss = active.operand(operandNumber(*this, ClassWeights)) && live.result(0) &&
                   getReduction() == Reduction::Mean;
  residuals.append({getHidden(), getWeight(), getTargets(), getLse(), getClassWeights(),
                    getBias(), readsLoss ? getLoss() : Value()});
}

/// The cotangent of the class weights, chunk by chunk.
static Value classWeightsCotangent(Emit &e, LinearCrossEntropyOp op, ValueRange residuals,
                                   Value dLoss) {
  Chunks<LinearCrossEntropyOp> rows(
      e, op, {residuals[SlotHidden], residuals[SlotWeight], residuals[SlotTargets],
              residuals[SlotClassWeights], residuals[SlotBias]});
  Value lse = rows.asVector(residuals[SlotLse]), sum;
  Value shares = rows.shares(dLoss, tensorOf(lse).getElementType());
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value logits = rows.logitsOf(c);
    Value chunkLse = rows.slice(lse, c), meanLoss;
    if (op.getReduction() == Reduction::Mean)
      meanLoss = e.broadcast(residuals[SlotLoss], shapeOf(chunkLse), {});
    Value part = emitWeightsCotangent(e, logits, rows.targetsOf(c), chunkLse, rows.form,
                                      rows.sharesOf(shares, c), meanLoss);
    sum = sum ? e.add(part, sum) : part;
  }
  return e.cast(sum, tensorOf(residuals[SlotClassWeights]).getElementType());
}

LogicalResult LinearCrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                             ValueRange cotangents, ActiveSet active,
                                             Values &operandCotangents) {
  Emit e(builder, getLoc());
  unsigned weights = operandNumber(*this, ClassWeights), bias = operandNumber(*this, Bias);
  if (cotangents[0] && active.operand(weights))
    operandCotangents[weights] = classWeightsCotangent(e, *this, residuals, cotangents[0]);
  if (!active.operand(Hidden) && !active.operand(Weight) && !active.operand(bias))
    return success();
  Value dLoss = cotangents[0];
  if (!dLoss) // lse alone
    dLoss = e.splat(getLoss().getType(), 0);
  auto bwd = LinearCrossEntropyBwdOp::create(
      builder, getLoc(), residuals[SlotHidden], residuals[SlotWeight],
      residuals[SlotTargets], residuals[SlotLse], dLoss, cotangents[1],
      residuals[SlotClassWeights], residuals[SlotBias], getLayout(), getReduction(),
      getChunks(), getIgnoreIndex(), getLabelSmoothing(), getZLoss());
  if (active.operand(Hidden))
    operandCotangents[Hidden] = bwd.getDHidden();
  if (active.operand(Weight))
    operandCotangents[Weight] = bwd.getDWeight();
  if (active.operand(bias))
    operandCotangents[bias] = bwd.getDBias();
  return success();
}

/// Chunk by chunk: the tangent dz of the logits, d lse = p dz, d l = (d l / d z) dz,
/// and what the class weights add.
LogicalResult LinearCrossEntropyOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                             Values &resultTangents) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyOp> rows(e, *this);
  Type stat = tensorOf(getLse()).getElementType();
  Value lse = rows.asVector(getLse());
  Value dHidden = tangents[0] ? rows.asMatrix(tangents[0]) : Value();
  auto tangentOf = [&](unsigned i) { return i < tangents.size() ? tangents[i] : Value(); };
  Value dClassWeights = tangentOf(operandNumber(*this, ClassWeights));
  Value dBias = tangentOf(operandNumber(*this, Bias));
  SmallVector<Value> dLosses, dLses;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value h = rows.hiddenOf(c), t = rows.targetsOf(c), chunkLse = rows.slice(lse, c);
    Value logits = rows.logitsOf(c), dz, dLoss;
    if (dHidden)
      dz = rows.linear(rows.slice(dHidden, c), getWeight());
    if (tangents[1])
      dz = e.addOrNull(dz, rows.linear(h, tangents[1]));
    if (dBias)
      dz = e.addOrNull(dz, e.perColumn(dBias, logits));
    if (dz) {
      dz = e.cast(dz, stat);
      Value ones = e.splat(chunkLse.getType(), 1);
      Value slope = emitRowLossesBwd(e, logits, t, chunkLse, ones, rows.form);
      dLoss = e.rowSum(e.mul(e.cast(slope, stat), dz));
      dLses.push_back(e.rowSum(e.mul(emitSoftmaxFromLse(e, logits, chunkLse), dz)));
    }
    if (dClassWeights) {
      Value meanLoss;
      if (getReduction() == Reduction::Mean)
        meanLoss = e.broadcast(getLoss(), shapeOf(chunkLse), {});
      dLoss = e.addOrNull(dLoss, emitWeightsTangent(e, logits, t, chunkLse, rows.form,
                                                    dClassWeights, meanLoss));
    }
    dLosses.push_back(dLoss);
  }
  if (!dLses.empty())
    resultTangents[1] = e.reshape(rows.joined(dLses), shapeOf(getTargets()));
  resultTangents[0] = rows.reduced(rows.joined(dLosses));
  return success();
}
bool LinearCrossEntropyOp::isLinearIn(unsigned) { return false; }
bool LinearCrossEntropyOp::isCutAt(unsigned i) { return i == 2; }
