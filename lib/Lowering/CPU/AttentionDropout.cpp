//===- AttentionDropout.cpp - Which probabilities dropout keeps -----------===//
//
// tt.dropout's counter for element e = (h T + i) S + j of sample b. A counter
// serves four neighbours in j, that is, four rows of a transposed tile, when
// tiles begin at multiples of four; otherwise each element has its own.
//
//===----------------------------------------------------------------------===//
#include "AttentionFeatures.h"
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace tt::cpu;

/// An index as i32 in all lanes; its low word.
static Value splatWord(LoopEmitter &e, Value index) {
  return broadcastLanes(
      e.b, e.loc, arith::IndexCastOp::create(e.b, e.loc, e.b.getI32Type(), index));
}

/// h T + i of the first lane of a vector.
Value ScoreFeatures::firstRowOf(Value column, int64_t vector) {
  Value query = e.add(e.add(firstQuery, column), vector * kLanes);
  return e.add(e.mul(head, spec.queries), query);
}

Value ScoreFeatures::isKept(Value word) {
  double threshold = std::round(spec.dropout * 0x1p32);
  if (threshold >= 0x1p32) // p is 1 but for less than half a step
    return arith::ConstantOp::create(
        e.b, e.loc, DenseElementsAttr::get(getLanesType(e.b.getI1Type()), false));
  return arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::uge, word,
      integerConstant(e.b, e.loc, word.getType(), uint64_t(threshold)));
}

void ScoreFeatures::keepFour(Value row, Value column, int64_t vector,
                             function_ref<void(Value, int64_t, Value)> body) {
  Type lanes = getLanesType(e.b.getI32Type());
  auto constant = [&](uint32_t value) {
    return integerConstant(e.b, e.loc, lanes, value);
  };
  // e / 4 = (h T + i) (S / 4) + j / 4, modulo 2^32.
  Value block = arith::AddIOp::create(e.b, e.loc, splatWord(e, firstRowOf(column, vector)),
                                      laneNumbers(e.b.getI32Type()));
  block = arith::MulIOp::create(e.b, e.loc, block, constant(uint32_t(spec.keys / 4)));
  block = arith::AddIOp::create(e.b, e.loc, block,
                                splatWord(e, e.div(e.add(firstKey, row), 4)));
  auto words = emitPhilox(e.b, e.loc,
                          {block, splatWord(e, batch), constant(uint32_t(spec.site)),
                           constant(kDropoutStream)},
                          key0, key1);
  for (int64_t w = 0; w < 4; ++w)
    body(e.add(row, w), vector, isKept(words[w]));
}

void ScoreFeatures::keepOne(Value row, Value column, int64_t vector,
                            function_ref<void(Value, int64_t, Value)> body) {
  Type i64 = e.b.getI64Type(), lanes = getLanesType(e.b.getI32Type());
  VectorType wide = getLanesType(i64);
  auto splatWide = [&](Value index) {
    return broadcastLanes(e.b, e.loc,
                          arith::IndexCastOp::create(e.b, e.loc, i64, index));
  };
  auto constant = [&](uint32_t value) {
    return integerConstant(e.b, e.loc, lanes, value);
  };
  // The first lane's element; a lane further is a row of S further.
  Value first = e.add(e.mul(firstRowOf(column, vector), spec.keys), e.add(firstKey, row));
  Value steps = arith::MulIOp::create(e.b, e.loc, laneNumbers(i64),
                                      integerConstant(e.b, e.loc, wide, spec.keys));
  Value element = arith::AddIOp::create(e.b, e.loc, splatWide(first), steps);
  Value two = integerConstant(e.b, e.loc, wide, 2);
  Value block = arith::TruncIOp::create(
      e.b, e.loc, lanes, arith::ShRUIOp::create(e.b, e.loc, element, two));
  Value which = arith::AndIOp::create(
      e.b, e.loc, arith::TruncIOp::create(e.b, e.loc, lanes, element), constant(3));
  auto words = emitPhilox(e.b, e.loc,
                          {block, splatWord(e, batch), constant(uint32_t(spec.site)),
                           constant(kDropoutStream)},
                          key0, key1);
  Value word = words[3];
  for (uint32_t w = 0; w < 3; ++w)
    word = arith::SelectOp::create(
        e.b, e.loc,
        arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, which, constant(w)),
        words[w], word);
  body(row, vector, isKept(word));
}

void ScoreFeatures::forEachKept(Value count, Value column, int64_t vectors,
                                function_ref<void(Value, int64_t, Value)> body) {
  bool inFours = spec.keys % 4 == 0 && frame.plan.blockK % 4 == 0;
  e.loop(e.index(0), count, inFours ? 4 : 1, [&](Value row) {
    for (int64_t i = 0; i < vectors; ++i)
      inFours ? keepFour(row, column, i, body) : keepOne(row, column, i, body);
  });
}
