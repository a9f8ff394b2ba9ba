//===- FaultsTest.cpp - Faults of other systems, on every path ------------===//
//
// Each file of Inputs/ is a case with right values. The interpreter must give
// them, values and gradients; compiled code must agree with the interpreter in
// every way it can be compiled: fused or not, each schedule, checkpoint policy
// and level, 1, 2 and 4 threads.
//
//===----------------------------------------------------------------------===//
#include "../../Common/InputFiles.h"
#include "FaultFile.h"

#include "tt/AD/Passes.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Pipelines/LoadModule.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;
using namespace tt::test;

namespace {

class FaultsTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    registerADPasses();
    loadGraphDialects(context);
    std::string error;
    ASSERT_TRUE(fault.read(context, GetParam(), error)) << GetParam() << ": " << error;
  }
  void expectRight(const RightValue &right, const AnyTensor<double> &found);
  void expectClose(const RightValue &right, double found, double wanted);

  mlir::MLIRContext context;
  FaultFile fault;
};

void FaultsTest::expectClose(const RightValue &right, double found, double wanted) {
  if (found == wanted || (std::isnan(found) && std::isnan(wanted)))
    return;
  EXPECT_LE(std::fabs(found - wanted), fault.tolerance * (1 + std::fabs(wanted)))
      << right.line << ": found " << found << ", wanted " << wanted;
}

void FaultsTest::expectRight(const RightValue &right, const AnyTensor<double> &found) {
  auto at = [&](int64_t i) {
    return found.isFloat() ? found.floats()[i] : double(found.ints().data[i]);
  };
  std::string error;
  AnyTensor<double> wanted = Tensor<double>(Shape());
  bool isWhole = right.form == RightValue::All;
  auto scalar = mlir::RankedTensorType::get({}, mlir::Float64Type::get(&context));
  auto whole = mlir::RankedTensorType::get(found.shape(), mlir::Float64Type::get(&context));
  ASSERT_TRUE(parseNumbers(right.numbers, isWhole ? whole : scalar, wanted, error)) << error;
  int64_t count = wanted.floats().size();
  if (isWhole) {
    for (int64_t i = 0; i < count; ++i)
      expectClose(right, at(i), wanted.floats()[i]);
  } else if (right.form == RightValue::At) {
    expectClose(right, at(right.element), wanted.floats()[0]);
  } else {
    double sum = 0;
    for (double x : found.floats().data)
      sum += std::fabs(x);
    expectClose(right, sum, wanted.floats()[0]);
  }
}

TEST_P(FaultsTest, interpreterGivesTheRightValues) {
  auto outcome = Interpreter<double>(*fault.module).run("f", fault.inputs);
  ASSERT_EQ(outcome.error, "");
  Values gradients;
  Derivatives derivatives;
  std::string error;
  bool wantsGradients = llvm::any_of(fault.right, [](auto &r) { return r.isGradient; });
  if (wantsGradients) {
    ASSERT_TRUE(derivatives.build(*fault.module, fault.function, "all", error)) << error;
    ASSERT_TRUE(derivatives.pullBack(fault.inputs, fault.cotangents, gradients, error))
        << error;
  }
  for (const RightValue &right : fault.right) {
    if (!right.isGradient) {
      ASSERT_LT(right.index, outcome.results.size());
      expectRight(right, outcome.results[right.index]);
      continue;
    }
    auto found = llvm::find(derivatives.active(), int64_t(right.index));
    ASSERT_NE(found, derivatives.active().end()) << right.line << ": no gradient";
    expectRight(right, gradients[size_t(found - derivatives.active().begin())]);
  }
}

TEST_P(FaultsTest, compiledAgreesInEveryWay) {
  check::CompiledCheckOptions options;
  for (const AnyTensor<double> &input : fault.inputs)
    options.inputs.push_back(input);
  check::CompiledReport report = check::checkCompiled(fault.function, options);
  EXPECT_TRUE(report.passed()) << report.error << "\n" << report.table();
}

INSTANTIATE_TEST_SUITE_P(Reported, FaultsTest,
                         testing::ValuesIn(test::inputFiles(TT_FAULT_INPUTS)), test::inputName);

} // namespace
