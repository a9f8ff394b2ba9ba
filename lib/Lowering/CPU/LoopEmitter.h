//===- LoopEmitter.h - Terse index arithmetic and loops ---------*- C++ -*-===//
//
// A thin layer over a shell's builder for emitters that are mostly loops and
// offsets. Constants fold, so that static cases leave no code.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_LOOPEMITTER_H
#define TT_LIB_LOWERING_CPU_LOOPEMITTER_H

#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/Lowering/CPU/VectorMath.h"

namespace tt::cpu {

class LoopEmitter {
public:
  explicit LoopEmitter(PhaseShell &shell)
      : shell(shell), b(shell.builder()), loc(shell.getLoc()),
        lanesType(getLanesType(b.getF32Type())) {}

  // Index arithmetic. Quotients and remainders are of non-negative values.
  mlir::Value index(int64_t value) { return shell.index(value); }
  mlir::Value add(mlir::Value a, mlir::Value c);
  mlir::Value add(mlir::Value a, int64_t c) { return add(a, index(c)); }
  mlir::Value sub(mlir::Value a, mlir::Value c);
  mlir::Value mul(mlir::Value a, int64_t c);
  mlir::Value div(mlir::Value a, int64_t c);
  mlir::Value rem(mlir::Value a, int64_t c);
  mlir::Value min(mlir::Value a, mlir::Value c);
  mlir::Value max(mlir::Value a, mlir::Value c);
  /// min(max(a, 0), high).
  mlir::Value clamp(mlir::Value a, mlir::Value high);

  mlir::Value isEqual(mlir::Value a, int64_t c);
  mlir::Value isLessOrEqual(mlir::Value a, mlir::Value c);

  // 16 lanes of f32.
  mlir::Value splat(double value) {
    return splatConstant(b, loc, lanesType, value);
  }
  mlir::Value load(mlir::Value memref, mlir::Value at, mlir::Value mask = {}) {
    return loadLanes(b, loc, memref, mlir::ValueRange{at}, mask);
  }
  void store(mlir::Value value, mlir::Value memref, mlir::Value at,
             mlir::Value mask = {}) {
    storeLanes(b, loc, value, memref, mlir::ValueRange{at}, mask);
  }
  mlir::Value addF(mlir::Value a, mlir::Value c);
  mlir::Value subF(mlir::Value a, mlir::Value c);
  mlir::Value mulF(mlir::Value a, mlir::Value c);
  mlir::Value fma(mlir::Value a, mlir::Value c, mlir::Value d);
  /// a == c ? yes : no, lane by lane; false for NaN.
  mlir::Value selectEqual(mlir::Value a, mlir::Value c, mlir::Value yes,
                          mlir::Value no);
  /// A mask of the first `count` lanes; null when count is 16 or more.
  mlir::Value firstLanesOrNull(int64_t count);

  /// for i in [begin, end) by step, without and with carried values.
  void loop(mlir::Value begin, mlir::Value end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value begin, mlir::Value end, int64_t step,
       mlir::ValueRange carried,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                         mlir::ValueRange)>
           body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> body);
  void ifElse(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no);

  PhaseShell &shell;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::VectorType lanesType;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_LOOPEMITTER_H
