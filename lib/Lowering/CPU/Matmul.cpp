//===- Matmul.cpp - The phases of a matrix product ------------------------===//
#include "tt/Lowering/CPU/Matmul.h"
#include "IndexMath.h"
#include "MatmulPlan.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tt/Lowering/CPU/VectorMath.h"

using namespace mlir;
using namespace tt::cpu;

namespace {

/// Emits the phase that multiplies packed panels.
class ComputePhase {
public:
  ComputePhase(PhaseShell &shell, const MatmulPlan &plan,
               const MatmulEpilogue &epilogue)
      : shell(shell), plan(plan), spec(plan.spec), epilogue(epilogue),
        builder(shell.builder()), loc(shell.getLoc()), math(builder, loc) {}

  void emit();

  int64_t workerBytes() const {
    return epilogue ? plan.mr * plan.nr * sizeof(float) : 0;
  }

private:
  void emitChunk(Value chunk);
  void emitRowPanel(Value row, int64_t rows);
  void emitTile(Value row, Value col, int64_t rows, int64_t vectors,
                int64_t tailLanes);
  TileSource makeSource(Value row, Value col);
  void finishTile(ValueRange sums, int64_t rows, int64_t vectors,
                  Value tailMask);
  void storeSums(ValueRange sums, int64_t rows, int64_t vectors, Value tailMask,
                 bool accumulate, bool toTile);
  void emitEpilogue(int64_t rows, int64_t vectors, Value tailMask);
  Value outputIndex(const MatmulOutput &output, Value row, Value col) {
    return math.add(math.add(math.mul(batch, output.batchStride),
                             math.mul(row, output.rowStride)),
                    col);
  }
  Value output(const MatmulOutput &out) {
    Type element = out.element ? out.element : builder.getF32Type();
    return flatOperand(shell, out.operand, element,
                       {spec.batch, spec.m, spec.n},
                       {out.batchStride, out.rowStride, 1});
  }
  Value tileBuffer() {
    return shell.worker(
        0, MemRefType::get({plan.mr * plan.nr}, builder.getF32Type()));
  }

  PhaseShell &shell;
  const MatmulPlan &plan;
  const MatmulSpec &spec;
  const MatmulEpilogue &epilogue;
  OpBuilder &builder;
  Location loc;
  IndexMath math;

  IterationBlock block;
  Value batchInGroup, batch;          // product of the task
  Value row0, rowEnd, col0, colEnd;   // tile of C of the task
  Value chunkInGroup, chunk, kLength; // current chunk
  Value tileRow, tileCol;             // current register tile
};

} // namespace

void ComputePhase::emit() {
  const MatmulSchedule &schedule = plan.schedule;
  block = decodeIteration(shell, plan);
  Value rest = shell.task();
  Value rowBlock = math.rem(rest, plan.rowBlocks);
  rest = math.div(rest, plan.rowBlocks);
  Value columnBlock = math.rem(rest, plan.columnBlocks);
  batchInGroup = math.div(rest, plan.columnBlocks);
  batch = math.add(block.batch0, batchInGroup);

  // Tasks beyond the end of a smaller last super block are empty.
  row0 = math.add(block.row0, math.mul(rowBlock, schedule.taskRows));
  row0 = math.min(row0, block.rowEnd);
  rowEnd = math.min(math.add(row0, schedule.taskRows), block.rowEnd);
  col0 = math.add(block.col0, math.mul(columnBlock, schedule.taskColumns));
  col0 = math.min(col0, block.colEnd);
  colEnd = math.min(math.add(col0, schedule.taskColumns), block.colEnd);
  math.loop(math.constant(0), block.chunkCount, 1, [&](Value inGroup) {
    chunkInGroup = inGroup;
    emitChunk(math.add(block.chunk0, inGroup));
  });
}

void ComputePhase::emitChunk(Value current) {
  chunk = current;
  Value k0 = math.mul(chunk, kChunk);
  kLength =
      math.min(math.sub(math.constant(spec.k), k0), math.constant(plan.panelK));
  Value fullEnd = rowEnd;
  if (plan.edgeRows) {
    Value panels = math.div(math.sub(rowEnd, row0), plan.mr);
    fullEnd = math.add(row0, math.mul(panels, plan.mr));
  }
  if (spec.m >= plan.mr)
    math.loop(row0, fullEnd, plan.mr,
              [&](Value row) { emitRowPanel(row, plan.mr); });
  if (plan.edgeRows)
    math.when(math.less(fullEnd, rowEnd),
              [&] { emitRowPanel(fullEnd, plan.edgeRows); });
}

void ComputePhase::emitRowPanel(Value row, int64_t rows) {
  Value fullEnd = colEnd;
  if (plan.edgeVectors) {
    Value panels = math.div(math.sub(colEnd, col0), plan.nr);
    fullEnd = math.add(col0, math.mul(panels, plan.nr));
  }
  if (spec.n >= plan.nr)
    math.loop(col0, fullEnd, plan.nr,
              [&](Value col) { emitTile(row, col, rows, plan.nv, 0); });
  if (plan.edgeVectors)
    math.when(math.less(fullEnd, colEnd), [&] {
      emitTile(row, fullEnd, rows, plan.edgeVectors, plan.tailLanes);
    });
}

TileSource ComputePhase::makeSource(Value row, Value col) {
  TileSource source;
  const MatmulSchedule &schedule = plan.schedule;
  Value product =
      math.add(math.mul(batchInGroup, schedule.chunks), chunkInGroup);
  Value k0 = math.mul(chunk, kChunk);
  if (schedule.packA) {
    Value panel = math.div(math.sub(row, block.row0), plan.mr);
    source.a = packedA(shell, plan);
    source.aBase = math.mul(math.add(math.mul(product, plan.rowPanels), panel),
                            plan.aPanelFloats);
    source.aRow = 1;
    source.aCol = plan.mr;
  } else {
    source.a = flatA(shell, plan);
    source.aBase = math.add(
        math.add(math.mul(batch, spec.aBatch), math.mul(row, spec.aRow)),
        math.mul(k0, spec.aCol));
    source.aRow = spec.aRow;
    source.aCol = spec.aCol;
  }
  source.maskTail = !schedule.packB;
  if (schedule.packB) {
    Value panel = math.div(math.sub(col, block.col0), plan.nr);
    source.b = packedB(shell, plan);
    source.bBase =
        math.mul(math.add(math.mul(product, plan.columnPanels), panel),
                 plan.bPanelFloats);
    source.bRow = plan.nr;
    source.bCol = 1;
  } else {
    source.b = flatB(shell, plan);
    source.bBase = math.add(
        math.add(math.mul(batch, spec.bBatch), math.mul(col, spec.bCol)),
        math.mul(k0, spec.bRow));
    source.bRow = spec.bRow;
    source.bCol = spec.bCol;
  }
  return source;
}

void ComputePhase::emitTile(Value row, Value col, int64_t rows, int64_t vectors,
                            int64_t tailLanes) {
  tileRow = row;
  tileCol = col;
  Value tailMask;
  if (tailLanes)
    tailMask = firstLanes(builder, loc, math.constant(tailLanes));
  if (!spec.partialsInShared)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v) {
        Value index =
            outputIndex(spec.outputs[0], math.add(row, math.constant(r)),
                        math.add(col, v * kLanes));
        memref::PrefetchOp::create(builder, loc, output(spec.outputs[0]), index,
                                   /*isWrite=*/true, /*localityHint=*/3,
                                   /*isDataCache=*/true);
      }
  TileSource source = makeSource(row, col);
  SmallVector<Value> sums =
      source.bCol == 1 ? emitTileProduct(builder, loc, plan, source, kLength,
                                         rows, vectors, tailLanes)
                       : emitThinProduct(builder, loc, plan, source, kLength,
                                         rows, tailLanes);
  finishTile(sums, rows, vectors, tailMask);
}

void ComputePhase::finishTile(ValueRange sums, int64_t rows, int64_t vectors,
                              Value tailMask) {
  auto last = [&](bool accumulate) {
    storeSums(sums, rows, vectors, tailMask, accumulate, epilogue != nullptr);
    if (epilogue)
      emitEpilogue(rows, vectors, tailMask);
  };
  if (plan.chunks == 1)
    return last(false);
  math.choose(
      math.equal(chunk, 0),
      [&] { storeSums(sums, rows, vectors, tailMask, false, false); },
      [&] {
        if (!epilogue)
          return storeSums(sums, rows, vectors, tailMask, true, false);
        math.choose(
            math.equal(chunk, plan.chunks - 1), [&] { last(true); },
            [&] { storeSums(sums, rows, vectors, tailMask, true, false); });
      });
}

/// Adds the sums to the partial sums of the chunks before, if there are any,
/// and puts them where the next chunk or the epilogue expects them.
void ComputePhase::storeSums(ValueRange sums, int64_t rows, int64_t vectors,
                             Value tailMask, bool accumulate, bool toTile) {
  Value partials;
  if (plan.usesSharedPartials())
    partials = shell.shared(
        plan.partialOffset,
        MemRefType::get(
            {plan.schedule.batches * std::min(plan.schedule.superRows, spec.m) *
             plan.partialRowFloats},
            builder.getF32Type()));
  else if (accumulate || !toTile)
    partials = output(spec.outputs[0]);

  auto partialIndex = [&](int64_t r, int64_t v) {
    Value row = math.add(tileRow, math.constant(r));
    Value col = math.add(tileCol, v * kLanes);
    if (!plan.usesSharedPartials())
      return outputIndex(spec.outputs[0], row, col);
    int64_t rowsPerProduct = std::min(plan.schedule.superRows, spec.m);
    Value line = math.add(math.mul(batchInGroup, rowsPerProduct),
                          math.sub(row, block.row0));
    return math.add(math.mul(line, plan.partialRowFloats),
                    math.sub(col, block.col0));
  };
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < vectors; ++v) {
      Value sum = sums[r * vectors + v];
      bool masked = v + 1 == vectors && tailMask && !plan.usesSharedPartials();
      Value mask = masked ? tailMask : Value();
      if (accumulate) {
        Value before =
            loadLanes(builder, loc, partials, partialIndex(r, v), mask);
        sum = arith::AddFOp::create(builder, loc, before, sum);
      }
      if (toTile)
        storeLanes(builder, loc, sum, tileBuffer(),
                   math.constant(r * plan.nr + v * kLanes));
      else
        storeLanes(builder, loc, sum, partials, partialIndex(r, v), mask);
    }
}

/// The tile goes through memory, so that the epilogue is emitted once per
/// vector of a row and not once per accumulator.
void ComputePhase::emitEpilogue(int64_t rows, int64_t vectors, Value tailMask) {
  math.loop(math.constant(0), math.constant(rows), 1, [&](Value r) {
    Value row = math.add(tileRow, r);
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask = v + 1 == vectors ? tailMask : Value();
      Value col = math.add(tileCol, v * kLanes);
      Value acc = loadLanes(builder, loc, tileBuffer(),
                            math.add(math.mul(r, plan.nr), v * kLanes));
      SmallVector<Value> results;
      epilogue(shell, builder, loc, acc, batch, row, col, mask, results);
      assert(results.size() == spec.outputs.size() && "one value per output");
      for (auto [value, out] : llvm::zip_equal(results, spec.outputs))
        storeLanes(builder, loc, value, output(out), outputIndex(out, row, col),
                   mask);
    }
  });
}

EmittedKernel tt::cpu::emitMatmul(ModuleOp module, Location loc,
                                  StringRef symbol, const Target &target,
                                  const MatmulSpec &spec,
                                  const MatmulEpilogue &epilogue) {
  return emitMatmul(module, loc, symbol, target, spec, epilogue,
                    chooseMatmulSchedule(spec, target));
}

EmittedKernel tt::cpu::emitMatmul(ModuleOp module, Location loc,
                                  StringRef symbol, const Target &target,
                                  const MatmulSpec &spec,
                                  const MatmulEpilogue &epilogue,
                                  const MatmulSchedule &schedule) {
  MatmulPlan plan(spec, target, schedule);
  EmittedKernel kernel;
  kernel.repeat = plan.iterations();
  kernel.sharedBytes = plan.sharedBytes;
  if (schedule.packA || schedule.packB)
    kernel.phases.push_back(emitMatmulPack(
        module, loc, (symbol + "_pack" + target.suffix).str(), plan));

  PhaseShell shell(module, loc, (symbol + target.suffix).str(),
                   spec.numOperands, spec.mayAlias);
  ComputePhase compute(shell, plan, epilogue);
  compute.emit();
  kernel.workerBytes = compute.workerBytes();
  kernel.phases.push_back(shell.finish(plan.computeTasks()));
  return kernel;
}
