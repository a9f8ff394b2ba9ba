//===- Exp2Test.cpp - The exponential of attention ------------------------===//
#include "KernelRunner.h"
#include "Lowering/CPU/AttentionTiles.h"
#include "mlir/IR/MLIRContext.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace tt::cpu;
using namespace mlir;

namespace {

class Exp2Test : public ::testing::Test {
protected:
  static constexpr int64_t kCount = 1 << 20;

  std::vector<float> run(const std::vector<float> &x, unsigned isa) {
    DialectRegistry registry;
    registerKernelDialects(registry);
    MLIRContext context(registry);
    context.loadAllAvailableDialects();
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    EmittedKernel kernel;
    {
      PhaseShell shell(*module, loc, "exp2", 2);
      LoopEmitter e(shell);
      MemRefType type = MemRefType::get({kCount}, e.b.getF32Type());
      Value from = shell.operand(0, type), to = shell.operand(1, type);
      e.loop(e.index(0), e.index(kCount), kLanes,
             [&](Value at) { e.store(emitExp2(e, e.load(from, at)), to, at); });
      kernel.phases.push_back(shell.finish(1));
    }
    LoadedKernel loaded(*module, getTarget(isa), kernel);
    EXPECT_EQ(loaded.error(), "");
    FloatBuffer in(kCount), out(kCount);
    std::memcpy(in.data(), x.data(), kCount * sizeof(float));
    loaded.run({in.data(), out.data()});
    return {out.data(), out.data() + kCount};
  }
};

TEST_F(Exp2Test, ErrorAndEdges) {
  std::vector<float> x(kCount);
  for (int64_t i = 0; i < kCount; ++i)
    x[i] = -126.0f + 140.0f * float(i) / float(kCount);
  const float inf = std::numeric_limits<float>::infinity();
  x[0] = -inf, x[1] = 0.0f, x[2] = -126.75f, x[3] = -1e30f;
  x[4] = std::numeric_limits<float>::quiet_NaN(), x[5] = -0.0f;
  x[6] = -3.0f, x[7] = -127.0f, x[8] = 10.0f;
  std::vector<float> y = run(x, TT_ISA_V3);
  const float wanted[] = {0, 1, 0, 0, 0, 1, 0.125f, 0, 1024};
  for (int64_t i = 0; i < 9; ++i)
    if (i == 4)
      EXPECT_TRUE(std::isnan(y[i]));
    else
      EXPECT_EQ(y[i], wanted[i]) << i;
  double worst = 0;
  for (int64_t i = 9; i < kCount; ++i)
    worst = std::max(worst, std::fabs(y[i] / std::exp2(double(x[i])) - 1));
  EXPECT_LT(worst, 1.7e-7);
  if (hostSupports(getTarget(TT_ISA_V4))) {
    std::vector<float> v4 = run(x, TT_ISA_V4);
    EXPECT_EQ(std::memcmp(v4.data(), y.data(), kCount * sizeof(float)), 0);
  }
}

} // namespace
