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
  plan.windowLeft = spec.windowLeft;
  plan.windowRight = spec.windowRight;
  plan.prefix = spec.prefix;
  plan.hidesAtRunTime = spec.hidesAtRunTime();
  plan.blockQ = std::min(blockQ, roundUp(spec.queries, kLanes));
  plan.blockK = std::min(blockK, spec.keys);
  wholeTiles = !plan.hidesOnlyRight();
}

Value AttentionFrame::open(LoopEmitter &e, const HeadsOperand &operand,
                           int64_t heads, int64_t tokens) const {
  int64_t extent = (spec.batch - 1) * operand.batch +
                   (heads - 1) * operand.head + (tokens - 1) * operand.token +
                   spec.headSize;
  return e.shell.operand(operand.operand,
                         MemRefType::get({extent}, e.b.getF32Type()));
}

Value AttentionFrame::openBias(LoopEmitter &e, const HeadsOperand &operand) const {
  // checked: the last element of an operand whose size is bounded
  int64_t extent = (spec.biasBatch - 1) * operand.batch +
                   (spec.biasHeads - 1) * operand.head +
                   (spec.queries - 1) * operand.token + spec.keys;
  return e.shell.operand(operand.operand, MemRefType::get({extent}, e.b.getF32Type()));
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

void AttentionFrame::forEachKeyBlock(LoopEmitter &e, Value queryBlock, Value begin,
                                     Value end, function_ref<void(Value)> body) const {
  Value first = emitBound(e, plan.keyBegin(), queryBlock);
  Value last = emitBound(e, plan.keyEnd(), queryBlock);
  if (begin) {
    first = e.max(first, begin);
    last = e.min(last, end);
  }
  if (plan.prefix == 0)
    return e.loop(first, last, 1, body);
  // One loop, so that the tile's code stands once: the blocks of the prefix,
  // then the window's that come after them.
  Value prefixBegin = begin ? begin : e.index(0);
  Value prefixEnd = e.index(plan.prefixEnd());
  if (end)
    prefixEnd = e.min(prefixEnd, end);
  first = e.max(first, e.index(plan.prefixEnd()));
  Value inPrefix = e.max(e.sub(prefixEnd, prefixBegin), e.index(0));
  Value after = e.max(e.sub(last, first), e.index(0));
  e.loop(e.index(0), e.add(inPrefix, after), 1, [&](Value i) {
    Value isAfter = e.isLessOrEqual(inPrefix, i);
    body(arith::SelectOp::create(e.b, e.loc, isAfter,
                                 e.add(e.sub(i, inPrefix), first),
                                 e.add(prefixBegin, i)));
  });
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
  const attention::TilePlan &plan = frame.plan;
  GroupMask mask{rows, rows, {}, {}, {}, {}};
  int64_t lanes = vectors * kLanes;
  Value place = e.add(firstQuery, column); // of lane 0
  if (plan.hasRight()) {
    Value lastSeen = e.add(place, plan.diagonal() + plan.right()); // by lane 0
    mask.threshold = e.sub(firstKey, lastSeen);
    mask.full = e.clamp(e.sub(e.index(1), mask.threshold), rows);
    mask.some = e.clamp(e.sub(e.index(lanes), mask.threshold), rows);
  }
  if (plan.hasLeft()) {
    Value firstSeen = e.add(place, plan.diagonal() - plan.windowLeft);
    mask.leftThreshold = e.sub(firstKey, firstSeen);
    mask.fullBegin = e.clamp(e.sub(e.index(lanes - 1), mask.leftThreshold), rows);
  }
  if (plan.prefix > 0) {
    mask.prefix = e.clamp(e.sub(e.index(plan.prefix), firstKey), rows);
    Value whole = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                        mask.prefix, rows);
    mask.full = arith::SelectOp::create(e.b, e.loc, whole, rows, mask.full);
    if (mask.fullBegin)
      mask.fullBegin =
          arith::SelectOp::create(e.b, e.loc, whole, e.index(0), mask.fullBegin);
  }
  if (frame.wholeTiles)
    mask.some = rows;
  return mask;
}

SmallVector<Value> tt::cpu::emitVisible(LoopEmitter &e, const GroupMask &mask,
                                        Value row, int64_t vectors) {
  Type i32 = e.b.getI32Type();
  VectorType type = getLanesType(i32);
  auto bound = [&](Value threshold) -> Value {
    Value first =
        arith::IndexCastOp::create(e.b, e.loc, i32, e.add(row, threshold));
    return vector::BroadcastOp::create(e.b, e.loc, type, first);
  };
  SmallVector<Value> visible(vectors);
  if (!mask.threshold && !mask.leftThreshold)
    return visible;
  Value right = mask.threshold ? bound(mask.threshold) : Value();
  Value left = mask.leftThreshold ? bound(mask.leftThreshold) : Value();
  Value inPrefix;
  if (mask.prefix) {
    Value below = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::slt, row,
                                        mask.prefix);
    inPrefix = broadcastLanes(e.b, e.loc, below);
  }
  for (int64_t v = 0; v < vectors; ++v) {
    SmallVector<int32_t> numbers;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      numbers.push_back(int32_t(v * kLanes + lane));
    Value lanes = arith::ConstantOp::create(
        e.b, e.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
    Value &seen = visible[v];
    if (right)
      seen = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::sge, lanes, right);
    if (left) {
      Value late =
          arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::sle, lanes, left);
      seen = seen ? Value(arith::AndIOp::create(e.b, e.loc, seen, late)) : late;
    }
    if (inPrefix)
      seen = arith::OrIOp::create(e.b, e.loc, seen, inPrefix);
  }
  return visible;
}

void tt::cpu::forEachScoreTile(LoopEmitter &e, const AttentionFrame &frame,
                               const GroupMask &mask, Value rows,
                               int64_t tileRows,
                               function_ref<void(Value, int64_t, bool)> body) {
  SmallVector<int64_t> remainders = frame.keyRemainders(tileRows);
  auto isHidden = [&](bool masked) {
    return [&, masked](Value row, int64_t count) { body(row, count, masked); };
  };
  if (!frame.plan.hasRight() && !frame.plan.hasLeft() && !frame.plan.hidesAtRunTime)
    return forEachRowTile(e, e.index(0), rows, tileRows, remainders, isHidden(false));
  // Whole register tiles, so that what later reads finds every row written.
  auto getEnd = [&] {
    Value rounded =
        e.mul(e.div(e.add(mask.some, tileRows - 1), tileRows), tileRows);
    return e.min(rounded, rows);
  };
  if (frame.plan.hidesAtRunTime)
    return forEachRowTile(e, e.index(0), getEnd(), tileRows, remainders, isHidden(true));
  Value fullBegin = e.index(0);
  Value fullEnd = e.sub(mask.full, e.rem(mask.full, tileRows));
  if (mask.fullBegin) {
    fullBegin = e.mul(e.div(e.add(mask.fullBegin, tileRows - 1), tileRows), tileRows);
    fullBegin = e.min(fullBegin, fullEnd);
    e.loop(e.index(0), fullBegin, tileRows,
           [&](Value row) { body(row, tileRows, /*masked=*/true); });
  }
  e.loop(fullBegin, fullEnd, tileRows,
         [&](Value row) { body(row, tileRows, /*masked=*/false); });
  forEachRowTile(e, fullEnd, getEnd(), tileRows, remainders, isHidden(true));
}
