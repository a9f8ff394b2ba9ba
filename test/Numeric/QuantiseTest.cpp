//===- QuantiseTest.cpp - Straight-through rounding -----------------------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

/// The derivatives of @f, built once for many inputs.
static Derivatives derivativesOf(Program &program, const std::string &wrt) {
  Derivatives derivatives;
  std::string error;
  auto function = program.module().lookupSymbol<mlir::func::FuncOp>("f");
  EXPECT_TRUE(derivatives.build(program.module(), function, wrt, error)) << error;
  return derivatives;
}
static Tensor<double> gradientOf(const Derivatives &derivatives, const Values &inputs,
                                 const Values &cotangents) {
  Values result;
  std::string error;
  EXPECT_TRUE(derivatives.pullBack(inputs, cotangents, result, error)) << error;
  return result.at(0).floats();
}

// RF-17: the mask looks at the rounded integer before it is brought into the range.
TEST(QuantiseTest, fakeQuantAtTheEdgeOfTheRange) {
  Program program(R"(func.func @f(%x: tensor<11xf64>) -> tensor<11xf64> {
    %y = tt.fake_quant %x scale = 0.125 zero_point = 0 low = -8 high = 7 : tensor<11xf64>
    return %y : tensor<11xf64> })");
  Values x = {floats({11}, {-1.125, -1.0625, -1, -0.0625, 0.0625, 0.1875, 0.8125, 0.875,
                            0.93, 0.9375, 1})};
  expectNear(program.run(x)[0],
             {-1, -1, -1, 0, 0, 0.25, 0.75, 0.875, 0.875, 0.875, 0.875}, 0);
  expectNear(program.gradient(x, {full(1, {11})})[0], {0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, 0);
}

TEST(QuantiseTest, zeroPointAndNaN) {
  Program program(R"(func.func @f(%x: tensor<5xf64>) -> tensor<5xf64> {
    %y = tt.fake_quant %x scale = 0.5 zero_point = 3 low = 0 high = 7 : tensor<5xf64>
    return %y : tensor<5xf64> })");
  Values x = {floats({5}, {-2, -1.25, 0.25, 2.3, NAN})};
  expectNear(program.run(x)[0], {-1.5, -1, 0, 2, NAN}, 0);
  expectNear(program.gradient(x, {full(1, {5})})[0], {0, 1, 1, 0, 0}, 0);
}

TEST(QuantiseTest, dequantise) {
  Program program(R"(func.func @f(%q: tensor<3xi8>) -> tensor<3xf64> {
    %y = tt.dequantise %q scale = 0.25 zero_point = -3 : tensor<3xi8> -> tensor<3xf64>
    return %y : tensor<3xf64> })");
  expectNear(program.run({ints({3}, {-128, -3, 127})})[0], {-31.25, 0, 32.5}, 0);
}

static std::string roundingLoss(const std::string &round) {
  return "func.func @f(%x: tensor<f64>) -> tensor<f64> { %r = tt." + round +
         " %x : tensor<f64> %t = tt.constant dense<7.0> : tensor<f64> "
         "%d = tt.sub %r, %t : tensor<f64> %l = tt.square %d : tensor<f64> "
         "return %l : tensor<f64> }";
}

// 20 steps of x -= 0.1 d/dx (round(x) - 7)^2 from 2.3. The true gradient is 0 and
// nothing moves; straight-through x comes to rest where it rounds to 7.
TEST(QuantiseTest, descentThroughRounding) {
  Program flat(roundingLoss("round"));
  // A symbolic zero: no argument reaches the loss through the true derivative.
  Derivatives none = derivativesOf(flat, "all");
  EXPECT_TRUE(none.active().empty());
  auto loss = [&](double x) { return flat.run({floats({}, {x})})[0].floats()[0]; };
  double still = 2.3;
  for (int step = 0; step < 20; ++step)
    still -= 0.1 * (loss(still + 1e-3) - loss(still - 1e-3)) / 2e-3;
  EXPECT_EQ(still, 2.3);

  Program program(roundingLoss("round_ste"));
  Derivatives straight = derivativesOf(program, "all");
  double x = 2.3;
  for (int step = 0; step < 20; ++step)
    x -= 0.1 * gradientOf(straight, {floats({}, {x})}, {full(1, {})})[0];
  EXPECT_EQ(x, 6.500000000000001);
  EXPECT_EQ(std::nearbyint(x), 7);
}

//===----------------------------------------------------------------------===//
// Quantisation-aware training
//===----------------------------------------------------------------------===//

constexpr int64_t kRows = 24, kWeights = 6;
constexpr int kSteps = 200;

/// Mean square error of inputs [24, 6] times weights, which sit on a grid of 1/2
/// if `quantised`.
static std::string regression(bool quantised) {
  return std::string("func.func @f(%x: tensor<24x6xf64>, %w: tensor<6xf64>, %y: "
                     "tensor<24xf64>) -> tensor<f64> { ") +
         (quantised ? "%q = tt.fake_quant %w scale = 0.5 zero_point = 0 low = -4 high = "
                      "3 : tensor<6xf64> "
                    : "%q = tt.reshape %w : tensor<6xf64> -> tensor<6xf64> ") +
         "%b = tt.broadcast %q dims = [1] : tensor<6xf64> -> tensor<24x6xf64> "
         "%m = tt.mul %x, %b : tensor<24x6xf64> "
         "%p = tt.sum %m dims = [1] : (tensor<24x6xf64>) -> tensor<24xf64> "
         "%d = tt.sub %p, %y : tensor<24xf64> %s = tt.square %d : tensor<24xf64> "
         "%l = tt.mean %s dims = [0] : (tensor<24xf64>) -> tensor<f64> "
         "return %l : tensor<f64> }";
}

/// Columns that share most of their values, so that the roundings of single
/// weights should make up for each other.
static Values correlatedData(int64_t set) {
  Tensor<double> x({kRows, kWeights}), y({kRows});
  Tensor<double> base = pattern(37, 11 + set, {kRows});
  Tensor<double> weights = pattern(53, 17 + 7 * set, {kWeights});
  for (int64_t j = 0; j < kWeights; ++j) {
    Tensor<double> own = pattern(29 + 4 * j, 5 + j + 3 * set, {kRows});
    for (int64_t i = 0; i < kRows; ++i) {
      x[i * kWeights + j] = base[i] + 0.3 * own[i];
      y[i] += x[i * kWeights + j] * (0.3 + 0.35 * weights[j]);
    }
  }
  return {x, full(0, {kWeights}), y};
}

static void descend(const Derivatives &derivatives, Values &data, double rate,
                    double lastRate) {
  for (int step = 0; step < kSteps; ++step) {
    Tensor<double> g = gradientOf(derivatives, data, {full(1, {})});
    double share = double(step) / kSteps;
    for (int64_t j = 0; j < kWeights; ++j)
      data[1].floats()[j] -= (rate + (lastRate - rate) * share) * g[j];
  }
}

TEST(QuantiseTest, trainingOnTheGridBeatsRoundingAfterwards) {
  Program plain(regression(false)), quantised(regression(true));
  Derivatives ofPlain = derivativesOf(plain, "1");
  Derivatives ofQuantised = derivativesOf(quantised, "1");
  for (int64_t set = 0; set < 4; ++set) {
    Values data = correlatedData(set);
    descend(ofPlain, data, 0.1, 0.1);
    double exact = plain.run(data)[0].floats()[0];
    double roundedAfter = quantised.run(data)[0].floats()[0];
    descend(ofQuantised, data, 0.05, 0);
    double aware = quantised.run(data)[0].floats()[0];
    std::printf("set %d: exact weights %.5f, rounded after training %.5f, trained on "
                "the grid %.5f\n", int(set), exact, roundedAfter, aware);
    EXPECT_LT(exact, aware);
    EXPECT_LT(aware, 0.8 * roundedAfter);
  }
}
