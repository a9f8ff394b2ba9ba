#include "tt/Trainer/Schedule.h"

#include "gtest/gtest.h"

using namespace tt::trainer;

TEST(Schedule, RisesThenFallsOnACosine) {
  Schedule schedule = {false, 1.0, 0.1, 10, 110};
  EXPECT_FLOAT_EQ(schedule.at(1), 0.1f);
  EXPECT_FLOAT_EQ(schedule.at(5), 0.5f);
  EXPECT_FLOAT_EQ(schedule.at(10), 1.0f);
  EXPECT_FLOAT_EQ(schedule.at(35), 0.1f + 0.45f * 1.7071068f); // a quarter
  EXPECT_FLOAT_EQ(schedule.at(60), 0.55f);
  EXPECT_FLOAT_EQ(schedule.at(110), 0.1f);
  EXPECT_FLOAT_EQ(schedule.at(500), 0.1f);
  for (int64_t step = 11; step <= 110; ++step)
    EXPECT_LE(schedule.at(step), schedule.at(step - 1));
}

TEST(Schedule, StaysWhenConstant) {
  Schedule schedule = {true, 0.5, 0.0, 4, 100};
  EXPECT_EQ(schedule.at(1), 0.125f);
  EXPECT_EQ(schedule.at(4), 0.5f);
  EXPECT_EQ(schedule.at(100), 0.5f);
  EXPECT_EQ(schedule.at(100000), 0.5f);
}

TEST(Schedule, HasNoWarmupOrOnlyWarmup) {
  EXPECT_EQ((Schedule{false, 1.0, 0.0, 0, 1}).at(1), 0.0f);
  EXPECT_EQ((Schedule{true, 1.0, 0.0, 0, 1}).at(1), 1.0f);
  EXPECT_EQ((Schedule{false, 1.0, 0.0, 8, 8}).at(4), 0.5f);
  EXPECT_EQ((Schedule{false, 1.0, 0.0, 8, 8}).at(8), 1.0f);
}
