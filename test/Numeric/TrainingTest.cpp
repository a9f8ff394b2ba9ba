//===- TrainingTest.cpp - Values of optimizer and random ops --------------===//
#include "Program.h"

#include "tt/runtime/Philox.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// adamw
//===----------------------------------------------------------------------===//

static Program adamW(const std::string &beta2, const std::string &decay,
                     const std::string &element = "f64") {
  std::string t = "tensor<1x" + element + ">", m = "tensor<1xf64>";
  return Program("func.func @f(%p: " + t + ", %g: " + t + ", %m: " + m + ", %v: " + m +
                 ", %lr: tensor<f32>, %n: tensor<i64>, %c: tensor<f32>, %s: tensor<i32>) -> (" +
                 t + ", " + m + ", " + m + ") { %a, %b, %d = tt.adamw %p, %g, %m, %v, "
                 "%lr, %n, %c, %s beta1 = 0.9 beta2 = " + beta2 +
                 " eps = 1.0e-8 weight_decay = " + decay + " : (" + t + ", " + t + ", " +
                 m + ", " + m + ", tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (" +
                 t + ", " + m + ", " + m + ") return %a, %b, %d : " + t + ", " + m + ", " +
                 m + " }");
}
/// p, m, v after a step with gradient g.
static void step(Program &program, Values &state, double g, double rate, int64_t t,
                 bool skipped = false, double clip = 1, Options options = {}) {
  auto r = program.run({state[0], full(g, {1}), state[1], state[2], full(rate, {}),
                        ints({}, {t}), full(clip, {}), ints({}, {skipped})},
                       options);
  state = {r[0], r[1], r[2]};
}

TEST(TrainingTest, adamWTwoSteps) {
  Program program = adamW("0.999", "0.01");
  Values state = {full(1, {1}), full(0, {1}), full(0, {1})};
  step(program, state, 0.5, 1e-3, 1);
  expectNear(state[0], {0.99899000002}, 1e-14);
  step(program, state, 0.5, 1e-3, 2);
  expectNear(state[0], {0.9979800101399998}, 1e-14);
}

// RF-27: the skipped call leaves no trace.
TEST(TrainingTest, adamWSkippedStep) {
  Program program = adamW("0.999", "0.0");
  Values state = {full(1, {1}), full(0, {1}), full(0, {1})};
  step(program, state, 0.1, 0.1, 1);
  Values before = state;
  step(program, state, kInf, 0.1, 2, /*skipped=*/true);
  for (int i = 0; i < 3; ++i)
    expectNear(state[i], before[i].floats().data, 0);
  step(program, state, 0.2, 0.1, 2);
  expectNear(state[0], {0.803481814}, 1e-9);
  expectNear(state[1], {0.029}, 1e-12);
  expectNear(state[2], {4.999e-05}, 1e-12);
}

// RF-28: eps does not vanish in f16.
TEST(TrainingTest, adamWInHalfPrecision) {
  Options typed;
  typed.mode = Mode::Typed;
  Program program = adamW("0.999", "0.0", "f16");
  Values state = {full(1, {1}), full(0, {1}), full(0, {1})};
  step(program, state, 0, 1e-3, 1, false, 1, typed);
  expectNear(state[0], {1}, 0);
  step(program, state, 1e-4, 1e-3, 1, false, 1, typed);
  expectNear(state[0], {0.9990234375}, 0); // 0.99900 in f16
}

TEST(TrainingTest, adamWClips) {
  Program program = adamW("0.999", "0.0");
  Values a = {full(1, {1}), full(0, {1}), full(0, {1})}, b = a;
  step(program, a, 0.5, 0.1, 1, false, 0.25);
  step(program, b, 0.125, 0.1, 1);
  for (int i = 0; i < 3; ++i)
    expectNear(a[i], b[i].floats().data, 0);
}

//===----------------------------------------------------------------------===//
// Norms of gradients
//===----------------------------------------------------------------------===//

/// norm, clip, skipped of one gradient of n elements.
static Values clipOf(std::vector<double> g, const std::string &maxNorm) {
  std::string t = "tensor<" + std::to_string(g.size()) + "xf32>";
  Program program("func.func @f(%g: " + t + ") -> (tensor<f32>, tensor<f32>, tensor<i32>) "
                  "{ %s = tt.sum_squares %g : " + t + " -> tensor<f64> "
                  "%n, %c, %k = tt.global_norm %s max_norm = " + maxNorm +
                  " : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>) "
                  "return %n, %c, %k : tensor<f32>, tensor<f32>, tensor<i32> }");
  int64_t count = int64_t(g.size());
  return program.run({floats({count}, std::move(g))});
}

TEST(TrainingTest, globalNorm) { // RF-26
  Values r = clipOf({3, 4}, "1.0");
  expectNear(r[0], {5});
  expectNear(r[1], {1 / (5 + 1e-6)}, 1e-15);
  expectNear(r[2], {0});
  EXPECT_NEAR(3 * r[1].floats()[0], .59999988, 1e-8);
  r = clipOf(std::vector<double>(100, 1e20), "1.0");
  expectNear(r[0], {1e21}, 1e-12);
  EXPECT_NEAR(1e20 * r[1].floats()[0], 0.1, 1e-12);
  r = clipOf({kInf, 1}, "1.0");
  expectNear(r[0], {kInf});
  expectNear(r[2], {1});
  r = clipOf({0, 0}, "1.0");
  expectNear(r[0], {0});
  expectNear(r[1], {1});
  expectNear(r[2], {0});
  r = clipOf(std::vector<double>(4, 1e-30), "1.0");
  EXPECT_NEAR(r[0].floats()[0], 2e-30, 1e-42);
  expectNear(r[1], {1});
  r = clipOf({kNaN, 1}, "1.0");
  expectNear(r[0], {kNaN});
  expectNear(r[2], {1});
  r = clipOf(std::vector<double>(4, 3e38), "1.0"); // finite in f64 alone
  expectNear(r[2], {1});
  r = clipOf({30, 40}, "0.0"); // no clipping
  expectNear(r[1], {1});
}

TEST(TrainingTest, sumSquaresOfLongTensor) {
  Program program(R"(func.func @f(%g: tensor<40000xf32>) -> tensor<f64> {
    %s = tt.sum_squares %g : tensor<40000xf32> -> tensor<f64>
    return %s : tensor<f64> })");
  expectNear(program.run({full(0.5, {40000})})[0], {10000}, 0);
  double sum = 0;
  Tensor<double> g = pattern(37, 11, {40000});
  for (double x : g.data)
    sum += x * x;
  expectNear(program.run({g})[0], {sum}, 1e-12);
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The first two words of philox, by the runtime's own header.
static std::vector<double> key(uint32_t c0, uint32_t c1, uint32_t c3, uint64_t seed) {
  auto block = tt::runtime::philox4x32({{c0, c1, 0, c3}}, uint32_t(seed),
                                       uint32_t(seed >> 32));
  return {double(int32_t(block.word[0])), double(int32_t(block.word[1]))};
}

TEST(TrainingTest, randomKeys) {
  Program program(R"(func.func @f(%seed: tensor<i64>, %step: tensor<i64>) -> (tensor<2xi32>, tensor<2xi32>) {
    %k = tt.rng_key %seed, %step : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
    %s = tt.rng_fold %k site = 4294967295 : tensor<2xi32>
    return %k, %s : tensor<2xi32>, tensor<2xi32> })");
  uint64_t seed = 0x123456789abcdef0u, step = 0xfedcba9876543210u;
  auto r = program.run({ints({}, {int64_t(seed)}), ints({}, {int64_t(step)})});
  auto k = key(uint32_t(step), uint32_t(step >> 32), 0x74740000, seed);
  expectNear(r[0], k, 0);
  uint64_t folded = uint32_t(int32_t(k[0])) | uint64_t(uint32_t(int32_t(k[1]))) << 32;
  expectNear(r[1], key(0xffffffff, 0, 0x74740001, folded), 0);
}

// The published vector of Philox4x32-10 for counter 0 and key 0; a wrong round
// would show in every key.
TEST(TrainingTest, philoxHeader) {
  auto block = tt::runtime::philox4x32({{0, 0, 0, 0}}, 0, 0);
  EXPECT_EQ(block.word[0], 0x6627e8d5u);
  EXPECT_EQ(block.word[3], 0x9b00dbd8u);
}

TEST(TrainingTest, dropout) {
  Program program(R"(func.func @f(%x: tensor<3x10xf64>, %k: tensor<2xi32>) -> tensor<3x10xf64> {
    %y = tt.dropout %x, %k p = 0.25 site = 7 samples = 3 : (tensor<3x10xf64>, tensor<2xi32>) -> tensor<3x10xf64>
    return %y : tensor<3x10xf64> })");
  auto y = program.run({full(3, {3, 10}), ints({2}, {-5, 9})})[0].floats();
  int kept = 0;
  for (uint32_t n = 0; n < 3; ++n)
    for (uint32_t e = 0; e < 10; ++e) {
      auto block = tt::runtime::philox4x32({{e / 4, n, 7, 0x74740002}}, uint32_t(-5), 9);
      bool keeps = block.word[e % 4] >= 1u << 30;
      EXPECT_EQ(y[n * 10 + e], keeps ? 4 : 0);
      kept += keeps;
    }
  EXPECT_GT(kept, 12);
  EXPECT_LT(kept, 30);
}

// RF-08: the adjoint has the forward's mask.
TEST(TrainingTest, dropoutGradient) {
  Program program(R"(func.func @f(%x: tensor<64x64xf64>, %k: tensor<2xi32>) -> tensor<64x64xf64> {
    %y = tt.dropout %x, %k p = 0.5 site = 0 samples = 64 : (tensor<64x64xf64>, tensor<2xi32>) -> tensor<64x64xf64>
    return %y : tensor<64x64xf64> })");
  Values inputs = {full(1, {64, 64}), ints({2}, {11, 12})};
  auto y = program.run(inputs)[0].floats();
  expectNear(program.gradient(inputs, {full(1, {64, 64})})[0], y.data, 0);
}
