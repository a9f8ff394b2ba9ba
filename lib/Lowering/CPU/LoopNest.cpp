//===- LoopNest.cpp - Walks an iteration space by 16 lanes ----------------===//
#include "LoopNest.h"
#include "IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tt::cpu;

int64_t tt::cpu::rowsPerTask(int64_t rows, int64_t width) {
  int64_t forWork = std::max<int64_t>(1, kTaskElements / width);
  int64_t forCount = ceilDiv(rows, kMostTasks);
  return std::min(rows, std::max(forWork, forCount));
}

LoopNest::LoopNest(ArrayRef<int64_t> iterationShape, ArrayRef<bool> joined)
    : shape(iterationShape) {
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (i > 0 && joined[i - 1]) {
      sizes.back() *= size;
      carriers.back() = i;
      continue;
    }
    sizes.push_back(size);
    carriers.push_back(i);
  }
  if (sizes.empty())
    sizes.push_back(1);
  inner = sizes.back();
  for (int64_t size : ArrayRef<int64_t>(sizes).drop_back())
    outer *= size;
  if (inner >= 4 * kTaskElements || outer == 1) {
    // Long rows are cut.
    int64_t perTask = std::max(kTaskElements,
                               ceilDiv(outer * inner, kMostTasks));
    innerBlock = roundUp(std::min(inner, perTask), kLanes);
    innerBlocks = ceilDiv(inner, innerBlock);
    rowBlock = 1;
  } else {
    innerBlock = roundUp(inner, kLanes);
    innerBlocks = 1;
    rowBlock = rowsPerTask(outer, inner);
  }
  rowBlocks = ceilDiv(outer, rowBlock);
}

void LoopNest::setBlocked() {
  blocked = true;
  rowBlock = std::min(outer, roundUp(rowBlock, kLanes));
  rowBlocks = ceilDiv(outer, rowBlock);
}

Position LoopNest::position(LoopEmitter &e, Value outerIndex,
                            const LaneIndex &innerIndex) const {
  Position at;
  if (shape.empty())
    return at;
  LaneMath math(e);
  at.dims.assign(shape.size(), math.constant(0));
  at.dims[carriers.back()] = innerIndex;
  SmallVector<LaneIndex, 4> groups = math.delinearize(
      math.uniform(outerIndex), ArrayRef<int64_t>(sizes).drop_back());
  for (auto [index, carrier] :
       llvm::zip_equal(groups, ArrayRef<int64_t>(carriers).drop_back()))
    at.dims[carrier] = index;
  return at;
}

SmallVector<Value> tt::cpu::forLanes(
    LoopEmitter &e, int64_t size, Value begin, Value end, ValueRange carried,
    function_ref<SmallVector<Value>(const LaneIndex &, Value, ValueRange)>
        body) {
  int64_t full = size / kLanes * kLanes;
  SmallVector<Value> values(carried);
  if (full > 0)
    values = e.loop(begin, e.min(end, e.index(full)), kLanes, values,
                    [&](Value at, ValueRange args) {
                      return body(LaneIndex{at, 1, kLanes, size, {}}, Value(),
                                  args);
                    });
  if (full == size)
    return values;
  auto tail = [&](ValueRange args) {
    SmallVector<bool> bits(kLanes);
    for (int64_t i = full; i < size; ++i)
      bits[i - full] = true;
    Value mask = arith::ConstantOp::create(
        e.b, e.loc,
        DenseElementsAttr::get(getLanesType(e.b.getI1Type()),
                               ArrayRef<bool>(bits)));
    return body(LaneIndex{e.index(full), 1, full, size, {}}, mask, args);
  };
  std::optional<int64_t> last = getConstantIntValue(end);
  if (last)
    return *last > full ? tail(values) : values;
  Value reached = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::sgt,
                                        end, e.index(full));
  auto branch = scf::IfOp::create(e.b, e.loc, ValueRange(values).getTypes(),
                                  reached, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  auto fill = [&](Block *block, bool taken) {
    bool hasTerminator = !block->empty();
    e.b.setInsertionPointToStart(block);
    SmallVector<Value> next = taken ? tail(values) : values;
    if (!hasTerminator)
      scf::YieldOp::create(e.b, e.loc, next);
  };
  fill(branch.thenBlock(), true);
  fill(branch.elseBlock(), false);
  return SmallVector<Value>(branch.getResults());
}

void LoopNest::emit(LoopEmitter &e, Value task,
                    function_ref<void(const Position &)> body) const {
  if (shape.empty())
    return body(Position{});
  Value block = e.div(task, innerBlocks);
  Value innerBegin = e.mul(e.rem(task, innerBlocks), innerBlock);
  Value innerEnd = e.min(e.add(innerBegin, innerBlock), e.index(inner));
  Value outerBegin = e.mul(block, rowBlock);
  Value outerEnd = e.min(e.add(outerBegin, rowBlock), e.index(outer));
  if (innerBlocks == 1) {
    innerBegin = e.index(0);
    innerEnd = e.index(inner);
  }
  auto lanes = [&](function_ref<void(const LaneIndex &, Value)> step) {
    forLanes(e, inner, innerBegin, innerEnd, {},
             [&](const LaneIndex &index, Value mask, ValueRange) {
               step(index, mask);
               return SmallVector<Value>();
             });
  };
  auto step = [&](Value outerIndex, const LaneIndex &index, Value mask) {
    Position at = position(e, outerIndex, index);
    at.mask = mask;
    body(at);
  };
  auto row = [&](Value outerIndex) {
    lanes([&](const LaneIndex &index, Value mask) {
      step(outerIndex, index, mask);
    });
  };
  if (outer == 1)
    return row(e.index(0));
  if (!blocked)
    return e.loop(outerBegin, outerEnd, 1, row);
  e.loop(outerBegin, outerEnd, kLanes, [&](Value first) {
    Value last = e.min(e.add(first, kLanes), outerEnd);
    lanes([&](const LaneIndex &index, Value mask) {
      e.loop(first, last, 1,
             [&](Value outerIndex) { step(outerIndex, index, mask); });
    });
  });
}
