//===- LossTest.cpp - Values of losses and embeddings ---------------------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

static Program crossEntropy(const std::string &reduction, const std::string &rows,
                            const std::string &classes,
                            const std::string &attributes = "") {
  std::string z = "tensor<" + rows + classes + "xf64>", t = "tensor<" + rows + "i32>";
  std::string s = "tensor<" + rows + "f64>";
  std::string loss = reduction == "none" ? s : "tensor<f64>";
  return Program("func.func @f(%z: " + z + ", %t: " + t + ") -> " + loss +
                 " { %l, %e = tt.cross_entropy " + reduction + " %z, %t " +
                 attributes + " : (" + z + ", " + t + ") -> (" + loss + ", " + s +
                 ") return %l : " + loss + " }");
}

TEST(LossTest, crossEntropyWorkedExample) {
  Program program = crossEntropy("mean", "1x", "3");
  Values inputs = {floats({1, 3}, {1, 2, 3}), ints({1}, {2})};
  expectNear(program.run(inputs)[0], {.4076059644}, 1e-10);
  expectNear(program.gradient(inputs, {full(1, {})})[0],
             {.0900305732, .2447284711, -.3347590442}, 1e-10);
}

// RF-09: no row counts. Loss 0, gradient 0, never NaN.
TEST(LossTest, everyTargetIgnored) {
  for (const char *reduction : {"none", "sum", "mean"}) {
    Program program = crossEntropy(reduction, "3x", "5", "{ignore_index = -1 : i64}");
    Values inputs = {pattern(37, 11, {3, 5}), ints({3}, {-1, -1, -1})};
    bool isNone = reduction == std::string("none");
    expectNear(program.run(inputs)[0], std::vector<double>(isNone ? 3 : 1, 0), 0);
    expectNear(program.gradient(inputs, {full(1, isNone ? Shape{3} : Shape{})})[0],
               std::vector<double>(15, 0), 0);
  }
}

TEST(LossTest, targetsOutsideCountNothing) {
  Program program = crossEntropy("mean", "3x", "3");
  Values inputs = {floats({3, 3}, {1, 2, 3, 9, 9, 9, 7, 7, 7}), ints({3}, {2, 3, -100})};
  expectNear(program.run(inputs)[0], {.4076059644}, 1e-10);
  Options strict;
  strict.strictIndices = true;
  EXPECT_NE(program.errorOf(inputs, strict)
                .find("expected targets in [0, 3) or -100, but got 3 at position 1"),
            std::string::npos);
}

// RF-11: the loss times a number, and two losses of the same logits.
TEST(LossTest, lossTimesNumber) {
  Values inputs = {floats({2, 3}, {1, 2, 3, 0, 0, 0}), ints({2}, {2, 0}),
                   ints({2}, {0, 1})};
  const char *head = R"(func.func @f(%z: tensor<2x3xf64>, %t: tensor<2xi32>, %u: tensor<2xi32>) -> tensor<f64> {
    %three = tt.constant dense<3.0> : tensor<f64>
    %half = tt.constant dense<0.5> : tensor<f64>
    %l, %e = tt.cross_entropy mean %z, %t : (tensor<2x3xf64>, tensor<2xi32>) -> (tensor<f64>, tensor<2xf64>)
    %a = tt.mul %three, %l : tensor<f64>)";
  Program a(std::string(head) + " return %a : tensor<f64> }");
  expectNear(a.run(inputs)[0], {2.259327}, 1e-6);
  expectNear(a.gradient(inputs, {full(1, {})})[0],
             {0.135046, 0.367093, -0.502139, -1, 0.5, 0.5}, 1e-6);
  Program b(std::string(head) + R"(
    %m, %e2 = tt.cross_entropy mean %z, %u : (tensor<2x3xf64>, tensor<2xi32>) -> (tensor<f64>, tensor<2xf64>)
    %h = tt.mul %half, %m : tensor<f64>
    %b = tt.add %a, %h : tensor<f64>
    return %b : tensor<f64> })");
  expectNear(b.run(inputs)[0], {3.135882}, 1e-6);
  expectNear(b.gradient(inputs, {full(1, {})})[0],
             {-0.092446, 0.428275, -0.335828, -0.916667, 0.333333, 0.583333}, 1e-6);
  // With loss scale 1024.
  Values g = b.gradient(inputs, {full(1024, {})});
  EXPECT_NEAR(g[0].floats()[0], 1024 * -0.092446, 1e-3);
}

// RF-13: rows of p - onehot sum to 0 for large logits.
TEST(LossTest, largeLogits) {
  Program program(R"(func.func @f(%h: tensor<1x64xf64>, %w: tensor<4x64xf64>, %t: tensor<1xi32>) -> (tensor<f64>, tensor<1x4xf64>) {
    %z = tt.linear out_in %h, %w : (tensor<1x64xf64>, tensor<4x64xf64>) -> tensor<1x4xf64>
    %l, %e = tt.cross_entropy mean %z, %t : (tensor<1x4xf64>, tensor<1xi32>) -> (tensor<f64>, tensor<1xf64>)
    return %l, %z : tensor<f64>, tensor<1x4xf64> })");
  Tensor<double> h = pattern(37, 15, {1, 64}), w = pattern(53, 29, {4, 64});
  for (double &x : h.data)
    x *= 16;
  for (double &x : w.data)
    x *= 2;
  auto r = program.run({h, w, ints({1}, {1})});
  expectNear(r[0], {0}, 1e-6);
  expectNear(r[1], {-65.351562, 136.265625, 7.320312, -115.578125}, 1e-6);
}

TEST(LossTest, embedding) {
  Program program(R"(func.func @f(%t: tensor<3x2xf64>, %i: tensor<4xi32>) -> tensor<4x2xf64> {
    %y = tt.embedding %t, %i {padding_index = 1 : i64} : (tensor<3x2xf64>, tensor<4xi32>) -> tensor<4x2xf64>
    return %y : tensor<4x2xf64> })");
  Values inputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), ints({4}, {2, 1, 3, -1})};
  expectNear(program.run(inputs)[0], {5, 6, 3, 4, 0, 0, 0, 0});
  // The padding row passes no cotangent, and no tangent either.
  expectNear(program.gradient(inputs, {full(1, {4, 2})})[0], {0, 0, 0, 0, 1, 1});
  Derivatives derivatives;
  std::string error;
  Values tangents;
  auto function = *program.module().getOps<mlir::func::FuncOp>().begin();
  ASSERT_TRUE(derivatives.build(program.module(), function, "all", error)) << error;
  ASSERT_TRUE(derivatives.pushForward(inputs, {full(1, {3, 2})}, tangents, error));
  expectNear(tangents[0], {1, 1, 0, 0, 0, 0, 0, 0});
  Options strict;
  strict.strictIndices = true;
  EXPECT_NE(program.errorOf(inputs, strict)
                .find("expected indices in [0, 3), but got 3 at position 2"),
            std::string::npos);
}

// RF-22: 1000 of 1024 tokens hit one row; f32 numbers stay exact.
TEST(LossTest, manyTokensHitOneRow) {
  std::string text = "func.func @f(%i: tensor<1024xi32>, %d: tensor<1024x4xf32>) -> "
                     "tensor<3x4xf32> { %y = tt.embedding_bwd %i, %d rows = 3 : "
                     "(tensor<1024xi32>, tensor<1024x4xf32>) -> tensor<3x4xf32> "
                     "return %y : tensor<3x4xf32> }";
  IntTensor ids({1024});
  for (int i = 0; i < 1024; ++i)
    ids[i] = i % 42 == 0 && i / 42 < 24 ? 0 : 1;
  std::vector<double> wanted = {24, 24, 24, 24, 1000, 1000, 1000, 1000, 0, 0, 0, 0};
  Program f32(text);
  auto single = f32.run<float>({ids, full(1, {1024, 4})})[0].floats();
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(single[i], float(wanted[i]));
  Options typed;
  typed.mode = Mode::Typed;
  for (const char *element : {"bf16", "f16"}) {
    std::string other = text;
    for (size_t at; (at = other.find("xf32")) != std::string::npos;)
      other.replace(at, 4, std::string("x") + element);
    expectNear(Program(other).run({ids, full(1, {1024, 4})}, typed)[0], wanted, 0);
  }
}

// RF-23: one matrix as embedding and as head.
TEST(LossTest, tiedHead) {
  Program program(R"(func.func @f(%e: tensor<3x2xf64>, %i: tensor<1xi32>, %t: tensor<1xi32>) -> tensor<f64> {
    %h = tt.embedding %e, %i : (tensor<3x2xf64>, tensor<1xi32>) -> tensor<1x2xf64>
    %z = tt.linear out_in %h, %e : (tensor<1x2xf64>, tensor<3x2xf64>) -> tensor<1x3xf64>
    %l, %lse = tt.cross_entropy mean %z, %t : (tensor<1x3xf64>, tensor<1xi32>) -> (tensor<f64>, tensor<1xf64>)
    return %l : tensor<f64> })");
  Values inputs = {floats({3, 2}, {0.5, -0.25, 1, 0.75, -0.5, 0.25}),
                   ints({1}, {2}), ints({1}, {0})};
  expectNear(program.run(inputs)[0], {1.352801}, 1e-6);
  expectNear(program.gradient(inputs, {full(1, {})})[0],
             {0.370742, -0.185371, -0.129258, 0.064629, -0.595197, 0.620742}, 1e-6);
}
