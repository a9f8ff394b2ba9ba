//===- ElementRandom.cpp - Dropout and keys, pulled -----------------------===//
#include "ElementBuilder.h"
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

std::pair<Value, Value> ElementBuilder::keyWords(Value key) {
  Type i32 = e.b.getI32Type();
  auto constant = [&](uint32_t value) {
    return integerConstant(e.b, e.loc, i32, value);
  };
  if (auto fold = key.getDefiningOp<RngFoldOp>()) {
    auto [key0, key1] = keyWords(fold.getKey());
    auto words = emitPhilox(e.b, e.loc,
                            {constant(uint32_t(fold.getSite())), constant(0),
                             constant(0), constant(kRngFoldStream)},
                            key0, key1);
    return {words[0], words[1]};
  }
  if (auto root = key.getDefiningOp<RngKeyOp>()) {
    auto halves = [&](Value scalar) -> std::pair<Value, Value> {
      Value word = element(scalar, Position{});
      if (word.getType().isInteger(32))
        word = arith::ExtSIOp::create(e.b, e.loc, e.b.getI64Type(), word);
      Value high = arith::ShRUIOp::create(
          e.b, e.loc, word, integerConstant(e.b, e.loc, word.getType(), 32));
      return {arith::TruncIOp::create(e.b, e.loc, i32, word),
              arith::TruncIOp::create(e.b, e.loc, i32, high)};
    };
    auto [step0, step1] = halves(root.getStep());
    auto [seed0, seed1] = halves(root.getSeed());
    auto words = emitPhilox(e.b, e.loc,
                            {step0, step1, constant(0), constant(kRngKeyStream)},
                            seed0, seed1);
    return {words[0], words[1]};
  }
  return {element(key, Position{{math.constant(0)}, {}}),
          element(key, Position{{math.constant(1)}, {}})};
}

Value ElementBuilder::buildKeyWord(Value key, const Position &at) {
  auto [word0, word1] = keyWords(key);
  const LaneIndex &index = at.dims[0];
  if (index.isUniform())
    return select(e.isEqual(index.base, 0), word0, word1);
  Value first = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                      math.materialize(index),
                                      math.splatIndex(0));
  return select(first, word0, word1);
}

/// Where an op's random words come from.
struct ElementBuilder::RandomStream {
  ArrayRef<int64_t> shape;
  int64_t samples;
  uint32_t site, stream;
  Value key;
};

/// The random word of every lane: element e takes word pick(e % 4) of its block
/// of four.
Value ElementBuilder::randomWord(const RandomStream &stream, const Position &at,
                                 function_ref<int64_t(int64_t)> pick) {
  int64_t sample = elementCount(stream.shape) / stream.samples;
  LaneIndex number = math.linearize(at.dims, denseStrides(stream.shape));
  auto [n, element] = math.divide(number, sample);
  auto [key0, key1] = keyWords(stream.key);
  Type i32 = e.b.getI32Type();

  // A block of four neighbours has one counter: 4 counters serve 16 lanes.
  bool aligned = !element.lanes && element.step == 1 &&
                 element.multiple % 4 == 0 && n.isUniform();
  if (aligned) {
    VectorType four = VectorType::get({4}, i32);
    auto spreadFour = [&](Value scalar) -> Value {
      return vector::BroadcastOp::create(e.b, e.loc, four, scalar);
    };
    Value block = arith::IndexCastOp::create(e.b, e.loc, i32,
                                             e.div(element.base, 4));
    SmallVector<int32_t> steps{0, 1, 2, 3};
    Value offsets = arith::ConstantOp::create(
        e.b, e.loc, DenseElementsAttr::get(four, ArrayRef<int32_t>(steps)));
    Value blocks =
        arith::AddIOp::create(e.b, e.loc, spreadFour(block), offsets);
    Value sampleWord = arith::IndexCastOp::create(e.b, e.loc, i32, n.base);
    auto words = emitPhilox(
        e.b, e.loc,
        {blocks, spreadFour(sampleWord),
         integerConstant(e.b, e.loc, four, stream.site),
         integerConstant(e.b, e.loc, four, stream.stream)},
        key0, key1);
    // Lane 4 b + w is word pick(w) of block b.
    SmallVector<int64_t> all{0, 1, 2, 3, 4, 5, 6, 7};
    Value low = vector::ShuffleOp::create(e.b, e.loc, words[0], words[1], all);
    Value high = vector::ShuffleOp::create(e.b, e.loc, words[2], words[3], all);
    SmallVector<int64_t> order;
    for (int64_t b = 0; b < 4; ++b)
      for (int64_t w = 0; w < 4; ++w)
        order.push_back(4 * pick(w) + b);
    return vector::ShuffleOp::create(e.b, e.loc, low, high, order);
  }

  // One counter per lane.
  bool uniform = element.isUniform() && n.isUniform();
  Type wordType = uniform ? Type(i32) : Type(getLanesType(i32));
  auto word = [&](const LaneIndex &index) -> Value {
    Value value = uniform ? index.base : math.materialize(index);
    return arith::IndexCastOp::create(e.b, e.loc, wordType, value);
  };
  auto constant = [&](uint32_t value) {
    return integerConstant(e.b, e.loc, wordType, value);
  };
  auto [block, within] = math.divide(element, 4);
  auto words = emitPhilox(e.b, e.loc,
                          {word(block), word(n),
                           constant(stream.site),
                           constant(stream.stream)},
                          key0, key1);
  Value which = word(within), bits = words[pick(3)];
  for (uint32_t w = 0; w < 3; ++w) {
    Value hit = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                      which, constant(w));
    bits = arith::SelectOp::create(e.b, e.loc, hit, words[pick(w)], bits);
  }
  return bits;
}

Value ElementBuilder::buildDropout(DropoutOp op, const Position &at) {
  double p = op.getP().convertToDouble();
  Value input = element(op.getInput(), at);
  double threshold = std::round(p * 0x1p32);
  if (threshold >= 0x1p32)
    return zero(input.getType());
  RandomStream stream{op.getType().getShape(), int64_t(op.getSamples()),
                      uint32_t(op.getSite()), kDropoutStream, op.getKey()};
  Value bits = randomWord(stream, at, [](int64_t w) { return w; });
  Value keep = arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::uge, bits,
      integerConstant(e.b, e.loc, bits.getType(), uint64_t(threshold)));
  if (isa<VectorType>(keep.getType()))
    input = spread(input);
  Value scaled = arith::DivFOp::create(
      e.b, e.loc, input,
      splatConstant(e.b, e.loc, input.getType(), 1.0 - p));
  return orZero(keep, scaled);
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

/// The upper 24 bits of a word plus `offset`, times 2^-24: exact in f32.
static Value unitOf(LoopEmitter &e, Value word, uint64_t offset) {
  Type type = e.b.getF32Type();
  if (isa<VectorType>(word.getType()))
    type = e.lanesType;
  Value high = arith::ShRUIOp::create(
      e.b, e.loc, word, integerConstant(e.b, e.loc, word.getType(), 8));
  high = arith::AddIOp::create(
      e.b, e.loc, high, integerConstant(e.b, e.loc, word.getType(), offset));
  Value number = arith::SIToFPOp::create(e.b, e.loc, type, high);
  return e.mulF(number, splatConstant(e.b, e.loc, type, 0x1p-24));
}

Value ElementBuilder::buildUniform(RandomUniformOp op, const Position &at) {
  RandomStream stream{op.getOutput().getType().getShape(),
                      int64_t(op.getSamples()), uint32_t(op.getSite()),
                      kUniformStream, op.getKey()};
  return unitOf(e, randomWord(stream, at, [](int64_t w) { return w; }), 0);
}

Value ElementBuilder::buildNormal(RandomNormalOp op, const Position &at) {
  ArrayRef<int64_t> shape = op.getOutput().getType().getShape();
  RandomStream stream{shape, int64_t(op.getSamples()), uint32_t(op.getSite()),
                      kNormalStream, op.getKey()};
  Value first = randomWord(stream, at, [](int64_t w) { return w & ~1; });
  Value second = randomWord(stream, at, [](int64_t w) { return w | 1; });
  Value log = math::LogOp::create(e.b, e.loc, unitOf(e, first, 1));
  Type type = log.getType();
  Value radius = math::SqrtOp::create(
      e.b, e.loc, e.mulF(log, splatConstant(e.b, e.loc, type, -2)));
  Value angle = e.mulF(unitOf(e, second, 0),
                       splatConstant(e.b, e.loc, type, 2 * M_PI));
  // The parity of the element inside its sample.
  int64_t sample = elementCount(shape) / int64_t(op.getSamples());
  LaneIndex number = math.linearize(at.dims, denseStrides(shape));
  LaneIndex parity = math.divide(math.divide(number, sample).second, 2).second;
  bool lanes = isa<VectorType>(type);
  Value odd = lanes ? math.materialize(parity) : parity.base;
  Value none = lanes ? math.splatIndex(0) : e.index(0);
  Value isEven = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, odd,
                                       none);
  Value turn = select(isEven, math::CosOp::create(e.b, e.loc, angle),
                      math::SinOp::create(e.b, e.loc, angle));
  return e.mulF(radius, turn);
}
