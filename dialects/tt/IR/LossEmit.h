//===- LossEmit.h - Parts that losses share ---------------------*- C++ -*-===//
#ifndef TT_IR_LOSSEMIT_H
#define TT_IR_LOSSEMIT_H

#include "tt/IR/Emit.h"

namespace tt {

/// ln sum e^x over `dims`; -inf for a slice of -inf.
mlir::Value emitLogSumExp(Emit &e, mlir::Value x, llvm::ArrayRef<int64_t> dims);

/// True in the rows whose target is in [0, classes) and is not `ignored`.
mlir::Value emitCountedRows(Emit &e, mlir::Value targets, int64_t classes,
                            int64_t ignored);

/// e^(logits - lse), in the type of lse; lse has one value per row.
mlir::Value emitSoftmaxFromLse(Emit &e, mlir::Value logits, mlir::Value lse);

/// tt.cross_entropy and its adjoint with reduction none, in the plain form.
CrossEntropyOp emitRowLosses(Emit &e, mlir::Value logits, mlir::Value targets,
                             int64_t ignored);
mlir::Value emitRowLossesBwd(Emit &e, mlir::Value logits, mlir::Value targets,
                             mlir::Value lse, mlir::Value dLosses, int64_t ignored);

/// `number`, but 1 where it is 0: what a mean divides by when nothing counts.
mlir::Value emitDivisor(Emit &e, mlir::Value number);

} // namespace tt

#endif
