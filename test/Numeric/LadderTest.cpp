//===- LadderTest.cpp - Derivative rules of every row of the op table -----===//
//
// Taylor slope, dot product, complex step and central differences.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

#include <cstdlib>

using namespace tt::test;

namespace {
class LadderTest : public testing::TestWithParam<OpCase> {};

} // namespace

TEST_P(LadderTest, passes) {
  Program program(GetParam().text);
  const char *seed = std::getenv("TT_NUMERIC_SEED"); // for runs by hand
  auto report = program.check(GetParam().wrt, GetParam().inputs,
                              seed ? std::strtoull(seed, nullptr, 10) : 1);
  EXPECT_EQ(report.error, "");
  EXPECT_TRUE(report.passed()) << report.table();
}

INSTANTIATE_TEST_SUITE_P(AllOps, LadderTest, testing::ValuesIn(opTable()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Edges, LadderTest, testing::ValuesIn(edgeTable()),
                         [](const auto &info) { return info.param.name; });
