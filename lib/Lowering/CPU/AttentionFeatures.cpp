//===- AttentionFeatures.cpp - Softcap, bias, slopes and segments ---------===//
#include "AttentionFeatures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tt::cpu;

Value ScoreFeatures::openSegments(const SegmentsOperand &operand, int64_t tokens) {
  Type element = operand.isWide ? e.b.getI64Type() : e.b.getI32Type();
  int64_t extent = (spec.batch - 1) * operand.batch + tokens; // checked: in the operand
  return e.shell.operand(operand.operand, MemRefType::get({extent}, element));
}

void ScoreFeatures::open() {
  if (spec.qSegments) {
    qSegments = openSegments(*spec.qSegments, spec.queries);
    kSegments = openSegments(*spec.kSegments, spec.keys);
  }
  if (spec.bias) {
    bias = frame.openBias(e, *spec.bias);
    biasTile = frame.allocate(e, frame.plan.blockK * frame.plan.blockQ);
  }
  if (spec.dropout > 0) {
    Value key = e.shell.operand(*spec.key, MemRefType::get({2}, e.b.getI32Type()));
    key0 = memref::LoadOp::create(e.b, e.loc, key, e.index(0));
    key1 = memref::LoadOp::create(e.b, e.loc, key, e.index(1));
  }
}

/// A per-head scalar times `factor`, in all lanes.
Value ScoreFeatures::loadHeadScalar(unsigned operand, double factor) {
  Value memref =
      e.shell.operand(operand, MemRefType::get({spec.heads}, e.b.getF32Type()));
  Value scalar = memref::LoadOp::create(e.b, e.loc, memref, head);
  return e.mulF(broadcastLanes(e.b, e.loc, scalar), e.splat(factor));
}

Value ScoreFeatures::sink() { return loadHeadScalar(*spec.sinks, kLog2E); }

void ScoreFeatures::enterHead(Value newBatch, Value newHead) {
  batch = newBatch;
  head = newHead;
  if (spec.slopes)
    slope = loadHeadScalar(*spec.slopes, -kLog2E);
}

void ScoreFeatures::enterQueries(Value newFirst, Value newValid) {
  firstQuery = newFirst;
  valid = newValid;
  if (spec.qSegments) {
    qSegmentBase = e.add(e.mul(batch, spec.qSegments->batch), firstQuery);
    kSegmentBase = e.mul(batch, spec.kSegments->batch);
    queryRange = segmentRange(qSegments, qSegmentBase, valid);
  }
  if (spec.bias)
    biasBase = e.add(e.add(e.mul(batch, spec.bias->batch), e.mul(head, spec.bias->head)),
                     e.mul(firstQuery, spec.bias->token));
}

void ScoreFeatures::enterKeys(Value newFirst, Value keyRows) {
  firstKey = newFirst;
  if (!spec.bias)
    return;
  int64_t block = frame.plan.blockK, rest = spec.keys % block;
  if (rest == 0)
    return readBiasRows(block);
  e.ifElse(
      e.isEqual(keyRows, block), [&] { readBiasRows(block); },
      [&] { readBiasRows(rest); });
}

/// The bias of the tile as [keys][queries].
void ScoreFeatures::readBiasRows(int64_t rows) {
  int64_t block = frame.plan.blockQ;
  TokenBlock from{bias,  e.add(biasBase, firstKey),     spec.bias->token,
                  valid, block, spec.queries % block == 0, rows};
  readSquares(e, from,
              [&](Value token, Value element, int64_t width, ArrayRef<Value> square) {
                storeTransposed(e, square, biasTile, token, element, width, block);
              });
}

Value ScoreFeatures::loadBias(Value row, Value column) {
  return e.load(biasTile, e.add(e.mul(row, frame.plan.blockQ), column));
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Smallest and largest of `count` ids; count is at least 1.
std::pair<Value, Value> ScoreFeatures::segmentRange(Value memref, Value base,
                                                    Value count) {
  auto load = [&](Value at) -> Value {
    return memref::LoadOp::create(e.b, e.loc, memref, at);
  };
  Value first = load(base);
  SmallVector<Value> range = e.loop(
      e.index(1), count, 1, {first, first}, [&](Value i, ValueRange so) {
        Value id = load(e.add(base, i));
        return SmallVector<Value>{arith::MinSIOp::create(e.b, e.loc, so[0], id),
                                  arith::MaxSIOp::create(e.b, e.loc, so[1], id)};
      });
  return {range[0], range[1]};
}

Value ScoreFeatures::segmentsMeet(Value keys, Value keyRows) {
  if (!spec.qSegments)
    return Value();
  auto [low, high] = segmentRange(kSegments, e.add(kSegmentBase, keys), keyRows);
  auto isAtMost = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::sle, a, b);
  };
  return arith::AndIOp::create(e.b, e.loc, isAtMost(low, queryRange.second),
                               isAtMost(queryRange.first, high));
}

void ScoreFeatures::enterColumns(Value column, int64_t vectors) {
  laneSegments.clear();
  if (!spec.qSegments)
    return;
  for (int64_t i = 0; i < vectors; ++i) {
    Value at = e.add(column, i * kLanes);
    Value mask = firstLanes(e.b, e.loc, e.sub(valid, at));
    laneSegments.push_back(e.load(qSegments, e.add(qSegmentBase, at), mask));
  }
}

void ScoreFeatures::hide(Value row, Value column, MutableArrayRef<Value> visible) {
  auto keep = [&](Value &lanes, Value more) {
    lanes = lanes ? Value(arith::AndIOp::create(e.b, e.loc, lanes, more)) : more;
  };
  Value id;
  if (spec.qSegments) {
    Value at = e.add(e.add(kSegmentBase, firstKey), row);
    id = broadcastLanes(e.b, e.loc, memref::LoadOp::create(e.b, e.loc, kSegments, at));
  }
  for (auto [i, lanes] : llvm::enumerate(visible)) {
    if (id)
      keep(lanes, arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                        laneSegments[i], id));
    if (spec.bias)
      keep(lanes, arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::UNE,
                                        loadBias(row, e.add(column, i * kLanes)),
                                        e.splat(-kInfinity)));
  }
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value ScoreFeatures::laneNumbers(Type element) {
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    numbers.push_back(isa<FloatType>(element)
                          ? Attribute(e.b.getFloatAttr(element, double(lane)))
                          : e.b.getIntegerAttr(element, lane));
  return arith::ConstantOp::create(
      e.b, e.loc, DenseElementsAttr::get(getLanesType(element), numbers));
}

/// 1 - tanh(x)^2 = 4 E / (1 + E)^2 with E = e^-2|x|, which keeps its digits where tanh
/// is next to 1.
static Value emitTanhSlope(LoopEmitter &e, Value x) {
  Value size = math::AbsFOp::create(e.b, e.loc, x), one = e.splat(1.0);
  Value small = emitExp2(e, e.mulF(size, e.splat(-2 * kLog2E)));
  Value half = arith::DivFOp::create(e.b, e.loc, e.splat(2.0), e.addF(one, small));
  return e.mulF(small, e.mulF(half, half));
}

void ScoreFeatures::apply(const RegisterScores &at, MutableArrayRef<Value> scores,
                          SmallVectorImpl<Value> *capSlopes) {
  Value place; // of the lanes' queries among the keys of the tile, minus the row
  if (spec.slopes)
    place = e.sub(e.add(e.add(firstQuery, at.column), frame.plan.diagonal()),
                  e.add(firstKey, at.row));
  for (int64_t r = 0; r < at.rows; ++r)
    for (int64_t i = 0; i < at.vectors; ++i) {
      Value &score = scores[r * at.vectors + i];
      Value column = e.add(at.column, i * kLanes);
      if (spec.softcap > 0) {
        if (capSlopes)
          capSlopes->push_back(emitTanhSlope(e, score));
        Value t = math::TanhOp::create(e.b, e.loc, score);
        score = e.mulF(t, e.splat(spec.softcap * kLog2E));
      }
      if (spec.bias)
        score = e.fma(loadBias(e.add(at.row, r), column), e.splat(kLog2E), score);
      if (spec.slopes) {
        Value first = arith::IndexCastOp::create(
            e.b, e.loc, e.b.getI32Type(), e.add(place, i * kLanes - r));
        first = arith::SIToFPOp::create(e.b, e.loc, e.b.getF32Type(), first);
        Value distance = e.addF(broadcastLanes(e.b, e.loc, first),
                                laneNumbers(e.b.getF32Type()));
        distance = math::AbsFOp::create(e.b, e.loc, distance);
        score = e.fma(distance, slope, score);
      }
    }
}
