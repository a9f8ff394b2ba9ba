//===- MetamorphicTest.cpp - What a gradient must not depend on -----------===//
//
// Relations of whole programs; random programs have more (test/Random).
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

/// A GPT of one block: 3 samples, 4 tokens, width 4, 2 heads, 7 words.
static const char *const kGpt = R"(
func.func private @heads(%x: tensor<3x4x4xf64>) -> tensor<3x2x4x2xf64> {
  %r = tt.reshape %x : tensor<3x4x4xf64> -> tensor<3x4x2x2xf64>
  %h = tt.transpose %r permutation = [0, 2, 1, 3] : (tensor<3x4x2x2xf64>) -> tensor<3x2x4x2xf64>
  return %h : tensor<3x2x4x2xf64>
}
func.func @f(%e: tensor<7x4xf64>, %w: tensor<4x12xf64>, %g: tensor<4xf64>, %m: tensor<4x4xf64>,
             %i: tensor<3x4xi32>, %t: tensor<3x4xi32>) -> tensor<f64> {
  %x = tt.embedding %e, %i : (tensor<7x4xf64>, tensor<3x4xi32>) -> tensor<3x4x4xf64>
  %n, %mean, %rstd = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<3x4x4xf64>, tensor<4xf64>) -> (tensor<3x4x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>)
  %qkv = tt.linear in_out %n, %w : (tensor<3x4x4xf64>, tensor<4x12xf64>) -> tensor<3x4x12xf64>
  %q = tt.slice %qkv dim = 2 start = 0 size = 4 : (tensor<3x4x12xf64>) -> tensor<3x4x4xf64>
  %k = tt.slice %qkv dim = 2 start = 4 size = 4 : (tensor<3x4x12xf64>) -> tensor<3x4x4xf64>
  %v = tt.slice %qkv dim = 2 start = 8 size = 4 : (tensor<3x4x12xf64>) -> tensor<3x4x4xf64>
  %qh = call @heads(%q) : (tensor<3x4x4xf64>) -> tensor<3x2x4x2xf64>
  %kh = call @heads(%k) : (tensor<3x4x4xf64>) -> tensor<3x2x4x2xf64>
  %vh = call @heads(%v) : (tensor<3x4x4xf64>) -> tensor<3x2x4x2xf64>
  %o, %lse = tt.attention %qh, %kh, %vh causal scale = 0.7 : (tensor<3x2x4x2xf64>, tensor<3x2x4x2xf64>, tensor<3x2x4x2xf64>) -> (tensor<3x2x4x2xf64>, tensor<3x2x4xf64>)
  %ot = tt.transpose %o permutation = [0, 2, 1, 3] : (tensor<3x2x4x2xf64>) -> tensor<3x4x2x2xf64>
  %or = tt.reshape %ot : tensor<3x4x2x2xf64> -> tensor<3x4x4xf64>
  %p = tt.linear in_out %or, %m : (tensor<3x4x4xf64>, tensor<4x4xf64>) -> tensor<3x4x4xf64>
  %a = tt.gelu tanh %p : tensor<3x4x4xf64>
  %y = tt.add %x, %a : tensor<3x4x4xf64>
  %z = tt.linear out_in %y, %e : (tensor<3x4x4xf64>, tensor<7x4xf64>) -> tensor<3x4x7xf64>
  %l, %s = tt.cross_entropy mean %z, %t : (tensor<3x4x7xf64>, tensor<3x4xi32>) -> (tensor<f64>, tensor<3x4xf64>)
  return %l : tensor<f64>
})";

static Values weights() {
  return {pattern(37, 11, {7, 4}), pattern(53, 29, {4, 12}), pattern(71, 3, {4}),
          pattern(17, 5, {4, 4})};
}

static Values gradientAt(Program &program, std::vector<int64_t> tokens,
                         std::vector<int64_t> targets) {
  Values inputs = weights();
  inputs.push_back(ints({3, 4}, std::move(tokens)));
  inputs.push_back(ints({3, 4}, std::move(targets)));
  return program.gradient(inputs, {full(1, {})}, "0,1,2,3");
}

static void expectSame(const Values &a, const Values &b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    expectNear(a[i], b[i].floats().data, 1e-13);
}

TEST(MetamorphicTest, orderOfSamplesDoesNotMatter) {
  Program program(kGpt);
  Values g = gradientAt(program, {1, 2, 3, 4, 5, 6, 0, 1, 2, 2, 6, 3},
                        {2, 3, 4, 0, 6, 0, 1, -100, 2, 6, 3, 3});
  Values permuted = gradientAt(program, {2, 2, 6, 3, 1, 2, 3, 4, 5, 6, 0, 1},
                               {2, 6, 3, 3, 2, 3, 4, 0, 6, 0, 1, -100});
  expectSame(g, permuted);
}

/// Names of words mean nothing: rows of the table and ids swapped together.
TEST(MetamorphicTest, orderOfWordsDoesNotMatter) {
  Program program(kGpt);
  std::vector<int64_t> tokens = {1, 2, 3, 4, 5, 6, 0, 1, 2, 2, 6, 3};
  std::vector<int64_t> targets = {2, 3, 4, 0, 6, 0, 1, 5, 2, 6, 3, 3};
  Values inputs = weights(), moved = weights();
  auto rename = [](int64_t id) { return (id * 3 + 2) % 7; };
  for (int64_t id = 0; id < 7; ++id)
    for (int64_t c = 0; c < 4; ++c)
      moved[0].floats()[rename(id) * 4 + c] = inputs[0].floats()[id * 4 + c];
  auto renamed = [&](std::vector<int64_t> ids) {
    for (int64_t &id : ids)
      id = rename(id);
    return ids;
  };
  inputs.push_back(ints({3, 4}, tokens));
  inputs.push_back(ints({3, 4}, targets));
  moved.push_back(ints({3, 4}, renamed(tokens)));
  moved.push_back(ints({3, 4}, renamed(targets)));
  Values g = program.gradient(inputs, {full(1, {})}, "0,1,2,3");
  Values h = program.gradient(moved, {full(1, {})}, "0,1,2,3");
  for (int64_t id = 0; id < 7; ++id)
    for (int64_t c = 0; c < 4; ++c)
      EXPECT_NEAR(h[0].floats()[rename(id) * 4 + c], g[0].floats()[id * 4 + c], 1e-14);
  expectSame({g[1], g[2], g[3]}, {h[1], h[2], h[3]});
}

/// Tokens behind the last counted target change nothing under a causal mask.
TEST(MetamorphicTest, paddingBehindTheEndDoesNotMatter) {
  Program program(kGpt);
  std::vector<int64_t> targets = {2, 3, -100, -100, 6, 0, 1, -100, 2, -100, -100, -100};
  Values g = gradientAt(program, {1, 2, 3, 4, 5, 6, 0, 1, 2, 2, 6, 3}, targets);
  Values padded = gradientAt(program, {1, 2, 0, 0, 5, 6, 0, 6, 2, 5, 5, 5}, targets);
  expectSame(g, padded);
}
