//===- ElementRope.cpp - Rotary embedding, pulled -------------------------===//
//
// y[d] = x[d] c[t, d] + x[partner] (+- s[t, d]): the same rounding as Rope.h.
// c and s hold every d, with the sign of the forward rotation in s, so that both
// pairings and both directions share the code. They come from tables, or, for
// positions of the run, are computed in f64 and rounded once.
//
//===----------------------------------------------------------------------===//
#include "ElementBuilder.h"
#include "PhiloxEmitter.h"
#include "tt/Lowering/CPU/Rope.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

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

/// The angle per position of every pair, after the op's scaling.
static std::vector<double> frequenciesOf(RopeOp op) {
  int64_t size = op.getType().getShape().back();
  double theta = op.getTheta().convertToDouble();
  std::optional<RopeScaling> scaling = op.getScaling();
  double factor = scaling ? op.getFactor()->convertToDouble() : 1;
  if (scaling == RopeScaling::Ntk && size > 2)
    theta *= std::pow(factor, double(size) / double(size - 2));
  std::vector<double> frequencies;
  for (int64_t i = 0; i < size / 2; ++i) {
    double f = std::pow(theta, -2.0 * double(i) / double(size));
    if (scaling == RopeScaling::Linear)
      f /= factor;
    if (scaling == RopeScaling::Llama3) {
      double low = op.getLowFrequency()->convertToDouble();
      double high = op.getHighFrequency()->convertToDouble();
      double context = double(*op.getOriginalContext());
      double wavelength = 2 * M_PI / f;
      double mix = (context / wavelength - low) / (high - low);
      if (wavelength > context / low)
        f /= factor;
      else if (wavelength >= context / high)
        f = (1 - mix) * f / factor + mix * f;
    }
    frequencies.push_back(f);
  }
  return frequencies;
}

/// A name that two ropes share when their frequencies are the same.
static std::string nameOf(RopeOp op, StringRef kind) {
  std::string name = ("tt_rope_" + kind + "_").str() +
                     std::to_string(op.getType().getShape().back()) +
                     (op.getLayout() == RopeLayout::Interleaved ? "i" : "h");
  auto add = [&](const APFloat &value) {
    name += "_" + llvm::utohexstr(llvm::bit_cast<uint64_t>(value.convertToDouble()));
  };
  add(op.getTheta());
  if (!op.getScaling())
    return name;
  name += "_" + stringifyRopeScaling(*op.getScaling()).str();
  for (std::optional<APFloat> value :
       {op.getFactor(), op.getLowFrequency(), op.getHighFrequency()})
    if (value)
      add(*value);
  if (op.getOriginalContext())
    name += "_" + std::to_string(*op.getOriginalContext());
  return name;
}

/// Whether element d of a head is the second of its pair, and its pair.
static std::pair<bool, int64_t> pairOf(RopeOp op, int64_t d, int64_t size) {
  if (op.getLayout() == RopeLayout::Interleaved)
    return {d % 2, d / 2};
  return {d >= size / 2, d % (size / 2)};
}

/// Cosine and signed sine at positions 0 .. T-1, from constant tables.
std::pair<Value, Value> ElementBuilder::ropeTables(RopeOp op, const Position &at) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t tokens = shape[shape.size() - 2], size = shape.back();
  RopeTable half = computeRopeTable(0, tokens, frequenciesOf(op));
  std::vector<float> cosines(tokens * size), sines(tokens * size); // checked: the
  for (int64_t t = 0; t < tokens; ++t)                             // op's elements
    for (int64_t d = 0; d < size; ++d) {
      auto [second, pair] = pairOf(op, d, size);
      float sine = half.sines[t * (size / 2) + pair];
      cosines[t * size + d] = half.cosines[t * (size / 2) + pair];
      sines[t * size + d] = second ? sine : -sine;
    }
  auto type = RankedTensorType::get({tokens * size}, e.b.getF32Type());
  auto table = [&](StringRef part, ArrayRef<float> values) {
    return globalConstant(nameOf(op, part) + "_" + std::to_string(tokens),
                          DenseElementsAttr::get(type, values));
  };
  LaneIndex index = math.linearize(
      ArrayRef<LaneIndex>(at.dims).take_back(2), {size, 1});
  return {loadFlat(table("cos", cosines), index, at.mask),
          loadFlat(table("sin", sines), index, at.mask)};
}

namespace {
/// Cosine and sine of an f64 angle: reduced by multiples of pi/2, then Taylor
/// series whose error is below 1e-12 on [-pi/4, pi/4].
struct Turn {
  LoopEmitter &e;
  Type type;

  Value number(double x) { return splatConstant(e.b, e.loc, type, x); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(e.b, e.loc, x, y, z);
  }
  /// sum of c[i] x^i by Horner's rule.
  Value series(Value x, ArrayRef<double> c) {
    Value sum = number(c.back());
    for (double next : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, number(next));
    return sum;
  }
  std::pair<Value, Value> of(Value angle);
};
} // namespace

std::pair<Value, Value> Turn::of(Value angle) {
  constexpr double high = 0x1.921fb54442d18p+0, low = 0x1.1a62633145c07p-54;
  Value quarters = math::RoundEvenOp::create(e.b, e.loc,
                                             e.mulF(angle, number(2 / M_PI)));
  Value rest = fma(quarters, number(-low), fma(quarters, number(-high), angle));
  Value square = e.mulF(rest, rest);
  Value cosine = series(square, {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320,
                                 -1.0 / 3628800, 1.0 / 479001600});
  Value sine = e.mulF(rest, series(square, {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                            1.0 / 362880, -1.0 / 39916800,
                                            1.0 / 6227020800}));
  Type words = e.b.getI32Type();
  if (isa<VectorType>(type))
    words = getLanesType(words);
  Value quarter = arith::FPToSIOp::create(e.b, e.loc, words, quarters);
  auto hasBit = [&](Value value, uint64_t bit) -> Value {
    Value mask = integerConstant(e.b, e.loc, words, bit);
    Value masked = arith::AndIOp::create(e.b, e.loc, value, mask);
    return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, masked, mask);
  };
  auto negateIf = [&](Value condition, Value value) -> Value {
    Value negated = arith::NegFOp::create(e.b, e.loc, value);
    return arith::SelectOp::create(e.b, e.loc, condition, negated, value);
  };
  Value odd = hasBit(quarter, 1);
  Value next = arith::AddIOp::create(e.b, e.loc, quarter,
                                     integerConstant(e.b, e.loc, words, 1));
  Value c = arith::SelectOp::create(e.b, e.loc, odd, sine, cosine);
  Value s = arith::SelectOp::create(e.b, e.loc, odd, cosine, sine);
  return {negateIf(hasBit(next, 2), c), negateIf(hasBit(quarter, 2), s)};
}

/// Cosine and signed sine at positions that are known only when the kernel runs.
/// The first of a pair turns by the negative angle: the same cosine, the other
/// sine.
std::pair<Value, Value> ElementBuilder::ropeAtRunTime(RopeOp op,
                                                      const Position &at) {
  int64_t size = op.getType().getShape().back();
  std::vector<double> half = frequenciesOf(op), signedFrequencies;
  for (int64_t d = 0; d < size; ++d) {
    auto [second, pair] = pairOf(op, d, size);
    signedFrequencies.push_back(second ? half[pair] : -half[pair]);
  }
  auto tableType = RankedTensorType::get({size}, e.b.getF64Type());
  Value table = globalConstant(
      nameOf(op, "freq"),
      DenseElementsAttr::get(tableType, ArrayRef<double>(signedFrequencies)));
  Value frequency = loadFlat(table, at.dims.back(), at.mask);

  Position where{{at.dims[at.dims.size() - 2]}, at.mask};
  if (shapeOf(op.getPositions()).size() == 2)
    where.dims.insert(where.dims.begin(), at.dims.front());
  Value position = element(op.getPositions(), where);
  Type type = e.b.getF64Type(), narrow = e.b.getF32Type();
  if (isa<VectorType>(position.getType()) || isa<VectorType>(frequency.getType())) {
    position = spread(position);
    frequency = spread(frequency);
    type = getLanesType(type);
    narrow = e.lanesType;
  }
  Value turns = arith::SIToFPOp::create(e.b, e.loc, type, position);
  auto [cosine, sine] = Turn{e, type}.of(e.mulF(turns, frequency));
  return {arith::TruncFOp::create(e.b, e.loc, narrow, cosine),
          arith::TruncFOp::create(e.b, e.loc, narrow, sine)};
}

Value ElementBuilder::buildRope(RopeOp op, const Position &at) {
  auto [cosine, sine] =
      op.getPositions() ? ropeAtRunTime(op, at) : ropeTables(op, at);

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
