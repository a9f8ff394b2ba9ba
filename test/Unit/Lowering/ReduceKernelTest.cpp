//===- ReduceKernelTest.cpp - Column sums, other sums, scatter ------------===//
#include "KernelHarness.h"
#include <cmath>

using namespace tt::cpu;

namespace {

using ReduceKernelTest = KernelTest;

std::string kernel(const std::string &signature, const std::string &body) {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"column\", numerics = {}, schedule = {}} {\n" +
         body + "\n}\n";
}
std::string tensor(std::initializer_list<int64_t> sizes,
                   const char *element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

TEST_F(ReduceKernelTest, ColumnSumsGoByBlocksOf256) {
  struct Case { int64_t rows, columns; };
  for (Case s : {Case{1, 1}, Case{3, 20}, Case{600, 37}, Case{512, 272}}) {
    std::string t = tensor({s.rows, s.columns}), c = tensor({s.columns});
    auto x = random(s.rows * s.columns, 1), y = random(s.rows * s.columns, 2),
         before = random(s.columns, 3);
    auto out = run(
        kernel("(%x: " + t + ", %y: " + t + ", %a: " + c + ") -> (" + c + ", " + c + ")",
               "%0 = tt.mul %x, %y : " + t + "\n%1 = tt.sum %0 dims = [0] : (" + t +
                   ") -> " + c + "\n%2 = tt.sum %x dims = [0] : (" + t + ") -> " +
                   c + "\n%3 = tt.add %2, %a : " + c + "\ntt.yield %1, %3 : " + c +
                   ", " + c),
        {OperandBuffer::of(x), OperandBuffer::of(y), OperandBuffer::of(before)});
    ASSERT_EQ(out.size(), 2u);
    EXPECT_GE(inPlacePairs, 2u);
    for (int64_t c = 0; c < s.columns; ++c) {
      float products = 0, values = 0;
      for (int64_t b = 0; b < s.rows; b += 256) {
        float p = 0, v = 0;
        for (int64_t r = b; r < std::min(b + 256, s.rows); ++r) {
          p += x[r * s.columns + c] * y[r * s.columns + c];
          v += x[r * s.columns + c];
        }
        products += p;
        values += v;
      }
      ASSERT_EQ(out[0][c], products) << c;
      ASSERT_EQ(out[1][c], values + before[c]) << c;
    }
  }
}

TEST_F(ReduceKernelTest, MeanOfLeadingDimsAlsoYieldsItsInput) {
  std::string t = tensor({2, 3, 20}), s = tensor({2, 3}), c = tensor({20});
  auto x = random(120, 1), m = random(6, 2);
  auto out = run(
      kernel("(%x: " + t + ", %m: " + s + ") -> (" + t + ", " + c + ")",
             "%0 = tt.broadcast %m dims = [0, 1] : " + s + " -> " + t +
                 "\n%1 = tt.sub %x, %0 : " + t + "\n%2 = tt.mean %1 dims = [0, 1] : (" +
                 t + ") -> " + c + "\ntt.yield %1, %2 : " + t + ", " + c),
      {OperandBuffer::of(x), OperandBuffer::of(m)});
  ASSERT_EQ(out.size(), 2u);
  for (int64_t c = 0; c < 20; ++c) {
    double sum = 0;
    for (int64_t r = 0; r < 6; ++r) {
      EXPECT_EQ(out[0][r * 20 + c], x[r * 20 + c] - m[r]);
      sum += double(x[r * 20 + c]) - m[r];
    }
    expectNear(out[1][c], sum / 6, 1e-6, c);
  }
}

TEST_F(ReduceKernelTest, OtherDimensions) {
  std::string t = tensor({5, 4, 19});
  auto x = random(5 * 4 * 19, 1);
  struct Case { const char *dims; std::string type; };
  for (Case s : {Case{"[1]", tensor({5, 19})}, Case{"[1, 2]", tensor({5})},
                 Case{"[0, 2]", tensor({4})}, Case{"[0, 1, 2]", "tensor<f32>"},
                 Case{"[0]", tensor({4, 19})}}) {
    auto out = run(kernel("(%x: " + t + ") -> " + s.type,
                          std::string("%0 = tt.sum %x dims = ") + s.dims + " : (" +
                              t + ") -> " + s.type + "\ntt.yield %0 : " + s.type),
                   {OperandBuffer::of(x)});
    ASSERT_EQ(out.size(), 1u);
    std::string dims = s.dims;
    std::vector<double> want(5 * 4 * 19);
    auto has = [&](char d) { return dims.find(d) != std::string::npos; };
    int64_t n0 = has('0') ? 1 : 5, n1 = has('1') ? 1 : 4, n2 = has('2') ? 1 : 19;
    for (int64_t a = 0; a < 5; ++a)
      for (int64_t b = 0; b < 4; ++b)
        for (int64_t c = 0; c < 19; ++c)
          want[((a % n0) * n1 + b % n1) * n2 + c % n2] += x[(a * 4 + b) * 19 + c];
    for (int64_t i = 0; i < n0 * n1 * n2; ++i)
      expectNear(out[0][i], want[i], 3e-6, i);
  }
}

TEST_F(ReduceKernelTest, ManyKeptRows) {
  std::string t = tensor({300, 3, 18}), s = tensor({300, 18});
  auto x = random(300 * 3 * 18, 1);
  auto out = run(kernel("(%x: " + t + ") -> " + s,
                        "%0 = tt.sum %x dims = [1] : (" + t + ") -> " + s +
                            "\ntt.yield %0 : " + s),
                 {OperandBuffer::of(x)});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t a = 0; a < 300; ++a)
    for (int64_t c = 0; c < 18; ++c) {
      float sum = 0;
      for (int64_t b = 0; b < 3; ++b)
        sum += x[(a * 3 + b) * 18 + c];
      ASSERT_EQ(out[0][a * 18 + c], sum);
    }
  std::string u = tensor({3, 300, 2, 5}), v = tensor({300});
  auto y = random(9000, 2);
  auto sums = run(kernel("(%x: " + u + ") -> " + v,
                         "%0 = tt.sum %x dims = [0, 2, 3] : (" + u + ") -> " + v +
                             "\ntt.yield %0 : " + v),
                  {OperandBuffer::of(y)});
  ASSERT_EQ(sums.size(), 1u);
  for (int64_t k = 0; k < 300; ++k) {
    double sum = 0;
    for (int64_t a = 0; a < 3; ++a)
      for (int64_t i = 0; i < 10; ++i)
        sum += y[(a * 300 + k) * 10 + i];
    expectNear(sums[0][k], sum, 3e-6, k);
  }
}

TEST_F(ReduceKernelTest, LargeSumToOneNumber) {
  std::string t = tensor({700, 33});
  auto x = random(700 * 33, 1);
  auto out = run(kernel("(%x: " + t + ") -> tensor<f32>",
                        "%0 = tt.mean %x dims = [0, 1] : (" + t +
                            ") -> tensor<f32>\ntt.yield %0 : tensor<f32>"),
                 {OperandBuffer::of(x)});
  ASSERT_EQ(out.size(), 1u);
  double sum = 0;
  for (float value : x)
    sum += value;
  expectNear(out[0][0], sum / (700 * 33), 1e-6, 0);
}

TEST_F(ReduceKernelTest, MaxOverAnotherDimension) {
  std::string t = tensor({3, 5, 20}), s = tensor({3, 20}), i = tensor({3, 20}, "i32");
  auto x = random(300, 1);
  auto out = run(kernel("(%x: " + t + ") -> (" + s + ", " + i + ")",
                        "%0, %1 = tt.max %x dim = 1 : (" + t + ") -> (" + s + ", " +
                            i + ")\ntt.yield %0, %1 : " + s + ", " + i),
                 {OperandBuffer::of(x)});
  ASSERT_EQ(out.size(), 2u);
  for (int64_t a = 0; a < 3; ++a)
    for (int64_t c = 0; c < 20; ++c) {
      int64_t best = 0;
      for (int64_t b = 1; b < 5; ++b)
        if (x[(a * 5 + b) * 20 + c] > x[(a * 5 + best) * 20 + c])
          best = b;
      EXPECT_EQ(out[1].as<int32_t>()[a * 20 + c], best);
      EXPECT_EQ(out[0][a * 20 + c], x[(a * 5 + best) * 20 + c]);
    }
}

TEST_F(ReduceKernelTest, EmbeddingBackward) {
  struct Case { int64_t rows, width, positions; };
  for (Case s : {Case{5, 19, 64}, Case{300, 16, 40}, Case{7, 200, 30}, Case{1, 1, 1},
                 Case{200, 400, 50}}) {
    std::string i = tensor({1, s.positions}, "i32"),
                d = tensor({1, s.positions, s.width}), t = tensor({s.rows, s.width});
    OperandBuffer id = ids(s.positions, s.rows, 3);
    auto *values = static_cast<int32_t *>(id.data());
    if (s.positions > 4) {
      values[1] = -1;
      values[2] = int32_t(s.rows);
    }
    int64_t padding = s.rows - 1;
    auto dy = random(s.positions * s.width, 1), before = random(s.rows * s.width, 2);
    auto out = run(
        kernel("(%i: " + i + ", %d: " + d + ", %a: " + t + ") -> (" + t + ", " + t + ")",
               "%0 = tt.embedding_bwd %i, %d rows = " + std::to_string(s.rows) +
                   " : (" + i + ", " + d + ") -> " + t +
                   "\n%1 = tt.add %a, %0 : " + t + "\ntt.yield %0, %1 : " + t + ", " + t),
        {id, OperandBuffer::of(dy), OperandBuffer::of(before)});
    ASSERT_EQ(out.size(), 2u);
    auto padded = run(
        kernel("(%i: " + i + ", %d: " + d + ") -> " + t,
               "%0 = tt.embedding_bwd %i, %d rows = " + std::to_string(s.rows) +
                   " {padding_index = " + std::to_string(padding) + " : i64} : (" +
                   i + ", " + d + ") -> " + t + "\ntt.yield %0 : " + t),
        {id, OperandBuffer::of(dy)});
    ASSERT_EQ(padded.size(), 1u);
    std::vector<float> want(s.rows * s.width);
    for (int64_t p = 0; p < s.positions; ++p)
      if (values[p] >= 0 && values[p] < s.rows)
        for (int64_t c = 0; c < s.width; ++c)
          want[values[p] * s.width + c] += dy[p * s.width + c];
    for (int64_t k = 0; k < s.rows * s.width; ++k) {
      ASSERT_EQ(out[0][k], want[k]) << k;
      ASSERT_EQ(out[1][k], before[k] + want[k]) << k;
      ASSERT_EQ(padded[0][k], k / s.width == padding ? 0.0f : want[k]) << k;
    }
  }
}

} // namespace
