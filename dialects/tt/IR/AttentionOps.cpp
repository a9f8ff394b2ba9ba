//===- AttentionOps.cpp - Types and constraints of attention --------------===//
#include "tt/IR/AttentionMask.h"
#include "tt/IR/Emit.h"
#include "tt/IR/NarrowFloat.h"

using namespace mlir;
using namespace tt;

AttentionShape AttentionShape::of(Value q, Value k) {
  ArrayRef<int64_t> qs = shapeOf(q), ks = shapeOf(k);
  return {qs[0], qs[1], ks[1], qs[2], ks[2], qs[3]};
}

template <typename Op> static AttentionMask maskOf(Op op) {
  auto number = [](std::optional<uint64_t> value) {
    return value ? std::optional<int64_t>(*value) : std::nullopt;
  };
  auto real = [](std::optional<APFloat> value) {
    return value ? value->convertToDouble() : 0.0;
  };
  AttentionMask mask;
  mask.qSegments = op.getQSegments();
  mask.kSegments = op.getKSegments();
  mask.slopes = op.getSlopes();
  mask.bias = op.getBias();
  mask.sinks = op.getSinks();
  mask.scale = op.getScale().convertToDouble();
  mask.softcap = real(op.getSoftcap());
  mask.dropout = real(op.getDropoutP());
  if (mask.dropout > 0) {
    mask.key = op.getKey();
    mask.site = op.getSite().value_or(0);
  }
  mask.prefix = op.getPrefix().value_or(0);
  mask.causal = op.getCausal();
  mask.left = number(op.getWindowLeft());
  mask.right = mask.causal ? std::optional<int64_t>(0) : number(op.getWindowRight());
  return mask;
}

AttentionMask AttentionMask::of(Operation *op) {
  if (auto forward = dyn_cast<AttentionOp>(op))
    return maskOf(forward);
  return maskOf(cast<AttentionBwdOp>(op));
}

bool AttentionMask::mayHideRows(const AttentionShape &shape) const {
  if (hidesAtRunTime())
    return true;
  // A prefix is seen by all. A query at a key sees that key, since windows are
  // not negative; one before the first key sees it only if the window reaches.
  return prefix == 0 && right && shape.diagonal() + *right < 0;
}

namespace {
bool hasShape(Value value, ArrayRef<int64_t> shape) {
  return !value || shapeOf(value) == shape;
}

template <typename Adaptor> class Checks {
public:
  Checks(std::optional<Location> loc, StringRef op, Adaptor &a)
      : loc(loc), op(op), a(a), n{} {}

  LogicalResult run() {
    return success(succeeded(checkTensors()) && succeeded(checkMaskOperands()) &&
                   succeeded(checkAttributes()) && succeeded(checkDropout()) &&
                   succeeded(checkContradictions()));
  }

private:
  template <typename... Parts> LogicalResult refuse(Parts &&...parts) {
    return emitOptionalError(loc, "'", op, "' op expected ",
                             std::forward<Parts>(parts)...);
  }
  LogicalResult checkTensors();
  LogicalResult checkMaskOperands();
  LogicalResult checkAttributes();
  LogicalResult checkDropout();
  LogicalResult checkContradictions();

  std::optional<Location> loc;
  StringRef op;
  Adaptor &a;
  AttentionShape n;
};
} // namespace

template <typename Adaptor> LogicalResult Checks<Adaptor>::checkTensors() {
  RankedTensorType q = tensorOf(a.getQ()), k = tensorOf(a.getK()), v = tensorOf(a.getV());
  if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4 ||
      q.getElementType() != k.getElementType() ||
      q.getElementType() != v.getElementType()) // (C1)
    return refuse("q, k and v of rank 4 and one element type, but got ", q, ", ", k,
                  ", ", v);
  n = AttentionShape::of(a.getQ(), a.getK());
  if (k.getDimSize(0) != n.b || k.getDimSize(3) != n.d || k != v) // (C2)
    return refuse("k and v of one shape with batch ", n.b, " and head size ", n.d,
                  ", but got ", k, " and ", v);
  if (n.hk == 0 || n.h % n.hk) // (C3)
    return refuse("the number of query heads to be a multiple of the key heads, but got ",
                  n.h, " and ", n.hk);
  return success();
}

template <typename Adaptor> LogicalResult Checks<Adaptor>::checkMaskOperands() {
  Value qs = a.getQSegments(), ks = a.getKSegments();
  bool segments = bool(qs) == bool(ks) && hasShape(qs, {n.b, n.t}) &&
                  hasShape(ks, {n.b, n.s}) &&
                  (!qs || tensorOf(qs).getElementType() == tensorOf(ks).getElementType());
  bool bias = !a.getBias() || tensorOf(a.getBias()).getRank() == 4;
  if (a.getBias() && bias) {
    ArrayRef<int64_t> s = shapeOf(a.getBias());
    bias = (s[0] == n.b || s[0] == 1) && (s[1] == n.h || s[1] == 1) &&
           s[2] == n.t && s[3] == n.s;
  }
  if (segments && bias && hasShape(a.getSlopes(), {n.h}) &&
      hasShape(a.getSinks(), {n.h})) // (C4)
    return success();
  return refuse("segments [", n.b, ", ", n.t, "] and [", n.b, ", ", n.s,
                "] of one type, slopes and sinks [", n.h, "], bias [", n.b, " or 1, ",
                n.h, " or 1, ", n.t, ", ", n.s, "]");
}

template <typename Adaptor> LogicalResult Checks<Adaptor>::checkAttributes() {
  // Positions are compared in 32 bits; 2^30 is past every length.
  constexpr int64_t kMost = int64_t(1) << 30;
  std::pair<StringRef, std::optional<uint64_t>> distances[] = {
      {"window_left", a.getWindowLeft()},
      {"window_right", a.getWindowRight()},
      {"prefix", a.getPrefix()}};
  for (auto [name, value] : distances)
    if (value && (int64_t(*value) < 0 || int64_t(*value) > kMost)) // (C5)
      return refuse(name, " in [0, 2^30], but got ", int64_t(*value));
  std::pair<StringRef, std::optional<uint64_t>> blocks[] = {{"block_q", a.getBlockQ()},
                                                            {"block_k", a.getBlockK()}};
  for (auto [name, value] : blocks)
    if (value && int64_t(*value) <= 0) // (C5)
      return refuse(name, " to be positive, but got ", int64_t(*value));
  FloatType type = accumulationType(tensorOf(a.getQ()).getElementType());
  if (std::optional<APFloat> softcap = a.getSoftcap()) // (C5)
    if (!(softcap->convertToDouble() > 0) || !isHeldBy(type, *softcap))
      return refuse("softcap to be positive and finite, but got ",
                    numberText(*softcap, type));
  if (!isHeldBy(type, a.getScale())) // (C5)
    return refuse("a finite scale, but got ", numberText(a.getScale(), type));
  return success();
}

template <typename Adaptor> LogicalResult Checks<Adaptor>::checkDropout() {
  double p = a.getDropoutP() ? a.getDropoutP()->convertToDouble() : 0;
  bool together = bool(a.getDropoutP()) == bool(a.getKey()) &&
                  bool(a.getKey()) == bool(a.getSite());
  if (!(p >= 0 && p < 1) || !together ||
      (a.getSite() && *a.getSite() > 0xffffffffu)) // (C6)
    return refuse("dropout_p in [0, 1) together with a key and a site in [0, 2^32), "
                  "but got ", std::to_string(p),
                  a.getKey() ? " with a key" : " without a key", " and ",
                  a.getSite() ? "site " + std::to_string(int64_t(*a.getSite()))
                              : "no site");
  return success();
}

template <typename Adaptor> LogicalResult Checks<Adaptor>::checkContradictions() {
  if (a.getCausal() && a.getWindowRight().value_or(0) != 0) // (C7)
    return refuse("no window_right, or 0, together with causal, which hides every "
                  "later key, but got ", int64_t(*a.getWindowRight()));
  if (!a.getPrefix())
    return success();
  if (!a.getCausal() && !a.getWindowLeft() && !a.getWindowRight())
    return refuse("causal or a window together with prefix, which opens nothing "
                  "without them");
  if (int64_t(*a.getPrefix()) > n.s)
    return refuse("a prefix of at most the ", n.s, " keys, but got ",
                  int64_t(*a.getPrefix()));
  return success();
}

static Type lseType(Value q) {
  RankedTensorType type = tensorOf(q);
  return RankedTensorType::get(type.getShape().drop_back(),
                               accumulationType(type.getElementType()));
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(Checks<Adaptor>(loc, "tt.attention", adaptor).run()))
    return failure();
  types.push_back(adaptor.getQ().getType());
  types.push_back(lseType(adaptor.getQ()));
  return success();
}
int64_t AttentionOp::getMatmulFlops() {
  AttentionShape n = AttentionShape::of(getQ(), getK());
  return 2 * 2 * n.b * n.h * n.t * n.s * n.d;
}

LogicalResult AttentionBwdOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(Checks<Adaptor>(loc, "tt.attention_bwd", adaptor).run()))
    return failure();
  Type q = adaptor.getQ().getType(), lse = lseType(adaptor.getQ());
  if (adaptor.getOutput().getType() != q || adaptor.getDOutput().getType() != q ||
      adaptor.getLse().getType() != lse ||
      (adaptor.getDLse() && adaptor.getDLse().getType() != lse)) // (C8)
    return emitOptionalError(loc, "'tt.attention_bwd' op expected output and "
                                  "d_output of type ", q, " and lse of type ", lse);
  if (adaptor.getWithDBias() && !adaptor.getBias()) // (C9)
    return emitOptionalError(loc, "'tt.attention_bwd' op expected a bias together "
                                  "with with_d_bias");
  types.append({q, adaptor.getK().getType(), adaptor.getV().getType()});
  if (adaptor.getWithDBias())
    types.push_back(adaptor.getBias().getType());
  return success();
}
int64_t AttentionBwdOp::getMatmulFlops() {
  AttentionShape n = AttentionShape::of(getQ(), getK());
  return 5 * 2 * n.b * n.h * n.t * n.s * n.d;
}
