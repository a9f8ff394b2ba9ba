//===- Program.cpp - Programs of tests of numbers -------------------------===//
#include "Program.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstdlib>

using namespace tt::test;
using namespace tt::reference;

/// One context for all programs: loading the dialects takes the most time.
static mlir::MLIRContext &context() {
  static mlir::MLIRContext *shared = [] {
    tt::registerADPasses();
    auto *context = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tt::TTDialect, mlir::func::FuncDialect,
                         mlir::arith::ArithDialect>();
    return context;
  }();
  return *shared;
}

Program::Program(const std::string &text)
    : op(mlir::parseSourceString<mlir::ModuleOp>(text, &context())) {
  if (op)
    return;
  ADD_FAILURE() << "does not parse:\n" << text;
  std::exit(1); // nothing to run
}

template <typename T>
std::vector<AnyTensor<T>> Program::run(const Values &inputs, Options options) {
  std::vector<AnyTensor<T>> converted;
  for (const AnyTensor<double> &input : inputs)
    converted.push_back(convertTo<T>(input));
  Outcome<T> outcome = Interpreter<T>(*op, options).run("f", converted);
  EXPECT_EQ(outcome.error, "");
  if (!outcome.succeeded()) // so that a test that goes on finds something
    outcome.results.resize(8);
  return outcome.results;
}
template std::vector<AnyTensor<float>> Program::run(const Values &, Options);
template std::vector<AnyTensor<double>> Program::run(const Values &, Options);
template std::vector<AnyTensor<std::complex<double>>>
Program::run(const Values &, Options);

std::string Program::errorOf(const Values &inputs, Options options) {
  return Interpreter<double>(*op, options).run("f", inputs).error;
}

Values Program::gradient(const Values &inputs, const Values &cotangents,
                         const std::string &wrt) {
  Derivatives derivatives;
  std::string error;
  Values result;
  if (!derivatives.build(*op, op->lookupSymbol<mlir::func::FuncOp>("f"), wrt, error) ||
      !derivatives.pullBack(inputs, cotangents, result, error)) {
    ADD_FAILURE() << error;
    result.resize(8);
  }
  return result;
}

GradientReport Program::check(const std::string &wrt, const Values &inputs,
                              uint64_t seed) {
  GradientCheckOptions options;
  options.function = "f";
  options.wrt = wrt;
  options.inputs = inputs;
  options.seed = seed;
  return checkGradient(*op, options);
}

Tensor<double> tt::test::pattern(int64_t a, int64_t b, Shape shape) {
  Tensor<double> result(std::move(shape));
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = double((a * i + b) % 129 - 64) / 64;
  return result;
}

Tensor<double> tt::test::full(double value, Shape shape) {
  return Tensor<double>(std::move(shape), value);
}

void tt::test::expectNear(const AnyTensor<double> &got,
                          const std::vector<double> &wanted, double tolerance) {
  size_t count = got.isFloat() ? got.floats().data.size() : got.ints().data.size();
  ASSERT_EQ(count, wanted.size());
  for (size_t i = 0; i < count; ++i) {
    double value = got.isFloat() ? got.floats().data[i] : double(got.ints().data[i]);
    if (value == wanted[i] || (std::isnan(value) && std::isnan(wanted[i])))
      continue;
    EXPECT_NEAR(value, wanted[i], tolerance * (1 + std::fabs(wanted[i])))
        << "element " << i;
  }
}
