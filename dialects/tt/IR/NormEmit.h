//===- NormEmit.h - Parts that normalizations share -------------*- C++ -*-===//
#ifndef TT_IR_NORMEMIT_H
#define TT_IR_NORMEMIT_H

#include "tt/IR/Emit.h"

namespace tt {

/// A positive eps that is a normal number of the type in which a norm of `element` forms
/// its statistics: rstd and its square are finite then.
mlir::LogicalResult checkEps(std::optional<mlir::Location> loc, llvm::StringRef op,
                             const llvm::APFloat &eps, mlir::Type element);

/// (input - mean) * rstd per row in the statistic's element type; `mean` may be
/// null.
mlir::Value emitNormalized(Emit &e, mlir::Value input, mlir::Value mean,
                           mlir::Value rstd);

/// What the cotangents of mean and rstd, either null, add to that of the input,
/// which is of `type`; null if both are. The input and the statistics are read
/// for `dRstd` only.
mlir::Value emitStatCotangent(Emit &e, mlir::RankedTensorType type,
                              mlir::Value input, mlir::Value mean,
                              mlir::Value rstd, mlir::Value dMean,
                              mlir::Value dRstd);

} // namespace tt

#endif
