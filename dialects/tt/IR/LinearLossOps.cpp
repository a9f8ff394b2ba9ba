//===- LinearLossOps.cpp - Cross-entropy of a linear map, in chunks -------===//
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
  return success();
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
/// The rows of one op, cut into runs.
template <typename Op> struct Chunks {
  Emit &e;
  Op op;
  int64_t rows, chunks;

  Chunks(Emit &e, Op op)
      : e(e), op(op), rows(rowCount(op.getTargets())), chunks(op.getChunks()) {}

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
  Value logits(Value hidden, Value weight) {
    return LinearOp::create(e.builder, e.loc, hidden, weight, Value(), op.getLayout())
        .getOutput();
  }
  int64_t classes() {
    return shapeOf(op.getWeight())[op.getLayout() == WeightLayout::InOut ? 1 : 0];
  }
  Value counted() {
    return emitCountedRows(e, asVector(op.getTargets()), classes(), op.getIgnoreIndex());
  }
  /// The number of counted rows, 1 if there are none.
  Value divisor(Type stat) {
    return emitDivisor(e, e.total(e.cast(counted(), stat)));
  }
};
} // namespace

LogicalResult LinearCrossEntropyOp::buildDecomposition(OpBuilder &builder,
                                                       Values &results) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyOp> rows(e, *this);
  Value hidden = rows.asMatrix(getHidden()), targets = rows.asVector(getTargets());
  SmallVector<Value> losses, lses;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value logits = rows.logits(rows.slice(hidden, c), getWeight());
    auto chunk = emitRowLosses(e, logits, rows.slice(targets, c), getIgnoreIndex());
    losses.push_back(chunk.getLoss());
    lses.push_back(chunk.getLse());
  }
  results[1] = e.reshape(rows.joined(lses), shapeOf(getTargets()));
  Value perRow = rows.joined(losses);
  if (getReduction() == Reduction::None) {
    results[0] = e.reshape(perRow, shapeOf(getTargets()));
    return success();
  }
  results[0] = e.total(perRow);
  if (getReduction() == Reduction::Mean)
    results[0] = e.div(results[0], rows.divisor(tensorOf(perRow).getElementType()));
  return success();
}

LogicalResult LinearCrossEntropyBwdOp::buildDecomposition(OpBuilder &builder,
                                                          Values &results) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyBwdOp> rows(e, *this);
  bool inOut = getLayout() == WeightLayout::InOut;
  Value hidden = rows.asMatrix(getHidden()), targets = rows.asVector(getTargets());
  Value lse = rows.asVector(getLse()), share = getDLoss();
  if (getReduction() == Reduction::Mean)
    share = e.div(share, rows.divisor(tensorOf(lse).getElementType()));
  share = getReduction() == Reduction::None ? rows.asVector(share)
                                            : e.broadcast(share, {rows.rows}, {});
  Value dLse = getDLse() ? rows.asVector(getDLse()) : Value();
  bool wantsHidden = !getDHidden().use_empty(), wantsWeight = !getDWeight().use_empty();
  SmallVector<Value> dHidden;
  Value dWeight;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value h = rows.slice(hidden, c), chunkLse = rows.slice(lse, c);
    Value logits = rows.logits(h, getWeight());
    Value d = emitRowLossesBwd(e, logits, rows.slice(targets, c), chunkLse,
                               rows.slice(share, c), getIgnoreIndex());
    if (dLse) {
      Value p = emitSoftmaxFromLse(e, logits, chunkLse);
      Value through = e.mul(p, e.alongRow(rows.slice(dLse, c), p));
      d = e.add(d, e.cast(through, tensorOf(d).getElementType()));
    }
    if (wantsHidden)
      dHidden.push_back(LinearOp::create(builder, getLoc(), d, getWeight(), Value(),
                                         inOut ? WeightLayout::OutIn : WeightLayout::InOut)
                            .getOutput());
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
  return success();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void LinearCrossEntropyOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.append({getHidden(), getWeight(), getTargets(), getLse()});
}
LogicalResult LinearCrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                             ValueRange cotangents, ActiveSet active,
                                             Values &operandCotangents) {
  Emit e(builder, getLoc());
  Value dLoss = cotangents[0];
  if (!dLoss) // lse alone
    dLoss = e.splat(getLoss().getType(), 0);
  auto bwd = LinearCrossEntropyBwdOp::create(
      builder, getLoc(), residuals[0], residuals[1], residuals[2], residuals[3], dLoss,
      cotangents[1], getLayout(), getReduction(), getChunks(), getIgnoreIndex());
  if (active.operand(0))
    operandCotangents[0] = bwd.getDHidden();
  if (active.operand(1))
    operandCotangents[1] = bwd.getDWeight();
  return success();
}

/// Chunk by chunk: the tangent dz of the logits, d lse = p dz, d l = (p - onehot) dz.
LogicalResult LinearCrossEntropyOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                             Values &resultTangents) {
  Emit e(builder, getLoc());
  Chunks<LinearCrossEntropyOp> rows(e, *this);
  Type stat = tensorOf(getLse()).getElementType();
  Value hidden = rows.asMatrix(getHidden()), targets = rows.asVector(getTargets());
  Value lse = rows.asVector(getLse());
  Value dHidden = tangents[0] ? rows.asMatrix(tangents[0]) : Value();
  SmallVector<Value> dLosses, dLses;
  for (int64_t c = 0; c < rows.chunks; ++c) {
    Value h = rows.slice(hidden, c), chunkLse = rows.slice(lse, c);
    Value logits = rows.logits(h, getWeight()), dz;
    if (dHidden)
      dz = rows.logits(rows.slice(dHidden, c), getWeight());
    if (tangents[1])
      dz = e.addOrNull(dz, rows.logits(h, tangents[1]));
    dz = e.cast(dz, stat);
    Value ones = e.splat(chunkLse.getType(), 1);
    Value slope = emitRowLossesBwd(e, logits, rows.slice(targets, c), chunkLse, ones,
                                   getIgnoreIndex());
    dLosses.push_back(e.rowSum(e.mul(e.cast(slope, stat), dz)));
    dLses.push_back(e.rowSum(e.mul(emitSoftmaxFromLse(e, logits, chunkLse), dz)));
  }
  resultTangents[1] = e.reshape(rows.joined(dLses), shapeOf(getTargets()));
  Value perRow = rows.joined(dLosses);
  if (getReduction() == Reduction::None) {
    resultTangents[0] = e.reshape(perRow, shapeOf(getTargets()));
    return success();
  }
  resultTangents[0] = e.total(perRow);
  if (getReduction() == Reduction::Mean)
    resultTangents[0] = e.div(resultTangents[0], rows.divisor(stat));
  return success();
}
bool LinearCrossEntropyOp::isLinearIn(unsigned) { return false; }
bool LinearCrossEntropyOp::isCutAt(unsigned i) { return i == 2; }
