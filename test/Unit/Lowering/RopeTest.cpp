//===- RopeTest.cpp - Rotary embedding, RF-30 -----------------------------===//
#include "tt/Lowering/CPU/Rope.h"
#include "KernelRunner.h"
#include "mlir/IR/MLIRContext.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace tt::cpu;
using namespace mlir;

namespace {

class RopeTest : public ::testing::Test {
protected:
  RopeTest() {
    DialectRegistry registry;
    registerKernelDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  /// Dense x [B, H, T, D] -> y at one level; in place when asked.
  std::vector<float> run(RopeSpec s, const std::vector<float> &x,
                         const RopeTable &table, unsigned isa,
                         bool inPlace = false) {
    int64_t size = x.size();
    FloatBuffer from(size), to(size + 32);
    std::memcpy(from.data(), x.data(), size * 4);
    s.x = HeadsOperand::dense(0, s.heads, s.tokens, s.headSize);
    s.y = HeadsOperand::dense(1, s.heads, s.tokens, s.headSize);
    s.cosOperand = 2;
    s.sinOperand = 3;
    s.numOperands = 4;
    if (inPlace)
      s.mayAlias = {0, 1};
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    const Target &target = getTarget(isa);
    EmittedKernel emitted = emitRope(*module, loc, "rope", target, s);
    LoadedKernel kernel(*module, target, emitted);
    EXPECT_EQ(kernel.error(), "");
    float *result = inPlace ? from.data() : to.data();
    kernel.run({from.data(), result, const_cast<float *>(table.cosines.data()),
                const_cast<float *>(table.sines.data())},
               3);
    if (!inPlace)
      for (int64_t i = size; i < size + 32; ++i)
        EXPECT_TRUE(std::isnan(to[i])) << "written past the end";
    return {result, result + size};
  }

  MLIRContext context;
};

TEST_F(RopeTest, AnglesOfLongPositions) {
  struct Case {
    int64_t position;
    double cosines[4], tolerance;
  };
  const Case cases[] = {
      {257, {0.81931, -0.87746, -0.98493, 0.99956}, 2e-5},
      {4095, {-0.06598, -0.74237, -0.98651, 0.89026}, 2e-5},
      {15962, {-0.90802, 0.88461, -0.51682, -0.26911}, 2e-5},
      {131071, {-0.81798, -0.97827, 0.78793, -0.84075}, 2e-5}};
  for (const Case &c : cases) {
    RopeTable table = computeRopeTable(c.position, 1, 128, 10000.0);
    const int64_t pairs[] = {0, 1, 31, 63};
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_NEAR(table.cosines[pairs[i]], c.cosines[i], c.tolerance);
  }
}

TEST_F(RopeTest, BothPairingsAndTheInverse) {
  const std::vector<float> x{0.5f, -1, 2, 0.25f}, dy{1, 2, -1, 0.5f};
  RopeTable table;
  for (double angle : {0.3, 1.1}) {
    table.cosines.push_back(float(std::cos(angle)));
    table.sines.push_back(float(std::sin(angle)));
  }
  const double y[2][4] = {{-0.113372, -0.676398, 2.058433, -0.777808},
                          {0.773188, -0.807576, 0.68439, 1.895814}};
  const double dx[2][4] = {{0.659816, 1.352796, -1.250857, -1.555617},
                           {1.546377, 1.615153, -0.007992, 1.118005}};
  for (int interleaved : {0, 1}) {
    RopeSpec s;
    s.headSize = 4;
    s.interleaved = interleaved;
    std::vector<float> found = run(s, x, table, TT_ISA_V3);
    s.inverse = true;
    std::vector<float> gradient = run(s, dy, table, TT_ISA_V3);
    for (int64_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(found[i], y[interleaved][i], 2e-6);
      EXPECT_NEAR(gradient[i], dx[interleaved][i], 2e-6);
    }
  }
}

TEST_F(RopeTest, ShapesAgainstTheFormula) {
  for (int64_t headSize : {2, 16, 24, 34, 64, 80, 128})
    for (bool interleaved : {false, true}) {
      RopeSpec s;
      s.batch = 2, s.heads = 3, s.tokens = 300, s.headSize = headSize;
      s.interleaved = interleaved;
      RopeTable table = computeRopeTable(5, s.tokens, headSize, 10000.0);
      std::vector<float> x(2 * 3 * 300 * headSize);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = float(int64_t(37 * i + 11) % 129 - 64) / 64.0f;
      std::vector<float> found = run(s, x, table, TT_ISA_V3);
      for (int64_t row = 0; row < 6 * 300; ++row)
        for (int64_t i = 0; i < headSize / 2; ++i) {
          double angle = double(5 + row % 300) *
                         std::pow(10000.0, -2.0 * double(i) / double(headSize));
          int64_t first = row * headSize + (interleaved ? 2 * i : i);
          int64_t second = interleaved ? first + 1 : first + headSize / 2;
          double c = std::cos(angle), n = std::sin(angle);
          ASSERT_NEAR(found[first], x[first] * c - x[second] * n, 5e-7);
          ASSERT_NEAR(found[second], x[second] * c + x[first] * n, 5e-7);
        }
      EXPECT_EQ(run(s, x, table, TT_ISA_V3, /*inPlace=*/true), found);
      if (hostSupports(getTarget(TT_ISA_V4)))
        EXPECT_EQ(run(s, x, table, TT_ISA_V4), found);
      s.inverse = true;
      std::vector<float> back = run(s, found, table, TT_ISA_V3);
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(back[i], x[i], 5e-7);
    }
}

} // namespace
