//===- KernelEmitters.h - One emitter per form of kernel --------*- C++ -*-===//
//
// Each fills phases and scratch of the kernel, or reports what it cannot do.
// The caller has checked that all other ops of the body can be pulled.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_KERNELEMITTERS_H
#define TT_LIB_LOWERING_CPU_KERNELEMITTERS_H

#include "KernelSignature.h"
#include "tt/Attention/TiledKernel.h"

namespace tt::cpu {

mlir::LogicalResult emitElementwiseKernel(const KernelJob &job,
                                          EmittedKernel &emitted);
mlir::LogicalResult emitAdamWKernel(const KernelJob &job, AdamWOp op,
                                    EmittedKernel &emitted);
mlir::LogicalResult emitSumSquaresKernel(const KernelJob &job, SumSquaresOp op,
                                         EmittedKernel &emitted);
mlir::LogicalResult emitGlobalNormKernel(const KernelJob &job, GlobalNormOp op,
                                         EmittedKernel &emitted);
/// softmax, layer_norm, rms_norm, their adjoints; sum, mean, max, min over the
/// last dimension.
mlir::LogicalResult emitRowKernel(const KernelJob &job, mlir::Operation *anchor,
                                  EmittedKernel &emitted);
mlir::LogicalResult emitCrossEntropyKernel(const KernelJob &job,
                                           CrossEntropyOp op,
                                           EmittedKernel &emitted);
mlir::LogicalResult emitCrossEntropyBwdKernel(const KernelJob &job,
                                              CrossEntropyBwdOp op,
                                              EmittedKernel &emitted);
/// Sums and means that keep the last dimension, all over the same dimensions.
mlir::LogicalResult emitColumnKernel(const KernelJob &job,
                                     llvm::ArrayRef<mlir::Operation *> sums,
                                     EmittedKernel &emitted);
/// Any other sum, mean, max or min.
mlir::LogicalResult emitReduceKernel(const KernelJob &job,
                                     mlir::Operation *anchor,
                                     EmittedKernel &emitted);
/// embedding_bwd and scatter_add_rows.
mlir::LogicalResult emitScatterKernel(const KernelJob &job,
                                      mlir::Operation *anchor,
                                      EmittedKernel &emitted);
/// cumsum, scatter_along, sort and topk: one line of a dimension after the other.
mlir::LogicalResult emitLineKernel(const KernelJob &job, mlir::Operation *anchor,
                                   EmittedKernel &emitted);
/// tt.linear or tt.matmul.
mlir::LogicalResult emitMatmulKernel(const KernelJob &job,
                                     mlir::Operation *anchor,
                                     EmittedKernel &emitted);
/// tt.attention or tt.attention_bwd.
mlir::LogicalResult emitAttentionKernel(const KernelJob &job,
                                        mlir::Operation *anchor,
                                        EmittedKernel &emitted);
/// The same after --tt-tile-attention: the emitter's code takes the place of
/// the loops.
mlir::LogicalResult
emitTiledAttentionKernel(const KernelJob &job,
                         const attention::TiledKernel &tiled,
                         EmittedKernel &emitted);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_KERNELEMITTERS_H
