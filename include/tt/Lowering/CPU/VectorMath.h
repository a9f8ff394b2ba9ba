//===- VectorMath.h - 16-lane helpers shared by the emitters ----*- C++ -*-===//
//
// Everything f32 is emitted on vector<16xf32> for every level. Rounding
// happens where an op is emitted: no fast-math flag anywhere, an FMA is a
// math.fma. Transcendental math ops are expanded by the back end into fixed
// polynomials that give equal bits on a vector lane and on a scalar.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LOWERING_CPU_VECTORMATH_H
#define TT_LOWERING_CPU_VECTORMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tt::cpu {

/// vector<16xelement>.
mlir::VectorType getLanesType(mlir::Type element);

/// A splat constant of `type` (f32 or a vector of it).
mlir::Value splatConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type type, double value);

/// Broadcasts a scalar to 16 lanes.
mlir::Value broadcastLanes(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value scalar);

/// a > b ? a : b, one vmaxps. When an argument is NaN the result is b.
mlir::Value emitMax(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                    mlir::Value b);

/// Sum or maximum of the 16 lanes by the fixed tree: lane i takes i+8, then
/// i+4, i+2, i+1. Returns the scalar of lane 0.
mlir::Value horizontalSum(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lanes);
mlir::Value horizontalMax(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lanes);

/// vector<16xi1> with the first `count` lanes set; count is an index and may
/// be greater than 16 (all set) or not positive (none).
mlir::Value firstLanes(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value count);

/// Loads 16 contiguous elements at `indices` (innermost stride 1); masked-off
/// lanes are not touched and read as `passThru` (default 0). A null mask means
/// all lanes. The result has the memref's element type.
mlir::Value loadLanes(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value memref, mlir::ValueRange indices,
                      mlir::Value mask = {}, double passThru = 0.0);

/// Stores 16 contiguous elements; masked-off lanes are not touched.
void storeLanes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                mlir::Value memref, mlir::ValueRange indices,
                mlir::Value mask = {});

/// Emits a loop over [0, size) in steps of 16 with full lanes, then once, if
/// size is no multiple of 16, the tail with a mask. `size` is static.
/// `carried` values go from step to step; `step` returns the new ones.
llvm::SmallVector<mlir::Value> forEachLanes(
    mlir::OpBuilder &builder, mlir::Location loc, int64_t size,
    mlir::ValueRange carried,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Value position,
                            mlir::Value mask, mlir::ValueRange carried,
                            llvm::SmallVectorImpl<mlir::Value> &next)>
        step);

/// The expansions of math ops, applied by the back end before lowering.
void populateMathExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_VECTORMATH_H
