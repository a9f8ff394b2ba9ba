//===- ShapeTest.cpp - Values of shape and reduction ops ------------------===//
#include "Program.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

static const Tensor<double> kSix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

/// Runs one op of the given operand and result types on one value.
static AnyTensor<double> apply(const std::string &op, const Tensor<double> &x,
                               const std::string &from, const std::string &to,
                               bool isFunctional = true) {
  std::string types = isFunctional ? "(" + from + ") -> " + to : from + " -> " + to;
  Program program("func.func @f(%x: " + from + ") -> " + to + " { %y = tt." + op +
                  " : " + types + " return %y : " + to + " }");
  return program.run({x})[0];
}

TEST(ShapeTest, movesElements) {
  expectNear(apply("transpose %x permutation = [1, 0]", kSix, "tensor<2x3xf64>",
                   "tensor<3x2xf64>"),
             {1, 4, 2, 5, 3, 6});
  expectNear(apply("reshape %x", kSix, "tensor<2x3xf64>", "tensor<3x2xf64>", false),
             {1, 2, 3, 4, 5, 6});
  expectNear(apply("slice %x dim = 1 start = 1 size = 2", kSix, "tensor<2x3xf64>",
                   "tensor<2x2xf64>"),
             {2, 3, 5, 6});
  expectNear(apply("pad %x dim = 0 low = 1 high = 0", kSix, "tensor<2x3xf64>",
                   "tensor<3x3xf64>"),
             {0, 0, 0, 1, 2, 3, 4, 5, 6});
  expectNear(apply("pad %x dim = 1 low = 0 high = 1", kSix, "tensor<2x3xf64>",
                   "tensor<2x4xf64>"),
             {1, 2, 3, 0, 4, 5, 6, 0});
  expectNear(apply("broadcast %x dims = [0, 2]", kSix, "tensor<2x3xf64>",
                   "tensor<2x2x3xf64>", false),
             {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  expectNear(apply("transpose %x permutation = [2, 0, 1]",
                   floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}), "tensor<1x2x3xf64>",
                   "tensor<3x1x2xf64>"),
             {1, 4, 2, 5, 3, 6});
}

TEST(ShapeTest, concatOfFloatsAndIntegers) {
  Program program(R"(func.func @f(%a: tensor<2x1xf64>, %b: tensor<2x2xf64>, %i: tensor<1xi32>, %j: tensor<2xi32>)
      -> (tensor<2x3xf64>, tensor<3xi32>) {
    %y = tt.concat %a, %b dim = 1 : (tensor<2x1xf64>, tensor<2x2xf64>) -> tensor<2x3xf64>
    %k = tt.concat %i, %j dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    return %y, %k : tensor<2x3xf64>, tensor<3xi32> })");
  auto r = program.run({floats({2, 1}, {1, 2}), floats({2, 2}, {3, 4, 5, 6}),
                        ints({1}, {7}), ints({2}, {8, 9})});
  expectNear(r[0], {1, 3, 4, 2, 5, 6});
  expectNear(r[1], {7, 8, 9});
}

TEST(ShapeTest, takeAndIota) {
  Program program(R"(func.func @f(%x: tensor<2x3xf64>, %i: tensor<i32>) -> (tensor<2xf64>, tensor<2x3xi32>) {
    %y = tt.take %x, %i dim = 1 : (tensor<2x3xf64>, tensor<i32>) -> tensor<2xf64>
    %k = tt.iota dim = 1 : tensor<2x3xi32>
    return %y, %k : tensor<2xf64>, tensor<2x3xi32> })");
  expectNear(program.run({kSix, ints({}, {2})})[0], {3, 6});
  expectNear(program.run({kSix, ints({}, {3})})[0], {0, 0});
  expectNear(program.run({kSix, ints({}, {-1})})[0], {0, 0});
  expectNear(program.run({kSix, ints({}, {0})})[1], {0, 1, 2, 0, 1, 2});
  Options strict;
  strict.strictIndices = true;
  EXPECT_NE(program.errorOf({kSix, ints({}, {3})}, strict)
                .find("'tt.take' op expected an index in [0, 3), but got 3"),
            std::string::npos);
}

TEST(ShapeTest, constants) {
  Program program(R"(func.func @f() -> (tensor<2xf32>, tensor<2xi1>, tensor<3xbf16>, tensor<2xi64>) {
    %a = tt.constant dense<[1.5, -2.0]> : tensor<2xf32>
    %b = tt.constant dense<[true, false]> : tensor<2xi1>
    %c = arith.constant dense<0.5> : tensor<3xbf16>
    %d = tt.constant dense<[-1, 7]> : tensor<2xi64>
    return %a, %b, %c, %d : tensor<2xf32>, tensor<2xi1>, tensor<3xbf16>, tensor<2xi64> })");
  auto r = program.run({});
  expectNear(r[0], {1.5, -2});
  expectNear(r[1], {1, 0});
  expectNear(r[2], {0.5, 0.5, 0.5});
  expectNear(r[3], {-1, 7});
}

TEST(ShapeTest, reductions) {
  expectNear(apply("sum %x dims = [0]", kSix, "tensor<2x3xf64>", "tensor<3xf64>"),
             {5, 7, 9});
  expectNear(apply("sum %x dims = [0, 1]", kSix, "tensor<2x3xf64>", "tensor<f64>"),
             {21});
  expectNear(apply("sum %x dims = []", kSix, "tensor<2x3xf64>", "tensor<2x3xf64>"),
             {1, 2, 3, 4, 5, 6});
  expectNear(apply("mean %x dims = [1]", kSix, "tensor<2x3xf64>", "tensor<2xf64>"),
             {2, 5});
}

// RF-29: accumulators are wider than 16 bits.
TEST(ShapeTest, longSumsIn16Bits) {
  Options typed;
  typed.mode = Mode::Typed;
  for (const char *element : {"bf16", "f16"}) {
    std::string t = "tensor<4096x" + std::string(element) + ">";
    std::string s = "tensor<" + std::string(element) + ">";
    Program program("func.func @f(%x: " + t + ") -> (" + s + ", " + s +
                    ") { %s = tt.sum %x dims = [0] : (" + t + ") -> " + s +
                    " %m = tt.mean %x dims = [0] : (" + t + ") -> " + s +
                    " return %s, %m : " + s + ", " + s + " }");
    auto r = program.run({full(1, {4096})}, typed);
    expectNear(r[0], {4096}, 0);
    expectNear(r[1], {1}, 0);
  }
  Program softmax(R"(func.func @f(%x: tensor<512xbf16>) -> tensor<512xbf16> {
    %y = tt.softmax %x : tensor<512xbf16>
    return %y : tensor<512xbf16> })");
  expectNear(softmax.run({full(2, {512})}, typed)[0],
             std::vector<double>(512, 1.0 / 512), 0);
}

TEST(ShapeTest, maxTakesTheFirst) {
  Program program(R"(func.func @f(%x: tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xi32>) {
    %m, %i = tt.max %x dim = 1 : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xi32>)
    return %m, %i : tensor<3xf64>, tensor<3xi32> })");
  double nan = std::numeric_limits<double>::quiet_NaN();
  double inf = std::numeric_limits<double>::infinity();
  Tensor<double> x = floats({3, 3}, {1, 3, 3, 5, nan, 7, -inf, -inf, -inf});
  auto r = program.run({x});
  expectNear(r[0], {3, nan, -inf});
  expectNear(r[1], {1, 1, 0});
  Values g = program.gradient({x}, {floats({3}, {1, 2, 3})});
  expectNear(g[0], {0, 1, 0, 0, 2, 0, 3, 0, 0});
}

TEST(ShapeTest, softmax) {
  Program program(R"(func.func @f(%x: tensor<1x3xf64>) -> tensor<1x3xf64> {
    %y = tt.softmax %x : tensor<1x3xf64>
    return %y : tensor<1x3xf64> })");
  Tensor<double> x = floats({1, 3}, {1, 2, 3});
  std::vector<double> p = {0.090030573170380462, 0.24472847105479767,
                           0.66524095577482186};
  expectNear(program.run({x})[0], p);
  expectNear(program.run({floats({1, 3}, {1001, 1002, 1003})})[0], p);
  // Row 0 of the Jacobian; J01 = -0.0220330445.
  expectNear(program.gradient({x}, {floats({1, 3}, {1, 0, 0})})[0],
             {p[0] * (1 - p[0]), -0.022033044520174296, -p[0] * p[2]}, 1e-12);
  // Saturated: p (1 - p) by y (g - sum g y), not by 1 - p.
  Program two(R"(func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
    %y = tt.softmax %x : tensor<2xf64>
    return %y : tensor<2xf64> })");
  for (auto [z, wanted] : {std::pair(10., 4.540e-05), {20., 2.061e-09}, {40., 4.248e-18}}) {
    double slope = two.gradient({floats({2}, {z, 0})}, {floats({2}, {0, 1})})[0].floats()[1];
    EXPECT_NEAR(slope, wanted, 1e-3 * wanted);
  }
}

// RF-32 A.
TEST(ShapeTest, softmaxSquared) {
  Program program(R"(func.func @f(%x: tensor<3xf64>) -> tensor<f64> {
    %p = tt.softmax %x : tensor<3xf64>
    %q = tt.square %p : tensor<3xf64>
    %s = tt.sum %q dims = [0] : (tensor<3xf64>) -> tensor<f64>
    return %s : tensor<f64> })");
  Values g = program.gradient({floats({3}, {1, 2, 3})}, {full(1, {})});
  expectNear(g[0], {-0.075718, -0.130105, 0.205823}, 1e-6);
}

// RF-21: the gradient of a broadcast operand is a reduction.
TEST(ShapeTest, broadcastLoss) {
  Program program(R"(func.func @f(%x: tensor<2x3xf64>, %w: tensor<3x1xf64>, %b: tensor<1x3xf64>, %label: tensor<2x1xf64>) -> tensor<f64> {
    %xw = tt.matmul %x, %w : (tensor<2x3xf64>, tensor<3x1xf64>) -> tensor<2x1xf64>
    %xv = tt.reshape %xw : tensor<2x1xf64> -> tensor<2xf64>
    %bv = tt.reshape %b : tensor<1x3xf64> -> tensor<3xf64>
    %lv = tt.reshape %label : tensor<2x1xf64> -> tensor<2xf64>
    %0 = tt.broadcast %xv dims = [0] : tensor<2xf64> -> tensor<2x3xf64>
    %1 = tt.broadcast %bv dims = [1] : tensor<3xf64> -> tensor<2x3xf64>
    %2 = tt.broadcast %lv dims = [0] : tensor<2xf64> -> tensor<2x3xf64>
    %3 = tt.add %0, %1 : tensor<2x3xf64>
    %4 = tt.sub %3, %2 : tensor<2x3xf64>
    %5 = tt.square %4 : tensor<2x3xf64>
    %6 = tt.sum %5 dims = [0, 1] : (tensor<2x3xf64>) -> tensor<f64>
    return %6 : tensor<f64> })");
  Values inputs = {kSix, floats({3, 1}, {0.5, -0.25, 1}),
                   floats({1, 3}, {0.1, 0.2, 0.3}), floats({2, 1}, {1, 2})};
  expectNear(program.run(inputs)[0], {88.0675});
  Values g = program.gradient(inputs, {full(1, {})}, "0,1,2");
  expectNear(g[0], {6.6, -3.3, 13.2, 14.85, -7.425, 29.7});
  expectNear(g[1], {132, 174.9, 217.8});
  expectNear(g[2], {13.9, 14.3, 14.7});
}

TEST(ShapeTest, scalarReadTwice) { // RF-21 B
  Program program(R"(func.func @f(%z: tensor<f64>) -> tensor<f64> {
    %e = tt.exp %z : tensor<f64>
    %w = tt.broadcast %e dims = [] : tensor<f64> -> tensor<1000xf64>
    %zero = tt.constant dense<0.0> : tensor<1000xf64>
    %d = tt.sub %w, %zero : tensor<1000xf64>
    %s = tt.sum %d dims = [0] : (tensor<1000xf64>) -> tensor<f64>
    %r = tt.add %e, %s : tensor<f64>
    return %r : tensor<f64> })");
  expectNear(program.gradient({full(1, {})}, {full(1, {})})[0], {1001 * M_E});
}

TEST(ShapeTest, sliceTimesWhole) { // RF-21 C
  Program program(R"(func.func @f(%x: tensor<4xf64>) -> tensor<f64> {
    %a = tt.slice %x dim = 0 start = 0 size = 1 : (tensor<4xf64>) -> tensor<1xf64>
    %b = tt.reshape %a : tensor<1xf64> -> tensor<f64>
    %c = tt.broadcast %b dims = [] : tensor<f64> -> tensor<4xf64>
    %d = tt.mul %c, %x : tensor<4xf64>
    %s = tt.sum %d dims = [0] : (tensor<4xf64>) -> tensor<f64>
    return %s : tensor<f64> })");
  expectNear(program.gradient({floats({4}, {2, 3, 5, 7})}, {full(1, {})})[0],
             {19, 2, 2, 2});
}

TEST(ShapeTest, matrixSharedByBatches) { // RF-21 D
  Program program(R"(func.func @f(%a: tensor<2x3x4xf64>, %m: tensor<4x2xf64>) -> tensor<f64> {
    %w = tt.broadcast %m dims = [1, 2] : tensor<4x2xf64> -> tensor<2x4x2xf64>
    %c = tt.matmul %a, %w : (tensor<2x3x4xf64>, tensor<2x4x2xf64>) -> tensor<2x3x2xf64>
    %s = tt.sum %c dims = [0, 1, 2] : (tensor<2x3x2xf64>) -> tensor<f64>
    return %s : tensor<f64> })");
  Values g = program.gradient({pattern(37, 11, {2, 3, 4}), pattern(53, 29, {4, 2})},
                              {full(1, {})}, "1");
  expectNear(g[0], {-0.515625, -0.515625, 0.9375, 0.9375, 0.375, 0.375, -0.1875,
                    -0.1875});
}
