//===- RowKernelTest.cpp - Softmax, norms and losses over rows ------------===//
#include "KernelHarness.h"
#include <algorithm>
#include <cmath>

using namespace tt::cpu;

namespace {

using RowKernelTest = KernelTest;

std::string kernel(const std::string &signature, const std::string &body) {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"row\", numerics = {}, schedule = {}} {\n" +
         body + "\n}\n";
}
std::string tensor(std::initializer_list<int64_t> sizes,
                   const char *element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}
constexpr int64_t kWidths[] = {1, 5, 16, 47, 64};

TEST_F(RowKernelTest, Softmax) {
  for (int64_t c : kWidths) {
    std::string t = tensor({2, 3, c});
    auto x = random(6 * c, 1, 8.0f), y = random(6 * c, 2);
    auto out = run(kernel("(%x: " + t + ", %y: " + t + ") -> (" + t + ", " + t + ")",
                          "%0 = tt.add %x, %y : " + t + "\n%1 = tt.softmax %0 : " +
                              t + "\n%2 = tt.mul %1, %y : " + t +
                              "\ntt.yield %1, %2 : " + t + ", " + t),
                   {OperandBuffer::of(x), OperandBuffer::of(y)});
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(inPlacePairs, 4u);
    for (int64_t r = 0; r < 6; ++r) {
      double sum = 0;
      for (int64_t i = r * c; i < (r + 1) * c; ++i)
        sum += std::exp(double(x[i] + y[i]));
      for (int64_t i = r * c; i < (r + 1) * c; ++i) {
        double p = std::exp(double(x[i] + y[i])) / sum;
        expectNear(out[0][i], p, 1e-6, i);
        expectNear(out[1][i], p * y[i], 1e-6, i);
      }
    }
  }
}

TEST_F(RowKernelTest, SoftmaxBackward) {
  for (int64_t c : kWidths) {
    std::string t = tensor({3, c});
    auto p = random(3 * c, 1), d = random(3 * c, 2);
    auto out = run(kernel("(%p: " + t + ", %d: " + t + ") -> " + t,
                          "%0 = tt.softmax_bwd %p, %d : " + t +
                              "\ntt.yield %0 : " + t),
                   {OperandBuffer::of(p), OperandBuffer::of(d)});
    ASSERT_EQ(out.size(), 1u);
    for (int64_t r = 0; r < 3; ++r) {
      double dot = 0;
      for (int64_t i = r * c; i < (r + 1) * c; ++i)
        dot += double(p[i]) * d[i];
      for (int64_t i = r * c; i < (r + 1) * c; ++i)
        expectNear(out[0][i], p[i] * (d[i] - dot), 3e-6, i);
    }
  }
}

struct Moments {
  double mean = 0, rstd = 0;
};
Moments moments(const float *x, int64_t c, double eps, bool center) {
  Moments m;
  for (int64_t i = 0; i < c && center; ++i)
    m.mean += x[i] / double(c);
  double square = 0;
  for (int64_t i = 0; i < c; ++i)
    square += (x[i] - m.mean) * (x[i] - m.mean) / double(c);
  m.rstd = 1 / std::sqrt(square + eps);
  return m;
}

TEST_F(RowKernelTest, LayerNormWithResidual) {
  for (int64_t c : kWidths) {
    std::string t = tensor({2, 3, c}), g = tensor({c}), s = tensor({2, 3});
    auto x = random(6 * c, 1), y = random(6 * c, 2), gamma = random(c, 3),
         beta = random(c, 4);
    auto out = run(
        kernel("(%x: " + t + ", %r: " + t + ", %g: " + g + ", %b: " + g + ") -> (" +
                   t + ", " + s + ", " + s + ", " + t + ")",
               "%0 = tt.add %x, %r : " + t +
                   "\n%1, %2, %3 = tt.layer_norm %0, %g, %b eps = 1.0e-5 : (" + t +
                   ", " + g + ", " + g + ") -> (" + t + ", " + s + ", " + s +
                   ")\ntt.yield %1, %2, %3, %0 : " + t + ", " + s + ", " + s +
                   ", " + t),
        {OperandBuffer::of(x), OperandBuffer::of(y), OperandBuffer::of(gamma),
         OperandBuffer::of(beta)});
    ASSERT_EQ(out.size(), 4u);
    std::vector<float> sum(6 * c);
    for (int64_t i = 0; i < 6 * c; ++i) {
      sum[i] = x[i] + y[i];
      EXPECT_EQ(out[3][i], sum[i]);
    }
    for (int64_t r = 0; r < 6; ++r) {
      Moments m = moments(&sum[r * c], c, 1e-5, true);
      expectNear(out[1][r], m.mean, 1e-6, r);
      if (c > 1) // else the variance is 0 and rstd large
        expectNear(out[2][r], m.rstd, 1e-5, r);
      for (int64_t i = 0; i < c; ++i)
        expectNear(out[0][r * c + i],
                   (sum[r * c + i] - m.mean) * m.rstd * gamma[i] + beta[i], 1e-5,
                   r * c + i);
    }
  }
}

/// RF-18: 10000 + 0.001 i. The f32 mean is off by a tenth of the spread.
TEST_F(RowKernelTest, LayerNormOfLargeMean) {
  std::vector<float> x, gamma(16, 1.0f), beta(16, 0.0f), dy;
  for (int i = 0; i < 16; ++i) {
    x.push_back(float(10000 + 0.001 * i));
    dy.push_back(float(i % 5) - 1.5f);
  }
  std::string t = tensor({1, 16}), g = tensor({16}), s = tensor({1});
  auto out = run(kernel("(%x: " + t + ", %g: " + g + ", %b: " + g + ") -> (" + t + ", " +
                            s + ", " + s + ")",
                        "%0, %1, %2 = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (" + t +
                            ", " + g + ", " + g + ") -> (" + t + ", " + s + ", " + s +
                            ")\ntt.yield %0, %1, %2 : " + t + ", " + s + ", " + s),
                 {OperandBuffer::of(x), OperandBuffer::of(gamma), OperandBuffer::of(beta)});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_NEAR(out[0][0], -1.33133, 1e-3);
  EXPECT_NEAR(out[0][8], 0.08876, 1e-3);
  EXPECT_NEAR(out[0][15], 1.33133, 1e-3);

  std::vector<float> mean{out[1][0]}, rstd{out[2][0]};
  auto dx = run(kernel("(%x: " + t + ", %g: " + g + ", %m: " + s + ", %s: " + s +
                           ", %d: " + t + ") -> " + t,
                       "%0 = tt.layer_norm_bwd %x, %g, %m, %s, %d : (" + t + ", " + g +
                           ", " + s + ", " + s + ", " + t + ") -> " + t +
                           "\ntt.yield %0 : " + t),
                {OperandBuffer::of(x), OperandBuffer::of(gamma), OperandBuffer::of(mean),
                 OperandBuffer::of(rstd), OperandBuffer::of(dy)});
  Moments m = moments(x.data(), 16, 1e-5, true);
  double sumH = 0, sumHX = 0;
  for (int i = 0; i < 16; ++i) {
    sumH += dy[i] / 16;
    sumHX += dy[i] * (x[i] - m.mean) * m.rstd / 16;
  }
  for (int i = 0; i < 16; ++i)
    EXPECT_NEAR(dx[0][i] / m.rstd, dy[i] - sumH - (x[i] - m.mean) * m.rstd * sumHX, 1e-3);
}

/// What rounding leaves of equal numbers is divided by its own spread; their mean is
/// that number, so that gamma's gradient is 0.
TEST_F(RowKernelTest, LayerNormOfEqualNumbers) {
  for (float value : {0.0f, 1.0f, 3.3e7f, -1.1e12f, 7.7e18f}) {
    std::vector<float> x(47, value), gamma(47, 1.0f);
    std::string t = tensor({1, 47}), g = tensor({47}), s = tensor({1});
    auto out = run(kernel("(%x: " + t + ", %g: " + g + ") -> (" + t + ", " + s + ", " + s + ")",
                          "%0, %1, %2 = tt.layer_norm %x, %g eps = 1.0e-5 : (" + t + ", " +
                              g + ") -> (" + t + ", " + s + ", " + s +
                              ")\ntt.yield %0, %2, %1 : " + t + ", " + s + ", " + s),
                   {OperandBuffer::of(x), OperandBuffer::of(gamma)});
    for (int i = 0; i < 47; ++i)
      EXPECT_LE(std::fabs(out[0][i]), std::sqrt(47.0f)) << value;
    EXPECT_GT(out[1][0], 0.0f) << value;
    EXPECT_EQ(out[2][0], value);
  }
}

TEST_F(RowKernelTest, NormBackward) {
  for (bool center : {true, false})
    for (int64_t c : {5, 48, 67}) {
      std::string t = tensor({4, c}), g = tensor({c}), s = tensor({4});
      auto x = random(4 * c, 1), dy = random(4 * c, 2), gamma = random(c, 3);
      std::vector<float> mean, rstd;
      for (int64_t r = 0; r < 4; ++r) {
        Moments m = moments(&x[r * c], c, 1e-5, center);
        mean.push_back(float(m.mean));
        rstd.push_back(float(m.rstd));
      }
      std::vector<OperandBuffer> arguments{OperandBuffer::of(x),
                                           OperandBuffer::of(gamma)};
      if (center)
        arguments.push_back(OperandBuffer::of(mean));
      arguments.push_back(OperandBuffer::of(rstd));
      arguments.push_back(OperandBuffer::of(dy));
      std::string mid = center ? ", %m" : "", midType = center ? ", " + s : "";
      auto out = run(
          kernel("(%x: " + t + ", %g: " + g + (center ? ", %m: " + s : "") +
                     ", %s: " + s + ", %d: " + t + ") -> " + t,
                 std::string("%0 = tt.") + (center ? "layer" : "rms") +
                     "_norm_bwd %x, %g" + mid + ", %s, %d : (" + t + ", " + g +
                     midType + ", " + s + ", " + t + ") -> " + t +
                     "\n%1 = tt.add %0, %d : " + t + "\ntt.yield %1 : " + t),
          arguments);
      ASSERT_EQ(out.size(), 1u);
      for (int64_t r = 0; r < 4; ++r) {
        double sumH = 0, sumHX = 0;
        for (int64_t i = 0; i < c; ++i) {
          double h = double(dy[r * c + i]) * gamma[i];
          sumH += h;
          sumHX += h * (x[r * c + i] - double(mean[r])) * rstd[r];
        }
        for (int64_t i = 0; i < c; ++i) {
          double xhat = (x[r * c + i] - double(mean[r])) * rstd[r];
          double h = double(dy[r * c + i]) * gamma[i];
          double d = rstd[r] * (h - (center ? sumH / c : 0) - xhat * sumHX / c);
          expectNear(out[0][r * c + i], d + dy[r * c + i], 2e-6, r * c + i);
        }
      }
    }
}

TEST_F(RowKernelTest, RMSNorm) {
  for (int64_t c : kWidths) {
    std::string t = tensor({3, c}), g = tensor({c}), s = tensor({3});
    auto x = random(3 * c, 1), gamma = random(c, 3);
    auto out = run(kernel("(%x: " + t + ", %g: " + g + ") -> (" + t + ", " + s + ")",
                          "%0, %1 = tt.rms_norm %x, %g eps = 1.0e-5 : (" + t +
                              ", " + g + ") -> (" + t + ", " + s +
                              ")\ntt.yield %0, %1 : " + t + ", " + s),
                   {OperandBuffer::of(x), OperandBuffer::of(gamma)});
    ASSERT_EQ(out.size(), 2u);
    for (int64_t r = 0; r < 3; ++r) {
      Moments m = moments(&x[r * c], c, 1e-5, false);
      expectNear(out[1][r], m.rstd, 1e-6, r);
      for (int64_t i = 0; i < c; ++i)
        expectNear(out[0][r * c + i], x[r * c + i] * m.rstd * gamma[i], 1e-6, i);
    }
  }
}

TEST_F(RowKernelTest, SumsUseTheLaneTree) {
  for (int64_t c : kWidths) {
    std::string t = tensor({3, c}), s = tensor({3});
    auto x = random(3 * c, 1);
    // Stored with a column stride of 2.
    std::vector<float> wide(3 * c * 2 + 1);
    for (int64_t i = 0; i < 3 * c; ++i)
      wide[2 * i] = x[i];
    wide.resize(2 * (3 * c - 1) + 1);
    std::string strides = " {tt.strides = array<i64: " + std::to_string(2 * c) + ", 2>}";
    auto out = run(kernel("(%x: " + t + strides + ") -> (" + s + ", " + s + ")",
                          "%0 = tt.sum %x dims = [1] : (" + t + ") -> " + s +
                              "\n%1 = tt.neg %0 : " + s + "\ntt.yield %0, %1 : " +
                              s + ", " + s),
                   {OperandBuffer::of(wide)});
    ASSERT_EQ(out.size(), 2u);
    for (int64_t r = 0; r < 3; ++r) {
      float lanes[16] = {};
      for (int64_t i = 0; i < c; ++i)
        lanes[i % 16] += x[r * c + i];
      for (int64_t distance = 8; distance; distance /= 2)
        for (int64_t i = 0; i < distance; ++i)
          lanes[i] += lanes[i + distance];
      EXPECT_EQ(out[0][r], lanes[0]);
      EXPECT_EQ(out[1][r], -lanes[0]);
    }
  }
}

TEST_F(RowKernelTest, MaxFindsTheFirst) {
  for (int64_t c : {1, 7, 40}) {
    std::string t = tensor({4, c}), s = tensor({4}), i32 = tensor({4}, "i32");
    auto x = random(4 * c, 1);
    for (int64_t i = 0; i < c; ++i) {
      x[c + i] = 2.0f;       // all equal
      x[2 * c + i] = -INFINITY;
    }
    x[3 * c + c / 2] = NAN;
    auto out = run(kernel("(%x: " + t + ") -> (" + s + ", " + i32 + ")",
                          "%0, %1 = tt.max %x dim = 1 : (" + t + ") -> (" + s +
                              ", " + i32 + ")\ntt.yield %0, %1 : " + s + ", " + i32),
                   {OperandBuffer::of(x)});
    ASSERT_EQ(out.size(), 2u);
    const int32_t *place = out[1].as<int32_t>();
    int64_t best = std::max_element(x.begin(), x.begin() + c) - x.begin();
    EXPECT_EQ(out[0][0], x[best]);
    EXPECT_EQ(place[0], best);
    EXPECT_EQ(place[1], 0);
    EXPECT_EQ(place[2], 0);
    EXPECT_TRUE(std::isnan(out[0][3]));
    EXPECT_EQ(place[3], c / 2);
  }
}

TEST_F(RowKernelTest, CrossEntropy) {
  for (std::string reduction : {"mean", "sum", "none"})
    for (int64_t v : {3, 65}) {
      int64_t rows = 34;
      std::string t = tensor({2, 17, v}), i = tensor({2, 17}, "i32"),
                  s = tensor({2, 17});
      std::string l = reduction == "none" ? s : "tensor<f32>";
      auto x = random(rows * v, 1, 10.0f);
      OperandBuffer target = ids(rows, v, 2);
      auto *id = static_cast<int32_t *>(target.data());
      id[3] = -100;
      id[5] = int32_t(v);
      auto out = run(kernel("(%x: " + t + ", %t: " + i + ") -> (" + l + ", " + s + ")",
                            "%0, %1 = tt.cross_entropy " + reduction +
                                " %x, %t : (" + t + ", " + i + ") -> (" + l + ", " +
                                s + ")\ntt.yield %0, %1 : " + l + ", " + s),
                     {OperandBuffer::of(x), target});
      ASSERT_EQ(out.size(), 2u);
      double total = 0, count = 0;
      for (int64_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (int64_t c = 0; c < v; ++c)
          sum += std::exp(double(x[r * v + c]));
        double lse = std::log(sum);
        expectNear(out[1][r], lse, 1e-6, r);
        bool counted = id[r] >= 0 && id[r] < v;
        double loss = counted ? lse - x[r * v + id[r]] : 0;
        total += loss;
        count += counted;
        if (reduction == "none")
          expectNear(out[0][r], loss, 2e-6, r);
      }
      if (reduction != "none")
        expectNear(out[0][0], reduction == "mean" ? total / count : total, 3e-6, 0);
      // The adjoint.
      std::vector<float> lse(rows), d(reduction == "none" ? rows : 1, 0.5f);
      for (int64_t r = 0; r < rows; ++r)
        lse[r] = out[1][r];
      auto back = run(
          kernel("(%x: " + t + ", %t: " + i + ", %s: " + s + ", %d: " + l + ") -> " + t,
                 "%0 = tt.cross_entropy_bwd " + reduction + " %x, %t, %s, %d : (" +
                     t + ", " + i + ", " + s + ", " + l + ") -> " + t +
                     "\ntt.yield %0 : " + t),
          {OperandBuffer::of(x), target, OperandBuffer::of(lse),
           OperandBuffer::of(d)});
      ASSERT_EQ(back.size(), 1u);
      EXPECT_EQ(inPlacePairs, 1u);
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < v; ++c) {
          bool counted = id[r] >= 0 && id[r] < v;
          double w = counted ? 0.5 / (reduction == "mean" ? count : 1) : 0;
          double p = std::exp(double(x[r * v + c]) - lse[r]);
          expectNear(back[0][r * v + c], (p - (c == id[r])) * w, 1e-6, r * v + c);
        }
    }
}

TEST_F(RowKernelTest, CrossEntropyOfAnExpression) {
  // The last target sits at the end of the row that scratch keeps.
  auto x = random(3 * 33, 1), y = random(33, 2);
  std::vector<int64_t> target{32, 0, 31};
  auto out = run(
      kernel("(%x: tensor<3x33xf32>, %y: tensor<33xf32>, %t: tensor<3xi64>) -> "
             "(tensor<f32>, tensor<3xf32>)",
             R"(%0 = tt.broadcast %y dims = [1] : tensor<33xf32> -> tensor<3x33xf32>
  %1 = tt.mul %x, %0 : tensor<3x33xf32>
  %2, %3 = tt.cross_entropy sum %1, %t : (tensor<3x33xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>)
  %c = tt.constant dense<0.5> : tensor<f32>
  %4 = tt.mul %2, %c : tensor<f32>
  tt.yield %4, %3 : tensor<f32>, tensor<3xf32>)"),
      {OperandBuffer::of(x), OperandBuffer::of(y), OperandBuffer::of(target)});
  ASSERT_EQ(out.size(), 2u);
  double total = 0;
  for (int64_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < 33; ++c)
      sum += std::exp(double(x[r * 33 + c]) * y[c]);
    total += std::log(sum) - double(x[r * 33 + target[r]]) * y[target[r]];
  }
  expectNear(out[0][0], total / 2, 1e-6, 0);
}

TEST_F(RowKernelTest, NoCountedRowGivesZeroLoss) {
  auto out = run(kernel("(%x: tensor<2x3xf32>, %t: tensor<2xi64>) -> tensor<f32>",
                        "%0, %1 = tt.cross_entropy mean %x, %t : (tensor<2x3xf32>, "
                        "tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>)\n"
                        "tt.yield %0 : tensor<f32>"),
                 {randomBuffer(6, 1),
                  OperandBuffer::of(std::vector<int64_t>{-100, 7})});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0][0], 0.0f);
}

} // namespace
