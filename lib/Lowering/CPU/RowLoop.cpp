//===- RowLoop.cpp - Sweeps over rows of the last dimension ---------------===//
#include "RowLoop.h"
#include "IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

RowLoop::RowLoop(PhaseShell &shell, const KernelJob &job,
                 ArrayRef<int64_t> rowShape)
    : e(shell), builder(e, job), job(job), shape(rowShape) {
  numColumns = shape.back();
  numRows = elementCount(shape) / numColumns;
}

int64_t RowLoop::tasks() const {
  return ceilDiv(numRows, rowsPerTask(numRows, numColumns));
}

void RowLoop::forRows(function_ref<void()> body) {
  int64_t perTask = rowsPerTask(numRows, numColumns);
  Value begin = e.mul(e.shell.task(), perTask);
  Value end = e.min(e.add(begin, perTask), e.index(numRows));
  if (numRows == 1) {
    begin = e.index(0);
    end = e.index(1);
  }
  LaneMath math(e);
  e.loop(begin, end, 1, [&](Value row) {
    ElementBuilder::Scope scope(builder);
    rowIndex = row;
    statAt = Position{math.delinearize(math.uniform(row), statShape()), {}};
    body();
    for (Kept &entry : kept)
      if (entry.bound)
        builder.unbind(entry.value);
    kept.clear();
  });
}

RowLoop::Carried RowLoop::sweep(
    ValueRange carried,
    function_ref<Carried(const Position &, ValueRange)> body) {
  return forLanes(e, numColumns, e.index(0), e.index(numColumns), carried,
                  [&](const LaneIndex &index, Value mask, ValueRange args) {
                    ElementBuilder::Scope scope(builder);
                    Position at = statAt;
                    at.dims.push_back(index);
                    at.mask = mask;
                    return body(at, args);
                  });
}

Value RowLoop::scratchRow() {
  int64_t floats = roundUp(numColumns, kLanes);
  Value row = e.shell.worker(
      scratchBytes, MemRefType::get({floats}, e.b.getF32Type()));
  scratchBytes = alignBytes(scratchBytes + floats * int64_t(sizeof(float)));
  return row;
}

// Scratch is whole vectors: no masks.
void RowLoop::storeScratch(Value scratch, const Position &at, Value value) {
  e.store(value, scratch, at.dims.back().base);
}

Value RowLoop::loadScratch(Value scratch, const Position &at) {
  return e.load(scratch, at.dims.back().base);
}

Value RowLoop::read(Value value, const Position &at) {
  for (const Kept &entry : kept)
    if (entry.value == value && entry.bound)
      return builder.lanes(value, at);
  Value lanes = builder.lanes(value, at);
  std::optional<StridedOperand> view = viewOfArgument(job.signature, value);
  if (view && view->strides.back() == 1)
    return lanes;
  auto *entry = llvm::find_if(
      kept, [&](const Kept &other) { return other.value == value; });
  if (entry == kept.end()) {
    kept.push_back({value, scratchRow(), false});
    entry = kept.end() - 1;
  }
  storeScratch(entry->scratch, at, lanes);
  return lanes;
}

void RowLoop::endSweep() {
  for (Kept &entry : kept) {
    if (entry.bound)
      continue;
    entry.bound = true;
    builder.bind(entry.value, [this, scratch = entry.scratch](
                                  const Position &at) -> Value {
      if (at.isUniform())
        return memref::LoadOp::create(e.b, e.loc, scratch,
                                      ValueRange{at.dims.back().base});
      return loadScratch(scratch, at);
    });
  }
}

Value RowLoop::masked(Value value, const Position &at, double identity) {
  if (!at.mask)
    return value;
  return arith::SelectOp::create(e.b, e.loc, at.mask, value,
                                 e.splat(identity));
}

RowLoop::Carried
RowLoop::sums(unsigned count, function_ref<Carried(const Position &)> term) {
  Carried zeros(count, e.splat(0.0));
  Carried lanes = sweep(zeros, [&](const Position &at, ValueRange sums) {
    Carried next;
    for (auto [sum, value] : llvm::zip_equal(sums, term(at)))
      next.push_back(e.addF(sum, masked(value, at, 0.0)));
    return next;
  });
  endSweep();
  for (Value &value : lanes)
    value = horizontalSum(e.b, e.loc, value);
  return lanes;
}

Value RowLoop::max(Value value) {
  Carried lanes =
      sweep(Carried{e.splat(-INFINITY)}, [&](const Position &at, ValueRange old) {
        Value next = masked(read(value, at), at, -INFINITY);
        return Carried{emitMax(e.b, e.loc, next, old[0])};
      });
  endSweep();
  return horizontalMax(e.b, e.loc, lanes[0]);
}

void RowLoop::storeYields(ArrayRef<ResultView> yields) {
  SmallVector<ResultView> rowYields;
  for (const ResultView &yield : yields) {
    if (yield.storage.shape.size() == shape.size()) {
      rowYields.push_back(yield);
      continue;
    }
    builder.store(yield.storage, statAt, builder.element(yield.value, statAt));
  }
  if (rowYields.empty())
    return;
  sweep({}, [&](const Position &at, ValueRange) {
    SmallVector<Value> values;
    for (const ResultView &yield : rowYields)
      values.push_back(builder.element(yield.value, at));
    for (auto [value, yield] : llvm::zip_equal(values, rowYields))
      builder.store(yield.storage, at, value);
    return Carried();
  });
}
