//===- ValueTest.cpp - The rows of the value table ------------------------===//
#include "ValueTable.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

namespace {
class ValueTest : public testing::TestWithParam<ValueCase> {};
} // namespace

/// The same number, zeros with the same sign; sines and logarithms to their rounding.
static bool isSame(double got, double wanted, double tolerance) {
  if (std::isnan(wanted))
    return std::isnan(got);
  if (got == wanted)
    return wanted != 0 || std::signbit(got) == std::signbit(wanted);
  return std::fabs(got - wanted) <= tolerance * std::fabs(wanted);
}

static void expectSame(const Values &got, const Values &wanted, double tolerance) {
  ASSERT_GE(got.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(got[i].isFloat(), wanted[i].isFloat()) << "value " << i;
    if (!wanted[i].isFloat()) {
      EXPECT_EQ(got[i].ints().shape, wanted[i].ints().shape);
      EXPECT_EQ(got[i].ints().data, wanted[i].ints().data) << "value " << i;
      continue;
    }
    EXPECT_EQ(got[i].floats().shape, wanted[i].floats().shape);
    ASSERT_EQ(got[i].floats().size(), wanted[i].floats().size());
    for (int64_t k = 0; k < wanted[i].floats().size(); ++k)
      EXPECT_TRUE(isSame(got[i].floats()[k], wanted[i].floats()[k], tolerance))
          << "value " << i << ", element " << k << ": " << got[i].floats()[k] << ", wanted "
          << wanted[i].floats()[k];
  }
}

TEST_P(ValueTest, isAsWorkedOut) {
  const ValueCase &row = GetParam();
  Program program(row.text);
  double tolerance = row.text.find("random_normal") == std::string::npos ? 0 : 1e-14;
  expectSame(program.run(row.inputs), row.results, tolerance);
  if (row.gradients.empty())
    return;
  Values cotangents;
  for (const AnyTensor<double> &result : row.results)
    if (result.isFloat()) {
      Tensor<double> cotangent(result.floats().shape);
      for (int64_t k = 0; k < cotangent.size(); ++k)
        cotangent[k] = double(k + 1);
      cotangents.push_back(cotangent);
    }
  // A cotangent of 0 has no sign that the texts state.
  Values gradients = program.gradient(row.inputs, cotangents);
  for (AnyTensor<double> &gradient : gradients)
    if (gradient.isFloat())
      for (double &x : gradient.floats().data)
        x += 0.0;
  expectSame(gradients, row.gradients, 0);
}

INSTANTIATE_TEST_SUITE_P(AllOps, ValueTest, testing::ValuesIn(valueTable()),
                         [](const auto &info) { return info.param.name; });
