//===- KernelOperands.h - Storage of one kernel's operands ------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_KERNELOPERANDS_H
#define TT_LIB_PIPELINES_KERNELOPERANDS_H

#include "tt/Certify/KernelSample.h"
#include "tt/Reference/RandomInputs.h"

#include <memory>

namespace tt {

/// 64-byte aligned bytes.
class AlignedBytes {
public:
  explicit AlignedBytes(uint64_t bytes);
  char *data() const { return start.get(); }
  uint64_t size() const { return bytes; }

private:
  struct Free {
    void operator()(char *p) const;
  };
  uint64_t bytes;
  std::unique_ptr<char, Free> start;
};

/// "FILE:LINE: error: kernel @NAME ".
std::string errorAtKernel(KernelOp kernel);

/// Which floats arguments hold: those that the ops that read them are for, all
/// positive, all within an eighth of 1, or each argument below half of the one before
/// it or after it.
enum class Draw { AsRead, Positive, NearOne, Falling, Rising };

/// Operands of a kernel in its own strides: arguments filled with numbers that
/// depend on seed, argument and element alone, results with NaN.
class KernelOperands {
public:
  /// `form`: the same kernel before it was tiled; its ops say what values the
  /// arguments may have.
  KernelOperands(KernelOp kernel, KernelOp form, uint64_t seed, Draw draw = Draw::AsRead);

  std::vector<char *> addresses() const;
  /// The values at the given positions of an argument or a result.
  reference::AnyTensor<double> argumentAt(unsigned i,
                                          const certify::Positions &positions) const;
  reference::AnyTensor<double> resultAt(unsigned i,
                                        const certify::Positions &positions) const;
  /// Sets the results aside and takes fresh ones for the next run.
  void keepResults();
  /// True if all elements of result i have the bits of the one set aside.
  bool sameAsKept(unsigned i) const;

private:
  struct Operand {
    mlir::RankedTensorType type;
    llvm::SmallVector<int64_t> strides;
    std::unique_ptr<AlignedBytes> bytes;
  };
  Operand allocate(mlir::Type type, mlir::Attribute strides) const;
  void fill(const Operand &operand, const reference::InputRange &range, uint64_t seed);
  static reference::AnyTensor<double> gather(const Operand &operand,
                                             const certify::Positions &positions);

  KernelOp kernel;
  std::vector<Operand> arguments, results, kept;

  void allocateResults();
};

} // namespace tt

#endif
