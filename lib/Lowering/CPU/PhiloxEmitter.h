//===- PhiloxEmitter.h - Philox4x32-10 as vector code -----------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_PHILOXEMITTER_H
#define TT_LIB_LOWERING_CPU_PHILOXEMITTER_H

#include "mlir/IR/Builders.h"
#include <array>

namespace tt::cpu {

/// The last counter words that keep the streams of the ops apart.
inline constexpr uint32_t kRngKeyStream = 0x74740000;
inline constexpr uint32_t kRngFoldStream = 0x74740001;
inline constexpr uint32_t kDropoutStream = 0x74740002;
inline constexpr uint32_t kUniformStream = 0x74740003;
inline constexpr uint32_t kNormalStream = 0x74740004;

/// The four words for `counter`. Counter words are all i32 or all vectors of
/// it; the key words are i32.
std::array<mlir::Value, 4> emitPhilox(mlir::OpBuilder &builder,
                                      mlir::Location loc,
                                      std::array<mlir::Value, 4> counter,
                                      mlir::Value key0, mlir::Value key1);

/// A constant of `type` (an integer or a vector of it).
mlir::Value integerConstant(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type type, uint64_t value);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_PHILOXEMITTER_H
