//===- TwinSizesTest.cpp - Rules of sizes for every row of the op table ---===//
//
// Each form of an op that the table has (operands that may be absent or have one of
// several ranks) takes other sizes: its function and its adjoint pair can be shrunk.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

#include "tt/Certify/DimGraph.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace tt::test;

namespace {
class TwinSizesTest : public testing::TestWithParam<OpCase> {};
} // namespace

TEST_P(TwinSizesTest, everyOpHasARule) {
  Program program(GetParam().text);
  mlir::PassManager passes(program.module().getContext());
  ASSERT_TRUE(succeeded(mlir::parsePassPipeline(
      "tt-expand-repeat,tt-autodiff{function=f allow-unreached=true wrt=" + GetParam().wrt +
          "}",
      passes)));
  ASSERT_TRUE(succeeded(passes.run(program.module())));
  std::string error;
  EXPECT_TRUE(tt::certify::DimGraph().build(program.module(), error)) << error;
}

INSTANTIATE_TEST_SUITE_P(Edges, TwinSizesTest, testing::ValuesIn(edgeTable()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(AllOps, TwinSizesTest, testing::ValuesIn(opTable()),
                         [](const auto &info) { return info.param.name; });
