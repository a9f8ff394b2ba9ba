//===- LossResult.h - What a training step minimises ------------*- C++ -*-===//
#ifndef TT_TRAINING_LOSSRESULT_H
#define TT_TRAINING_LOSSRESULT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tt {

/// Names of outputs that the entries of a library add to those of the graph.
inline constexpr llvm::StringLiteral kStepOutputs[] = {"grad_norm", "clip", "skipped"};

/// The position of the result of `function` that is the loss: the only one, or the one
/// whose tt.output is "loss". The others are metrics, which get no gradient.
std::optional<unsigned> lossResult(mlir::func::FuncOp function);

/// Puts tt.stop_gradient before every metric of `function`.
void detachMetrics(mlir::func::FuncOp function);

} // namespace tt

#endif
