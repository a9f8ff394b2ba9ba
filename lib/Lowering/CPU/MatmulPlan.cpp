//===- MatmulPlan.cpp - Layout of one matmul kernel -----------------------===//
#include "MatmulPlan.h"
#include "IndexMath.h"
#include <algorithm>

using namespace mlir;
using namespace tt::cpu;

MatmulPlan::MatmulPlan(const MatmulSpec &spec, const Target &target,
                       const MatmulSchedule &schedule)
    : spec(spec), target(target), schedule(schedule), mr(schedule.tileRows),
      nv(schedule.tileVectors), nr(schedule.tileVectors * kLanes) {
  assert(spec.batch % schedule.batches == 0 && "uneven batch groups");
  chunks = ceilDiv(spec.k, kChunk);
  panelK = std::min(spec.k, kChunk);
  lastK = spec.k - (chunks - 1) * kChunk;
  kGroups = ceilDiv(chunks, schedule.chunks);
  batchGroups = spec.batch / schedule.batches;
  rowSupers = ceilDiv(spec.m, schedule.superRows);
  columnSupers = ceilDiv(spec.n, schedule.superColumns);
  rowBlocks = ceilDiv(std::min(schedule.superRows, spec.m), schedule.taskRows);
  columnBlocks =
      ceilDiv(std::min(schedule.superColumns, spec.n), schedule.taskColumns);
  rowPanels = ceilDiv(std::min(schedule.superRows, spec.m), mr);
  columnPanels = ceilDiv(std::min(schedule.superColumns, spec.n), nr);

  edgeRows = spec.m % mr;
  int64_t edgeColumns = spec.n % nr;
  edgeVectors = ceilDiv(edgeColumns, kLanes);
  tailLanes = edgeColumns % kLanes;

  // About 64 KB per packing task, but no more than an eighth of the work.
  auto panelsPerTask = [&](int64_t panels, int64_t width) {
    int64_t panel = panelK * width * int64_t(sizeof(float));
    int64_t limit = ceilDiv(panels * schedule.batches * schedule.chunks, 8);
    return std::clamp<int64_t>(65536 / panel, 1, std::max<int64_t>(limit, 1));
  };
  packPanelsA = panelsPerTask(rowPanels, mr);
  packPanelsB = panelsPerTask(columnPanels, nr);
  packGroupsA = ceilDiv(rowPanels, packPanelsA);
  packGroupsB = ceilDiv(columnPanels, packPanelsB);

  aPanelFloats = roundUp(panelK * mr + 8, kAlignment / sizeof(float));
  bPanelFloats = panelK * nr;
  aOffset = 0;
  bOffset = schedule.packA ? alignBytes(floatsA() * sizeof(float)) : 0;
  partialOffset =
      bOffset + (schedule.packB ? alignBytes(floatsB() * sizeof(float)) : 0);
  partialRowFloats = roundUp(std::min(schedule.superColumns, spec.n), kLanes);
  sharedBytes = partialOffset;
  if (usesSharedPartials())
    sharedBytes +=
        alignBytes(schedule.batches * std::min(schedule.superRows, spec.m) *
                   partialRowFloats * sizeof(float));
}

Value tt::cpu::flatOperand(PhaseShell &shell, unsigned number, Type element,
                           ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  int64_t extent = 1;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    extent += (size - 1) * stride;
  return shell.operand(number, MemRefType::get({extent}, element));
}

Value tt::cpu::flatA(PhaseShell &shell, const MatmulPlan &plan) {
  const MatmulSpec &spec = plan.spec;
  return flatOperand(shell, spec.aOperand, shell.builder().getF32Type(),
                     {spec.batch, spec.m, spec.k},
                     {spec.aBatch, spec.aRow, spec.aCol});
}

Value tt::cpu::flatB(PhaseShell &shell, const MatmulPlan &plan) {
  const MatmulSpec &spec = plan.spec;
  return flatOperand(shell, spec.bOperand, shell.builder().getF32Type(),
                     {spec.batch, spec.k, spec.n},
                     {spec.bBatch, spec.bRow, spec.bCol});
}

Value tt::cpu::packedA(PhaseShell &shell, const MatmulPlan &plan) {
  Type f32 = shell.builder().getF32Type();
  return shell.shared(plan.aOffset, MemRefType::get({plan.floatsA()}, f32));
}

Value tt::cpu::packedB(PhaseShell &shell, const MatmulPlan &plan) {
  Type f32 = shell.builder().getF32Type();
  return shell.shared(plan.bOffset, MemRefType::get({plan.floatsB()}, f32));
}

IterationBlock tt::cpu::decodeIteration(PhaseShell &shell,
                                        const MatmulPlan &plan) {
  IndexMath math(shell.builder(), shell.getLoc());
  const MatmulSchedule &schedule = plan.schedule;
  IterationBlock block;
  Value rest = shell.iteration();
  Value group = math.rem(rest, plan.kGroups);
  rest = math.div(rest, plan.kGroups);
  Value column = math.rem(rest, plan.columnSupers);
  rest = math.div(rest, plan.columnSupers);
  Value row = math.rem(rest, plan.rowSupers);
  Value batchGroup = math.div(rest, plan.rowSupers);

  block.batch0 = math.mul(batchGroup, schedule.batches);
  block.row0 = math.mul(row, schedule.superRows);
  block.rowEnd = math.min(math.add(block.row0, schedule.superRows),
                          math.constant(plan.spec.m));
  block.col0 = math.mul(column, schedule.superColumns);
  block.colEnd = math.min(math.add(block.col0, schedule.superColumns),
                          math.constant(plan.spec.n));
  block.chunk0 = math.mul(group, schedule.chunks);
  block.chunkCount =
      math.min(math.sub(math.constant(plan.chunks), block.chunk0),
               math.constant(schedule.chunks));
  return block;
}
