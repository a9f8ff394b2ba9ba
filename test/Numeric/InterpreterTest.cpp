//===- InterpreterTest.cpp - Calls, kernels, errors, number types ---------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

TEST(InterpreterTest, callsAndKernels) {
  Program program(R"(
    tt.kernel @add_0(%a: tensor<2xf64>, %b: tensor<2xf64>) -> tensor<2xf64>
        attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
      %c = tt.add %a, %b : tensor<2xf64>
      tt.yield %c : tensor<2xf64>
    }
    func.func private @twice(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
      %y = tt.call_kernel @add_0(%x, %x) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      return %y, %x : tensor<2xf64>, tensor<2xf64>
    }
    func.func @f(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
      %a, %b = call @twice(%x) : (tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
      %c = tt.remat_barrier %a after %b : tensor<2xf64>, tensor<2xf64>
      return %c, %b : tensor<2xf64>, tensor<2xf64>
    })");
  auto r = program.run({floats({2}, {1, -3})});
  expectNear(r[0], {2, -6});
  expectNear(r[1], {1, -3});
  auto kernel = Interpreter<double>(program.module())
                    .run("add_0", {floats({2}, {1, 2}), floats({2}, {3, 4})});
  EXPECT_EQ(kernel.error, "");
  expectNear(kernel.results[0], {4, 6});
}

static const char *const kSquare = R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %y = tt.square %x : tensor<2x3xf64>
  return %y : tensor<2x3xf64> })";

TEST(InterpreterTest, refusesWrongInputs) {
  Program program(kSquare);
  EXPECT_NE(program.errorOf({}).find("expected 1 inputs, but got 0"), std::string::npos);
  EXPECT_NE(program.errorOf({full(1, {3, 2})})
                .find("expected argument 0 to be tensor<2x3xf64>, but got floats of shape [3, 2]"),
            std::string::npos);
  EXPECT_NE(program.errorOf({ints({2, 3}, {1, 2, 3, 4, 5, 6})}).find("but got integers"),
            std::string::npos);
  EXPECT_NE(program.errorOf({floats({2, 3}, {1})}).find("expected argument 0"),
            std::string::npos);
  auto outcome = Interpreter<double>(program.module()).run("g", {});
  EXPECT_EQ(outcome.error, "error: expected a function @g with a body, but found none");
}

TEST(InterpreterTest, refusesRecursionAndUnknownOps) {
  Program recursion(R"(func.func @f(%x: tensor<f64>) -> tensor<f64> {
    %y = call @f(%x) : (tensor<f64>) -> tensor<f64>
    return %y : tensor<f64> })");
  EXPECT_NE(recursion.errorOf({full(1, {})}).find("expected no recursion"), std::string::npos);
  Program unknown(R"(func.func @f(%x: tensor<f64>) -> tensor<f64> {
    %y = arith.addf %x, %x : tensor<f64>
    return %y : tensor<f64> })");
  EXPECT_NE(unknown.errorOf({full(1, {})})
                .find("'arith.addf' op is not known to the reference interpreter"),
            std::string::npos);
}

TEST(InterpreterTest, refusesHugeTensors) {
  Program program(R"(func.func @f(%x: tensor<f64>) -> tensor<f64> {
    %y = tt.broadcast %x dims = [] : tensor<f64> -> tensor<1048576x1048576xf64>
    return %x : tensor<f64> })");
  EXPECT_NE(program.errorOf({full(1, {})}).find("elements in the interpreter"),
            std::string::npos);
}

TEST(InterpreterTest, emptyTensors) {
  Program program(R"(func.func @f(%x: tensor<0x3xf64>, %w: tensor<3x2xf64>) -> (tensor<0x2xf64>, tensor<3xf64>, tensor<0x3xf64>) {
    %y = tt.linear in_out %x, %w : (tensor<0x3xf64>, tensor<3x2xf64>) -> tensor<0x2xf64>
    %s = tt.sum %x dims = [0] : (tensor<0x3xf64>) -> tensor<3xf64>
    %p = tt.softmax %x : tensor<0x3xf64>
    return %y, %s, %p : tensor<0x2xf64>, tensor<3xf64>, tensor<0x3xf64> })");
  auto r = program.run({floats({0, 3}, {}), full(1, {3, 2})});
  EXPECT_EQ(r[0].floats().size(), 0);
  expectNear(r[1], {0, 0, 0});
}

/// Every op family in the three number types: f32 near f64, and the complex
/// run with no imaginary part equal to f64.
TEST(InterpreterTest, numberTypesAgree) {
  Program program(R"(func.func @f(%x: tensor<2x4xf64>, %w: tensor<4x4xf64>, %g: tensor<4xf64>, %i: tensor<2xi32>, %k: tensor<2xi32>) -> (tensor<f64>, tensor<1x2x1x4xf64>, tensor<2x4xf64>) {
    %n, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<2x4xf64>, tensor<4xf64>) -> (tensor<2x4xf64>, tensor<2xf64>, tensor<2xf64>)
    %h, %q = tt.rms_norm %n, %g eps = 1.0e-5 : (tensor<2x4xf64>, tensor<4xf64>) -> (tensor<2x4xf64>, tensor<2xf64>)
    %y = tt.linear in_out %h, %w : (tensor<2x4xf64>, tensor<4x4xf64>) -> tensor<2x4xf64>
    %a = tt.gelu erf %y : tensor<2x4xf64>
    %b = tt.swiglu %a, %y : tensor<2x4xf64>
    %c = tt.maximum %b, %x : tensor<2x4xf64>
    %d = tt.dropout %c, %k p = 0.5 site = 0 samples = 2 : (tensor<2x4xf64>, tensor<2xi32>) -> tensor<2x4xf64>
    %e = tt.softmax %d : tensor<2x4xf64>
    %t = tt.reshape %y : tensor<2x4xf64> -> tensor<1x2x1x4xf64>
    %u = tt.rope half_split %t theta = 100.0 : (tensor<1x2x1x4xf64>) -> tensor<1x2x1x4xf64>
    %o, %lse = tt.attention %u, %t, %t scale = 0.5 : (tensor<1x2x1x4xf64>, tensor<1x2x1x4xf64>, tensor<1x2x1x4xf64>) -> (tensor<1x2x1x4xf64>, tensor<1x2x1xf64>)
    %l, %z = tt.cross_entropy mean %y, %i : (tensor<2x4xf64>, tensor<2xi32>) -> (tensor<f64>, tensor<2xf64>)
    return %l, %o, %e : tensor<f64>, tensor<1x2x1x4xf64>, tensor<2x4xf64> })");
  Values inputs = {pattern(37, 11, {2, 4}), pattern(53, 29, {4, 4}), full(1.5, {4}),
                   ints({2}, {1, 3}), ints({2}, {1, 2})};
  auto d = program.run(inputs);
  auto s = program.run<float>(inputs);
  auto c = program.run<std::complex<double>>(inputs);
  for (int i = 0; i < 3; ++i)
    for (int64_t k = 0; k < d[i].floats().size(); ++k) {
      double wanted = d[i].floats()[k];
      EXPECT_NEAR(s[i].floats()[k], wanted, 1e-5);
      EXPECT_NEAR(c[i].floats()[k].real(), wanted, 1e-14);
      EXPECT_EQ(c[i].floats()[k].imag(), 0);
    }
}

TEST(InterpreterTest, complexRefusesTypedMode) {
  Program program(kSquare);
  Options typed;
  typed.mode = Mode::Typed;
  auto outcome = Interpreter<std::complex<double>>(program.module(), typed)
                     .run("f", {Tensor<std::complex<double>>({2, 3})});
  EXPECT_EQ(outcome.error, "error: expected mode ideal for complex numbers, but got typed");
}

/// Random inputs stay in the ranges that the readers need.
TEST(InterpreterTest, randomInputsAreInRange) {
  Program program(R"(func.func @f(%t: tensor<5x2xf32>, %i: tensor<100xi32>, %x: tensor<50xf32>, %c: tensor<50xi1>, %r: tensor<50xf32> {check.range = [2.0, 3.0]}, %n: tensor<50xi32> {tt.index_limit = 3 : i64}) -> tensor<50xf32> {
    %e = tt.embedding %t, %i : (tensor<5x2xf32>, tensor<100xi32>) -> tensor<100x2xf32>
    %y = tt.log %x : tensor<50xf32>
    return %y : tensor<50xf32> })");
  Random random(5);
  auto function = *program.module().getOps<mlir::func::FuncOp>().begin();
  Values inputs = randomInputs(function, random);
  auto inside = [](const AnyTensor<double> &value, double low, double high) {
    if (value.isFloat())
      return llvm::all_of(value.floats().data, [&](double x) { return x >= low && x < high; });
    return llvm::all_of(value.ints().data, [&](int64_t x) { return x >= low && x < high; });
  };
  EXPECT_TRUE(inside(inputs[0], -1.25, 1.25));
  EXPECT_TRUE(inside(inputs[1], 0, 5));
  EXPECT_TRUE(inside(inputs[2], 0.25, 1.25));
  EXPECT_TRUE(inside(inputs[3], 0, 2));
  EXPECT_TRUE(inside(inputs[4], 2, 3));
  EXPECT_TRUE(inside(inputs[5], 0, 3));
}

/// Same seed, same inputs.
TEST(InterpreterTest, isRepeatable) {
  Program program(kSquare);
  Random a(7), b(7);
  auto function = *program.module().getOps<mlir::func::FuncOp>().begin();
  expectNear(randomInputs(function, a)[0], randomInputs(function, b)[0].floats().data, 0);
}
