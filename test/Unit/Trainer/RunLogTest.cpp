#include "tt/Trainer/RunLog.h"

#include "../../Common/TemporaryDirectory.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tt::test;
using namespace tt::trainer;

TEST(RunLog, RowsReadBackBitForBit) {
  LogRow row;
  row.step = 12;
  row.loss = 0.1f;
  row.gradNorm = std::numeric_limits<float>::denorm_min();
  row.clip = 3.4028235e38f;
  row.learningRate = 1e-3f;
  row.skipped = 1;
  std::string line = formatLogRow(row);
  EXPECT_EQ(line, "12,0.1,1e-45,3.4028235e+38,0.001,1,");
  std::optional<LogRow> back = parseLogRow(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(formatLogRow(*back), line);
  EXPECT_EQ(memcmp(&*back->gradNorm, &*row.gradNorm, 4), 0);
  EXPECT_FALSE(back->validationLoss);
}

TEST(RunLog, NumbersThatAreNone) {
  LogRow row;
  row.loss = -std::nanf("");
  row.gradNorm = INFINITY;
  row.validationLoss = -INFINITY;
  EXPECT_EQ(formatLogRow(row), "0,nan,inf,,,,-inf");
  std::optional<LogRow> back = parseLogRow("0,nan,inf,,,,-inf");
  ASSERT_TRUE(back);
  EXPECT_TRUE(std::isnan(*back->loss));
  EXPECT_EQ(formatLogRow(*back), "0,nan,inf,,,,-inf");
}

TEST(RunLog, RefusesDamagedRows) {
  for (const char *line : {"", "x,,,,,,", "1,a,,,,,", "1,,,,,b,", "1,,,,,,1x",
                           "1,,,,,,,", "1,1,1,1,1,1,1,1"})
    EXPECT_FALSE(parseLogRow(line)) << line;
  EXPECT_TRUE(parseLogRow("1,,,,,,"));
}

TEST(RunLog, ResumedEqualsUninterrupted) {
  TemporaryDirectory whole, parts;
  std::string error;
  auto add = [&](RunLog &log, int64_t first, int64_t last) {
    for (int64_t step = first; step <= last; ++step) {
      LogRow row;
      row.step = step;
      row.loss = 1.0f / static_cast<float>(step);
      if (step % 5 == 0)
        row.validationLoss = 0.5f;
      ASSERT_TRUE(log.add(row, error) && log.addTiming(step, 0.1, 9, error));
    }
  };
  RunLog log;
  ASSERT_TRUE(log.open(whole.path(), {}, error) && log.create(error));
  add(log, 1, 20);
  {
    RunLog first;
    ASSERT_TRUE(first.open(parts.path(), {}, error) && first.create(error));
    add(first, 1, 14); // killed here, saved at 10
  }
  RunLog second;
  ASSERT_TRUE(second.open(parts.path(), {}, error) && second.resume(10, error));
  EXPECT_EQ(second.lastStep(), 10);
  add(second, 11, 20);
  EXPECT_EQ(readFile(parts.path("log.csv")),
            readFile(whole.path("log.csv")));
  EXPECT_EQ(second.rows().size(), log.rows().size());
  // Numbers that do not repeat are in the other file.
  EXPECT_EQ(readFile(parts.path("timing.csv")).substr(0, 43),
            "step,seconds,tokens_per_second\n1,0.100000,9");
}

TEST(RunLog, SaysWhenItEndsBeforeTheCheckpoint) {
  TemporaryDirectory directory;
  std::string error;
  RunLog log;
  ASSERT_TRUE(log.open(directory.path(), {}, error) && log.resume(10, error));
  EXPECT_EQ(log.lastStep(), -1);
}

TEST(RunLog, NamesADamagedLine) {
  TemporaryDirectory directory;
  std::string error, path = directory.path("log.csv");
  writeText(path, "step,loss,grad_norm,clip,learning_rate,skipped,"
                        "validation_loss\n1,,,,,,\n2,oh\n");
  RunLog log;
  ASSERT_TRUE(log.open(directory.path(), {}, error));
  EXPECT_FALSE(log.resume(10, error));
  EXPECT_EQ(error, path + ":3: found a damaged line, wanted the columns step,"
                          "loss,grad_norm,clip,learning_rate,skipped,"
                          "validation_loss");
}

TEST(RunLog, MetricsHaveColumns) {
  TemporaryDirectory directory;
  std::string error, path = directory.path("log.csv");
  LogRow first, second; // at step 0 nothing is measured
  second.step = 1;
  second.metrics = {"0.25", "-3"};
  std::vector<std::string> names = {"accuracy", "a \"b\", c"};
  {
    RunLog log;
    ASSERT_TRUE(log.open(directory.path(), names, error) && log.create(error) &&
                log.add(first, error) && log.add(second, error));
  }
  const std::string header = "step,loss,grad_norm,clip,learning_rate,skipped,"
                             "validation_loss,metric:accuracy,\"metric:a \"\"b\"\", c\"\n";
  EXPECT_EQ(readFile(path), header + "0,,,,,,,,\n1,,,,,,,0.25,-3\n");
  {
    RunLog log;
    ASSERT_TRUE(log.open(directory.path(), names, error) && log.resume(1, error)) << error;
    ASSERT_EQ(log.rows().size(), 2u);
    EXPECT_TRUE(log.rows()[0].metrics.empty());
    EXPECT_EQ(log.rows()[1].metrics, second.metrics);
  }
  // A graph with other metrics is another log.
  RunLog log;
  ASSERT_TRUE(log.open(directory.path(), {"accuracy"}, error));
  EXPECT_FALSE(log.resume(1, error));
  EXPECT_NE(error.find("found another first line, wanted \"step,"), std::string::npos) << error;
  for (const char *line : {"1,,,,,,", "1,,,,,,,1", "1,,,,,,,1,", "1,,,,,,,x,1", "1,,,,,,,1,1,1"})
    EXPECT_FALSE(parseLogRow(line, 2)) << line;
}
