//===- MatmulPlan.h - Layout of one matmul kernel ---------------*- C++ -*-===//
//
// What spec, target and schedule fix before anything is emitted: the counts of
// blocks, the order of iterations and tasks, and where packed panels lie.
//
//   iteration = ((batchGroup * rowSupers + i) * columnSupers + j) * kGroups + g
//   task      = (batchInGroup * columnBlocks + jBlock) * rowBlocks + iBlock
//
// Row blocks are innermost, so that workers that take neighbouring tasks work
// on the same B block, which stays in L2.
//
// Packed A: [batch][chunk][panel][k][gemmRows], B: [batch][chunk][panel][k]
// [gemmColumns]. A panel of A has a few floats more than its elements, since a
// transposing store may write beyond its row.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_MATMULPLAN_H
#define TT_LIB_LOWERING_CPU_MATMULPLAN_H

#include "tt/Lowering/CPU/Matmul.h"

namespace tt::cpu {

struct MatmulPlan {
  MatmulPlan(const MatmulSpec &spec, const Target &target,
             const MatmulSchedule &schedule);

  const MatmulSpec &spec;
  const Target &target;
  MatmulSchedule schedule;
  int64_t mr, nv, nr;

  int64_t chunks;  // of K
  int64_t panelK;  // k steps of a packed panel: min(k, kChunk)
  int64_t lastK;   // k steps of the last chunk
  int64_t kGroups; // iterations that the chunks take
  int64_t batchGroups, rowSupers, columnSupers;
  int64_t rowBlocks, columnBlocks; // tasks per product and iteration
  int64_t rowPanels, columnPanels; // packed panels per super block

  int64_t edgeRows;    // rows of the last, smaller row panel; 0: none
  int64_t edgeVectors; // vectors of the last column panel; 0: none
  int64_t tailLanes;   // columns in the last vector of the edge; 0: all

  // Packing tasks take some panels each.
  int64_t packPanelsA, packPanelsB;
  int64_t packGroupsA, packGroupsB; // per product and chunk

  int64_t aPanelFloats, bPanelFloats;
  int64_t aOffset, bOffset, partialOffset; // bytes in the workspace
  int64_t partialRowFloats;
  int64_t sharedBytes;

  int64_t iterations() const {
    return batchGroups * rowSupers * columnSupers * kGroups;
  }
  int64_t computeTasks() const {
    return schedule.batches * columnBlocks * rowBlocks;
  }
  int64_t packTasksA() const {
    return schedule.packA ? schedule.batches * schedule.chunks * packGroupsA
                          : 0;
  }
  int64_t packTasksB() const {
    return schedule.packB ? schedule.batches * schedule.chunks * packGroupsB
                          : 0;
  }
  int64_t floatsA() const {
    return schedule.batches * schedule.chunks * rowPanels * aPanelFloats;
  }
  int64_t floatsB() const {
    return schedule.batches * schedule.chunks * columnPanels * bPanelFloats;
  }
  bool usesSharedPartials() const {
    return spec.partialsInShared && chunks > 1;
  }
};

/// The operand as a flat memref of as many floats as its strides span.
mlir::Value flatOperand(PhaseShell &shell, unsigned number, mlir::Type element,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides);
mlir::Value flatA(PhaseShell &shell, const MatmulPlan &plan);
mlir::Value flatB(PhaseShell &shell, const MatmulPlan &plan);
mlir::Value packedA(PhaseShell &shell, const MatmulPlan &plan);
mlir::Value packedB(PhaseShell &shell, const MatmulPlan &plan);

/// What an iteration works on, decoded from its number.
struct IterationBlock {
  mlir::Value batch0;       // first product
  mlir::Value row0, rowEnd; // super block of C
  mlir::Value col0, colEnd;
  mlir::Value chunk0, chunkCount;
};
IterationBlock decodeIteration(PhaseShell &shell, const MatmulPlan &plan);

/// Emits the packing of both operands, one phase.
EmittedPhase emitMatmulPack(mlir::ModuleOp module, mlir::Location loc,
                            llvm::StringRef symbol, const MatmulPlan &plan);

/// Where a register tile reads its operands: element (r, k) of A is at
/// aBase + r * aRow + k * aCol of a, element (k, n) of B at
/// bBase + k * bRow + n * bCol of b.
struct TileSource {
  mlir::Value a, aBase, b, bBase;
  int64_t aRow, aCol, bRow, bCol;
  bool maskTail; // B is read in place: do not read beyond its columns
};

/// The k loop of one register tile: returns rows * vectors accumulators, row
/// by row, each the FMA chain over [0, kLength) from 0. tailLanes: columns of
/// the last vector, 0 for all.
llvm::SmallVector<mlir::Value>
emitTileProduct(mlir::OpBuilder &builder, mlir::Location loc,
                const MatmulPlan &plan, const TileSource &source,
                mlir::Value kLength, int64_t rows, int64_t vectors,
                int64_t tailLanes);

/// The same for few rows and a B that is contiguous along k (bRow is 1): one
/// vector of columns, transposed in registers on the way.
llvm::SmallVector<mlir::Value>
emitThinProduct(mlir::OpBuilder &builder, mlir::Location loc,
                const MatmulPlan &plan, const TileSource &source,
                mlir::Value kLength, int64_t rows, int64_t tailLanes);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_MATMULPLAN_H
