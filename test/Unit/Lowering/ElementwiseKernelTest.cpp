//===- ElementwiseKernelTest.cpp - Kernels without an anchor --------------===//
#include "KernelHarness.h"
#include "tt/runtime/Philox.h"
#include <cmath>

using namespace tt::cpu;

namespace {

using ElementwiseKernelTest = KernelTest;

std::string kernel(const std::string &signature, const std::string &body) {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"elementwise\", numerics = {}, schedule = {}} "
         "{\n" +
         body + "\n}\n";
}

TEST_F(ElementwiseKernelTest, DenseChainIsOneLoop) {
  for (int64_t columns : {1, 7, 16, 33}) {
    std::string t = "tensor<3x" + std::to_string(columns) + "xf32>";
    auto a = random(3 * columns, 1), b = random(3 * columns, 2);
    auto out = run(kernel("(%a: " + t + ", %b: " + t + ") -> " + t,
                          "%0 = tt.mul %a, %b : " + t + "\n%1 = tt.gelu tanh "
                          "%0 : " + t + "\n%2 = tt.add %1, %a : " + t +
                          "\ntt.yield %2 : " + t),
                   {OperandBuffer::of(a), OperandBuffer::of(b)});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(inPlacePairs, 2u);
    for (int64_t i = 0; i < 3 * columns; ++i) {
      double x = double(a[i]) * b[i];
      double g = x / 2 *
                 (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      expectNear(out[0][i], g + a[i], 1e-6, i);
    }
  }
}

/// Down to where f32 ends, gelu has the digits that x gives it: a unit in the last place
/// of x is x^2 and, of the tanh form, up to u x units of the result.
TEST_F(ElementwiseKernelTest, GeluKeepsDigitsInItsTail) {
  std::vector<float> x, one;
  for (float at = -12; at <= 12; at += 0.00731f) {
    x.push_back(at);
    one.push_back(1);
  }
  const std::string n = std::to_string(x.size()), type = "tensor<" + n + "xf32>";
  for (bool isErf : {true, false}) {
    const std::string form = isErf ? "erf" : "tanh";
    auto out = run(kernel("(%x: " + type + ", %d: " + type + ") -> (" + type + ", " + type + ")",
                          "%0 = tt.gelu " + form + " %x : " + type + "\n%1 = tt.gelu_bwd " +
                              form + " %x, %d : " + type + "\ntt.yield %0, %1 : " + type +
                              ", " + type),
                   {OperandBuffer::of(x), OperandBuffer::of(one)});
    ASSERT_EQ(out.size(), 2u);
    for (size_t i = 0; i < x.size(); ++i) {
      const double at = x[i], c = std::sqrt(2 / M_PI);
      const double u = c * (at + 0.044715 * at * at * at), e = std::exp(-2 * u);
      const double step = c * (1 + 3 * 0.044715 * at * at);
      const double part = isErf ? std::erfc(-at / std::sqrt(2.0)) / 2 : 1 / (1 + e);
      const double slope = isErf ? std::exp(-at * at / 2) / std::sqrt(2 * M_PI)
                                 : 2 * step * e / ((1 + e) * (1 + e));
      // The exponential is 0 where it is no normal number.
      const double tiny = 1.2e-38 * (1 + 2 * std::fabs(at) * (isErf ? 1 : step));
      const double units = 6 + (isErf ? at * at : 4 * std::fabs(at) * step);
      const double value = at * part, gradient = part + at * slope;
      EXPECT_LE(std::fabs(out[0][i] - value), units * 0x1p-24 * std::fabs(value) + tiny)
          << form << " of " << at;
      EXPECT_LE(std::fabs(out[1][i] - gradient),
                units * 0x1p-24 * std::max(std::fabs(gradient), part / 2) + tiny)
          << form << "' of " << at;
    }
  }
}

TEST_F(ElementwiseKernelTest, OddFunctionsKeepTheSignOfZero) {
  std::vector<float> x(19, -0.0f);
  x[3] = 0.0f;
  for (const char *op : {"tanh", "erf", "sin", "expm1", "log1p", "sqrt", "silu", "neg"}) {
    auto out = run(kernel("(%x: tensor<19xf32>) -> tensor<19xf32>",
                          "%0 = tt." + std::string(op) +
                              " %x : tensor<19xf32>\ntt.yield %0 : tensor<19xf32>"),
                   {OperandBuffer::of(x)});
    ASSERT_EQ(out.size(), 1u);
    const bool isNegated = std::string(op) == "neg";
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(out[0][i], 0) << op;
      EXPECT_EQ(std::signbit(out[0][i]), (i != 3) != isNegated) << op << " at " << i;
    }
  }
}

TEST_F(ElementwiseKernelTest, BroadcastsAlongBothDimensions) {
  auto x = random(5 * 37, 1), row = random(5, 2), column = random(37, 3);
  auto out = run(
      kernel("(%x: tensor<5x37xf32>, %r: tensor<5xf32>, %c: tensor<37xf32>, "
             "%s: tensor<f32>) -> tensor<5x37xf32>",
             R"(%0 = tt.broadcast %r dims = [0] : tensor<5xf32> -> tensor<5x37xf32>
  %1 = tt.broadcast %c dims = [1] : tensor<37xf32> -> tensor<5x37xf32>
  %2 = tt.broadcast %s dims = [] : tensor<f32> -> tensor<5x37xf32>
  %3 = tt.mul %x, %0 : tensor<5x37xf32>
  %4 = tt.add %3, %1 : tensor<5x37xf32>
  %5 = tt.sub %4, %2 : tensor<5x37xf32>
  tt.yield %5 : tensor<5x37xf32>)"),
      {OperandBuffer::of(x), OperandBuffer::of(row), OperandBuffer::of(column),
       OperandBuffer::of(std::vector<float>{0.25f})});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t r = 0; r < 5; ++r)
    for (int64_t c = 0; c < 37; ++c)
      EXPECT_EQ(out[0][r * 37 + c], x[r * 37 + c] * row[r] + column[c] - 0.25f);
}

TEST_F(ElementwiseKernelTest, TransposesSlicesPadsAndStrides) {
  // Argument 4x6 in storage of row stride 9; result with column stride 2.
  auto x = random(3 * 9 + 6, 1);
  auto out = run(
      kernel("(%x: tensor<4x6xf32> {tt.strides = array<i64: 9, 1>}) -> "
             "(tensor<6x4xf32> {tt.strides = array<i64: 11, 2>}, "
             "tensor<2x5xf32>, tensor<7x6xf32>)",
             R"(%0 = tt.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = tt.slice %x dim = 0 start = 1 size = 2 : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %2 = tt.slice %1 dim = 1 start = 1 size = 5 : (tensor<2x6xf32>) -> tensor<2x5xf32>
  %3 = tt.pad %x dim = 0 low = 1 high = 2 : (tensor<4x6xf32>) -> tensor<7x6xf32>
  tt.yield %0, %2, %3 : tensor<6x4xf32>, tensor<2x5xf32>, tensor<7x6xf32>)"),
      {OperandBuffer::of(x)});
  ASSERT_EQ(out.size(), 3u);
  for (int64_t r = 0; r < 4; ++r)
    for (int64_t c = 0; c < 6; ++c)
      EXPECT_EQ(out[0][c * 11 + r * 2], x[r * 9 + c]);
  for (int64_t r = 0; r < 2; ++r)
    for (int64_t c = 0; c < 5; ++c)
      EXPECT_EQ(out[1][r * 5 + c], x[(r + 1) * 9 + c + 1]);
  for (int64_t r = 0; r < 7; ++r)
    for (int64_t c = 0; c < 6; ++c)
      EXPECT_EQ(out[2][r * 6 + c], r >= 1 && r < 5 ? x[(r - 1) * 9 + c] : 0.0f);
}

TEST_F(ElementwiseKernelTest, LargeTranspose) {
  auto x = random(70 * 45, 1);
  auto out = run(
      kernel("(%x: tensor<70x45xf32>) -> tensor<45x70xf32>",
             R"(%0 = tt.transpose %x permutation = [1, 0] : (tensor<70x45xf32>) -> tensor<45x70xf32>
  tt.yield %0 : tensor<45x70xf32>)"),
      {OperandBuffer::of(x)});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t r = 0; r < 70; ++r)
    for (int64_t c = 0; c < 45; ++c)
      ASSERT_EQ(out[0][c * 70 + r], x[r * 45 + c]);
}

TEST_F(ElementwiseKernelTest, PadAndConcatInsideAnExpression) {
  for (int64_t part : {16, 5}) {
    std::string p = std::to_string(part), w = std::to_string(3 * part);
    std::string small = "tensor<2x" + p + "xf32>", big = "tensor<2x" + w + "xf32>";
    auto a = random(2 * part, 1), b = random(2 * part, 2), y = random(6 * part, 3);
    auto out = run(
        kernel("(%a: " + small + ", %b: " + small + ", %y: " + big + ") -> (" +
                   big + ", " + big + ")",
               "%0 = tt.pad %a dim = 1 low = " + p + " high = " + p + " : (" +
                   small + ") -> " + big + "\n%1 = tt.add %0, %y : " + big +
                   "\n%2 = tt.concat %a, %b, %a dim = 1 : (" + small + ", " +
                   small + ", " + small + ") -> " + big +
                   "\n%3 = tt.mul %2, %y : " + big + "\ntt.yield %1, %3 : " +
                   big + ", " + big),
        {OperandBuffer::of(a), OperandBuffer::of(b), OperandBuffer::of(y)});
    ASSERT_EQ(out.size(), 2u);
    for (int64_t r = 0; r < 2; ++r)
      for (int64_t c = 0; c < 3 * part; ++c) {
        int64_t which = c / part, i = r * part + c % part, at = r * 3 * part + c;
        EXPECT_EQ(out[0][at], (which == 1 ? a[i] : 0.0f) + y[at]);
        EXPECT_EQ(out[1][at], (which == 1 ? b[i] : a[i]) * y[at]);
      }
  }
}

TEST_F(ElementwiseKernelTest, ConcatOfResultsIsWrittenInParts) {
  auto a = random(3 * 20, 1), b = random(3 * 7, 2);
  auto out = run(
      kernel("(%a: tensor<3x20xf32>, %b: tensor<3x7xf32>) -> tensor<3x27xf32>",
             R"(%0 = tt.neg %a : tensor<3x20xf32>
  %1 = tt.concat %0, %b dim = 1 : (tensor<3x20xf32>, tensor<3x7xf32>) -> tensor<3x27xf32>
  tt.yield %1 : tensor<3x27xf32>)"),
      {OperandBuffer::of(a), OperandBuffer::of(b)});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(inPlacePairs, 0u);
  for (int64_t r = 0; r < 3; ++r)
    for (int64_t c = 0; c < 27; ++c)
      EXPECT_EQ(out[0][r * 27 + c], c < 20 ? -a[r * 20 + c] : b[r * 7 + c - 20]);
}

TEST_F(ElementwiseKernelTest, ReshapesInsideAnExpression) {
  // Regroups dimensions in ways that keep vectors whole and ways that do not.
  struct Case { int64_t a, b, c, d; };
  for (Case s : {Case{4, 32, 8, 16}, Case{6, 5, 3, 10}, Case{3, 16, 1, 48}}) {
    auto shape = [](int64_t x, int64_t y) {
      return "tensor<" + std::to_string(x) + "x" + std::to_string(y) + "xf32>";
    };
    std::string from = shape(s.a, s.b), to = shape(s.c, s.d);
    std::string line = "tensor<" + std::to_string(s.d) + "xf32>";
    auto x = random(s.a * s.b, 1), bias = random(s.d, 2);
    auto out = run(kernel("(%x: " + from + ", %c: " + line + ") -> " + to,
                          "%0 = tt.reshape %x : " + from + " -> " + to +
                          "\n%1 = tt.broadcast %c dims = [1] : " + line + " -> " +
                          to + "\n%2 = tt.add %0, %1 : " + to +
                          "\ntt.yield %2 : " + to),
                   {OperandBuffer::of(x), OperandBuffer::of(bias)});
    ASSERT_EQ(out.size(), 1u);
    for (int64_t i = 0; i < s.a * s.b; ++i)
      ASSERT_EQ(out[0][i], x[i] + bias[i % s.d]);
  }
}

TEST_F(ElementwiseKernelTest, EmbeddingTakeIotaAndCasts) {
  std::vector<int32_t> id{3, 0, 9, -1, 4, 2};
  auto table = random(5 * 19, 1), position = random(3 * 19, 2);
  auto out = run(
      kernel("(%t: tensor<5x19xf32>, %p: tensor<3x19xf32>, %i: tensor<2x3xi32>, "
             "%n: tensor<i32>) -> (tensor<2x3x19xf32>, tensor<19xf32>, "
             "tensor<3x19xi1>)",
             R"(%0 = tt.embedding %t, %i : (tensor<5x19xf32>, tensor<2x3xi32>) -> tensor<2x3x19xf32>
  %1 = tt.broadcast %p dims = [1, 2] : tensor<3x19xf32> -> tensor<2x3x19xf32>
  %2 = tt.add %0, %1 : tensor<2x3x19xf32>
  %3 = tt.take %p, %n dim = 0 : (tensor<3x19xf32>, tensor<i32>) -> tensor<19xf32>
  %4 = tt.iota dim = 1 : tensor<3x19xi32>
  %5 = tt.cast %4 : tensor<3x19xi32> to tensor<3x19xf32>
  %6 = tt.compare gt %p, %5 : (tensor<3x19xf32>, tensor<3x19xf32>) -> tensor<3x19xi1>
  tt.yield %2, %3, %6 : tensor<2x3x19xf32>, tensor<19xf32>, tensor<3x19xi1>)"),
      {OperandBuffer::of(table), OperandBuffer::of(position),
       OperandBuffer::of(id), OperandBuffer::of(std::vector<int32_t>{2})});
  ASSERT_EQ(out.size(), 3u);
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t t = 0; t < 3; ++t)
      for (int64_t c = 0; c < 19; ++c) {
        int32_t row = id[b * 3 + t];
        float e = row >= 0 && row < 5 ? table[row * 19 + c] : 0.0f;
        EXPECT_EQ(out[0][(b * 3 + t) * 19 + c], e + position[t * 19 + c]);
      }
  for (int64_t i = 0; i < 3 * 19; ++i)
    EXPECT_EQ(out[2].as<uint8_t>()[i], position[i] > float(i % 19));
  for (int64_t c = 0; c < 19; ++c)
    EXPECT_EQ(out[1][c], position[2 * 19 + c]);
}

TEST_F(ElementwiseKernelTest, DropoutFollowsPhilox) {
  struct Case { int64_t rows, columns, samples; };
  for (Case s : {Case{4, 32, 2}, Case{3, 7, 3}, Case{2, 20, 1}, Case{6, 10, 2}}) {
    std::string t = "tensor<" + std::to_string(s.rows) + "x" +
                    std::to_string(s.columns) + "xf32>";
    auto x = random(s.rows * s.columns, 1);
    std::vector<uint32_t> key{0x1234567, 0x89abcdef};
    auto out = run(kernel("(%x: " + t + ", %k: tensor<2xi32>) -> (" + t + ", " + t + ")",
                          "%0 = tt.dropout %x, %k p = 0.3 site = 5 samples = " +
                          std::to_string(s.samples) + " : (" + t +
                          ", tensor<2xi32>) -> " + t +
                          "\n%f = tt.rng_fold %k site = 9 : tensor<2xi32>"
                          "\n%1 = tt.dropout %x, %f p = 0.5 site = 0 samples = " +
                          std::to_string(s.samples) + " : (" + t +
                          ", tensor<2xi32>) -> " + t +
                          "\ntt.yield %0, %1 : " + t + ", " + t),
                   {OperandBuffer::of(x), OperandBuffer::of(key)});
    ASSERT_EQ(out.size(), 2u);
    auto fold = tt::runtime::philox4x32({{9, 0, 0, 0x74740001}}, key[0], key[1]);
    int64_t size = s.rows * s.columns / s.samples;
    for (int64_t i = 0; i < s.rows * s.columns; ++i) {
      auto word = [&](uint32_t site, uint32_t k0, uint32_t k1) {
        uint32_t e = uint32_t(i % size), n = uint32_t(i / size);
        return tt::runtime::philox4x32({{e / 4, n, site, 0x74740002}}, k0, k1)
            .word[e % 4];
      };
      uint32_t threshold = uint32_t(std::round(0.3 * 0x1p32));
      float want = word(5, key[0], key[1]) >= threshold ? x[i] / 0.7f : 0.0f;
      EXPECT_EQ(out[0][i], want) << i;
      want = word(0, fold.word[0], fold.word[1]) >= 0x80000000u ? x[i] / 0.5f : 0.0f;
      EXPECT_EQ(out[1][i], want) << i;
    }
  }
}

TEST_F(ElementwiseKernelTest, RandomKeys) {
  auto out = run(kernel("(%s: tensor<i64>, %t: tensor<i64>) -> (tensor<2xi32>, tensor<2xi32>)",
                        R"(%0 = tt.rng_key %s, %t : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
  %1 = tt.rng_fold %0 site = 3 : tensor<2xi32>
  tt.yield %0, %1 : tensor<2xi32>, tensor<2xi32>)"),
                 {OperandBuffer::of(std::vector<uint64_t>{0x0123456789abcdefull}),
                  OperandBuffer::of(std::vector<uint64_t>{0xfedcba9800000007ull})});
  ASSERT_EQ(out.size(), 2u);
  auto key = tt::runtime::philox4x32({{7, 0xfedcba98u, 0, 0x74740000}},
                                     0x89abcdefu, 0x01234567u);
  auto fold = tt::runtime::philox4x32({{3, 0, 0, 0x74740001}}, key.word[0],
                                      key.word[1]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(out[0].as<uint32_t>()[i], key.word[i]);
    EXPECT_EQ(out[1].as<uint32_t>()[i], fold.word[i]);
  }
}

TEST_F(ElementwiseKernelTest, Rope) {
  for (int64_t size : {64, 32, 6})
    for (std::string layout : {"half_split", "interleaved"})
      for (std::string inverse : {"", "inverse "}) {
        std::string t = "tensor<2x3x" + std::to_string(size) + "xf32>";
        auto x = random(6 * size, 1);
        auto out = run(kernel("(%x: " + t + ") -> " + t,
                              "%0 = tt.rope " + layout + " " + inverse +
                              "%x theta = 1.0e4 : (" + t + ") -> " + t +
                              "\ntt.yield %0 : " + t),
                       {OperandBuffer::of(x)});
        ASSERT_EQ(out.size(), 1u);
        bool pairs = layout == "interleaved";
        for (int64_t row = 0; row < 6; ++row)
          for (int64_t i = 0; i < size / 2; ++i) {
            double angle = double(row % 3) * std::pow(1e4, -2.0 * i / size);
            double c = std::cos(angle), s = std::sin(angle);
            if (!inverse.empty())
              s = -s;
            int64_t p = row * size + (pairs ? 2 * i : i);
            int64_t q = row * size + (pairs ? 2 * i + 1 : i + size / 2);
            expectNear(out[0][p], x[p] * c - x[q] * s, 3e-7, p);
            expectNear(out[0][q], x[p] * s + x[q] * c, 3e-7, q);
          }
      }
}

TEST_F(ElementwiseKernelTest, ScalarsAndConstants) {
  auto out = run(kernel("(%s: tensor<f32>, %x: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>)",
                        R"(%c = tt.constant dense<2.5> : tensor<f32>
  %0 = tt.mul %s, %c : tensor<f32>
  %d = tt.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %1 = tt.mul %x, %d : tensor<3xf32>
  tt.yield %0, %1 : tensor<f32>, tensor<3xf32>)"),
                 {OperandBuffer::of(std::vector<float>{3.0f}),
                  OperandBuffer::of(std::vector<float>{1.0f, 10.0f, 100.0f})});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0][0], 7.5f);
  EXPECT_EQ(out[1][2], 400.0f);
}

TEST_F(ElementwiseKernelTest, Refusals) {
  EXPECT_NE(refusal(kernel("(%x: tensor<4xbf16>) -> tensor<4xbf16>",
                           "%0 = tt.neg %x : tensor<4xbf16>\ntt.yield %0 : "
                           "tensor<4xbf16>"))
                .find("bf16"),
            std::string::npos);
}

} // namespace
