//===- Matmul.h - f32 matrix products on packed panels ----------*- C++ -*-===//
//
// Numerics, which no schedule may change: K is cut into chunks of 384; the sum
// of a chunk is a chain of FMAs in increasing k that starts from 0; an element
// of C is the sum of its chunk sums, added in order. The epilogue sees that sum.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LOWERING_CPU_MATMUL_H
#define TT_LOWERING_CPU_MATMUL_H

#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/Lowering/CPU/Target.h"
#include <functional>

namespace tt::cpu {

/// The K-chunk of the numerics.
inline constexpr int64_t kChunk = 384;

/// One output of the epilogue: columns are contiguous.
struct MatmulOutput {
  unsigned operand;     // number in the kernel's operand list
  mlir::Type element;   // f32 if null
  int64_t batchStride;  // in elements
  int64_t rowStride;
};

/// C[b, m, n] = sum over k of A[b, m, k] * B[b, k, n]. Strides in elements.
struct MatmulSpec {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  unsigned aOperand = 0, bOperand = 1;
  int64_t aBatch = 0, aRow = 0, aCol = 1; // col runs along k
  int64_t bBatch = 0, bRow = 0, bCol = 1; // row runs along k
  llvm::SmallVector<MatmulOutput, 2> outputs;
  unsigned numOperands = 3;
  llvm::SmallVector<unsigned> mayAlias; // see PhaseShell
  /// Keep partial sums in the workspace and not in output 0: for an output 0
  /// that is not f32 or that the epilogue reads (accumulation into C).
  bool partialsInShared = false;
};

/// Turns the final sums of 16 neighbouring columns of one row into the value
/// to store for each output. `mask` is null when all 16 columns exist;
/// otherwise masked-off lanes must not be loaded from memory and are not
/// stored. Further operands (bias, residual) are taken from the shell, in any
/// place. Called a few times per kernel; must emit the same ops each time.
using MatmulEpilogue = std::function<void(
    PhaseShell &shell, mlir::OpBuilder &builder, mlir::Location loc,
    mlir::Value acc, mlir::Value batch, mlir::Value row, mlir::Value col,
    mlir::Value mask, llvm::SmallVectorImpl<mlir::Value> &outputs)>;

/// How the product is computed; no field changes a bit of the result.
struct MatmulSchedule {
  bool packA; // else A is read in place
  bool packB; // else B is read in place; needs a stride of 1 in B
  int64_t tileRows, tileVectors;   // register tile
  int64_t superRows, superColumns; // C per iteration: bounds what is packed
  int64_t batches;                 // products per iteration; divides the batch
  int64_t chunks;                  // K-chunks per iteration
  int64_t taskRows, taskColumns;   // C per task
};

MatmulSchedule chooseMatmulSchedule(const MatmulSpec &spec,
                                    const Target &target);

/// Emits the phases into `module` as `symbol` + "_pack"/"" + target suffix.
/// A null epilogue stores the sum to output 0.
EmittedKernel emitMatmul(mlir::ModuleOp module, mlir::Location loc,
                         llvm::StringRef symbol, const Target &target,
                         const MatmulSpec &spec,
                         const MatmulEpilogue &epilogue = nullptr);
EmittedKernel emitMatmul(mlir::ModuleOp module, mlir::Location loc,
                         llvm::StringRef symbol, const Target &target,
                         const MatmulSpec &spec, const MatmulEpilogue &epilogue,
                         const MatmulSchedule &schedule);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_MATMUL_H
