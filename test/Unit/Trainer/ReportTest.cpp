#include "tt/Trainer/Report.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tt::trainer;

TEST(Report, FormatsCountsAndBytes) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(1234567), "1,234,567");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes((1u << 20) - 1), "1.00 MiB");
  EXPECT_EQ(formatBytes(UINT64_MAX), "16777216.00 TiB");
}

TEST(Report, PrintsEveryPartAndTheSum) {
  tt_sizes sizes = {};
  sizes.threads = 2;
  sizes.instance_bytes = 1;
  sizes.parameter_bytes = 20;
  sizes.state_bytes = 300;
  sizes.io_bytes = 4000;
  sizes.worker_bytes = 50000;
  sizes.gradient_bytes = 600000;
  sizes.activation_bytes = 7000000;
  sizes.workspace_bytes = 80000000;
  sizes.arena_bytes = 87654000;
  std::string text = formatMemory(sizes);
  EXPECT_NE(text.find("memory for 2 threads"), std::string::npos);
  for (const char *count : {" 1 ", " 20 ", " 300 ", " 4,000 ", " 50,000 ",
                            " 600,000 ", " 7,000,000 ", " 80,000,000 ",
                            "total                       87,654,321 bytes"})
    EXPECT_NE(text.find(count), std::string::npos) << count << text;
}

TEST(Report, ComparesWithTheBaseline) {
  std::string text = formatComparison(2.25, 2.5, "characters", 1000);
  EXPECT_NE(text.find("validation loss     2.2500"), std::string::npos);
  EXPECT_NE(text.find("bigram baseline     2.5000"), std::string::npos);
  EXPECT_NE(text.find("difference         -0.2500  the model is better"),
            std::string::npos)
      << text;
  EXPECT_NE(formatComparison(3, 2.5, "bytes", 1).find("+0.5000  the bigram"),
            std::string::npos);
  EXPECT_NE(formatComparison(NAN, 2.5, "bytes", 1).find("not a number"),
            std::string::npos);
}
