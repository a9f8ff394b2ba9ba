//===- AttentionRules.cpp - Derivatives and decomposition of attention ----===//
#include "AttentionMatrix.h"
#include "OperandNumber.h"

#include <limits>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// Operand groups of tt.attention in their order, and the residuals' slots.
enum Operand { Q, K, V, QSegments, KSegments, Slopes, Bias, Sinks, Key };
enum Slot { SlotQ, SlotK, SlotV, SlotOutput, SlotLse, SlotQSegments, SlotKSegments,
            SlotSlopes, SlotBias, SlotSinks, SlotKey, NumSlots };
} // namespace

//===----------------------------------------------------------------------===//
// Reverse rule
//===----------------------------------------------------------------------===//

/// Some operand whose cotangent comes from the scores is active.
static bool needsAdjoint(AttentionOp op, const ActiveSet &active) {
  return llvm::any_of(ArrayRef{Q, K, V, Slopes, Bias}, [&](Operand group) {
    return active.operand(operandNumber(op, group));
  });
}

void AttentionOp::getResiduals(ActiveSet active, ActiveSet liveResults,
                               Values &residuals) {
  residuals.assign(NumSlots, Value());
  residuals[SlotLse] = getLse();
  if (liveResults.result(0))
    residuals[SlotOutput] = getOutput();
  if (active.operand(operandNumber(*this, Sinks)))
    residuals[SlotSinks] = getSinks();
  if (!needsAdjoint(*this, active))
    return;
  residuals[SlotQ] = getQ();
  residuals[SlotK] = getK();
  residuals[SlotV] = getV();
  residuals[SlotQSegments] = getQSegments();
  residuals[SlotKSegments] = getKSegments();
  residuals[SlotSlopes] = getSlopes();
  residuals[SlotBias] = getBias();
  if (getDropoutP() && !getDropoutP()->isZero())
    residuals[SlotKey] = getKey();
}

namespace {
/// The reverse rule; residuals and cotangents by name.
class Reverse {
public:
  Reverse(AttentionOp op, OpBuilder &builder, ValueRange residuals,
          ValueRange cotangents, const ActiveSet &active)
      : op(op), e(builder, op.getLoc()), residuals(residuals),
        dOutput(cotangents[0]), dLse(cotangents[1]), active(active) {}

  void emit(Values &operandCotangents);

private:
  AttentionBwdOp adjoint(Value slopes, Value bias, bool withDBias);
  Value sinks();
  bool wants(Operand group) const { return active.operand(operandNumber(op, group)); }

  AttentionOp op;
  Emit e;
  ValueRange residuals;
  Value dOutput, dLse;
  const ActiveSet &active;
};
} // namespace

AttentionBwdOp Reverse::adjoint(Value slopes, Value bias, bool withDBias) {
  Value output = residuals[SlotOutput], none = dOutput;
  if (!dOutput) // only lse is read: neither matters, and the op wants both
    output = none = e.splat(op.getOutput().getType(), 0);
  bool drops = bool(residuals[SlotKey]);
  return AttentionBwdOp::create(
      e.builder, e.loc, residuals[SlotQ], residuals[SlotK], residuals[SlotV], output,
      residuals[SlotLse], none, dLse, residuals[SlotQSegments],
      residuals[SlotKSegments], slopes, bias, Value(), residuals[SlotKey],
      op.getScaleAttr(), op.getCausalAttr(), op.getWindowLeftAttr(),
      op.getWindowRightAttr(), op.getPrefixAttr(), op.getSoftcapAttr(),
      drops ? op.getDropoutPAttr() : FloatAttr(), drops ? op.getSiteAttr() : IntegerAttr(),
      op.getBlockQAttr(), op.getBlockKAttr(),
      withDBias ? e.builder.getUnitAttr() : UnitAttr());
}

/// d_sinks = sum over batch and queries of e^(sink - lse) (d_lse - d_output
/// output), 0 for rows that see no key.
Value Reverse::sinks() {
  Value lse = residuals[SlotLse], sink = residuals[SlotSinks];
  Type stat = tensorOf(lse).getElementType();
  Value sum = dLse;
  if (dOutput) {
    Value product = e.mul(e.cast(dOutput, stat), e.cast(residuals[SlotOutput], stat));
    Value delta = e.rowSum(product);
    sum = dLse ? e.sub(dLse, delta) : e.neg(delta);
  }
  Value alive = isAlive(e, lse), zero = e.splat(lse.getType(), 0);
  Value wide = e.broadcast(e.cast(sink, stat), shapeOf(lse), {1});
  Value p = e.exp(e.select(alive, e.sub(wide, lse), zero));
  Value terms = e.select(alive, e.mul(p, sum), zero); // [B, H, T]
  Value result = SumOp::create(e.builder, e.loc, terms, ArrayRef<int64_t>{0, 2}).getOutput();
  return e.cast(result, tensorOf(sink).getElementType());
}

void Reverse::emit(Values &operandCotangents) {
  auto set = [&](Operand group, Value value) {
    if (wants(group))
      operandCotangents[operandNumber(op, group)] = value;
  };
  if (wants(Sinks))
    set(Sinks, sinks());
  if (!needsAdjoint(op, active))
    return;
  Value slopes = residuals[SlotSlopes], bias = residuals[SlotBias];
  if (!wants(Slopes)) {
    auto result = adjoint(slopes, bias, wants(Bias));
    set(Q, result.getDq()), set(K, result.getDk()), set(V, result.getDv());
    set(Bias, result.getDBias());
    return;
  }
  // Slopes as the bias that they are, so that d_bias says what they add.
  AttentionMatrix m(e.builder, e.loc, residuals[SlotQ], residuals[SlotK],
                    residuals[SlotV], AttentionMask());
  Value distance = m.distance();
  Value both = e.neg(e.mul(m.ofHeads(slopes, true), distance));
  if (bias)
    both = e.add(both, m.ofBias(bias));
  auto result = adjoint(Value(), both, true);
  set(Q, result.getDq()), set(K, result.getDk()), set(V, result.getDv());
  Value terms = e.mul(result.getDBias(), distance);
  Value sum = SumOp::create(e.builder, e.loc, terms, ArrayRef<int64_t>{0, 2, 3}).getOutput();
  set(Slopes, e.cast(e.neg(sum), tensorOf(slopes).getElementType()));
  if (wants(Bias))
    set(Bias, m.sumToBias(result.getDBias(), bias));
}

LogicalResult AttentionOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet active,
                                    Values &operandCotangents) {
  Reverse(*this, builder, residuals, cotangents, active).emit(operandCotangents);
  return success();
}

//===----------------------------------------------------------------------===//
// Forward rule
//===----------------------------------------------------------------------===//

/// ds = cap'(scale (dq k^T + q dk^T)) + d_bias - d_slope |last - j|,
/// d_lse = rowsum(p ds) + e^(sink - lse) d_sink, d_output = drop(p (ds -
/// d_lse)) v + drop(p) dv.
LogicalResult AttentionOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  AttentionMatrix m(builder, getLoc(), getQ(), getK(), getV(), AttentionMask::of(*this));
  Emit &e = m.e;
  auto tangent = [&](Operand group) {
    unsigned i = operandNumber(*this, group);
    return i < tangents.size() ? tangents[i] : Value();
  };
  Value p = m.probabilities(getLse()), ds, dLse, dOutput;
  if (Value dq = tangent(Q))
    ds = m.product(e.cast(dq, m.stat), m.k, false, true);
  if (Value dk = tangent(K))
    ds = e.addOrNull(ds, m.product(m.q, m.perHead(dk), false, true));
  if (ds)
    ds = m.throughCap(e.scale(ds, m.mask.scale));
  if (Value dBias = tangent(Bias))
    ds = e.addOrNull(ds, m.ofBias(dBias));
  if (Value dSlopes = tangent(Slopes))
    ds = e.addOrNull(ds, e.neg(e.mul(m.ofHeads(dSlopes, true), m.distance())));
  if (ds)
    dLse = e.rowSum(e.mul(p, ds));
  if (Value dSinks = tangent(Sinks)) {
    Value alive = isAlive(e, getLse()), zero = e.splat(getLse().getType(), 0);
    Value share = e.exp(e.select(alive, e.sub(m.ofHeads(getSinks(), false), getLse()), zero));
    dLse = e.addOrNull(dLse, e.select(alive, e.mul(share, m.ofHeads(dSinks, false)), zero));
  }
  if (dLse) {
    Value change = e.alongRow(dLse, p);
    change = ds ? e.sub(ds, change) : e.neg(change);
    dOutput = m.product(m.drop(e.mul(p, change)), m.v, false, false);
    resultTangents[1] = dLse;
  }
  if (Value dv = tangent(V))
    dOutput = e.addOrNull(dOutput, m.product(m.drop(p), m.perHead(dv), false, false));
  resultTangents[0] = e.cast(dOutput, tensorOf(getQ()).getElementType());
  return success();
}
bool AttentionOp::isLinearIn(unsigned i) { return i == 2; }
bool AttentionOp::isCutAt(unsigned i) {
  Value operand = getOperation()->getOperand(i);
  return !isa<FloatType>(tensorOf(operand).getElementType());
}

//===----------------------------------------------------------------------===//
// Decomposition
//===----------------------------------------------------------------------===//

/// With the score matrix: for small graphs and second order.
LogicalResult AttentionOp::buildDecomposition(OpBuilder &builder, Values &results) {
  AttentionMatrix m(builder, getLoc(), getQ(), getK(), getV(), AttentionMask::of(*this));
  Emit &e = m.e;
  Value s = m.hide(m.scores(), -kInfinity);
  Value largest = MaxOp::create(builder, getLoc(), s, uint64_t(3)).getOutput();
  Value alive = isAlive(e, largest), zero = e.splat(largest.getType(), 0);
  // What is subtracted cancels, so no derivative flows through it.
  Value base = e.select(alive, largest, zero), sink;
  if (m.mask.sinks) {
    sink = m.ofHeads(m.mask.sinks, false);
    base = e.maximum(base, sink);
  }
  base = StopGradientOp::create(builder, getLoc(), base);
  Value powers = e.exp(e.sub(s, e.alongRow(base, s)));
  Value total = e.rowSum(powers);
  if (sink)
    total = e.add(total, e.exp(e.sub(sink, base)));
  total = e.select(alive, total, e.splat(total.getType(), 1));
  Value p = e.div(powers, e.alongRow(total, powers));
  Value output = m.product(m.drop(p), m.v, false, false);
  // 0 in a row that sees no key anyway; its cotangent must not be read.
  output = e.select(e.alongRow(alive, output), output, e.splat(output.getType(), 0));
  Value lse = e.add(LogOp::create(builder, getLoc(), total), base);
  results[0] = e.cast(output, tensorOf(getQ()).getElementType());
  results[1] = e.select(alive, lse, e.splat(lse.getType(), -kInfinity));
  return success();
}

LogicalResult AttentionBwdOp::buildDecomposition(OpBuilder &builder, Values &results) {
  AttentionMatrix m(builder, getLoc(), getQ(), getK(), getV(), AttentionMask::of(*this));
  Emit &e = m.e;
  Type element = tensorOf(getQ()).getElementType();
  Value alive = isAlive(e, getLse());
  Value dOutput = e.cast(getDOutput(), m.stat);
  dOutput = e.select(e.alongRow(alive, dOutput), dOutput, e.splat(dOutput.getType(), 0));
  Value delta = e.rowSum(e.mul(dOutput, e.cast(getOutput(), m.stat)));
  if (getDLse())
    delta = e.sub(delta, e.select(alive, getDLse(), e.splat(delta.getType(), 0)));
  Value p = m.probabilities(getLse());
  Value dp = m.drop(m.product(dOutput, m.v, false, true));
  Value ds = e.mul(p, e.sub(dp, e.alongRow(delta, dp)));
  Value dz = e.scale(m.throughCap(ds), m.mask.scale);
  results[0] = e.cast(m.product(dz, m.k, false, false), element);
  results[1] = e.cast(m.sumGroups(m.product(dz, m.q, true, false)), element);
  results[2] = e.cast(m.sumGroups(m.product(m.drop(p), dOutput, true, false)), element);
  if (getDBias())
    results[3] = m.sumToBias(ds, getBias());
  return success();
}
