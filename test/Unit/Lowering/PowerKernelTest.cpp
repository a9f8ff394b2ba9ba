//===- PowerKernelTest.cpp - Error bounds of powers and rotations ---------===//
//
// Against libm in f64. The harness runs every kernel on all levels and in several
// orders and fails unless all give the same bits.
//
//===----------------------------------------------------------------------===//
#include "KernelHarness.h"
#include <cmath>
#include <functional>

using namespace tt::cpu;

namespace {

std::string kernel(const std::string &signature, const std::string &body) {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"elementwise\", numerics = {}, schedule = {}} {\n" +
         body + "\n}\n";
}

class PowerKernelTest : public KernelTest {
protected:
  /// Largest relative error of `tt.OP` over `x`, results below 1e-37 left out.
  double worst(const std::string &op, const std::vector<float> &x,
               const std::function<double(double)> &f) {
    std::string t = "tensor<" + std::to_string(x.size()) + "xf32>";
    auto out = run(kernel("(%x: " + t + ") -> " + t, "%y = tt." + op + " : " + t +
                                                         "\ntt.yield %y : " + t),
                   {OperandBuffer::of(x)});
    double largest = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      double want = f(x[i]);
      if (!std::isfinite(want) || std::fabs(want) < 1e-37 || std::fabs(want) > 3e38)
        continue;
      double error = std::fabs(out[0][int64_t(i)] - want) / std::fabs(want);
      largest = std::isnan(error) ? INFINITY : std::max(largest, error);
    }
    RecordProperty(op.substr(0, op.find(' ')), std::to_string(largest * 1e9) + "e-9");
    return largest;
  }
};

/// 1003 values (no multiple of 16), evenly in [low, high].
std::vector<float> evenly(double low, double high) {
  std::vector<float> x;
  for (int i = 0; i < 1003; ++i)
    x.push_back(float(low + (high - low) * i / 1002));
  return x;
}
std::vector<float> byMagnitude(double low, double high) {
  std::vector<float> x;
  for (float e : evenly(std::log(low), std::log(high)))
    x.push_back(float(std::exp(double(e))));
  return x;
}

auto powerOf(double exponent) {
  return [exponent](double x) { return std::pow(x, exponent); };
}

TEST_F(PowerKernelTest, powers) {
  std::vector<float> wide = byMagnitude(1e-3, 1e3), both = evenly(-3, 3);
  EXPECT_LE(worst("pow %x exponent = 2.5", wide, powerOf(2.5)), 3e-7);
  EXPECT_LE(worst("pow %x exponent = -0.5", wide, powerOf(-0.5)), 2e-7);
  EXPECT_LE(worst("pow %x exponent = 3.0", both, powerOf(3)), 2e-7);
  EXPECT_LE(worst("pow %x exponent = -2.0", both, powerOf(-2)), 2e-7);
  EXPECT_LE(worst("pow %x exponent = 10.0", both, powerOf(10)), 5e-7);
  EXPECT_LE(worst("pow %x exponent = -1.3", wide, powerOf(-1.3)), 2e-6);
  // By way of the logarithm: the error grows with |exponent ln x|.
  EXPECT_LE(worst("pow %x exponent = 99.0", evenly(-1.5, 1.5), powerOf(99)), 2e-5);
}

TEST_F(PowerKernelTest, softFunctions) {
  EXPECT_LE(worst("softplus %x", evenly(-80, 80),
                  [](double x) { return std::log1p(std::exp(x)); }), 1.5e-6);
  EXPECT_LE(worst("log1p %x", byMagnitude(1e-6, 1e6), [](double x) { return std::log1p(x); }),
            1e-6);
  EXPECT_LE(worst("expm1 %x", evenly(-20, 80), [](double x) { return std::expm1(x); }), 1e-6);
  EXPECT_LE(worst("relu2 %x", evenly(-3, 3), [](double x) { return x > 0 ? x * x : 0; }),
            1.2e-7);
}

// Ties go to even, a level outside of the range to its end, exactly.
TEST_F(PowerKernelTest, roundingIsExact) {
  std::vector<float> x = evenly(-4, 4.03125); // steps of 1/128 or so
  for (int i = -16; i <= 16; ++i)
    x.push_back(float(i) / 2);
  EXPECT_EQ(worst("round %x", x, [](double v) { return std::nearbyint(v); }), 0);
  EXPECT_EQ(worst("floor %x", x, [](double v) { return std::floor(v); }), 0);
  EXPECT_EQ(worst("ceil %x", x, [](double v) { return std::ceil(v); }), 0);
  EXPECT_EQ(worst("sign %x", x, [](double v) { return v > 0 ? 1 : v < 0 ? -1 : v; }), 0);
  EXPECT_EQ(worst("round_ste %x", x, [](double v) { return std::nearbyint(v); }), 0);
  EXPECT_EQ(worst("fake_quant %x scale = 0.25 zero_point = 1 low = -8 high = 7", x,
                  [](double v) {
                    return (std::min(std::max(std::nearbyint(v / 0.25) + 1, -8.0), 7.0) - 1) *
                           0.25;
                  }),
            0);
}

// Angles of positions that the kernel is given, far out: reduced in f64.
TEST_F(PowerKernelTest, ropeAtRunTimePositions) {
  constexpr int64_t tokens = 5, size = 128;
  std::vector<int32_t> positions = {0, 257, 4095, 131071, 2000000000};
  std::vector<float> x = random(tokens * size, 3);
  std::string t = "tensor<5x128xf32>";
  auto out = run(kernel("(%x: " + t + ", %p: tensor<5xi32>) -> " + t,
                        "%y = tt.rope half_split %x positions(%p) theta = 1.0e4 : (" + t +
                            ", tensor<5xi32>) -> " + t + "\ntt.yield %y : " + t),
                 {OperandBuffer::of(x), OperandBuffer::of(positions)});
  for (int64_t r = 0; r < tokens; ++r)
    for (int64_t i = 0; i < size / 2; ++i) {
      double angle = positions[r] * std::pow(1e4, -2.0 * double(i) / size);
      double a = x[r * size + i], b = x[r * size + i + size / 2];
      double bound = 2e-7 * (std::fabs(a) + std::fabs(b)) + 1e-30;
      EXPECT_NEAR(out[0][r * size + i], a * std::cos(angle) - b * std::sin(angle), bound)
          << positions[r] << " pair " << i;
      EXPECT_NEAR(out[0][r * size + i + size / 2], a * std::sin(angle) + b * std::cos(angle),
                  bound)
          << positions[r] << " pair " << i;
    }
}

} // namespace
