//===- MatmulPack.cpp - Operands to packed panels -------------------------===//
//
// One phase packs what one iteration needs of both operands. A task packs a
// few panels of one chunk. Three ways, by the strides of the operand: lines
// that run along the panel are copied, lines that run along k are transposed
// in registers, anything else goes element by element.
//
//===----------------------------------------------------------------------===//
#include "IndexMath.h"
#include "MatmulPlan.h"
#include "Transpose.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tt/Lowering/CPU/VectorMath.h"

using namespace mlir;
using namespace tt::cpu;

namespace {

/// One operand seen as lines (rows of A, columns of B) times k.
struct PackSide {
  Value source, target;
  int64_t lineStride, kStride;
  int64_t width;     // lines per panel
  int64_t edgeLines; // lines of the last panel of the operand; 0: full
  int64_t panelFloats;
  int64_t side; // of the transposed squares
};

/// Packs panels of one task; positions are set before emit().
class PanelPacker {
public:
  PanelPacker(OpBuilder &builder, Location loc, const PackSide &side,
              int64_t lastK)
      : builder(builder), loc(loc), math(builder, loc), side(side),
        lastK(lastK) {}

  /// Packs lines [line, lineEnd) x [0, kLength) of the source from `base` (the
  /// element of line 0 and k 0 of the chunk) to the panels from `targetBase`.
  void emit(Value base, Value targetBase, Value line, Value lineEnd,
            Value kLength) {
    Value fullEnd = lineEnd;
    if (side.edgeLines) {
      Value count = math.sub(lineEnd, line);
      fullEnd =
          math.add(line, math.mul(math.div(count, side.width), side.width));
    }
    if (side.lineStride == 1 && side.kStride != 1)
      copyPanels(base, targetBase, line, fullEnd, kLength);
    else
      math.loop(line, fullEnd, side.width, [&](Value at) {
        packPanel(base, panelAt(targetBase, line, at), at, side.width, kLength);
      });
    if (!side.edgeLines)
      return;
    math.when(math.less(fullEnd, lineEnd), [&] {
      packPanel(base, panelAt(targetBase, line, fullEnd), fullEnd,
                side.edgeLines, kLength);
    });
  }

private:
  Value panelAt(Value targetBase, Value line, Value at) {
    Value panel = math.div(math.sub(at, line), side.width);
    return math.add(targetBase, math.mul(panel, side.panelFloats));
  }

  /// Full panels of contiguous lines, k outermost: whole rows are read.
  void copyPanels(Value base, Value targetBase, Value line, Value fullEnd,
                  Value kLength) {
    math.loop(math.constant(0), kLength, 1, [&](Value k) {
      Value row = math.add(base, math.mul(k, side.kStride));
      Value into = math.add(targetBase, math.mul(k, side.width));
      math.loop(line, fullEnd, side.width, [&](Value at) {
        copyLines(math.add(row, at), panelAt(into, line, at), side.width);
      });
    });
  }

  /// Copies `count` neighbouring floats, zero-filled to whole vectors when the
  /// panel has room for that.
  void copyLines(Value from, Value to, int64_t count) {
    Type f32 = builder.getF32Type();
    int64_t done = 0;
    for (; done + kLanes <= count; done += kLanes)
      storeLanes(builder, loc,
                 loadLanes(builder, loc, side.source, math.add(from, done)),
                 side.target, math.add(to, done));
    if (done == count)
      return;
    Value rest;
    if (side.width % kLanes == 0) {
      Value mask = firstLanes(builder, loc, math.constant(count - done));
      rest = loadLanes(builder, loc, side.source, math.add(from, done), mask);
    } else {
      rest = vector::LoadOp::create(builder, loc,
                                    VectorType::get({count - done}, f32),
                                    side.source, math.add(from, done));
    }
    vector::StoreOp::create(builder, loc, rest, side.target,
                            ValueRange{math.add(to, done)});
  }

  void packPanel(Value base, Value target, Value line, int64_t lines,
                 Value kLength) {
    Value from = math.add(base, math.mul(line, side.lineStride));
    if (side.kStride == 1) {
      transposePanel(from, target, lines, kLength);
      return;
    }
    math.loop(math.constant(0), kLength, 1, [&](Value k) {
      Value row = math.add(from, math.mul(k, side.kStride));
      Value into = math.add(target, math.mul(k, side.width));
      if (side.lineStride == 1) {
        copyLines(row, into, lines);
        return;
      }
      for (int64_t i = 0; i < lines; ++i) {
        Value element = memref::LoadOp::create(
            builder, loc, side.source, math.add(row, i * side.lineStride));
        memref::StoreOp::create(builder, loc, element, side.target,
                                math.add(into, i));
      }
    });
  }

  /// Lines along k: squares of side x side, and one with a tail of k in the
  /// last chunk.
  void transposePanel(Value from, Value target, int64_t lines, Value kLength) {
    int64_t square = side.side;
    Value main = kLength;
    int64_t tail = lastK % square;
    if (tail)
      main = math.mul(math.div(kLength, square), square);
    math.loop(math.constant(0), main, square, [&](Value k) {
      transposeSquares(from, target, k, lines, square);
    });
    if (tail)
      math.when(math.less(main, kLength),
                [&] { transposeSquares(from, target, main, lines, tail); });
  }

  void transposeSquares(Value from, Value target, Value k, int64_t lines,
                        int64_t kCount) {
    int64_t square = side.side;
    VectorType type = VectorType::get({square}, builder.getF32Type());
    Value zero = splatConstant(builder, loc, type, 0.0);
    Value mask;
    if (kCount < square)
      mask = vector::CreateMaskOp::create(
          builder, loc, VectorType::get({square}, builder.getI1Type()),
          ValueRange{math.constant(kCount)});
    // Panels of whole vectors are filled with zeros up to the vector.
    int64_t filled = side.width % kLanes == 0 ? roundUp(lines, kLanes) : lines;
    for (int64_t line = 0; line < filled; line += square) {
      SmallVector<Value> rows(square, zero);
      for (int64_t i = 0; i < square && line + i < lines; ++i) {
        Value index = math.add(math.add(from, k), (line + i) * side.lineStride);
        if (mask)
          rows[i] = vector::MaskedLoadOp::create(
              builder, loc, type, side.source, index, mask, zero);
        else
          rows[i] = vector::LoadOp::create(builder, loc, type, side.source,
                                           ValueRange{index});
      }
      emitTranspose(builder, loc, rows);
      // Increasing k: what a store writes beyond its row, the next one (or the
      // padding of the panel) takes.
      for (int64_t q = 0; q < kCount; ++q) {
        Value index = math.add(target, math.mul(math.add(k, q), side.width));
        vector::StoreOp::create(builder, loc, rows[q], side.target,
                                ValueRange{math.add(index, line)});
      }
    }
  }

  OpBuilder &builder;
  Location loc;
  IndexMath math;
  const PackSide &side;
  int64_t lastK; // of K: k steps of the last chunk
};

} // namespace

/// task = (batch * chunks + chunk) * groups + group, of one operand.
static void emitSide(PhaseShell &shell, const MatmulPlan &plan,
                     const IterationBlock &block, const PackSide &side,
                     Value task, int64_t groups, int64_t panelsPerGroup,
                     int64_t panels, Value line0, Value lineEnd,
                     int64_t batchStride) {
  OpBuilder &builder = shell.builder();
  IndexMath math(builder, shell.getLoc());
  Value group = math.rem(task, groups);
  Value product = math.div(task, groups); // batch * chunks + chunk
  Value chunk = math.rem(product, plan.schedule.chunks);
  Value batch = math.div(product, plan.schedule.chunks);
  math.when(math.less(chunk, block.chunkCount), [&] {
    Value panel = math.mul(group, panelsPerGroup);
    Value line = math.add(line0, math.mul(panel, side.width));
    Value end = math.min(math.add(line, panelsPerGroup * side.width), lineEnd);
    Value k0 = math.mul(math.add(block.chunk0, chunk), kChunk);
    Value kLength = math.min(math.sub(math.constant(plan.spec.k), k0),
                             math.constant(plan.panelK));
    Value base = math.add(math.mul(math.add(block.batch0, batch), batchStride),
                          math.mul(k0, side.kStride));
    Value target =
        math.mul(math.add(math.mul(product, panels), panel), side.panelFloats);
    math.when(math.less(line, end), [&] {
      PanelPacker packer(builder, shell.getLoc(), side, plan.lastK);
      packer.emit(base, target, line, end, kLength);
    });
  });
}

EmittedPhase tt::cpu::emitMatmulPack(ModuleOp module, Location loc,
                                     StringRef symbol, const MatmulPlan &plan) {
  const MatmulSpec &spec = plan.spec;
  PhaseShell shell(module, loc, symbol, spec.numOperands, spec.mayAlias);
  IterationBlock block = decodeIteration(shell, plan);
  IndexMath math(shell.builder(), loc);
  int64_t tasksA = plan.packTasksA(), tasksB = plan.packTasksB();

  auto packA = [&] {
    PackSide side{
        flatA(shell, plan), packedA(shell, plan), spec.aRow, spec.aCol, plan.mr,
        plan.edgeRows,      plan.aPanelFloats,    /*side=*/8};
    emitSide(shell, plan, block, side, shell.task(), plan.packGroupsA,
             plan.packPanelsA, plan.rowPanels, block.row0, block.rowEnd,
             spec.aBatch);
  };
  auto packB = [&] {
    PackSide side{flatB(shell, plan),
                  packedB(shell, plan),
                  spec.bCol,
                  spec.bRow,
                  plan.nr,
                  spec.n % plan.nr,
                  plan.bPanelFloats,
                  plan.target.transposeSide};
    Value task = math.sub(shell.task(), math.constant(tasksA));
    emitSide(shell, plan, block, side, task, plan.packGroupsB, plan.packPanelsB,
             plan.columnPanels, block.col0, block.colEnd, spec.bBatch);
  };
  if (tasksA && tasksB)
    math.choose(math.less(shell.task(), math.constant(tasksA)), packA, packB);
  else if (tasksA)
    packA();
  else
    packB();
  return shell.finish(tasksA + tasksB);
}
