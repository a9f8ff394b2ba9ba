#include "tt/Trainer/Progress.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <unistd.h>

using namespace tt::trainer;

TEST(Progress, FormatsDurationsAndRates) {
  EXPECT_EQ(formatDuration(0), "0:00");
  EXPECT_EQ(formatDuration(59.6), "1:00");
  EXPECT_EQ(formatDuration(3723), "1:02:03");
  EXPECT_EQ(formatDuration(-1), "?");
  EXPECT_EQ(formatDuration(INFINITY), "?");
  EXPECT_EQ(formatDuration(NAN), "?");
  EXPECT_EQ(formatRate(950.4), "950 tok/s");
  EXPECT_EQ(formatRate(12345), "12.3k tok/s");
  EXPECT_EQ(formatRate(2345678), "2.35M tok/s");
  EXPECT_EQ(formatRate(INFINITY), "? tok/s");
}

TEST(Progress, TheBarFitsItsWidth) {
  ProgressState state;
  state.step = 50;
  state.steps = 200;
  state.loss = 2.5f;
  state.validationLoss = 2.25f;
  state.tokensPerSecond = 1000;
  state.secondsLeft = 75;
  EXPECT_EQ(formatProgressBar(state, 80),
            "step 50/200 [####...............] loss 2.5000  val 2.2500  "
            "1000 tok/s  1:15 left");
  for (unsigned width = 0; width < 200; ++width)
    EXPECT_LE(formatProgressBar(state, width).size(), width);
  EXPECT_EQ(formatProgressLine(state),
            "step 50/200  loss 2.5000  val 2.2500  1000 tok/s  1:15 left");
  state.step = 1000; // never past its end
  EXPECT_NE(formatProgressBar(state, 200).find(std::string(40, '#') + "] "),
            std::string::npos);
}

TEST(Progress, TheFirstStepDoesNotCountForLong) {
  Pace pace;
  EXPECT_TRUE(std::isnan(pace.secondsFor(10)));
  pace.add(0.05, 0.05);
  EXPECT_TRUE(std::isnan(pace.secondsFor(10)));
  EXPECT_EQ(pace.secondsFor(0), 0);
  for (int i = 0; i < 10; ++i) {
    pace.add(0.001, 0.001);
    EXPECT_NEAR(pace.secondsFor(1000), 1.0, 1e-9);
  }
  EXPECT_NEAR(pace.stepSeconds(), 0.001, 1e-12);
  Pace slow;
  slow.add(20, 20);
  EXPECT_NEAR(slow.secondsFor(3), 60, 1e-9);
}

TEST(Progress, TheTimeLeftHoldsWhatIsBetweenSteps) {
  // An evaluation of 40 ms after every 100 steps of 0.1 ms: the estimate may not
  // leave the truth by more than the evaluation that is under way.
  Pace pace;
  constexpr int64_t kSteps = 10000;
  for (int64_t step = 1; step <= kSteps; ++step) {
    bool isAfterEvaluation = step % 100 == 1 && step > 1;
    double noise = step % 7 == 0 ? 3 : 0.5;
    pace.add(1e-4 * noise, 1e-4 * noise + (isAfterEvaluation ? 0.04 : 0));
    double mean = 1e-4 * (6 * 0.5 + 3) / 7 + 4e-4;
    if (step > 1000)
      EXPECT_NEAR(pace.secondsFor(kSteps - step), mean * (kSteps - step),
                  0.1 * mean * (kSteps - step) + 1e-9)
          << step;
  }
}

TEST(Progress, TheTimeLeftFollowsAMachineThatSlowsDown) {
  Pace pace;
  for (int i = 0; i < 1000; ++i)
    pace.add(0.1, 0.1);
  for (int i = 0; i < 600; ++i)
    pace.add(0.3, 0.3);
  EXPECT_NEAR(pace.secondsFor(100), 30, 1.5);
}

TEST(Console, RemembersTheFirstFailure) {
  int fd = open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  Console console(fd);
  EXPECT_FALSE(console.print("x"));
  EXPECT_TRUE(console.hasFailed());
  EXPECT_EQ(console.error(),
            "standard output: cannot write: No space left on device");
  EXPECT_FALSE(console.isTerminal());
  close(fd);
}

TEST(Progress, PrintsLinesWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Console console(ends[1]);
  Progress progress(console, 0, 100, 64);
  for (int64_t step = 1; step <= 100; ++step)
    progress.update(step, 1.0f, std::nullopt, 0.001);
  progress.finish();
  close(ends[1]);
  char text[1 << 14];
  ssize_t size = read(ends[0], text, sizeof text);
  close(ends[0]);
  ASSERT_GT(size, 0);
  std::string output(text, size);
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 21);
  EXPECT_EQ(output.find('\r'), std::string::npos);
  EXPECT_EQ(output.find('\x1b'), std::string::npos);
}
