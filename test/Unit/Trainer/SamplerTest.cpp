#include "tt/Trainer/Sampler.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tt::trainer;

TEST(Sampler, TemperatureZeroTakesTheLikeliest) {
  const float logits[] = {1, 3, 3, -2};
  EXPECT_EQ(drawToken(logits, 4, 0, 0, 0.99), 1); // a tie: the smaller id
}

TEST(Sampler, DrawsByTheDistribution) {
  const float logits[] = {std::log(1.0f), std::log(3.0f), std::log(4.0f)};
  int counts[3] = {};
  for (int i = 0; i < 8000; ++i)
    ++counts[drawToken(logits, 3, 1, 0, (i + 0.5) / 8000)];
  EXPECT_NEAR(counts[0], 1000, 2);
  EXPECT_NEAR(counts[1], 3000, 2);
  EXPECT_NEAR(counts[2], 4000, 2);
  // At temperature 1/2 the odds are squared: 1 : 9 : 16.
  int sharper[3] = {};
  for (int i = 0; i < 26000; ++i)
    ++sharper[drawToken(logits, 3, 0.5, 0, (i + 0.5) / 26000)];
  EXPECT_NEAR(sharper[0], 1000, 2);
  EXPECT_NEAR(sharper[2], 16000, 2);
}

TEST(Sampler, TopKLeavesTheRestOut) {
  const float logits[] = {0, 2, 1, 2};
  for (int i = 0; i < 100; ++i) {
    int32_t id = drawToken(logits, 4, 5, 2, i / 100.0);
    EXPECT_TRUE(id == 1 || id == 3) << id;
  }
  EXPECT_EQ(drawToken(logits, 4, 5, 1, 0.9), 1);
}

TEST(Sampler, NeverDrawsWhatIsNotFinite) {
  const float logits[] = {NAN, INFINITY, -INFINITY, 5};
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(drawToken(logits, 4, 1, 0, i / 10.0), 3);
  EXPECT_EQ(drawToken(logits, 3, 1, 0, 0.5), -1);
}

TEST(Sampler, SurvivesExtremeLogits) {
  const float logits[] = {-3e38f, 3e38f};
  EXPECT_EQ(drawToken(logits, 2, 1e-3, 0, 0.999999), 1);
  EXPECT_EQ(drawToken(logits, 2, 1000, 0, 0.0), 1);
}
