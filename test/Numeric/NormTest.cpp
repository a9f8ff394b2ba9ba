//===- NormTest.cpp - Values of normalizations and linear ops -------------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

static Program layerNorm(const std::string &rows, const std::string &width,
                         const std::string &eps, const std::string &element = "f64") {
  std::string x = "tensor<" + rows + width + "x" + element + ">";
  std::string c = "tensor<" + width + "x" + element + ">";
  std::string stat = element == "f64" ? "f64" : "f32";
  std::string s = "tensor<" + rows + stat + ">";
  return Program("func.func @f(%x: " + x + ", %g: " + c + ", %b: " + c + ") -> " +
                 x + " { %y, %m, %r = tt.layer_norm %x, %g, %b eps = " + eps +
                 " : (" + x + ", " + c + ", " + c + ") -> (" + x + ", " + s + ", " +
                 s + ") return %y : " + x + " }");
}
static Program rmsNorm(const std::string &rows, const std::string &width,
                       const std::string &eps, const std::string &element = "f64") {
  std::string x = "tensor<" + rows + width + "x" + element + ">";
  std::string c = "tensor<" + width + "x" + element + ">";
  std::string stat = element == "f64" ? "f64" : "f32";
  return Program("func.func @f(%x: " + x + ", %g: " + c + ") -> " + x +
                 " { %y, %r = tt.rms_norm %x, %g eps = " + eps + " : (" + x + ", " +
                 c + ") -> (" + x + ", tensor<" + rows + stat + ">) return %y : " +
                 x + " }");
}

TEST(NormTest, layerNormWorkedExample) {
  Program program = layerNorm("1x", "5", "1.0e-5");
  Values g = program.gradient({floats({1, 5}, {1, 2, 3, 4, 6}), full(1, {5}),
                               full(0, {5})},
                              {floats({1, 5}, {.1, -.2, .3, .4, -.5})});
  expectNear(g[0],
             {-.0502688374, -.1806546308, .1539493453, .2560584366, -.1790843138},
             2e-10);
  double sum = 0;
  for (double d : g[0].floats().data)
    sum += d;
  EXPECT_NEAR(sum, 0, 1e-15);
  expectNear(g[2], {.1, -.2, .3, .4, -.5});
}

// eps is positive by the op's text; 1e-300 is 0 to f64.
TEST(NormTest, layerNormJacobian) {
  Program program = layerNorm("1x", "5", "1.0e-300");
  Values g = program.gradient({floats({1, 5}, {1, 2, 3, 4, 6}), full(1, {5}),
                               full(0, {5})},
                              {floats({1, 5}, {1, 0, 0, 0, 0})});
  EXPECT_NEAR(g[0].floats()[0], .2749099565, 1e-10);
  EXPECT_NEAR(g[0].floats()[1], -.2199279652, 1e-10);
}

TEST(NormTest, rmsNormWorkedExample) {
  Program program = rmsNorm("1x", "5", "1.0e-300");
  Values g = program.gradient({floats({1, 5}, {1, 2, 3, 4, 6}), full(1, {5})},
                              {floats({1, 5}, {.1, -.2, .3, .4, -.5})});
  expectNear(g[0],
             {.0308603480, -.0483756806, .0925810439, .1234413918, -.1176029476},
             1e-10);
}

// RF-18: the mean is far above the spread; also in f32 numbers.
TEST(NormTest, layerNormOfLargeMean) {
  Program a = layerNorm("1x", "4", "1.0e-5", "f32");
  Values inputs = {floats({1, 4}, {40000, 40001, 40002, 40003}), full(1, {4}),
                   full(0, {4})};
  std::vector<double> y = {-1.341635, -0.447212, 0.447212, 1.341635};
  expectNear(a.run(inputs)[0], y, 1e-6);
  auto single = a.run<float>(inputs)[0].floats();
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(single[i], y[i], 1e-6);
  expectNear(a.gradient(inputs, {floats({1, 4}, {1, 0, 0, 0})})[0],
             {0.26833, -0.357768, -0.089443, 0.178882}, 1e-6);

  Program b = layerNorm("1x", "16", "1.0e-5", "f32");
  Tensor<double> x({1, 16});
  for (int i = 0; i < 16; ++i)
    x[i] = double(float(10000 + 0.001 * i));
  auto result = b.run({x, full(1, {16}), full(0, {16})})[0].floats();
  EXPECT_NEAR(result[0], -1.33133, 1e-5);
  EXPECT_NEAR(result[8], 0.08876, 1e-5);
  EXPECT_NEAR(result[15], 1.33133, 1e-5);
}

TEST(NormTest, rmsNormOfZeroRow) { // RF-15 C
  Program program = rmsNorm("1x", "4", "1.0e-6");
  Values inputs = {full(0, {1, 4}), full(1, {4})};
  expectNear(program.run(inputs)[0], {0, 0, 0, 0});
  expectNear(program.gradient(inputs, {floats({1, 4}, {1, 0, 0, 0})})[0],
             {1000, 0, 0, 0});
}

TEST(NormTest, rmsNormInHalfPrecision) { // RF-19
  Options typed;
  typed.mode = Mode::Typed;
  Program f16 = rmsNorm("1x", "2", "1.0e-5", "f16");
  Values inputs = {floats({1, 2}, {300, 400}), full(1, {2})};
  expectNear(f16.run(inputs, typed)[0], {0.848528, 1.131371}, 1e-3);
  Values g = f16.gradient(inputs, {floats({1, 2}, {1, 0})}, "0");
  expectNear(g[0], {0.00181019, -0.00135765}, 1e-8);
  // The product with the weight is formed wide and rounded once.
  Program bf16 = rmsNorm("1x", "2", "1.0e-5", "bf16");
  auto y = bf16.run({floats({1, 2}, {1, 4}), floats({2}, {1.375, 1})}, typed);
  EXPECT_EQ(y[0].floats()[0], 0.470703125);
}

TEST(NormTest, rmsNormOfTwoRows) { // RF-32 B
  Program program = rmsNorm("2x", "3", "1.0e-6");
  Values inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({3}, {1, 0.5, 2})};
  Values g = program.gradient(inputs, {floats({2, 3}, {1, 0, 0, 0, 1, 0})});
  expectNear(g[0], {0.429845, -0.06613, -0.099195, -0.025634, 0.06665, -0.038452},
             1e-6);
  expectNear(g[1], {0.46291, 0.986928, 0}, 1e-6);
}

TEST(NormTest, matmulAndLinear) {
  Program program(R"(func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>, %c: tensor<2xf64>)
      -> (tensor<2x2xf64>, tensor<3x3xf64>, tensor<2x2xf64>, tensor<2x2xf64>) {
    %0 = tt.matmul %a, %b : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
    %1 = tt.matmul %a, %b transpose_lhs transpose_rhs : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<3x3xf64>
    %2 = tt.linear in_out %a, %b, %c : (tensor<2x3xf64>, tensor<3x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
    %t = tt.transpose %b permutation = [1, 0] : (tensor<3x2xf64>) -> tensor<2x3xf64>
    %3 = tt.linear out_in %a, %t, %c : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>) -> tensor<2x2xf64>
    return %0, %1, %2, %3 : tensor<2x2xf64>, tensor<3x3xf64>, tensor<2x2xf64>, tensor<2x2xf64> })");
  auto r = program.run({floats({2, 3}, {1, 2, 3, 4, 5, 6}),
                        floats({3, 2}, {1, -1, 0, 2, 3, 0.5}),
                        floats({2}, {10, 20})});
  expectNear(r[0], {10, 4.5, 22, 9});
  expectNear(r[1], {-3, 8, 5, -3, 10, 8.5, -3, 12, 12});
  expectNear(r[2], {20, 24.5, 32, 29});
  expectNear(r[3], {20, 24.5, 32, 29});
}

// RF-29 C: the bias gradient sums 4096 rows of bf16 ones.
TEST(NormTest, longBiasGradient) {
  Program program(R"(func.func @f(%x: tensor<4096x1xbf16>, %w: tensor<1x2xbf16>, %b: tensor<2xbf16>) -> tensor<4096x2xbf16> {
    %y = tt.linear in_out %x, %w, %b : (tensor<4096x1xbf16>, tensor<1x2xbf16>, tensor<2xbf16>) -> tensor<4096x2xbf16>
    return %y : tensor<4096x2xbf16> })");
  Values g = program.gradient({full(1, {4096, 1}), full(1, {1, 2}), full(0, {2})},
                              {full(1, {4096, 2})}, "2");
  expectNear(g[0], {4096, 4096}, 0);
}
