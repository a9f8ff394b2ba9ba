#include "tt/Trainer/RunSettings.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tt::trainer;

static std::map<std::string, std::string> saved(const RunSettings &settings) {
  RunSettings::Metadata pairs;
  settings.save(pairs);
  return {pairs.begin(), pairs.end()};
}

TEST(RunSettings, ResolvesDefaults) {
  RunSettings settings;
  settings.steps = 300;
  settings.learningRate = 0.5;
  settings.resolve();
  EXPECT_EQ(settings.warmup, 30);
  EXPECT_EQ(settings.minLearningRate, 0.05);
  settings.steps = 100000;
  settings.warmup = -1;
  settings.resolve();
  EXPECT_EQ(settings.warmup, 100);
}

TEST(RunSettings, ComesBackExactly) {
  RunSettings settings;
  settings.learningRate = 0.1 + 0.2;
  settings.seed = -7;
  settings.schedule = "constant";
  settings.resolve();
  RunSettings back;
  std::string error;
  ASSERT_TRUE(back.resume(saved(settings), {}, "c", error)) << error;
  EXPECT_EQ(back.learningRate, settings.learningRate);
  EXPECT_EQ(back.seed, -7);
  EXPECT_EQ(saved(back), saved(settings));
}

TEST(RunSettings, GivenOnesMustAgree) {
  RunSettings settings;
  settings.resolve();
  RunSettings given;
  std::string error;
  given.steps = 5000;
  given.checkpointEvery = 7;
  given.learningRate = 1e-3; // the same
  ASSERT_TRUE(given.resume(saved(settings), {"steps", "checkpoint-every", "lr"},
                           "c", error))
      << error;
  EXPECT_EQ(given.steps, 5000);
  EXPECT_EQ(given.checkpointEvery, 7);
  EXPECT_EQ(given.warmup, 100);
  given.learningRate = 0.25;
  EXPECT_FALSE(given.resume(saved(settings), {"lr"}, "c", error));
  EXPECT_EQ(error, "--lr: found 0.25, wanted 0.001 as in c (leave the option "
                   "away)");
}

TEST(RunSettings, RefusesDamagedMetadata) {
  RunSettings settings;
  settings.resolve();
  std::map<std::string, std::string> pairs = saved(settings);
  pairs["tt.train.lr"] = "1e-3x";
  std::string error;
  EXPECT_FALSE(RunSettings().resume(pairs, {}, "c", error));
  EXPECT_EQ(error, "c: metadata \"tt.train.lr\": found \"1e-3x\", wanted a "
                   "value written by tt-train");
  pairs.erase("tt.train.lr");
  error.clear();
  EXPECT_FALSE(RunSettings().resume(pairs, {}, "c", error));
  EXPECT_EQ(error, "c: metadata \"tt.train.lr\": found none, wanted a value "
                   "written by tt-train");
}

TEST(RunSettings, ChecksRanges) {
  auto check = [](auto change) {
    RunSettings settings;
    settings.resolve();
    change(settings);
    std::string error;
    settings.check("", error);
    return error;
  };
  EXPECT_EQ(check([](RunSettings &) {}), "");
  EXPECT_EQ(check([](RunSettings &s) { s.steps = 0; }),
            "--steps: found 0, wanted 1 to 1000000000");
  EXPECT_EQ(check([](RunSettings &s) { s.learningRate = NAN; }),
            "--lr: found nan, wanted a number above 0, at most 1e6");
  EXPECT_EQ(check([](RunSettings &s) { s.minLearningRate = 1; }),
            "--min-lr: found 1, wanted 0 to --lr, 0.001");
  EXPECT_EQ(check([](RunSettings &s) { s.warmup = 1001; }),
            "--warmup: found 1001, wanted 0 to --steps, 1000");
  EXPECT_EQ(check([](RunSettings &s) { s.schedule = "x"; }),
            "--schedule: found x, wanted cosine or constant");
  EXPECT_EQ(check([](RunSettings &s) { s.validationPart = 1; }),
            "--validation: found 1, wanted a number above 0, at most 0.9");
  EXPECT_EQ(check([](RunSettings &s) { s.evalEvery = -1; }),
            "--eval-every: found -1, wanted 0 to 1000000000");
  EXPECT_EQ(check([](RunSettings &s) { s.evalBatches = -1; }),
            "--eval-batches: found -1, wanted 0 to 1000000000");
  EXPECT_EQ(check([](RunSettings &s) { s.checkpointEvery = -1; }),
            "--checkpoint-every: found -1, wanted 0 to 1000000000");
}
