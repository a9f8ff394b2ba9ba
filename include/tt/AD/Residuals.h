//===- Residuals.h - What is kept between forward and backward --*- C++ -*-===//
#ifndef TT_AD_RESIDUALS_H
#define TT_AD_RESIDUALS_H

#include "tt/AD/Adjoint.h"

#include <string>

namespace tt {

/// One leading argument of a backward function, and why it is one.
struct KeptValue {
  ResidualSource source;
  mlir::RankedTensorType type;
  int64_t bytes = 0;
  /// The value in @f_fwd, whose location is that of the primal value.
  mlir::Value forward;
  /// Ops of @f_bwd that read it, looking through ops that the backward repeats
  /// (views, broadcasts). Their locations are those of the primal ops.
  llvm::SmallVector<mlir::Operation *> readers;
};

/// True for ops that the backward repeats where their result is read instead of
/// keeping it: constants, views and keys cost no memory and no time.
bool isFreeInBackward(mlir::Operation *op);

/// In the order of the backward's arguments.
llvm::SmallVector<KeptValue> keptValues(const AdjointPair &pair);

/// "tt.gelu_bwd at FILE:LINE:COLUMN"; of a call "the adjoint of @layer at ...".
std::string describeReader(mlir::Operation *reader);

/// "FILE:LINE:COLUMN" of the first file location in `location`; "an unknown
/// place" if there is none.
std::string placeOf(mlir::Location location);

} // namespace tt

#endif
