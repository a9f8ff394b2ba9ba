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
