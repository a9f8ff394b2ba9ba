//===- ScatterEmitter.cpp - Sums of rows at places of the run -------------===//
//
// A counting sort first: starts[r] .. starts[r + 1] are the places in `order`
// of the positions whose id is r, in increasing order. Then every row of the
// table is the sum over its positions, in that order from 0; rows that are
// never hit become 0. No atomics, no order that depends on threads.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"
#include "IndexMath.h"
#include "KernelEmitters.h"
#include "LoopNest.h"
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

/// embedding_bwd or scatter_add_rows.
struct RowSums {
  Operation *op;
  Value ids, updates, sums;
  int64_t rows;
  std::optional<int64_t> padding; // an id that adds nothing

  RankedTensorType type() const { return cast<RankedTensorType>(sums.getType()); }
};

class ScatterEmitter {
public:
  ScatterEmitter(const KernelJob &job, const RowSums &op);
  LogicalResult emit(EmittedKernel &emitted);

private:
  void emitSort(PhaseShell &shell);
  void emitRows(PhaseShell &shell);
  void emitRow(LoopEmitter &e, ElementBuilder &builder, Value row,
               Value firstColumn, int64_t vectors, bool masked);
  /// counts[r + 1] while sorting, starts[r] afterwards.
  Value starts(PhaseShell &shell) { return words(shell, 0, rows + 2); }
  Value order(PhaseShell &shell) {
    return words(shell, alignBytes((rows + 2) * 4), positions);
  }
  Value words(PhaseShell &shell, int64_t offset, int64_t count) {
    return shell.shared(offset,
                        MemRefType::get({count}, shell.builder().getI32Type()));
  }
  /// Runs `body` for every position whose id counts.
  void forIds(LoopEmitter &e, ElementBuilder &builder,
              function_ref<void(Value position, Value id)> body);

  const KernelJob &job;
  const RowSums &op;
  ArrayRef<int64_t> idShape;
  SmallVector<ResultView> yields;
  int64_t rows, width, positions, rowsPerBlock, groupVectors, groups;
};

} // namespace

ScatterEmitter::ScatterEmitter(const KernelJob &job, const RowSums &op)
    : job(job), op(op), idShape(cast<RankedTensorType>(op.ids.getType()).getShape()) {
  rows = op.rows;
  width = op.type().getShape().back();
  positions = elementCount(idShape);
  // All columns of a row in one task, unless rows are few.
  int64_t registers = job.target.preferVectorBits >= 512 ? 12 : 6;
  groupVectors = std::min(registers, ceilDiv(width, kLanes));
  groups = ceilDiv(width, groupVectors * kLanes);
  rowsPerBlock = rowsPerTask(rows, groupVectors * kLanes);
}

void ScatterEmitter::forIds(LoopEmitter &e, ElementBuilder &builder,
                            function_ref<void(Value, Value)> body) {
  LaneMath math(e);
  e.loop(e.index(0), e.index(positions), 1, [&](Value position) {
    ElementBuilder::Scope scope(builder);
    Position at{math.delinearize(math.uniform(position), idShape), {}};
    Value id = arith::IndexCastOp::create(
        e.b, e.loc, e.b.getIndexType(), builder.element(op.ids, at));
    Value counted = math.inRange(math.uniform(id), rows);
    if (op.padding) {
      Value other = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne,
                                          id, e.index(*op.padding));
      counted = arith::AndIOp::create(e.b, e.loc, counted, other);
    }
    e.ifThen(counted, [&] { body(position, id); });
  });
}

void ScatterEmitter::emitSort(PhaseShell &shell) {
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value start = starts(shell), places = order(shell);
  Type i32 = e.b.getI32Type();
  Value one = integerConstant(e.b, e.loc, i32, 1);
  auto load = [&](Value memref, Value at) -> Value {
    return memref::LoadOp::create(e.b, e.loc, memref, ValueRange{at});
  };
  auto store = [&](Value value, Value memref, Value at) {
    memref::StoreOp::create(e.b, e.loc, value, memref, ValueRange{at});
  };
  Value zero = integerConstant(e.b, e.loc, i32, 0);
  e.loop(e.index(0), e.index(rows + 2), 1,
         [&](Value i) { store(zero, start, i); });
  // Counts at r + 2, so that the places can be dealt out at r + 1, which then
  // is the start of row r + 1.
  forIds(e, builder, [&](Value, Value id) {
    Value at = e.add(id, 2);
    store(arith::AddIOp::create(e.b, e.loc, load(start, at), one), start, at);
  });
  e.loop(e.index(2), e.index(rows + 2), 1, zero,
         [&](Value i, ValueRange sum) {
           Value next =
               arith::AddIOp::create(e.b, e.loc, sum[0], load(start, i));
           store(next, start, i);
           return SmallVector<Value>{next};
         });
  forIds(e, builder, [&](Value position, Value id) {
    Value at = e.add(id, 1), place = load(start, at);
    store(arith::AddIOp::create(e.b, e.loc, place, one), start, at);
    store(arith::IndexCastOp::create(e.b, e.loc, i32, position), places,
          arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), place));
  });
}

void ScatterEmitter::emitRow(LoopEmitter &e, ElementBuilder &builder, Value row,
                             Value firstColumn, int64_t vectors, bool masked) {
  ElementBuilder::Scope scope(builder);
  LaneMath math(e);
  Type indexType = e.b.getIndexType();
  Value places = order(e.shell);
  auto bound = [&](Value at) -> Value {
    Value start = memref::LoadOp::create(e.b, e.loc, starts(e.shell),
                                         ValueRange{at});
    return arith::IndexCastOp::create(e.b, e.loc, indexType, start);
  };
  SmallVector<LaneIndex> columns;
  SmallVector<Value> masks;
  for (int64_t v = 0; v < vectors; ++v) {
    columns.push_back(
        LaneIndex{e.add(firstColumn, v * kLanes), 1, kLanes, width, {}});
    masks.push_back(masked && v + 1 == vectors
                        ? e.firstLanesOrNull(width % kLanes)
                        : Value());
  }
  SmallVector<Value> sums(vectors, e.splat(0.0));
  sums = e.loop(
      bound(row), bound(e.add(row, 1)), 1, sums,
      [&](Value place, ValueRange old) {
        ElementBuilder::Scope inner(builder);
        Value position = arith::IndexCastOp::create(
            e.b, e.loc, indexType,
            memref::LoadOp::create(e.b, e.loc, places, ValueRange{place}));
        SmallVector<LaneIndex, 4> leading =
            math.delinearize(math.uniform(position), idShape);
        SmallVector<Value> next;
        for (auto [column, mask, sum] : llvm::zip_equal(columns, masks, old)) {
          Position at{leading, mask};
          at.dims.push_back(column);
          next.push_back(e.addF(sum, builder.lanes(op.updates, at)));
        }
        return next;
      });
  for (auto [column, mask, sum] : llvm::zip_equal(columns, masks, sums)) {
    ElementBuilder::Scope inner(builder);
    Position at{{math.uniform(row), column}, mask};
    builder.bind(op.sums,
                 [sum = sum](const Position &) { return sum; });
    SmallVector<Value> values;
    for (const ResultView &yield : yields)
      values.push_back(builder.element(yield.value, at));
    for (auto [value, yield] : llvm::zip_equal(values, yields))
      builder.store(yield.storage, at, value);
  }
}

void ScatterEmitter::emitRows(PhaseShell &shell) {
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  int64_t groupWidth = groupVectors * kLanes;
  bool wide = rows >= kMostTasks; // then a task takes whole rows
  Value block = wide ? shell.task() : e.div(shell.task(), groups);
  Value begin = e.mul(block, rowsPerBlock);
  Value end = e.min(e.add(begin, rowsPerBlock), e.index(rows));
  int64_t fullGroups = width / groupWidth;
  int64_t restWidth = width - fullGroups * groupWidth;
  auto full = [&](Value row, Value column) {
    emitRow(e, builder, row, column, groupVectors, false);
  };
  auto edge = [&](Value row) {
    emitRow(e, builder, row, e.index(fullGroups * groupWidth),
            ceilDiv(restWidth, kLanes), restWidth % kLanes != 0);
  };
  e.loop(begin, end, 1, [&](Value row) {
    if (wide) {
      e.loop(e.index(0), e.index(fullGroups * groupWidth), groupWidth,
             [&](Value column) { full(row, column); });
      if (restWidth)
        edge(row);
      return;
    }
    Value group = e.rem(shell.task(), groups);
    Value column = e.mul(group, groupWidth);
    if (!restWidth)
      return full(row, column);
    if (!fullGroups)
      return edge(row);
    e.ifElse(e.isEqual(group, fullGroups), [&] { edge(row); },
             [&] { full(row, column); });
  });
}

LogicalResult ScatterEmitter::emit(EmittedKernel &emitted) {
  if (!op.type().getElementType().isF32())
    return op.op->emitError() << "'" << op.op->getName() << "' of type "
                          << op.type()
                          << " is not lowered on the CPU yet";
  if (rows > INT32_MAX - 2 || positions > INT32_MAX)
    return op.op->emitError() << "'" << op.op->getName()
                              << "' of more than 2^31 rows or ids is not lowered "
                                 "on the CPU";
  FailureOr<SmallVector<ResultView>> matched =
      matchYields(job, {op.type().getShape()});
  if (failed(matched) || failed(checkEpilogue(op.op)))
    return failure();
  yields = *matched;
  bool wide = rows >= kMostTasks;
  if (wide)
    rowsPerBlock = rowsPerTask(rows, width);
  emitted.sharedBytes =
      alignBytes((rows + 2) * 4) + alignBytes(positions * 4);
  {
    PhaseShell shell(job.module, job.loc(), job.phaseSymbol("_sort"),
                     job.signature.numOperands(), job.mayAlias());
    emitSort(shell);
    emitted.phases.push_back(shell.finish(1));
  }
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  emitRows(shell);
  int64_t blocks = ceilDiv(rows, rowsPerBlock);
  emitted.phases.push_back(shell.finish(wide ? blocks : blocks * groups));
  return success();
}

LogicalResult tt::cpu::emitScatterKernel(const KernelJob &job, Operation *anchor,
                                         EmittedKernel &emitted) {
  RowSums sums{anchor, {}, {}, anchor->getResult(0), 0, {}};
  if (auto op = dyn_cast<EmbeddingBwdOp>(anchor)) {
    sums.ids = op.getIds();
    sums.updates = op.getDOutput();
    sums.rows = op.getRows();
    sums.padding = op.getPaddingIndex();
  } else {
    auto scatter = cast<ScatterAddRowsOp>(anchor);
    sums.ids = scatter.getIds();
    sums.updates = scatter.getUpdates();
    sums.rows = scatter.getRows();
  }
  return ScatterEmitter(job, sums).emit(emitted);
}
