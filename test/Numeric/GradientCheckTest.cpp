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

/// A kink beside the point, inside of the first steps: smaller ones pass, and the row
/// says so. At the kink itself (above) none does.
TEST(GradientCheckTest, passesBesideKinks) {
  const std::string relu = R"(func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
    %y = tt.relu %x : tensor<2xf64>
    return %y : tensor<2xf64> })";
  const std::string sort = R"(func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
    %y, %i = tt.sort %x dim = 0 : (tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>)
    %z = tt.square %y : tensor<2xf64>
    return %z : tensor<2xf64> })";
  for (auto &[text, x] : {std::pair(relu, floats({2}, {1e-3, -1e-4})),
                          {sort, floats({2}, {1, 1 + 1e-4})}}) {
    auto report = Program(text).check("all", {x});
    EXPECT_TRUE(report.passed()) << report.table();
    EXPECT_NE(report.table().find("a kink within larger steps than 2^-"), std::string::npos)
        << report.table();
  }
}

/// A query with one key copies its value: nothing depends on q and k, and what rounding
/// leaves of their gradients is small beside phi, not beside itself.
TEST(GradientCheckTest, passesWhereGradientsAreZeroByCancellation) {
  Program program(R"(func.func @f(%q: tensor<1x2x3x4xf64>, %k: tensor<1x1x1x4xf64>, %v: tensor<1x1x1x4xf64>) -> tensor<1x2x3x4xf64> {
    %o, %l = tt.attention %q, %k, %v scale = 0.7 : (tensor<1x2x3x4xf64>, tensor<1x1x1x4xf64>, tensor<1x1x1x4xf64>) -> (tensor<1x2x3x4xf64>, tensor<1x2x3xf64>)
    return %o : tensor<1x2x3x4xf64> })");
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    auto report = program.check("all", {}, seed);
    EXPECT_TRUE(report.passed()) << report.table();
  }
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
