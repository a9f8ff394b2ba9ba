//===- AttentionMask.cpp - Sizes, bounds and masks of attention -----------===//
#include "AttentionTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <algorithm>

using namespace mlir;
using namespace tt::cpu;
using tt::attention::BlockBound;

static int64_t roundUp(int64_t value, int64_t step) {
  return (value + step - 1) / step * step;
}

AttentionFrame::AttentionFrame(const AttentionSpec &spec, int64_t blockQ,
                               int64_t blockK)
    : spec(spec) {
  assert(spec.heads % spec.kvHeads == 0 && "groups of query heads are equal");
  assert(spec.blockQ % kLanes == 0 && "queries fill whole vectors");
  blockQ = spec.blockQ ? spec.blockQ : blockQ;
  plan.queries = spec.queries;
  plan.keys = spec.keys;
  plan.causal = spec.causal;
  plan.blockQ = std::min(blockQ, roundUp(spec.queries, kLanes));
  plan.blockK = std::min(blockK, spec.keys);
}

Value AttentionFrame::open(LoopEmitter &e, const HeadsOperand &operand,
                           int64_t heads, int64_t tokens) const {
  int64_t extent = (spec.batch - 1) * operand.batch +
                   (heads - 1) * operand.head + (tokens - 1) * operand.token +
                   spec.headSize;
  return e.shell.operand(operand.operand,
                         MemRefType::get({extent}, e.b.getF32Type()));
}

Value AttentionFrame::allocate(LoopEmitter &e, int64_t elements) {
  int64_t offset = workerBytes;
  workerBytes = alignBytes(offset + elements * int64_t(sizeof(float)));
  return e.shell.worker(offset, MemRefType::get({elements}, e.b.getF32Type()));
}

Value AttentionFrame::emitBound(LoopEmitter &e, const BlockBound &bound,
                                Value block) const {
  Value numerator = e.add(e.mul(block, bound.scale), bound.offset);
  return e.min(e.div(e.max(numerator, e.index(0)), bound.divisor),
               e.index(bound.high));
}

SmallVector<int64_t> AttentionFrame::keyRemainders(int64_t rows) const {
  SmallVector<int64_t> remainders;
  if (plan.keys >= plan.blockK)
    remainders.push_back(plan.blockK % rows);
  int64_t last = plan.keys % plan.blockK % rows;
  if (!llvm::is_contained(remainders, last))
    remainders.push_back(last);
  return remainders;
}

GroupMask tt::cpu::emitGroupMask(LoopEmitter &e, const AttentionFrame &frame,
                                 Value firstQuery, Value firstKey, Value rows,
                                 Value column, int64_t vectors) {
  if (!frame.plan.causal)
    return {rows, rows, Value()};
  Value lastSeen =
      e.add(e.add(firstQuery, column), frame.plan.diagonal()); // by lane 0
  Value threshold = e.sub(firstKey, lastSeen);
  Value full = e.clamp(e.sub(e.index(1), threshold), rows);
  Value some = e.clamp(e.sub(e.index(vectors * kLanes), threshold), rows);
  return {full, some, threshold};
}

SmallVector<Value> tt::cpu::emitVisible(LoopEmitter &e, const GroupMask &mask,
                                        Value row, int64_t vectors) {
  Type i32 = e.b.getI32Type();
  VectorType type = getLanesType(i32);
  Value first =
      arith::IndexCastOp::create(e.b, e.loc, i32, e.add(row, mask.threshold));
  Value bound = vector::BroadcastOp::create(e.b, e.loc, type, first);
  SmallVector<Value> visible;
  for (int64_t v = 0; v < vectors; ++v) {
    SmallVector<int32_t> numbers;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      numbers.push_back(int32_t(v * kLanes + lane));
    Value lanes = arith::ConstantOp::create(
        e.b, e.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
    visible.push_back(arith::CmpIOp::create(
        e.b, e.loc, arith::CmpIPredicate::sge, lanes, bound));
  }
  return visible;
}

void tt::cpu::forEachScoreTile(LoopEmitter &e, const AttentionFrame &frame,
                               const GroupMask &mask, Value rows,
                               int64_t tileRows,
                               function_ref<void(Value, int64_t, bool)> body) {
  SmallVector<int64_t> remainders = frame.keyRemainders(tileRows);
  if (!frame.plan.causal)
    return forEachRowTile(
        e, e.index(0), rows, tileRows, remainders,
        [&](Value row, int64_t count) { body(row, count, /*masked=*/false); });
  Value fullEnd = e.sub(mask.full, e.rem(mask.full, tileRows));
  e.loop(e.index(0), fullEnd, tileRows,
         [&](Value row) { body(row, tileRows, /*masked=*/false); });
  // Whole register tiles, so that what later reads finds every row written.
  Value rounded =
      e.mul(e.div(e.add(mask.some, tileRows - 1), tileRows), tileRows);
  forEachRowTile(
      e, fullEnd, e.min(rounded, rows), tileRows, remainders,
      [&](Value row, int64_t count) { body(row, count, /*masked=*/true); });
}
