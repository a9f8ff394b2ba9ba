//===- Position.h - Where 16 lanes stand in a tensor ------------*- C++ -*-===//
//
// A position names, for every dimension of a value, the index of each of 16
// lanes. Index maps (slice, transpose, reshape, ...) are maps of positions, so
// that nothing but a leaf touches memory.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_POSITION_H
#define TT_LIB_LOWERING_CPU_POSITION_H

#include "LoopEmitter.h"
#include <numeric>

namespace tt::cpu {

/// The index along one dimension: lane l stands at base + l * step, or at
/// element l of `lanes` if that is set.
struct LaneIndex {
  mlir::Value base;      // index
  int64_t step = 0;      // 0: all lanes at base
  int64_t multiple = 1;  // divides base; 0: base is 0
  int64_t window = 0;    // lanes of a step of 1 stay inside one aligned window
                         // of this size; 0: not known
  mlir::Value lanes;     // vector<16xindex>

  bool isUniform() const { return !lanes && step == 0; }
};

/// The mask leaves the lanes that exist; null: all do. Masked-off lanes touch
/// no memory and hold any value.
struct Position {
  llvm::SmallVector<LaneIndex, 4> dims;
  mlir::Value mask; // vector<16xi1>

  bool isUniform() const {
    return llvm::all_of(dims, [](const LaneIndex &i) { return i.isUniform(); });
  }
};

bool samePosition(const Position &a, const Position &b);

/// Arithmetic on lane indices.
class LaneMath {
public:
  explicit LaneMath(LoopEmitter &emitter) : e(emitter) {}

  LaneIndex constant(int64_t value);
  LaneIndex uniform(mlir::Value base, int64_t multiple = 1) {
    return {base, 0, multiple, 0, {}};
  }
  LaneIndex fromLanes(mlir::Value lanes) { return {{}, 0, 1, 0, lanes}; }
  LaneIndex add(const LaneIndex &a, const LaneIndex &b);
  LaneIndex shift(const LaneIndex &a, int64_t offset);
  LaneIndex scale(const LaneIndex &a, int64_t factor);
  /// Quotient and remainder by a constant. The window of `a` counts.
  std::pair<LaneIndex, LaneIndex> divide(const LaneIndex &a, int64_t divisor);
  /// The sum of index times stride. Knows the window when the lanes run along
  /// one dimension with stride 1.
  LaneIndex linearize(llvm::ArrayRef<LaneIndex> dims,
                      llvm::ArrayRef<int64_t> strides);
  /// Indices along `shape` of a row-major number.
  llvm::SmallVector<LaneIndex, 4> delinearize(LaneIndex number,
                                              llvm::ArrayRef<int64_t> shape);
  /// The position in `to` of an element of its reshape `from`.
  llvm::SmallVector<LaneIndex, 4> reshape(llvm::ArrayRef<LaneIndex> dims,
                                          llvm::ArrayRef<int64_t> from,
                                          llvm::ArrayRef<int64_t> to);

  /// All lanes as vector<16xindex>.
  mlir::Value materialize(const LaneIndex &a);
  mlir::Value splatIndex(mlir::Value scalar);
  mlir::Value splatIndex(int64_t value);
  /// 0, 1, .. 15.
  mlir::Value iota();
  /// 0 <= index < size, as i1 or vector<16xi1>.
  mlir::Value inRange(const LaneIndex &a, int64_t size);
  /// The index brought into [0, size).
  LaneIndex clamp(const LaneIndex &a, int64_t size);
  /// True when the lanes are whole: if one is in an aligned range whose bounds
  /// are multiples of 16, all are.
  static bool movesAsOne(const LaneIndex &a) {
    return a.isUniform() || (!a.lanes && a.step == 1 && a.multiple % 16 == 0);
  }

private:
  LoopEmitter &e;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_POSITION_H
