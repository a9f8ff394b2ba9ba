//===- Program.h - Programs of tests of numbers -----------------*- C++ -*-===//
#ifndef TT_TEST_NUMERIC_PROGRAM_H
#define TT_TEST_NUMERIC_PROGRAM_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/GradientCheck.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace tt::test {

using reference::AnyTensor;
using reference::IntTensor;
using reference::Shape;
using reference::Tensor;
using reference::Values;

/// A module with the function @f that a test runs.
class Program {
public:
  explicit Program(const std::string &text);

  mlir::ModuleOp module() { return *op; }

  /// Results of @f; fails the test on an error.
  template <typename T = double>
  std::vector<AnyTensor<T>> run(const Values &inputs,
                                reference::Options options = {});
  /// The error of running @f; "" if it succeeds.
  std::string errorOf(const Values &inputs, reference::Options options = {});

  /// Cotangents of the active arguments of @f for these cotangents of its
  /// float results.
  Values gradient(const Values &inputs, const Values &cotangents,
                  const std::string &wrt = "all");

  reference::GradientReport check(const std::string &wrt = "all",
                                  const Values &inputs = {}, uint64_t seed = 1);

private:
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// fill(a, b) of the reported faults: (((a i + b) mod 129) - 64) / 64.
Tensor<double> pattern(int64_t a, int64_t b, Shape shape);
Tensor<double> full(double value, Shape shape);
inline Tensor<double> floats(Shape shape, std::vector<double> data) {
  return Tensor<double>(std::move(shape), std::move(data));
}
inline IntTensor ints(Shape shape, std::vector<int64_t> data) {
  return IntTensor(std::move(shape), std::move(data));
}

/// Every element within tolerance * (1 + |wanted|); NaN equals NaN.
void expectNear(const AnyTensor<double> &got, const std::vector<double> &wanted,
                double tolerance = 1e-12);

} // namespace tt::test

#endif
