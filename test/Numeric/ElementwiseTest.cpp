//===- ElementwiseTest.cpp - Values of elementwise ops --------------------===//
#include "Program.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Runs `tt.OP` on a vector.
static AnyTensor<double> unary(const std::string &op, std::vector<double> x,
                               Options options = {},
                               const std::string &element = "f64") {
  std::string t = "tensor<" + std::to_string(x.size()) + "x" + element + ">";
  Program program("func.func @f(%x: " + t + ") -> " + t + " { %y = tt." + op +
                  " %x : " + t + " return %y : " + t + " }");
  int64_t count = int64_t(x.size());
  return program.run({floats({count}, std::move(x))}, options)[0];
}
static AnyTensor<double> binary(const std::string &op, std::vector<double> x,
                                std::vector<double> y) {
  std::string t = "tensor<" + std::to_string(x.size()) + "xf64>";
  Program program("func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                  " { %z = tt." + op + " %x, %y : " + t + " return %z : " + t +
                  " }");
  int64_t count = int64_t(x.size());
  return program.run({floats({count}, std::move(x)), floats({count}, std::move(y))})[0];
}

TEST(ElementwiseTest, arithmetic) {
  expectNear(binary("add", {1, 2}, {0.5, -2}), {1.5, 0});
  expectNear(binary("sub", {1, 2}, {0.5, -2}), {0.5, 4});
  expectNear(binary("mul", {1, 2}, {0.5, -2}), {0.5, -4});
  expectNear(binary("div", {1, 2, 1, 0}, {0.5, -2, 0, 0}), {2, -1, kInf, kNaN});
  expectNear(unary("neg", {1, -2, 0}), {-1, 2, 0});
  expectNear(unary("abs", {1, -2, 0, -kInf}), {1, 2, 0, kInf});
  expectNear(unary("square", {3, -2}), {9, 4});
  expectNear(unary("reciprocal", {4, -0.5, 0}), {0.25, -2, kInf});
  expectNear(unary("sqrt", {4, 2, 0, -1}), {2, std::sqrt(2.0), 0, kNaN});
  expectNear(unary("rsqrt", {4, 0}), {0.5, kInf});
}

TEST(ElementwiseTest, extremaAndNaN) {
  expectNear(binary("maximum", {1, 2, kNaN, 1, -kInf}, {3, -1, 1, kNaN, 0}),
             {3, 2, kNaN, kNaN, 0});
  expectNear(binary("minimum", {1, 2, kNaN, 1, -kInf}, {3, -1, 1, kNaN, 0}),
             {1, -1, kNaN, kNaN, -kInf});
  expectNear(unary("relu", {-1, 0, 2, kNaN}), {0, 0, 2, kNaN});
}

TEST(ElementwiseTest, functions) {
  expectNear(unary("exp", {0, 1, -1, 1000, -1000}),
             {1, M_E, 1 / M_E, kInf, 0});
  expectNear(unary("log", {1, M_E, 0, -1}), {0, 1, -kInf, kNaN});
  expectNear(unary("tanh", {0, 0.5, -40}), {0, 0.46211715726000975, -1});
  expectNear(unary("sigmoid", {0, 2, -1000, 1000}),
             {0.5, 0.88079707797788244, 0, 1});
  expectNear(unary("sin", {0, M_PI / 6}), {0, 0.5});
  expectNear(unary("cos", {0, M_PI / 3}), {1, 0.5});
  expectNear(unary("erf", {0, 1, -1}),
             {0, 0.84270079294971487, -0.84270079294971487});
}

TEST(ElementwiseTest, gelu) {
  expectNear(unary("gelu erf", {0, 1, -1, 2}),
             {0, 0.84134474606854293, -0.15865525393145707, 1.9544997361036416});
  expectNear(unary("gelu tanh", {0, 1, -1, 2}),
             {0, 0.84119199060827676, -0.15880800939172324, 1.9545976940877752});
  // Phi(1) + phi(1), times the cotangent.
  expectNear(binary("gelu_bwd erf", {1, 0}, {2, 3}),
             {2 * (0.84134474606854293 + 0.24197072451914337), 1.5});
}

// RF-16: large inputs. Values are given to 6 digits there.
TEST(ElementwiseTest, siluAndSwigluAtLargeInputs) {
  std::vector<double> x = {-1000, -100, -20, 0, 20, 88, 100, 1000};
  std::vector<double> value = {0,  -3.72008e-42, -4.12231e-08, 0,
                               20, 88,           100,          1000};
  std::vector<double> slope = {0, -3.68288e-42, -3.91619e-08, 0.5, 1, 1, 1, 1};
  auto silu = unary("silu", x);
  auto bwd = binary("silu_bwd", x, std::vector<double>(8, 1));
  auto swiglu = binary("swiglu", x, std::vector<double>(8, 2));
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(silu.floats()[i], value[i], 1e-5 * std::fabs(value[i]));
    EXPECT_NEAR(bwd.floats()[i], slope[i], 1e-5 * std::fabs(slope[i]));
    EXPECT_NEAR(swiglu.floats()[i], 2 * value[i], 2e-5 * std::fabs(value[i]));
  }
  // The same in f32 numbers: nothing is NaN or infinite.
  Program program(R"(func.func @f(%x: tensor<8xf32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %y = tt.swiglu %x, %u : tensor<8xf32>
    %d = tt.silu_bwd %x, %u : tensor<8xf32>
    return %y, %d : tensor<8xf32>, tensor<8xf32> })");
  for (auto &result : program.run<float>({floats({8}, x), full(2, {8})}))
    for (float y : result.floats().data)
      EXPECT_TRUE(std::isfinite(y));
}

TEST(ElementwiseTest, swigluGradientAtLargeInputs) {
  Program program(R"(func.func @f(%x: tensor<8xf64>, %u: tensor<8xf64>) -> tensor<8xf64> {
    %y = tt.swiglu %x, %u : tensor<8xf64>
    return %y : tensor<8xf64> })");
  Tensor<double> x = floats({8}, {-1000, -100, -20, 0, 20, 88, 100, 1000});
  Values g = program.gradient({x, full(2, {8})}, {full(1, {8})});
  expectNear(g[0], {0, -7.36576e-42, -7.83238e-08, 1, 2, 2, 2, 2}, 1e-7);
  expectNear(g[1], {0, -3.72008e-42, -4.12231e-08, 0, 20, 88, 100, 1000}, 1e-8);
}

// Ties and kinks have one stated derivative.
TEST(ElementwiseTest, derivativesAtKinks) {
  auto slope = [](const std::string &op, double x) {
    Program program("func.func @f(%x: tensor<f64>) -> tensor<f64> { %y = tt." +
                    op + " %x : tensor<f64> return %y : tensor<f64> }");
    return program.gradient({floats({}, {x})}, {floats({}, {1})})[0].floats()[0];
  };
  EXPECT_EQ(slope("relu", 0), 0);
  EXPECT_EQ(slope("relu", 1e-300), 1);
  EXPECT_EQ(slope("abs", 0), 0);
  EXPECT_EQ(slope("abs", -2), -1);
  EXPECT_EQ(slope("sqrt", 0), kInf);
  for (const char *op : {"maximum", "minimum"}) {
    Program program(std::string("func.func @f(%x: tensor<1xf64>, %y: tensor<1xf64>) "
                                "-> tensor<1xf64> { %z = tt.") +
                    op + " %x, %y : tensor<1xf64> return %z : tensor<1xf64> }");
    Values g = program.gradient({full(1, {1}), full(1, {1})}, {full(1, {1})});
    expectNear(g[0], {1});
    expectNear(g[1], {0});
  }
}

TEST(ElementwiseTest, compareSelectCast) {
  Program program(R"(func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>)
      -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf64>) {
    %lt = tt.compare lt %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %ne = tt.compare ne %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %ge = tt.compare ge %x, %y : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %z = tt.select %lt, %x, %y : tensor<4xi1>, tensor<4xf64>
    return %lt, %ne, %ge, %z : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf64> })");
  auto r = program.run({floats({4}, {1, 2, kNaN, 3}), floats({4}, {2, 2, 1, -1})});
  expectNear(r[0], {1, 0, 0, 0});
  expectNear(r[1], {1, 0, 1, 1});
  expectNear(r[2], {0, 1, 0, 1});
  expectNear(r[3], {1, 2, 1, -1});

  Program casts(R"(func.func @f(%x: tensor<4xf64>) -> (tensor<4xi32>, tensor<4xi8>, tensor<4xf64>, tensor<4xf64>) {
    %i = tt.cast %x : tensor<4xf64> to tensor<4xi32>
    %n = tt.cast %i : tensor<4xi32> to tensor<4xi8>
    %b = tt.compare gt %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %t = tt.compare eq %x, %x : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
    %bf = tt.cast %b : tensor<4xi1> to tensor<4xf64>
    %tf = tt.cast %t : tensor<4xi1> to tensor<4xf64>
    return %i, %n, %bf, %tf : tensor<4xi32>, tensor<4xi8>, tensor<4xf64>, tensor<4xf64> })");
  r = casts.run({floats({4}, {1.9, -1.9, 300, -129})});
  expectNear(r[0], {1, -1, 300, -129});
  expectNear(r[1], {1, -1, 44, 127});
  expectNear(r[2], {0, 0, 0, 0});
  expectNear(r[3], {1, 1, 1, 1});
}

// RF-14 B: the guarded form has a finite gradient.
TEST(ElementwiseTest, guardedSingularity) {
  Program program(R"(func.func @f(%x: tensor<3xf64>) -> tensor<f64> {
    %half = tt.constant dense<0.5> : tensor<3xf64>
    %one = tt.constant dense<1.0> : tensor<3xf64>
    %zero = tt.constant dense<0.0> : tensor<3xf64>
    %c = tt.compare gt %x, %half : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %xs = tt.select %c, %x, %one : tensor<3xi1>, tensor<3xf64>
    %s = tt.sqrt %xs : tensor<3xf64>
    %y = tt.select %c, %s, %zero : tensor<3xi1>, tensor<3xf64>
    %r = tt.sum %y dims = [0] : (tensor<3xf64>) -> tensor<f64>
    return %r : tensor<f64> })");
  Values g = program.gradient({floats({3}, {4, 0, 1})}, {full(1, {})});
  expectNear(g[0], {0.25, 0, 0.5});
}

// RF-20: parameters of equal value keep their own gradients.
TEST(ElementwiseTest, equalParameters) {
  for (const char *op : {"add", "mul"}) {
    Program program(std::string("func.func @f(%a: tensor<f64>, %b: tensor<f64>) -> "
                                "tensor<f64> { %c = tt.") +
                    op + " %a, %b : tensor<f64> return %c : tensor<f64> }");
    double wanted = op == std::string("add") ? 1 : 3;
    Values g = program.gradient({full(3, {}), full(3, {})}, {full(1, {})});
    expectNear(g[0], {wanted});
    expectNear(g[1], {wanted});
  }
}

//===----------------------------------------------------------------------===//
// Typed mode
//===----------------------------------------------------------------------===//

/// x + 0 in a type: rounds x to it.
static AnyTensor<double> roundedTo(const std::string &element,
                                   std::vector<double> x) {
  Options typed;
  typed.mode = Mode::Typed;
  return unary("neg", std::move(x), typed, element);
}

TEST(ElementwiseTest, roundsToNearestEven) {
  expectNear(roundedTo("bf16", {1.00390625, 1.01171875, 1.001, 3.39e38, 1e39}),
             {-1.0, -1.015625, -1.0, -3.3895313892515355e38, -kInf}, 0);
  expectNear(roundedTo("bf16", {1e-6}), {-9.98377799987793e-07}, 0);
  expectNear(roundedTo("f16", {1e-6, 2e-8, 65519, 65520, 2049, 2051, -2e-8}),
             {-17 * 0x1p-24, 0, -65504, -kInf, -2048, -2052, 0}, 0);
  expectNear(roundedTo("f16", {1e-8 * 65536}), {-9.997165761888027e-09 * 65536}, 0);
  expectNear(roundedTo("f32", {1 + 0x1p-24, 1 + 0x1.8p-23, 1e-45, 1e39}),
             {-1, -(1 + 0x1p-22), -double(1e-45f), -kInf}, 0);
  // A value between f32 and bf16 ties is rounded once, not twice.
  expectNear(roundedTo("bf16", {1 + 0x1p-8 + 0x1p-40}), {-(1 + 0x1p-7)}, 0);
}

TEST(ElementwiseTest, idealModeKeepsWhatCastsLose) {
  Program program(R"(func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
    %a = tt.cast %x : tensor<1xf32> to tensor<1xbf16>
    %b = tt.cast %a : tensor<1xbf16> to tensor<1xf32>
    return %b : tensor<1xf32> })");
  Options typed;
  typed.mode = Mode::Typed;
  expectNear(program.run({full(1.001, {1})})[0], {1.001}, 0);
  expectNear(program.run({full(1.001, {1})}, typed)[0], {1}, 0);
}
