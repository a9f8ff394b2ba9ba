//===- ProductKernelTest.cpp - Kernels of matmul and attention ------------===//
#include "KernelHarness.h"
#include "tt/runtime/Philox.h"
#include <cmath>

using namespace tt::cpu;

namespace {

using ProductKernelTest = KernelTest;

std::string kernel(const std::string &signature, const std::string &body,
                   const std::string &schedule = "{}") {
  return "tt.kernel @k" + signature +
         " attributes {anchor = \"matmul\", numerics = {}, schedule = " + schedule +
         "} {\n" + body + "\n}\n";
}

double dot(const float *a, int64_t aStep, const float *b, int64_t bStep, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i)
    sum += double(a[i * aStep]) * b[i * bStep];
  return sum;
}

TEST_F(ProductKernelTest, LinearWithBiasGeluAndResidual) {
  for (int64_t k : {20, 400}) {
    std::string ks = std::to_string(k);
    std::string x = "tensor<2x5x" + ks + "xf32>", w = "tensor<" + ks + "x33xf32>",
                y = "tensor<2x5x33xf32>";
    auto a = random(10 * k, 1), b = random(k * 33, 2), bias = random(33, 3),
         res = random(330, 4);
    for (const char *schedule : {"{}", "{in_place}"}) {
      auto out = run(
          kernel("(%x: " + x + ", %w: " + w + ", %b: tensor<33xf32>, %r: " + y +
                     ") -> (" + y + ", " + y + ", " + y + ")",
                 "%0 = tt.linear in_out %x, %w, %b : (" + x + ", " + w +
                     ", tensor<33xf32>) -> " + y + "\n%1 = tt.gelu tanh %0 : " + y +
                     "\n%2 = tt.add %r, %0 : " + y + "\ntt.yield %0, %1, %2 : " + y +
                     ", " + y + ", " + y, schedule),
          {OperandBuffer::of(a), OperandBuffer::of(b), OperandBuffer::of(bias),
           OperandBuffer::of(res)});
      ASSERT_EQ(out.size(), 3u);
      EXPECT_EQ(inPlacePairs, k > 384 && schedule[1] == '}' ? 0u : 3u);
      for (int64_t r = 0; r < 10; ++r)
        for (int64_t c = 0; c < 33; ++c) {
          int64_t i = r * 33 + c;
          double z = dot(&a[r * k], 1, &b[c], 33, k) + bias[c];
          double g = z / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) *
                                            (z + 0.044715 * z * z * z)));
          expectNear(out[0][i], z, 1e-5, i);
          expectNear(out[1][i], g, 1e-5, i);
          EXPECT_EQ(out[2][i], res[i] + out[0][i]);
        }
    }
  }
}

TEST_F(ProductKernelTest, DropoutBehindAProduct) {
  for (int64_t m : {1, 3, 150})
    for (int64_t n : {36, 50, 700}) {
      std::string ms = std::to_string(m), ns = std::to_string(n);
      std::string x = "tensor<" + ms + "x8xf32>", w = "tensor<" + ns + "x8xf32>",
                  y = "tensor<" + ms + "x" + ns + "xf32>";
      std::vector<uint32_t> key{11, 22};
      auto out = run(
          kernel("(%x: " + x + ", %w: " + w + ", %k: tensor<2xi32>) -> (" + y + ", " +
                     y + ")",
                 "%0 = tt.linear out_in %x, %w : (" + x + ", " + w + ") -> " + y +
                     "\n%1 = tt.dropout %0, %k p = 0.5 site = 1 samples = " + ms +
                     " : (" + y + ", tensor<2xi32>) -> " + y + "\ntt.yield %0, %1 : " +
                     y + ", " + y),
          {randomBuffer(m * 8, 1), randomBuffer(n * 8, 2), OperandBuffer::of(key)});
      ASSERT_EQ(out.size(), 2u);
      for (int64_t i = 0; i < m * n; ++i) {
        uint32_t e = uint32_t(i % n), row = uint32_t(i / n);
        auto block = tt::runtime::philox4x32({{e / 4, row, 1, 0x74740002}}, 11, 22);
        float want = block.word[e % 4] >= 0x80000000u ? out[0][i] / 0.5f : 0.0f;
        ASSERT_EQ(out[1][i], want) << m << "x" << n << " at " << i;
      }
    }
}

TEST_F(ProductKernelTest, LayoutsAndTransposes) {
  auto a = random(6 * 10, 1), b = random(10 * 7, 2);
  // out_in weight; both transposes of matmul; a strided view as an operand.
  auto out = run(
      kernel("(%x: tensor<6x10xf32>, %w: tensor<7x10xf32>) -> tensor<6x7xf32>",
             "%0 = tt.linear out_in %x, %w : (tensor<6x10xf32>, tensor<7x10xf32>) -> "
             "tensor<6x7xf32>\ntt.yield %0 : tensor<6x7xf32>"),
      {OperandBuffer::of(a), OperandBuffer::of(b)});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t r = 0; r < 6; ++r)
    for (int64_t c = 0; c < 7; ++c)
      expectNear(out[0][r * 7 + c], dot(&a[r * 10], 1, &b[c * 10], 1, 10), 1e-6, r);
  for (bool ta : {false, true})
    for (bool tb : {false, true}) {
      std::string l = ta ? "tensor<2x5x3xf32>" : "tensor<2x3x5xf32>";
      std::string r = tb ? "tensor<2x4x5xf32>" : "tensor<2x5x4xf32>";
      auto batched = run(
          kernel("(%a: " + l + ", %b: " + r + ") -> tensor<2x3x4xf32>",
                 std::string("%0 = tt.matmul %a, %b") + (ta ? " transpose_lhs" : "") +
                     (tb ? " transpose_rhs" : "") + " : (" + l + ", " + r +
                     ") -> tensor<2x3x4xf32>\ntt.yield %0 : tensor<2x3x4xf32>"),
          {OperandBuffer::of(std::vector<float>(a.begin(), a.begin() + 30)),
           OperandBuffer::of(std::vector<float>(b.begin(), b.begin() + 40))});
      ASSERT_EQ(batched.size(), 1u);
      for (int64_t n = 0; n < 2; ++n)
        for (int64_t i = 0; i < 3; ++i)
          for (int64_t j = 0; j < 4; ++j)
            expectNear(batched[0][(n * 3 + i) * 4 + j],
                       dot(&a[n * 15 + (ta ? i : i * 5)], ta ? 3 : 1,
                           &b[n * 20 + (tb ? j * 5 : j)], tb ? 1 : 4, 5),
                       1e-6, j);
    }
}

TEST_F(ProductKernelTest, GappedRowsBecomeBatches) {
  // [2, 3, 5] with room between the batches, and a result likewise.
  auto a = random(20 + 14 + 1, 1), b = random(5 * 4, 2);
  auto out = run(
      kernel("(%x: tensor<2x3x5xf32> {tt.strides = array<i64: 20, 5, 1>}, %w: "
             "tensor<5x4xf32>) -> (tensor<2x3x4xf32> {tt.strides = array<i64: 30, 7, 1>})",
             "%0 = tt.linear in_out %x, %w : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> "
             "tensor<2x3x4xf32>\ntt.yield %0 : tensor<2x3x4xf32>"),
      {OperandBuffer::of(a), OperandBuffer::of(b)});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j)
        expectNear(out[0][n * 30 + i * 7 + j], dot(&a[n * 20 + i * 5], 1, &b[j], 4, 5),
                   1e-6, j);
}

TEST_F(ProductKernelTest, AttentionOnStridedHeads) {
  // q, k, v lie side by side in one row of 3 * H * D; the output is [B, T, H * D].
  int64_t B = 2, H = 2, T = 9, D = 16, row = 3 * H * D;
  std::string t = "tensor<2x2x9x16xf32>", l = "tensor<2x2x9xf32>";
  std::string s = " {tt.strides = array<i64: " + std::to_string(T * row) + ", " +
                  std::to_string(D) + ", " + std::to_string(row) + ", 1>}";
  int64_t extent = (B - 1) * T * row + (H - 1) * D + (T - 1) * row + D;
  auto q = random(extent, 1), k = random(extent, 2), v = random(extent, 3);
  auto out = run(
      kernel("(%q: " + t + s + ", %k: " + t + s + ", %v: " + t + s +
                 ") -> (tensor<2x9x32xf32>, " + l + ")",
             "%o, %l = tt.attention %q, %k, %v causal scale = 0.25 : (" + t + ", " + t +
                 ", " + t + ") -> (" + t + ", " + l +
                 ")\n%0 = tt.transpose %o permutation = [0, 2, 1, 3] : (" + t +
                 ") -> tensor<2x9x2x16xf32>\n%1 = tt.reshape %0 : "
                 "tensor<2x9x2x16xf32> -> tensor<2x9x32xf32>\n"
                 "tt.yield %1, %l : tensor<2x9x32xf32>, " + l),
      {OperandBuffer::of(q), OperandBuffer::of(k), OperandBuffer::of(v)});
  ASSERT_EQ(out.size(), 2u);
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t i = 0; i < T; ++i) {
        auto at = [&](int64_t token) { return b * T * row + h * D + token * row; };
        std::vector<double> p;
        double sum = 0;
        for (int64_t j = 0; j <= i; ++j) {
          p.push_back(std::exp(0.25 * dot(&q[at(i)], 1, &k[at(j)], 1, D)));
          sum += p.back();
        }
        expectNear(out[1][(b * H + h) * T + i], std::log(sum), 2e-6, i);
        for (int64_t d = 0; d < D; ++d) {
          double o = 0;
          for (int64_t j = 0; j <= i; ++j)
            o += p[j] / sum * v[at(j) + d];
          expectNear(out[0][(b * T + i) * H * D + h * D + d], o, 2e-6, d);
        }
      }
}

TEST_F(ProductKernelTest, AttentionBackwardRunsOnEveryLevel) {
  std::string t = "tensor<1x2x9x16xf32>", l = "tensor<1x2x9xf32>";
  auto q = random(288, 1), k = random(288, 2), v = random(288, 3), d = random(288, 4);
  auto forward = run(kernel("(%q: " + t + ", %k: " + t + ", %v: " + t + ") -> (" + t +
                                ", " + l + ")",
                            "%o, %l = tt.attention %q, %k, %v causal scale = 0.25 : (" +
                                t + ", " + t + ", " + t + ") -> (" + t + ", " + l +
                                ")\ntt.yield %o, %l : " + t + ", " + l),
                     {OperandBuffer::of(q), OperandBuffer::of(k), OperandBuffer::of(v)});
  ASSERT_EQ(forward.size(), 2u);
  auto out = run(
      kernel("(%q: " + t + ", %k: " + t + ", %v: " + t + ", %o: " + t + ", %l: " + l +
                 ", %d: " + t + ") -> (" + t + ", " + t + ", " + t + ")",
             "%0, %1, %2 = tt.attention_bwd %q, %k, %v, %o, %l, %d causal scale = 0.25 : (" +
                 t + ", " + t + ", " + t + ", " + t + ", " + l + ", " + t + ") -> (" + t +
                 ", " + t + ", " + t + ")\ntt.yield %0, %1, %2 : " + t + ", " + t + ", " + t),
      {OperandBuffer::of(q), OperandBuffer::of(k), OperandBuffer::of(v), forward[0],
       forward[1], OperandBuffer::of(d)});
  ASSERT_EQ(out.size(), 3u);
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t j = 0; j < 9; ++j)
      for (int64_t c = 0; c < 16; ++c) {
        double dv = 0;
        for (int64_t i = j; i < 9; ++i) {
          double s = 0.25 * dot(&q[(h * 9 + i) * 16], 1, &k[(h * 9 + j) * 16], 1, 16);
          dv += std::exp(s - double(forward[1][h * 9 + i])) * d[(h * 9 + i) * 16 + c];
        }
        expectNear(out[2][(h * 9 + j) * 16 + c], dv, 3e-6, c);
      }
}

TEST_F(ProductKernelTest, Refusals) {
  std::string t = "tensor<1x1x4x16xbf16>";
  EXPECT_NE(refusal(kernel("(%q: " + t + ") -> (" + t + ", tensor<1x1x4xf32>)",
                           "%o, %l = tt.attention %q, %q, %q scale = 0.25 : (" + t + ", " +
                               t + ", " + t + ") -> (" + t +
                               ", tensor<1x1x4xf32>)\ntt.yield %o, %l : " + t +
                               ", tensor<1x1x4xf32>"))
                .find("bf16"),
            std::string::npos);
  EXPECT_NE(refusal(kernel("(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32>",
                           "%0 = tt.exp %a : tensor<4x4xf32>\n%1 = tt.matmul %0, %b : "
                           "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
                           "tt.yield %1 : tensor<4x4xf32>"))
                .find("argument"),
            std::string::npos);
}

} // namespace
