//===- RandomInputs.h - Inputs for a function -------------------*- C++ -*-===//
#ifndef TT_REFERENCE_RANDOMINPUTS_H
#define TT_REFERENCE_RANDOMINPUTS_H

#include "tt/Reference/Tensor.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tt::reference {

/// Repeatable random numbers (SplitMix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t bits();
  /// In [0, 1).
  double unit();
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// In [low, high), which is not empty.
  int64_t integer(int64_t low, int64_t high);

private:
  uint64_t state;
};

/// What the ops that read an argument expect of its values.
struct InputRange {
  double low = 0.25, high = 1.25;          // of floats
  bool hasRandomSign = true;               // of floats
  int64_t lowest = 0, end = int64_t(1) << 20; // of integers, in [lowest, end)
};
InputRange inputRange(mlir::FunctionOpInterface function, unsigned argument);

/// One input per argument. Floats have magnitudes in [0.25, 1.25] and random
/// signs, or the range of the argument attribute `check.range = [low, high]`,
/// or a range that suits the ops that read them (positive for log). Integers
/// are in [0, tt.index_limit), or in the range of the tables that they index.
std::vector<AnyTensor<double>> randomInputs(mlir::FunctionOpInterface function,
                                            Random &random);

/// True if an op that reads `value` wants it positive: a logarithm, a loss of its
/// weights. Follows calls.
bool wantsPositive(mlir::Value value);

/// The same value in another number type; imaginary parts are 0.
template <typename T> AnyTensor<T> convertTo(const AnyTensor<double> &tensor);

extern template AnyTensor<float> convertTo(const AnyTensor<double> &);
extern template AnyTensor<double> convertTo(const AnyTensor<double> &);
extern template AnyTensor<std::complex<double>>
convertTo(const AnyTensor<double> &);

} // namespace tt::reference

#endif
