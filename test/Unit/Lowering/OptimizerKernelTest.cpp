//===- OptimizerKernelTest.cpp - AdamW, sums of squares, global norm ------===//
#include "KernelHarness.h"
#include <cmath>

using namespace tt::cpu;

namespace {

using OptimizerKernelTest = KernelTest;

std::string kernel(const std::string &signature, const std::string &body) {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"optimizer\", numerics = {}, schedule = {}} {\n" +
         body + "\n}\n";
}

std::string adamw(const std::string &t) {
  return kernel("(%p: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t +
                    ", %lr: tensor<f32>, %t: tensor<i64>, %c: tensor<f32>, %s: "
                    "tensor<i32>) -> (" + t + ", " + t + ", " + t + ")",
                "%0, %1, %2 = tt.adamw %p, %g, %m, %v, %lr, %t, %c, %s beta1 = 0.9 "
                "beta2 = 0.95 eps = 1.0e-8 weight_decay = 0.1 : (" + t + ", " + t +
                    ", " + t + ", " + t + ", tensor<f32>, tensor<i64>, tensor<f32>, "
                    "tensor<i32>) -> (" + t + ", " + t + ", " + t +
                    ")\ntt.yield %0, %1, %2 : " + t + ", " + t + ", " + t);
}

TEST_F(OptimizerKernelTest, AdamW) {
  for (int64_t n : {1, 16, 61, 9000})
    for (int64_t step : {1, 2, 1000, 1000000}) {
      if (n > 16 && step > 2 && n != 61)
        continue;
      auto p = random(n, 1), g = random(n, 2), m = random(n, 3, 0.1f),
           v = random(n, 4, 0.01f);
      for (float &value : v)
        value = std::fabs(value);
      auto out = run(adamw("tensor<" + std::to_string(n) + "xf32>"),
                     {OperandBuffer::of(p), OperandBuffer::of(g),
                      OperandBuffer::of(m), OperandBuffer::of(v),
                      OperandBuffer::of(std::vector<float>{3e-4f}),
                      OperandBuffer::of(std::vector<int64_t>{step}),
                      OperandBuffer::of(std::vector<float>{0.5f}),
                      OperandBuffer::of(std::vector<int32_t>{0})});
      ASSERT_EQ(out.size(), 3u);
      EXPECT_EQ(inPlacePairs, 12u);
      double lr = 3e-4f;
      for (int64_t i = 0; i < n; ++i) {
        double gc = g[i] * 0.5, m1 = 0.9 * m[i] + 0.1 * gc,
               v1 = 0.95 * v[i] + 0.05 * gc * gc;
        double p1 = p[i] - lr * 0.1 * p[i] -
                    lr / (1 - std::pow(0.9, step)) * m1 /
                        (std::sqrt(v1) / std::sqrt(1 - std::pow(0.95, step)) + 1e-8);
        expectNear(out[0][i], p1, 2e-7, i);
        expectNear(out[1][i], m1, 2e-7, i);
        expectNear(out[2][i], v1, 2e-7, i);
      }
    }
}

TEST_F(OptimizerKernelTest, SkippedStepKeepsEveryBit) {
  auto p = random(37, 1), g = random(37, 2), m = random(37, 3), v = random(37, 4);
  uint32_t signalling = 0x7fa00001;
  std::memcpy(&p[3], &signalling, 4);
  g[0] = INFINITY;
  auto out = run(adamw("tensor<37xf32>"),
                 {OperandBuffer::of(p), OperandBuffer::of(g), OperandBuffer::of(m),
                  OperandBuffer::of(v), OperandBuffer::of(std::vector<float>{1.0f}),
                  OperandBuffer::of(std::vector<int64_t>{3}),
                  OperandBuffer::of(std::vector<float>{NAN}),
                  OperandBuffer::of(std::vector<int32_t>{1})});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_TRUE(out[0] == OperandBuffer::of(p));
  EXPECT_TRUE(out[1] == OperandBuffer::of(m));
  EXPECT_TRUE(out[2] == OperandBuffer::of(v));
}

TEST_F(OptimizerKernelTest, SumOfSquaresGoesByBlocks) {
  for (int64_t n : {1, 100, 16384, 40001}) {
    std::string t = "tensor<1x" + std::to_string(n) + "xf32>";
    auto x = random(n, 1);
    auto out = run(kernel("(%x: " + t + ") -> tensor<f64>",
                          "%0 = tt.sum_squares %x : " + t +
                              " -> tensor<f64>\ntt.yield %0 : tensor<f64>"),
                   {OperandBuffer::of(x)});
    ASSERT_EQ(out.size(), 1u);
    double total = 0;
    for (int64_t b = 0; b < n; b += 16384) {
      double lanes[16] = {};
      for (int64_t i = b; i < std::min<int64_t>(b + 16384, n); ++i)
        lanes[(i - b) % 16] += double(x[i]) * double(x[i]);
      for (int64_t distance = 8; distance; distance /= 2)
        for (int64_t i = 0; i < distance; ++i)
          lanes[i] += lanes[i + distance];
      total += lanes[0];
    }
    EXPECT_EQ(out[0].as<double>()[0], total);
  }
}

TEST_F(OptimizerKernelTest, GlobalNorm) {
  for (double big : {9.0, 0.04, 1e78, double(INFINITY), double(NAN)}) { // 1e39 is inf in f32
    auto out = run(
        kernel("(%a: tensor<f64>, %b: tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)",
               "%0, %1, %2 = tt.global_norm %a, %b max_norm = 1.0 : (tensor<f64>, "
               "tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)\n"
               "tt.yield %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<i32>"),
        {OperandBuffer::of(std::vector<double>{big}),
         OperandBuffer::of(std::vector<double>{0.07})});
    ASSERT_EQ(out.size(), 3u);
    double norm = std::sqrt(big + 0.07);
    EXPECT_EQ(out[2].as<int32_t>()[0], !std::isfinite(float(norm)));
    EXPECT_EQ(std::isnan(out[1][0]), std::isnan(norm)) << "min(1, NaN) is NaN";
    if (std::isfinite(float(norm))) {
      EXPECT_EQ(out[0][0], float(norm));
      EXPECT_EQ(out[1][0], float(std::min(1.0, 1.0 / (norm + 1e-6))));
    }
  }
}

} // namespace
