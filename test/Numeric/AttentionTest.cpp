//===- AttentionTest.cpp - Values of attention and rope -------------------===//
#include "Program.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

constexpr double kInf = std::numeric_limits<double>::infinity();
static const char *const kScale2 = "0.70710678118654752440"; // 1/sqrt(2)

/// @f(q, k, v, extra...) -> output, lse. `features` names %extra operands;
/// their types follow v's in `extraTypes`.
static Program attention(const std::string &q, const std::string &k,
                         const std::string &lse, const std::string &features,
                         const std::string &scale,
                         const std::vector<std::string> &extra = {},
                         const std::string &attributes = "",
                         bool returnLse = true) {
  std::string qt = "tensor<" + q + "xf64>", kt = "tensor<" + k + "xf64>",
              lt = "tensor<" + lse + "xf64>", arguments, types;
  for (size_t i = 0; i < extra.size(); ++i) {
    arguments += ", %e" + std::to_string(i) + ": " + extra[i];
    types += ", " + extra[i];
  }
  return Program("func.func @f(%q: " + qt + ", %k: " + kt + ", %v: " + kt +
                 arguments + ") -> (" + qt + (returnLse ? ", " + lt : "") +
                 ") { %o, %l = tt.attention %q, %k, %v " + features +
                 " scale = " + scale + " " + attributes + " : (" + qt + ", " + kt +
                 ", " + kt + types + ") -> (" + qt + ", " + lt + ") return %o" +
                 (returnLse ? ", %l" : "") + " : " + qt +
                 (returnLse ? ", " + lt : "") + " }");
}

static const Tensor<double> kQ = floats({1, 1, 3, 2}, {1, 0, 0, 1, 1, 1});
static const Tensor<double> kK = floats({1, 1, 3, 2}, {1, 2, 0, 1, -1, 1});
static const Tensor<double> kV = floats({1, 1, 3, 2}, {1, 0, 0, 2, 3, 1});

// RF-07 A: no mask.
TEST(AttentionTest, unmaskedGradient) {
  Program program = attention("1x1x3x2", "1x1x3x2", "1x1x3", "", kScale2, {}, "", false);
  Values g = program.gradient({kQ, kK, kV}, {full(1, {1, 1, 3, 2})});
  expectNear(g[0], {-0.514088, -0.286756, -0.705847, -0.353536, -0.388484, -0.229418}, 1e-6);
  expectNear(g[1], {-0.516174, -0.582954, 0.129776, 0.071577, 0.386398, 0.511377}, 1e-6);
  expectNear(g[2], {1.813146, 1.813146, 0.710621, 0.710621, 0.476233, 0.476233}, 1e-6);
}

// RF-01: a row that sees no key. The mask comes as an additive bias of -inf; the
// adjoint by hand and by the rule.
TEST(AttentionTest, rowWithoutKeysByBias) {
  Program program = attention("1x1x3x2", "1x1x3x2", "1x1x3", "bias(%e0)", kScale2,
                              {"tensor<1x1x3x3xf64>"});
  Tensor<double> bias = floats({1, 1, 3, 3}, {0, 0, -kInf, -kInf, -kInf, -kInf, 0, 0, 0});
  auto r = program.run({kQ, kK, kV, bias});
  expectNear(r[0], {0.669762, 0.660477, 0, 0, 0.997527, 0.444689}, 1e-6);
  EXPECT_EQ(r[1].floats()[1], -kInf);
}

static const char *const kBackward = R"(func.func @f(%q: tensor<1x1x3x2xf64>, %k: tensor<1x1x3x2xf64>, %v: tensor<1x1x3x2xf64>,
      %m: tensor<1x1x3x3xf64>, %d: tensor<1x1x3x2xf64>)
      -> (tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) {
    %o, %l = tt.attention %q, %k, %v bias(%m) scale = 0.70710678118654752440
      : (tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x3xf64>) -> (tensor<1x1x3x2xf64>, tensor<1x1x3xf64>)
    %dq, %dk, %dv = tt.attention_bwd %q, %k, %v, %o, %l, %d bias(%m) scale = 0.70710678118654752440
      : (tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x3xf64>)
      -> (tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>)
    return %dq, %dk, %dv : tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64> })";

TEST(AttentionTest, gradientOfRowWithoutKeys) {
  Tensor<double> bias = floats({1, 1, 3, 3}, {0, 0, -kInf, -kInf, -kInf, -kInf, 0, 0, 0});
  Program rule = attention("1x1x3x2", "1x1x3x2", "1x1x3", "bias(%e0)", kScale2,
                           {"tensor<1x1x3x3xf64>"}, "", false);
  Values g = rule.gradient({kQ, kK, kV, bias}, {full(1, {1, 1, 3, 2})});
  auto r = Program(kBackward).run({kQ, kK, kV, bias, full(1, {1, 1, 3, 2})});
  for (int i = 0; i < 3; ++i)
    expectNear(g[i], r[i].floats().data);
  for (int64_t j : {2, 3, 4, 5})
    EXPECT_EQ(g[3].floats()[j], 0); // hidden by the bias itself
  expectNear(r[0], {-0.156399, -0.156399, 0, 0, -0.388484, -0.229418}, 1e-6);
  expectNear(r[1], {-0.385816, -0.229418, 0.22675, 0.070351, 0.159066, 0.159066}, 1e-6);
  expectNear(r[2], {1.403443, 1.403443, 0.508609, 0.508609, 0.087949, 0.087949}, 1e-6);
}

// RF-01 again, by causal alone: T > S leaves the first rows without a key.
TEST(AttentionTest, moreQueriesThanKeys) {
  Program program = attention("1x1x3x1", "1x1x2x1", "1x1x3", "causal", "1.0", {}, "", false);
  Values inputs = {full(0, {1, 1, 3, 1}), full(0, {1, 1, 2, 1}), floats({1, 1, 2, 1}, {3, 5})};
  expectNear(program.run(inputs)[0], {0, 3, 4});
  Values g = program.gradient(inputs, {full(1, {1, 1, 3, 1})});
  expectNear(g[0], {0, 0, 0});
  expectNear(g[1], {-0.0, 0});
  expectNear(g[2], {1.5, 0.5});
}

// RF-02: causal is aligned at the bottom right.
TEST(AttentionTest, moreKeysThanQueries) {
  Program program = attention("1x1x2x1", "1x1x4x1", "1x1x2", "causal", "1.0", {}, "", false);
  Values inputs = {full(0, {1, 1, 2, 1}), full(0, {1, 1, 4, 1}), floats({1, 1, 4, 1}, {1, 2, 3, 4})};
  expectNear(program.run(inputs)[0], {2, 2.5});
  expectNear(program.gradient(inputs, {full(1, {1, 1, 2, 1})})[2],
             {0.583333, 0.583333, 0.583333, 0.25}, 1e-6);
}

// RF-03: softcap before the mask, and its factor in the adjoint.
TEST(AttentionTest, softcap) {
  Program program(R"(func.func @f(%q: tensor<1x1x1x1xf64>, %k: tensor<1x1x3x1xf64>, %v: tensor<1x1x3x1xf64>, %qs: tensor<1x1xi32>, %ks: tensor<1x3xi32>, %d: tensor<1x1x1x1xf64>)
      -> (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) {
    %o, %l = tt.attention %q, %k, %v segments(%qs, %ks) scale = 1.0 {softcap = 2.0 : f64}
      : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1xi32>, tensor<1x3xi32>) -> (tensor<1x1x1x1xf64>, tensor<1x1x1xf64>)
    %dq, %dk, %dv = tt.attention_bwd %q, %k, %v, %o, %l, %d segments(%qs, %ks) scale = 1.0 {softcap = 2.0 : f64}
      : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1xi32>, tensor<1x3xi32>)
      -> (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>)
    return %o, %dq, %dk, %dv : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64> })");
  auto r = program.run({full(1, {1, 1, 1, 1}), floats({1, 1, 3, 1}, {3, -1, 5}),
                        floats({1, 1, 3, 1}, {1, 2, 4}), ints({1, 1}, {0}),
                        ints({1, 3}, {0, 0, 1}), full(1, {1, 1, 1, 1})});
  expectNear(r[0], {1.060966}, 1e-6);
  expectNear(r[1], {-0.07606}, 1e-6);
  expectNear(r[2], {-0.010345, 0.045024, 0}, 1e-6);
  expectNear(r[3], {0.939034, 0.060966, 0}, 1e-6);
}

// RF-04: dK and dV are sums over the heads of a group.
TEST(AttentionTest, groupedHeads) {
  Program one = attention("1x4x1x1", "1x2x1x1", "1x4x1", "", "1.0", {}, "", false);
  Values g = one.gradient({full(1, {1, 4, 1, 1}), full(1, {1, 2, 1, 1}), full(1, {1, 2, 1, 1})},
                          {floats({1, 4, 1, 1}, {1, 2, 3, 4})});
  expectNear(g[1], {0, 0});
  expectNear(g[2], {3, 7});

  Program two = attention("1x4x3x2", "1x2x3x2", "1x4x3", "causal", kScale2, {}, "", false);
  g = two.gradient({pattern(37, 11, {1, 4, 3, 2}), pattern(53, 29, {1, 2, 3, 2}),
                    pattern(71, 3, {1, 2, 3, 2})},
                   {pattern(17, 5, {1, 4, 3, 2})});
  expectNear(g[1], {0.018787, 0.025703, 0.005936, -0.03458, -0.024723, 0.008877,
                    -0.002056, -0.025672, 0.026735, -0.170345, -0.024679, 0.196017}, 1e-6);
  expectNear(g[2], {-0.893163, 0.077381, -0.558763, -0.157028, -0.141824, 0.079646,
                    0.836547, 0.297329, 0.480475, -0.857466, 0.089228, -0.471114}, 1e-6);
}

// RF-06 at T = 127, 129: sums of magnitudes and the last row's first column.
TEST(AttentionTest, oneOffTileMultiples) {
  struct Wanted {
    int64_t t;
    double sums[4], last[4];
  };
  const Wanted cases[] = {
      {127, {244.10577, 88.54562, 64.18490, 184.97994}, {-0.003494, 0.005138, -0.002383, 0.003613}},
      {129, {244.56135, 88.82622, 64.44952, 185.00742}, {-0.000239, 0.003194, 0.000815, 0.001607}}};
  for (const Wanted &w : cases) {
    std::string t = std::to_string(w.t);
    Program program = attention("1x1x" + t + "x64", "1x1x" + t + "x64", "1x1x" + t,
                                "causal", "0.125", {}, "", false);
    Shape shape = {1, 1, w.t, 64};
    Values inputs = {pattern(37, 11, shape), pattern(53, 29, shape), pattern(71, 3, shape)};
    Values all;
    all.push_back(program.run(inputs)[0]);
    for (auto &g : program.gradient(inputs, {pattern(17, 5, shape)}))
      all.push_back(g);
    for (int i = 0; i < 4; ++i) {
      double sum = 0;
      for (double x : all[i].floats().data)
        sum += std::fabs(x);
      EXPECT_NEAR(sum, w.sums[i], 1e-5);
      EXPECT_NEAR(all[i].floats()[(w.t - 1) * 64], w.last[i], 1e-6);
    }
  }
}

/// Uniform attention over the visible keys shows the mask.
static std::vector<double> visibleMeans(const std::string &features,
                                        const std::string &attributes,
                                        const std::vector<std::string> &extra = {},
                                        const Values &extraValues = {}) {
  Program program = attention("1x1x4x1", "1x1x4x1", "1x1x4", features, "1.0", extra,
                              attributes);
  Values inputs = {full(0, {1, 1, 4, 1}), full(0, {1, 1, 4, 1}),
                   floats({1, 1, 4, 1}, {1, 10, 100, 1000})};
  inputs.insert(inputs.end(), extraValues.begin(), extraValues.end());
  return program.run(inputs)[0].floats().data;
}

TEST(AttentionTest, masks) {
  using V = std::vector<double>;
  EXPECT_EQ(visibleMeans("causal", ""), (V{1, 5.5, 37, 277.75}));
  EXPECT_EQ(visibleMeans("causal", "{window_left = 1 : i64}"), (V{1, 5.5, 55, 550}));
  EXPECT_EQ(visibleMeans("", "{window_left = 0 : i64, window_right = 1 : i64}"),
            (V{5.5, 55, 550, 1000}));
  EXPECT_EQ(visibleMeans("causal", "{prefix = 2 : i64}"), (V{5.5, 5.5, 37, 277.75}));
  EXPECT_EQ(visibleMeans("segments(%e0, %e1) causal", "",
                         {"tensor<1x4xi32>", "tensor<1x4xi32>"},
                         {ints({1, 4}, {0, 0, 1, 1}), ints({1, 4}, {0, 0, 1, 1})}),
            (V{1, 5.5, 100, 550}));
}

TEST(AttentionTest, slopesAndSinks) {
  Program slopes = attention("1x1x1x1", "1x1x2x1", "1x1x1", "slopes(%e0)", "1.0", {"tensor<1xf64>"});
  Values inputs = {full(0, {1, 1, 1, 1}), full(0, {1, 1, 2, 1}),
                   floats({1, 1, 2, 1}, {1, 2}), full(std::log(3), {1})};
  auto r = slopes.run(inputs); // weights 1/3 and 1
  expectNear(r[0], {(1.0 / 3 + 2) / (4.0 / 3)});
  expectNear(r[1], {std::log(4.0 / 3)});
  Program sinks = attention("1x1x1x1", "1x1x2x1", "1x1x1", "sinks(%e0)", "1.0", {"tensor<1xf64>"});
  inputs[3] = full(std::log(2), {1});
  r = sinks.run(inputs); // weights 1, 1 of 4
  expectNear(r[0], {0.75});
  expectNear(r[1], {std::log(4.0)});
}

//===----------------------------------------------------------------------===//
// rope
//===----------------------------------------------------------------------===//

// RF-30 A: cos of the pairs 0, 1, 31, 63 at long positions.
TEST(AttentionTest, ropeAtLongPositions) {
  struct Row {
    int64_t position;
    double cos[4], tolerance;
  };
  Program program(R"(func.func @f(%x: tensor<1x128xbf16>, %p: tensor<1xi32>) -> tensor<1x128xbf16> {
    %y = tt.rope half_split %x positions(%p) theta = 1.0e4 : (tensor<1x128xbf16>, tensor<1xi32>) -> tensor<1x128xbf16>
    return %y : tensor<1x128xbf16> })");
  Tensor<double> x({1, 128});
  for (int i = 0; i < 64; ++i)
    x[i] = 1; // so that the first half of the result is cos
  for (const Row &row :
       {Row{257, {0.81931, -0.87746, -0.98493, 0.99956}, 1e-5},
        Row{4095, {-0.06598, -0.74237, -0.98651, 0.89026}, 1e-5},
        Row{15962, {-0.90802, 0.88461, -0.51682, -0.26911}, 1e-5},
        Row{131071, {-0.81798, -0.97827, 0.78793, -0.84075}, 1e-5}}) {
    auto y = program.run({x, ints({1}, {row.position})})[0].floats();
    int pairs[4] = {0, 1, 31, 63};
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(y[pairs[i]], row.cos[i], row.tolerance) << row.position;
  }
}

// RF-30 B: the two pairings. theta = 1 makes every angle 1 in row 1.
TEST(AttentionTest, ropePairings) {
  double c0 = std::cos(1.0), s0 = std::sin(1.0);
  Tensor<double> x = floats({2, 4}, {9, 9, 9, 9, 0.5, -1, 2, 0.25});
  for (bool interleaved : {false, true}) {
    Program program("func.func @f(%x: tensor<2x4xf64>) -> tensor<2x4xf64> { %y = tt.rope " +
                    std::string(interleaved ? "interleaved" : "half_split") +
                    " %x theta = 1.0 : (tensor<2x4xf64>) -> tensor<2x4xf64> return %y : tensor<2x4xf64> }");
    auto y = program.run({x})[0].floats();
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(y[i], 9); // position 0
    int pairs[2][2] = {{0, interleaved ? 1 : 2}, {interleaved ? 2 : 1, 3}};
    for (auto &pair : pairs) {
      double a = x[4 + pair[0]], b = x[4 + pair[1]];
      EXPECT_NEAR(y[4 + pair[0]], a * c0 - b * s0, 1e-15);
      EXPECT_NEAR(y[4 + pair[1]], a * s0 + b * c0, 1e-15);
    }
    // The adjoint rotates back.
    expectNear(program.gradient({x}, {y})[0], x.data);
  }
}
