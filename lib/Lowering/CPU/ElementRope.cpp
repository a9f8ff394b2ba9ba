//===- ElementRope.cpp - Rotary embedding, pulled -------------------------===//
//
// y[d] = x[d] c[t, d] + x[partner] (+- s[t, d]): the same rounding as Rope.h.
// The tables hold every d, with the sign of the forward rotation in s, so that
// both pairings and both directions share the code.
//
//===----------------------------------------------------------------------===//
#include "ElementBuilder.h"
#include "tt/Lowering/CPU/Rope.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

/// x at the other end of each lane's pair.
Value ElementBuilder::ropePartner(RopeOp op, const Position &at) {
  int64_t size = op.getType().getShape().back(), half = size / 2;
  const LaneIndex &d = at.dims.back();
  Position from = at;
  if (op.getLayout() == RopeLayout::Interleaved) {
    if (d.isUniform()) {
      Value one = e.index(1);
      from.dims.back() =
          math.uniform(arith::XOrIOp::create(e.b, e.loc, d.base, one));
      return element(op.getInput(), from);
    }
    if (!d.lanes && d.step == 1 && d.multiple % 2 == 0) {
      SmallVector<int64_t> swapped;
      for (int64_t i = 0; i < kLanes; ++i)
        swapped.push_back(i ^ 1);
      Value x = lanes(op.getInput(), at);
      return vector::ShuffleOp::create(e.b, e.loc, x, x, swapped);
    }
    from.dims.back() = math.fromLanes(arith::XOrIOp::create(
        e.b, e.loc, math.materialize(d), math.splatIndex(1)));
    return element(op.getInput(), from);
  }
  if (d.isUniform() || (LaneMath::movesAsOne(d) && half % kLanes == 0)) {
    Value first = math.inRange(math.uniform(d.base), half);
    Value offset = arith::SelectOp::create(e.b, e.loc, first, e.index(half),
                                           e.index(-half));
    LaneIndex &partner = from.dims.back();
    partner.base = e.add(d.base, offset);
    partner.multiple = std::gcd(d.multiple, half);
    return element(op.getInput(), from);
  }
  Value index = math.materialize(d);
  Value first = math.inRange(d, half);
  Value offset =
      arith::SelectOp::create(e.b, e.loc, first, math.splatIndex(half),
                              math.splatIndex(-half));
  from.dims.back() =
      math.fromLanes(arith::AddIOp::create(e.b, e.loc, index, offset));
  return element(op.getInput(), from);
}

Value ElementBuilder::buildRope(RopeOp op, const Position &at) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t tokens = shape[shape.size() - 2], size = shape.back();
  double theta = op.getTheta().convertToDouble();
  bool interleaved = op.getLayout() == RopeLayout::Interleaved;

  RopeTable half = computeRopeTable(0, tokens, size, theta);
  std::vector<float> cosines(tokens * size), sines(tokens * size);
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t d = 0; d < size; ++d) {
      int64_t pair = interleaved ? d / 2 : d % (size / 2);
      bool second = interleaved ? d % 2 : d >= size / 2;
      float sine = half.sines[t * (size / 2) + pair];
      cosines[t * size + d] = half.cosines[t * (size / 2) + pair];
      sines[t * size + d] = second ? sine : -sine;
    }
  std::string name = "tt_rope_" + std::to_string(tokens) + "x" +
                     std::to_string(size) + (interleaved ? "i_" : "h_") +
                     llvm::utohexstr(llvm::bit_cast<uint64_t>(theta));
  auto type = RankedTensorType::get({tokens * size}, e.b.getF32Type());
  auto table = [&](StringRef part, ArrayRef<float> values) {
    return globalConstant((name + part).str(),
                          DenseElementsAttr::get(type, values));
  };
  LaneIndex index = math.linearize(
      ArrayRef<LaneIndex>(at.dims).take_back(2), {size, 1});
  Value cosine = loadFlat(table("_cos", cosines), index, at.mask);
  Value sine = loadFlat(table("_sin", sines), index, at.mask);

  Value x = element(op.getInput(), at), partner = ropePartner(op, at);
  if (isa<VectorType>(cosine.getType()) || isa<VectorType>(x.getType()) ||
      isa<VectorType>(partner.getType())) {
    x = spread(x);
    partner = spread(partner);
    cosine = spread(cosine);
    sine = spread(sine);
  }
  Value cross = arith::MulFOp::create(e.b, e.loc, partner, sine);
  if (op.getInverse())
    cross = arith::NegFOp::create(e.b, e.loc, cross);
  return math::FmaOp::create(e.b, e.loc, x, cosine, cross);
}
