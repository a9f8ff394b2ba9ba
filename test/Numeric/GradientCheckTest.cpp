//===- GradientCheckTest.cpp - The check finds wrong derivatives ----------===//
#include "Program.h"

using namespace tt::test;
using namespace tt::reference;

/// A kink inside the step, in one element: derivatives differ on both sides.
TEST(GradientCheckTest, failsAtKink) {
  Program program(R"(func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
    %y = tt.relu %x : tensor<2xf64>
    return %y : tensor<2xf64> })");
  EXPECT_TRUE(program.check("all", {floats({2}, {1, -1})}).passed());
  auto report = program.check("all", {floats({2}, {0, -1})});
  EXPECT_EQ(report.error, "");
  EXPECT_FALSE(report.passed()) << report.table();
}

/// The derivative of a float that went through an integer is cut: finite
/// differences see steps of 0, the complex step is refused by name.
TEST(GradientCheckTest, namesOpsWithoutComplexForm) {
  Program program(R"(func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
    %i = tt.cast %x : tensor<3xf64> to tensor<3xi32>
    %r = tt.cast %i : tensor<3xi32> to tensor<3xf64>
    %y = tt.add %x, %r : tensor<3xf64>
    return %y : tensor<3xf64> })");
  auto report = program.check("all", {floats({3}, {0.4, 1.5, -2.5})});
  EXPECT_TRUE(report.passed()) << report.table();
  EXPECT_NE(report.table().find("'tt.cast' op to an integer has no complex form"),
            std::string::npos)
      << report.table();
}

TEST(GradientCheckTest, reportsMissingRules) {
  Program program(R"(func.func @f(%x: tensor<3xf64>) -> tensor<f64> {
    %y = tt.sum_squares %x : tensor<3xf64> -> tensor<f64>
    return %y : tensor<f64> })");
  EXPECT_NE(program.check().error.find("tt.sum_squares"), std::string::npos)
      << program.check().error;
}

TEST(GradientCheckTest, refusesUnknownFunction) {
  Program program("func.func @g(%x: tensor<f64>) -> tensor<f64> { return %x : tensor<f64> }");
  EXPECT_EQ(program.check().error, "expected a function @f with a body");
}

TEST(GradientCheckTest, tableNamesChecksAndDirections) {
  Program program(R"(func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
    %z = tt.div %x, %y : tensor<3xf64>
    return %z : tensor<3xf64> })");
  auto report = program.check();
  EXPECT_TRUE(report.passed()) << report.table();
  EXPECT_EQ(report.rows.size(), 4u * (3 + 2));
  for (const char *text : {"taylor", "dot", "complex", "central", "argument 1"})
    EXPECT_NE(report.table().find(text), std::string::npos);
}
