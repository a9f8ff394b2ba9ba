#include "Bound.h"

#include "Cpu.h"

using namespace tt::runtime;
using namespace tt::runtime::test;

static constexpr uint32_t kV3 = 1u << TT_ISA_V3, kV4 = 1u << TT_ISA_V4;

TEST(Cpu, BestCommonLevel) {
  uint32_t level = 99;
  EXPECT_EQ(chooseIsa(kV3 | kV4, kV3 | kV4, 0, level), TT_OK);
  EXPECT_EQ(level, uint32_t(TT_ISA_V4));
  EXPECT_EQ(chooseIsa(kV3 | kV4, kV3, 0, level), TT_OK);
  EXPECT_EQ(level, uint32_t(TT_ISA_V3));
  EXPECT_EQ(chooseIsa(kV3, kV3 | kV4, 0, level), TT_OK);
  EXPECT_EQ(level, uint32_t(TT_ISA_V3));
}

TEST(Cpu, Override) {
  uint32_t level = 99;
  EXPECT_EQ(chooseIsa(kV3 | kV4, kV3 | kV4, 3, level), TT_OK);
  EXPECT_EQ(level, uint32_t(TT_ISA_V3));
  EXPECT_EQ(chooseIsa(kV3 | kV4, kV3 | kV4, 4, level), TT_OK);
  EXPECT_EQ(level, uint32_t(TT_ISA_V4));
}

TEST(Cpu, Refused) {
  uint32_t level = 99;
  EXPECT_STATUS(chooseIsa(kV3, kV3, 5, level), TT_ERR_ARGUMENT, "0, 3 or 4");
  EXPECT_STATUS(chooseIsa(kV3, kV3 | kV4, 4, level), TT_ERR_ARGUMENT,
                "no kernels for x86-64-v4");
  EXPECT_STATUS(chooseIsa(kV3 | kV4, kV3, 4, level), TT_ERR_CPU,
                "lacks x86-64-v4");
  EXPECT_STATUS(chooseIsa(kV4, kV3, 0, level), TT_ERR_CPU,
                "kernels for x86-64-v4", "x86-64-v3 only");
  EXPECT_STATUS(chooseIsa(kV3 | kV4, 0, 0, level), TT_ERR_CPU,
                "not even x86-64-v3");
  EXPECT_STATUS(chooseIsa(0, kV3, 0, level), TT_ERR_CPU, "no known level");
  EXPECT_EQ(level, 99u);
}

TEST(Cpu, MaskAgreesWithTheCompiler) {
  uint32_t mask = cpuIsaMask();
  EXPECT_EQ(bool(mask & kV3), bool(__builtin_cpu_supports("x86-64-v3")));
  EXPECT_EQ(bool(mask & kV4), bool(__builtin_cpu_supports("x86-64-v4")));
}

TEST(Cpu, KernelsOfTheChosenLevelRun) {
  for (uint32_t isa : {3, 4}) {
    if (!(cpuIsaMask() & 1u << (isa - 3)))
      continue;
    Bound bound(1, isa);
    float y[TINY_WIDTH];
    int32_t level = 0;
    ASSERT_EQ(bound.callLogits(y, &level), TT_OK);
    EXPECT_EQ(level, int32_t(isa));
  }
}
