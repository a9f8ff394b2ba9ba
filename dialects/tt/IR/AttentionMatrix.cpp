//===- AttentionMatrix.cpp - Attention with its score matrix --------------===//
#include "AttentionMatrix.h"

#include <limits>

using namespace mlir;
using namespace tt;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

AttentionMatrix::AttentionMatrix(OpBuilder &builder, Location loc, Value q, Value k,
                                 Value v, const AttentionMask &mask)
    : e(builder, loc), mask(mask), n(AttentionShape::of(q, k)),
      stat(accumulationType(tensorOf(q).getElementType())), q(e.cast(q, stat)),
      k(perHead(k)), v(perHead(v)) {}

Value AttentionMatrix::perHead(Value value) {
  value = e.cast(value, stat);
  ArrayRef<int64_t> s = shapeOf(value);
  if (s[1] == n.h)
    return value;
  Value wide = e.broadcast(value, {s[0], s[1], n.h / s[1], s[2], s[3]}, {0, 1, 3, 4});
  return e.reshape(wide, {s[0], n.h, s[2], s[3]});
}

Value AttentionMatrix::sumGroups(Value value) {
  if (n.hk == n.h)
    return value;
  Value groups = e.reshape(value, {n.b, n.hk, n.h / n.hk, n.s, n.d});
  return SumOp::create(e.builder, e.loc, groups, ArrayRef<int64_t>{2}).getOutput();
}

Value AttentionMatrix::product(Value a, Value b, bool transposeA, bool transposeB) {
  return MatmulOp::create(e.builder, e.loc, a, b, transposeA, transposeB).getOutput();
}

Value AttentionMatrix::iota(int64_t dim) {
  auto type = RankedTensorType::get(shape(), e.builder.getI32Type());
  return e.cast(IotaOp::create(e.builder, e.loc, type, dim), stat);
}

/// j - last for every score; exact below 2^24 tokens.
Value AttentionMatrix::distance() {
  if (!places)
    places = e.shift(e.sub(iota(3), iota(2)), double(-n.diagonal()));
  return AbsOp::create(e.builder, e.loc, places);
}

Value AttentionMatrix::ofHeads(Value perHead, bool withKeys) {
  SmallVector<int64_t> to = {n.b, n.h, n.t};
  if (withKeys)
    to.push_back(n.s);
  return e.broadcast(e.cast(perHead, stat), to, {1});
}

Value AttentionMatrix::ofBias(Value bias) {
  bias = e.cast(bias, stat);
  if (shapeOf(bias) == ArrayRef<int64_t>(shape()))
    return bias;
  // Dimensions of size 1 go, and come back as repeated ones.
  SmallVector<int64_t> kept, dims;
  for (int64_t d = 0; d < 4; ++d)
    if (shapeOf(bias)[d] == shape()[d])
      kept.push_back(shape()[d]), dims.push_back(d);
  return e.broadcast(e.reshape(bias, kept), shape(), dims);
}

Value AttentionMatrix::sumToBias(Value x, Value bias) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < 2; ++d)
    if (shapeOf(bias)[d] != shape()[d])
      dims.push_back(d);
  if (!dims.empty())
    x = SumOp::create(e.builder, e.loc, x, dims).getOutput();
  return e.cast(e.reshape(x, shapeOf(bias)), tensorOf(bias).getElementType());
}

Value AttentionMatrix::scores() {
  if (!raw)
    raw = e.scale(product(q, k, false, true), mask.scale);
  Value s = raw;
  if (mask.softcap > 0) {
    ofCap = e.scale(raw, 1 / mask.softcap);
    s = e.scale(e.tanh(ofCap), mask.softcap);
  }
  if (mask.bias)
    s = e.add(s, ofBias(mask.bias));
  if (mask.slopes)
    s = e.sub(s, e.mul(ofHeads(mask.slopes, true), distance()));
  return s;
}

Value AttentionMatrix::throughCap(Value x) {
  if (mask.softcap == 0)
    return x;
  return e.mul(x, e.tanhSlope(ofCap));
}

Value AttentionMatrix::hide(Value x, double instead) {
  Value hidden = e.splat(x.getType(), instead), shown = x;
  auto keep = [&](ComparePredicate predicate, Value a, Value b) {
    shown = e.select(e.compare(predicate, a, b), shown, hidden);
  };
  if (mask.left || mask.right)
    distance(); // for `places`, j - last
  auto splat = [&](int64_t number) { return e.splat(places.getType(), double(number)); };
  if (mask.right)
    keep(ComparePredicate::LE, places, splat(*mask.right));
  if (mask.left)
    keep(ComparePredicate::GE, places, splat(-*mask.left));
  if (mask.prefix > 0)
    shown = e.select(e.compare(ComparePredicate::LT, iota(3), splat(mask.prefix)), x,
                     shown);
  if (mask.qSegments)
    keep(ComparePredicate::EQ, e.broadcast(mask.qSegments, shape(), {0, 2}),
         e.broadcast(mask.kSegments, shape(), {0, 3}));
  if (mask.bias) {
    Value bias = ofBias(mask.bias);
    keep(ComparePredicate::NE, bias, e.splat(bias.getType(), -kInfinity));
  }
  return shown;
}

Value AttentionMatrix::probabilities(Value lse) {
  // Hidden before the exponential: a dead row has -inf - -inf here.
  Value s = scores();
  return e.exp(hide(e.sub(s, e.alongRow(lse, s)), -kInfinity));
}

Value AttentionMatrix::drop(Value x) {
  if (mask.dropout == 0)
    return x;
  return DropoutOp::create(e.builder, e.loc, x, mask.key, APFloat(mask.dropout),
                           uint64_t(mask.site), uint64_t(n.b))
      .getOutput();
}

Value tt::isAlive(Emit &e, Value lse) {
  return e.compare(ComparePredicate::NE, lse, e.splat(lse.getType(), -kInfinity));
}
