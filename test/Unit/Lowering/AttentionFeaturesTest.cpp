//===- AttentionFeaturesTest.cpp - Attention kernels against the formula --===//
//
// Random combinations of everything that tt.attention can do, forward and
// adjoint: the kernel at every level, in two schedules, against the reference
// interpreter in f64.
//
//===----------------------------------------------------------------------===//
#include "../../Common/AttentionCase.h"
#include "KernelHarness.h"
#include "tt/Reference/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <cmath>

using namespace tt::cpu;
using namespace mlir;
using tt::reference::AnyTensor;
using tt::reference::Random;
using tt::test::AttentionCase;

namespace {

using Values = std::vector<AnyTensor<double>>;

class AttentionFeaturesTest : public KernelTest,
                              public testing::WithParamInterface<int> {
protected:
  AttentionFeaturesTest() { context.loadDialect<func::FuncDialect>(); }

  Values interpret(const std::string &text, const Values &inputs) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    auto outcome = tt::reference::Interpreter<double>(*module).run("f", inputs);
    EXPECT_EQ(outcome.error, "");
    return outcome.results;
  }

  static OperandBuffer asBuffer(const AnyTensor<double> &value) {
    if (value.isFloat())
      return OperandBuffer::of(std::vector<float>(value.floats().data.begin(),
                                                  value.floats().data.end()));
    return OperandBuffer::of(
        std::vector<int32_t>(value.ints().data.begin(), value.ints().data.end()));
  }
  static std::vector<OperandBuffer> asBuffers(const Values &values) {
    std::vector<OperandBuffer> buffers;
    for (const AnyTensor<double> &value : values)
      buffers.push_back(asBuffer(value));
    return buffers;
  }

  static void expectResults(const std::vector<OperandBuffer> &found, const Values &wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    double largest = 1; // gradients cancel, so not below the terms
    for (const auto &value : wanted)
      for (double x : value.floats().data)
        if (std::isfinite(x))
          largest = std::max(largest, std::fabs(x));
    for (size_t r = 0; r < wanted.size(); ++r) {
      const std::vector<double> &truth = wanted[r].floats().data;
      ASSERT_EQ(found[r].bytes(), truth.size() * sizeof(float));
      for (size_t i = 0; i < truth.size(); ++i) {
        if (std::isinf(truth[i]))
          ASSERT_EQ(double(found[r][i]), truth[i]) << "result " << r << '[' << i << ']';
        else
          // A few roundings of 2^-24 each, relative to the largest element.
          ASSERT_NEAR(found[r][i], truth[i], 2e-6 * largest)
              << "result " << r << '[' << i << ']';
      }
    }
  }

  /// Forward and adjoint of a case. `schedules`: another one gives the same bits.
  void check(AttentionCase c, const Values &inputs, Random &random, bool schedules) {
    SCOPED_TRACE(c.name());
    c.element = "f32";
    Values results = interpret(c.forward(), inputs);
    std::vector<OperandBuffer> arguments = asBuffers(inputs);
    auto forward = run(c.forwardKernel(), arguments);
    ASSERT_EQ(forward.size(), 2u);
    expectResults(forward, results);
    if (schedules)
      EXPECT_TRUE(run(c.forwardKernel("{alternate}"), arguments) == forward);

    // The adjoint from the same rounded output and lse for both.
    Values all = inputs;
    for (size_t r = 0; r < 2; ++r) {
      auto rounded = results[r].floats();
      for (double &x : rounded.data)
        x = double(float(x));
      all.push_back(rounded);
    }
    all.push_back(c.likeOutput(random));
    all.push_back(c.likeLse(random));
    Values gradients = interpret(c.adjoint(), all);
    auto adjoint = run(c.adjointKernel(), asBuffers(all));
    expectResults(adjoint, gradients);
    if (schedules)
      EXPECT_TRUE(run(c.adjointKernel("{alternate}"), asBuffers(all)) == adjoint);
  }
};

/// Five combinations; compiling is what takes the time.
TEST_P(AttentionFeaturesTest, RandomCombinations) {
  Random random(2026 + GetParam());
  for (int i = 0; i < 5; ++i) {
    AttentionCase c = AttentionCase::random(random);
    check(c, c.inputs(random), random, /*schedules=*/i % 3 == 0);
    if (HasFatalFailure())
      return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, AttentionFeaturesTest, testing::Range(0, 12));

} // namespace
