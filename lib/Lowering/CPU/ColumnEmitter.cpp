//===- ColumnEmitter.cpp - Sums that keep the last dimension --------------===//
//
// Numerics: the reduced indices in row-major order are cut into blocks of 256;
// a block is added in increasing order from 0, lane by lane, and blocks are
// added in order. When there are few columns, the blocks are tasks of a first
// phase and their sums meet in a second one: the same additions.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"
#include "IndexMath.h"
#include "KernelEmitters.h"
#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <optional>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static constexpr int64_t kRowsPerBlock = 256;

namespace {

class ColumnEmitter {
public:
  ColumnEmitter(const KernelJob &job, ArrayRef<Operation *> sums);
  LogicalResult emit(EmittedKernel &emitted);

private:
  using Lanes = SmallVector<Value>;

  void emitSumPhase(PhaseShell &shell, bool toShared);
  void emitFinalPhase(PhaseShell &shell);
  void emitColumns(LoopEmitter &e, ElementBuilder &builder, Value group,
                   Value keptRow, Value block, bool toShared);
  void emitGroup(LoopEmitter &e, ElementBuilder &builder, Value keptRow,
                 Value column, int64_t vectors, bool masked, Value firstBlock,
                 bool toShared);
  Lanes addBlock(LoopEmitter &e, ElementBuilder &builder, Value keptRow,
                 ArrayRef<LaneIndex> columns, ArrayRef<Value> masks,
                 Value block);
  void finish(LoopEmitter &e, ElementBuilder &builder, const Position &at,
              ArrayRef<Value> totals);
  Position inputPosition(LoopEmitter &e, Value keptRow, Value row,
                         const LaneIndex &column, Value mask);
  Position keptPosition(LoopEmitter &e, Value keptRow, const LaneIndex &column,
                        Value mask);
  /// Sums of the blocks: [block][sum][kept row][padded column].
  Value partialIndex(LoopEmitter &e, Value block, int64_t sum, Value keptRow,
                     Value column);
  Value partials(PhaseShell &shell);

  const KernelJob &job;
  ArrayRef<Operation *> sums;
  SmallVector<int64_t> inputShape, keptShape, reducedSizes;
  SmallVector<bool> isReduced;
  SmallVector<ResultView> keptYields, inputYields;
  int64_t rows = 1, blocks, keptRows, keptPerTask, width, paddedWidth;
  int64_t groupVectors, groups;
};

} // namespace

ColumnEmitter::ColumnEmitter(const KernelJob &job, ArrayRef<Operation *> sums)
    : job(job), sums(sums) {
  auto input = cast<RankedTensorType>(sums[0]->getOperand(0).getType());
  ArrayRef<int64_t> dims = isa<SumOp>(sums[0])
                               ? cast<SumOp>(sums[0]).getDims()
                               : cast<MeanOp>(sums[0]).getDims();
  inputShape.assign(input.getShape().begin(), input.getShape().end());
  for (auto [i, size] : llvm::enumerate(inputShape)) {
    isReduced.push_back(llvm::is_contained(dims, int64_t(i)));
    (isReduced.back() ? reducedSizes : keptShape).push_back(size);
  }
  rows = elementCount(reducedSizes);
  blocks = ceilDiv(rows, kRowsPerBlock);
  width = keptShape.back();
  keptRows = elementCount(keptShape) / width;
  paddedWidth = roundUp(width, kLanes);
  int64_t registers = job.target.preferVectorBits >= 512 ? 16 : 4;
  groupVectors = std::max<int64_t>(1, registers / int64_t(sums.size()));
  groupVectors = std::min(groupVectors, paddedWidth / kLanes);
  groups = ceilDiv(paddedWidth / kLanes, groupVectors);
  keptPerTask = rowsPerTask(keptRows, rows * groupVectors * kLanes);
}

Position ColumnEmitter::keptPosition(LoopEmitter &e, Value keptRow,
                                     const LaneIndex &column, Value mask) {
  LaneMath math(e);
  Position at{math.delinearize(math.uniform(keptRow),
                               ArrayRef<int64_t>(keptShape).drop_back()),
              mask};
  at.dims.push_back(column);
  return at;
}

Position ColumnEmitter::inputPosition(LoopEmitter &e, Value keptRow, Value row,
                                      const LaneIndex &column, Value mask) {
  LaneMath math(e);
  Position kept = keptPosition(e, keptRow, column, mask);
  SmallVector<LaneIndex, 4> reduced =
      math.delinearize(math.uniform(row), reducedSizes);
  Position at{{}, mask};
  size_t nextKept = 0, nextReduced = 0;
  for (bool isRow : isReduced)
    at.dims.push_back(isRow ? reduced[nextReduced++] : kept.dims[nextKept++]);
  return at;
}

Value ColumnEmitter::partials(PhaseShell &shell) {
  return shell.shared(
      0, MemRefType::get({blocks * int64_t(sums.size()) * keptRows *
                          paddedWidth},
                         shell.builder().getF32Type()));
}

Value ColumnEmitter::partialIndex(LoopEmitter &e, Value block, int64_t sum,
                                  Value keptRow, Value column) {
  Value line = e.add(e.mul(block, int64_t(sums.size())), sum);
  line = e.add(e.mul(line, keptRows), keptRow);
  return e.add(e.mul(line, paddedWidth), column);
}

/// The sums of one block for some vectors of columns, sum by sum.
ColumnEmitter::Lanes
ColumnEmitter::addBlock(LoopEmitter &e, ElementBuilder &builder, Value keptRow,
                        ArrayRef<LaneIndex> columns, ArrayRef<Value> masks,
                        Value block) {
  Value begin = e.mul(block, kRowsPerBlock);
  Value end = e.min(e.add(begin, kRowsPerBlock), e.index(rows));
  Lanes zeros(sums.size() * columns.size(), e.splat(0.0));
  return e.loop(begin, end, 1, zeros, [&](Value row, ValueRange old) {
    ElementBuilder::Scope scope(builder);
    Lanes next;
    for (auto [column, mask] : llvm::zip_equal(columns, masks)) {
      Position at = inputPosition(e, keptRow, row, column, mask);
      for (Operation *sum : sums)
        next.push_back(builder.lanes(sum->getOperand(0), at));
      SmallVector<Value> stored;
      for (const ResultView &yield : inputYields)
        stored.push_back(builder.element(yield.value, at));
      for (auto [value, yield] : llvm::zip_equal(stored, inputYields))
        builder.store(yield.storage, at, value);
    }
    for (auto [value, sum] : llvm::zip_equal(next, old))
      value = e.addF(sum, value);
    return next;
  });
}

/// Binds the sums' results and stores the yields.
void ColumnEmitter::finish(LoopEmitter &e, ElementBuilder &builder,
                           const Position &at, ArrayRef<Value> totals) {
  ElementBuilder::Scope scope(builder);
  for (auto [op, total] : llvm::zip_equal(sums, totals)) {
    Value value = total;
    if (isa<MeanOp>(op))
      value = arith::DivFOp::create(e.b, e.loc, value, e.splat(double(rows)));
    builder.bind(op->getResult(0), [value](const Position &) { return value; });
  }
  SmallVector<Value> values;
  for (const ResultView &yield : keptYields)
    values.push_back(builder.element(yield.value, at));
  for (auto [value, yield] : llvm::zip_equal(values, keptYields))
    builder.store(yield.storage, at, value);
  for (Operation *op : sums)
    builder.unbind(op->getResult(0));
}

void ColumnEmitter::emitGroup(LoopEmitter &e, ElementBuilder &builder,
                              Value keptRow, Value column, int64_t vectors,
                              bool masked, Value firstBlock, bool toShared) {
  ElementBuilder::Scope scope(builder);
  SmallVector<LaneIndex> columns;
  SmallVector<Value> masks;
  for (int64_t v = 0; v < vectors; ++v) {
    columns.push_back(
        LaneIndex{e.add(column, v * kLanes), 1, kLanes, width, {}});
    bool last = masked && v + 1 == vectors;
    masks.push_back(last ? e.firstLanesOrNull(width % kLanes) : Value());
  }
  if (toShared) {
    Lanes lanes = addBlock(e, builder, keptRow, columns, masks, firstBlock);
    Value memref = partials(e.shell);
    for (size_t v = 0; v < columns.size(); ++v)
      for (size_t s = 0; s < sums.size(); ++s)
        e.store(lanes[v * sums.size() + s], memref,
                partialIndex(e, firstBlock, s, keptRow, columns[v].base));
    return;
  }
  Lanes totals(sums.size() * vectors, e.splat(0.0));
  totals = e.loop(e.index(0), e.index(blocks), 1, totals,
                  [&](Value block, ValueRange old) {
                    Lanes next = addBlock(e, builder, keptRow, columns, masks,
                                          block);
                    for (auto [value, sum] : llvm::zip_equal(next, old))
                      value = e.addF(sum, value);
                    return next;
                  });
  for (size_t v = 0; v < columns.size(); ++v)
    finish(e, builder, keptPosition(e, keptRow, columns[v], masks[v]),
           ArrayRef<Value>(totals).slice(v * sums.size(), sums.size()));
}

/// Tasks: column groups innermost, then kept rows (some per task if the blocks
/// are not split), then blocks.
void ColumnEmitter::emitSumPhase(PhaseShell &shell, bool toShared) {
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value group = e.rem(shell.task(), groups);
  Value rest = e.div(shell.task(), groups);
  if (toShared) {
    emitColumns(e, builder, group, e.rem(rest, keptRows), e.div(rest, keptRows),
                true);
    return;
  }
  Value begin = e.mul(rest, keptPerTask);
  Value end = e.min(e.add(begin, keptPerTask), e.index(keptRows));
  e.loop(begin, end, 1, [&](Value keptRow) {
    emitColumns(e, builder, group, keptRow, Value(), false);
  });
}

void ColumnEmitter::emitColumns(LoopEmitter &e, ElementBuilder &builder,
                                Value group, Value keptRow, Value block,
                                bool toShared) {
  Value column = e.mul(group, groupVectors * kLanes);
  int64_t fullGroups = width / (groupVectors * kLanes);
  int64_t restWidth = width - fullGroups * groupVectors * kLanes;
  auto full = [&] {
    emitGroup(e, builder, keptRow, column, groupVectors, false, block,
              toShared);
  };
  auto edge = [&] {
    emitGroup(e, builder, keptRow,
              e.index(fullGroups * groupVectors * kLanes),
              ceilDiv(restWidth, kLanes), restWidth % kLanes != 0, block,
              toShared);
  };
  if (restWidth == 0)
    return full();
  if (fullGroups == 0)
    return edge();
  e.ifElse(e.isEqual(group, fullGroups), edge, full);
}

void ColumnEmitter::emitFinalPhase(PhaseShell &shell) {
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value keptRow = e.rem(shell.task(), keptRows);
  Value column = e.mul(e.div(shell.task(), keptRows), groupVectors * kLanes);
  Value end = e.add(column, groupVectors * kLanes);
  Value memref = partials(shell);
  forLanes(e, width, column, e.min(end, e.index(width)), {},
           [&](const LaneIndex &index, Value mask, ValueRange) {
             Lanes totals(sums.size(), e.splat(0.0));
             totals = e.loop(
                 e.index(0), e.index(blocks), 1, totals,
                 [&](Value block, ValueRange old) {
                   Lanes next;
                   for (size_t s = 0; s < sums.size(); ++s)
                     next.push_back(e.addF(
                         old[s], e.load(memref, partialIndex(e, block, s,
                                                             keptRow,
                                                             index.base))));
                   return next;
                 });
             finish(e, builder, keptPosition(e, keptRow, index, mask), totals);
             return Lanes();
           });
}

LogicalResult ColumnEmitter::emit(EmittedKernel &emitted) {
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {keptShape, inputShape});
  if (failed(yields) || failed(checkEpilogue(sums)))
    return failure();
  for (Operation *op : sums)
    if (!cast<RankedTensorType>(op->getOperand(0).getType())
             .getElementType()
             .isF32())
      return op->emitError()
             << "'" << op->getName() << "' of element type "
             << getElementTypeOrSelf(op->getOperand(0).getType())
             << " is not lowered on the CPU yet";
  for (const ResultView &yield : *yields)
    (yield.storage.shape.size() == keptShape.size() ? keptYields : inputYields)
        .push_back(yield);
  bool split = blocks > 1 && groups * keptRows < 64;
  auto phase = [&](StringRef name, int64_t tasks,
                   function_ref<void(PhaseShell &)> body) {
    PhaseShell shell(job.module, job.loc(), job.phaseSymbol(name),
                     job.signature.numOperands(), job.mayAlias());
    body(shell);
    emitted.phases.push_back(shell.finish(tasks));
  };
  phase(split ? "_blocks" : "",
        groups * (split ? keptRows * blocks : ceilDiv(keptRows, keptPerTask)),
        [&](PhaseShell &shell) { emitSumPhase(shell, split); });
  if (split) {
    emitted.sharedBytes =
        blocks * int64_t(sums.size()) * keptRows * paddedWidth * 4;
    phase("", groups * keptRows,
          [&](PhaseShell &shell) { emitFinalPhase(shell); });
  }
  return success();
}

LogicalResult tt::cpu::emitColumnKernel(const KernelJob &job,
                                        ArrayRef<Operation *> sums,
                                        EmittedKernel &emitted) {
  return ColumnEmitter(job, sums).emit(emitted);
}
