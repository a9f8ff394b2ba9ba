//===- AttentionOps.cpp - Attention ---------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

namespace {
/// Shape of an attention: q is [B, H, T, D], k and v are [B, Hk, S, D].
struct AttentionShape {
  int64_t b, h, hk, t, s, d;
};

AttentionShape shapeOfAttention(Value q, Value k) {
  ArrayRef<int64_t> qs = shapeOf(q), ks = shapeOf(k);
  return {qs[0], qs[1], ks[1], qs[2], ks[2], qs[3]};
}

bool hasShape(Value value, ArrayRef<int64_t> shape) {
  return !value || shapeOf(value) == shape;
}

/// Constraints (C1) to (C6), shared by the op and its adjoint.
template <typename Adaptor>
LogicalResult checkAttention(std::optional<Location> loc, StringRef op,
                             Adaptor &a) {
  RankedTensorType q = tensorOf(a.getQ()), k = tensorOf(a.getK()), v = tensorOf(a.getV());
  if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4 ||
      q.getElementType() != k.getElementType() ||
      q.getElementType() != v.getElementType()) // (C1)
    return emitOptionalError(loc, "'", op, "' op expected q, k and v of rank 4 and "
                             "one element type, but got ", q, ", ", k, ", ", v);
  AttentionShape n = shapeOfAttention(a.getQ(), a.getK());
  if (k.getDimSize(0) != n.b || k.getDimSize(3) != n.d || k != v) // (C2)
    return emitOptionalError(loc, "'", op, "' op expected k and v of one shape with "
                             "batch ", n.b, " and head size ", n.d, ", but got ",
                             k, " and ", v);
  if (n.hk == 0 || n.h % n.hk) // (C3)
    return emitOptionalError(loc, "'", op, "' op expected the number of query heads "
                             "to be a multiple of the key heads, but got ", n.h,
                             " and ", n.hk);
  bool segments = bool(a.getQSegments()) == bool(a.getKSegments()) &&
                  hasShape(a.getQSegments(), {n.b, n.t}) &&
                  hasShape(a.getKSegments(), {n.b, n.s});
  bool bias = !a.getBias() || tensorOf(a.getBias()).getRank() == 4;
  if (a.getBias() && bias) {
    ArrayRef<int64_t> s = shapeOf(a.getBias());
    bias = (s[0] == n.b || s[0] == 1) && (s[1] == n.h || s[1] == 1) &&
           s[2] == n.t && s[3] == n.s;
  }
  if (!segments || !bias || !hasShape(a.getSlopes(), {n.h}) ||
      !hasShape(a.getSinks(), {n.h})) // (C4)
    return emitOptionalError(loc, "'", op, "' op expected segments [", n.b, ", ", n.t,
                             "] and [", n.b, ", ", n.s, "], slopes and sinks [", n.h,
                             "], bias [", n.b, " or 1, ", n.h, " or 1, ", n.t, ", ",
                             n.s, "]");
  auto notNegative = [](std::optional<uint64_t> value) {
    return !value || int64_t(*value) >= 0;
  };
  auto positive = [](std::optional<uint64_t> value) {
    return !value || int64_t(*value) > 0;
  };
  if (!notNegative(a.getWindowLeft()) || !notNegative(a.getWindowRight()) ||
      !notNegative(a.getPrefix()) || !positive(a.getBlockQ()) ||
      !positive(a.getBlockK()) ||
      (a.getSoftcap() && !(a.getSoftcap()->convertToDouble() > 0))) // (C5)
    return emitOptionalError(loc, "'", op, "' op expected windows and prefix of at "
                             "least 0, a positive softcap and positive block sizes");
  double p = a.getDropoutP() ? a.getDropoutP()->convertToDouble() : 0;
  if (!(p >= 0 && p < 1) || (p > 0 && !a.getKey())) // (C6)
    return emitOptionalError(loc, "'", op, "' op expected dropout_p in [0, 1) "
                             "together with a key, but got ", std::to_string(p));
  return success();
}

Type lseType(Value q) {
  RankedTensorType type = tensorOf(q);
  return RankedTensorType::get(type.getShape().drop_back(),
                               accumulationType(type.getElementType()));
}

/// Names the first mask or score feature that has no rule yet, or "".
template <typename Op> StringRef unsupportedFeature(Op op) {
  if (op.getQSegments())
    return "segments";
  if (op.getSlopes())
    return "slopes";
  if (op.getBias())
    return "bias";
  if (op.getSinks())
    return "sinks";
  if (op.getWindowLeft() || op.getWindowRight())
    return "window";
  if (op.getPrefix())
    return "prefix";
  if (op.getSoftcap())
    return "softcap";
  if (op.getDropoutP() && op.getDropoutP()->convertToDouble() > 0)
    return "dropout_p";
  return "";
}
} // namespace

StringRef tt::unloweredAttentionFeature(Operation *op) {
  if (auto forward = dyn_cast<AttentionOp>(op))
    return unsupportedFeature(forward);
  return unsupportedFeature(cast<AttentionBwdOp>(op));
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(checkAttention(loc, "tt.attention", adaptor)))
    return failure();
  types.push_back(adaptor.getQ().getType());
  types.push_back(lseType(adaptor.getQ()));
  return success();
}
void AttentionOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.append({getQ(), getK(), getV(), getOutput(), getLse()});
}
LogicalResult AttentionOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet active,
                                    Values &operandCotangents) {
  StringRef feature = unloweredAttentionFeature(*this);
  if (!feature.empty())
    return emitOpError() << "has no VJP rule for " << feature << " yet";
  if (cotangents[1])
    return emitOpError() << "has no VJP rule for the cotangent of lse yet";
  auto adjoint = AttentionBwdOp::create(
      builder, getLoc(), residuals[0], residuals[1], residuals[2], residuals[3],
      residuals[4], cotangents[0], Value(), Value(), Value(), Value(), Value(),
      Value(), getScaleAttr(), getCausalAttr(), IntegerAttr(), IntegerAttr(),
      IntegerAttr(), FloatAttr(), FloatAttr(), getBlockQAttr(), getBlockKAttr());
  Value results[] = {adjoint.getDq(), adjoint.getDk(), adjoint.getDv()};
  for (int i = 0; i < 3; ++i)
    if (active.operand(i))
      operandCotangents[i] = results[i];
  return success();
}

/// Key or value heads repeated for each query head: [B, Hk, S, D] -> [B, H, S, D].
static Value repeatHeads(Emit &e, Value value, int64_t heads) {
  ArrayRef<int64_t> s = shapeOf(value);
  if (s[1] == heads)
    return value;
  Value wide = e.broadcast(value, {s[0], s[1], heads / s[1], s[2], s[3]}, {0, 1, 3, 4});
  return e.reshape(wide, {s[0], heads, s[2], s[3]});
}

/// Written with the score matrix; for tests and small graphs. p = e^(s - lse)
/// over visible keys, ds = scale (dq k^T + q dk^T), d lse = rowsum(p ds),
/// d output = (p (ds - d lse)) v + p dv.
LogicalResult AttentionOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  StringRef feature = unloweredAttentionFeature(*this);
  if (!feature.empty())
    return emitOpError() << "has no JVP rule for " << feature << " yet";
  Emit e(builder, getLoc());
  AttentionShape n = shapeOfAttention(getQ(), getK());
  Type stat = tensorOf(getLse()).getElementType();
  Type element = tensorOf(getQ()).getElementType();
  double scale = getScale().convertToDouble();
  auto wide = [&](Value value) { return repeatHeads(e, e.cast(value, stat), n.h); };
  auto product = [&](Value a, Value b, bool transpose) {
    return MatmulOp::create(builder, getLoc(), a, b, false, transpose).getOutput();
  };
  Value q = e.cast(getQ(), stat), k = wide(getK()), v = wide(getV());
  Value s = e.scale(product(q, k, true), scale);
  Value p = e.exp(e.sub(s, e.alongRow(getLse(), s)));
  if (getCausal()) {
    Value last = e.iotaLike(s, 2);
    auto type = tensorOf(last);
    Value shift = ConstantOp::create(
        builder, getLoc(),
        SplatElementsAttr::get(type, builder.getI32IntegerAttr(int32_t(n.t - n.s))));
    // Visible: j + T - S <= i.
    Value column = e.iotaLike(s, 3);
    Value zero = e.splat(s.getType(), 0);
    Value f = e.cast(column, stat), g = e.cast(last, stat), h = e.cast(shift, stat);
    p = e.select(e.compare(ComparePredicate::LE, e.add(f, h), g), p, zero);
  }
  Value dOutput;
  if (tangents[0] || tangents[1]) {
    Value ds;
    if (tangents[0])
      ds = product(e.cast(tangents[0], stat), k, true);
    if (tangents[1])
      ds = e.addOrNull(ds, product(q, wide(tangents[1]), true));
    ds = e.scale(ds, scale);
    Value dLse = e.rowSum(e.mul(p, ds));
    dOutput = product(e.mul(p, e.sub(ds, e.alongRow(dLse, ds))), v, false);
    resultTangents[1] = dLse;
  }
  if (tangents[2])
    dOutput = e.addOrNull(dOutput, product(p, wide(tangents[2]), false));
  resultTangents[0] = e.cast(dOutput, element);
  return success();
}
bool AttentionOp::isLinearIn(unsigned i) { return i == 2; }
bool AttentionOp::isCutAt(unsigned i) {
  Value operand = getOperation()->getOperand(i);
  return !isa<FloatType>(tensorOf(operand).getElementType());
}
int64_t AttentionOp::getMatmulFlops() {
  AttentionShape n = shapeOfAttention(getQ(), getK());
  return 2 * 2 * n.b * n.h * n.t * n.s * n.d;
}

LogicalResult AttentionBwdOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkAttention(loc, "tt.attention_bwd", adaptor)))
    return failure();
  Type q = adaptor.getQ().getType();
  if (adaptor.getOutput().getType() != q || adaptor.getDOutput().getType() != q ||
      adaptor.getLse().getType() != lseType(adaptor.getQ()))
    return emitOptionalError(loc, "'tt.attention_bwd' op expected output and "
                                  "d_output of type ", q, " and lse of type ",
                             lseType(adaptor.getQ()));
  types.append({q, adaptor.getK().getType(), adaptor.getV().getType()});
  return success();
}
int64_t AttentionBwdOp::getMatmulFlops() {
  AttentionShape n = shapeOfAttention(getQ(), getK());
  return 5 * 2 * n.b * n.h * n.t * n.s * n.d;
}
