#include "tt/Trainer/CsvFile.h"

#include "../../Common/TemporaryDirectory.h"
#include "gtest/gtest.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace tt::test;
using namespace tt::trainer;

namespace {
struct CsvFileTest : testing::Test {
  TemporaryDirectory directory;
  std::string path = directory.path("log.csv");
  std::string error;
  std::vector<std::string> lines;

  bool resume(const std::string &contents, int64_t step) {
    writeText(path, contents);
    CsvFile file;
    return file.open(path, error) && file.resume("step,x", step, lines, error);
  }
};
} // namespace

TEST_F(CsvFileTest, GrowsByLines) {
  CsvFile file;
  writeText(path, "what was there before\n");
  ASSERT_TRUE(file.open(path, error) && file.create("step,x", error));
  EXPECT_TRUE(file.append("1,2", error) && file.append("2,3", error));
  EXPECT_TRUE(file.sync(error));
  EXPECT_EQ(readFile(path), "step,x\n1,2\n2,3\n");
}

TEST_F(CsvFileTest, IsCutBackToAStep) {
  ASSERT_TRUE(resume("step,x\n0,a\n1,b\n2,c\n3,d\n", 2)) << error;
  EXPECT_EQ(lines, (std::vector<std::string>{"0,a", "1,b", "2,c"}));
  EXPECT_EQ(readFile(path), "step,x\n0,a\n1,b\n2,c\n");
}

TEST_F(CsvFileTest, LosesATornLastLine) {
  ASSERT_TRUE(resume("step,x\n1,b\n2,c\n3", 5)) << error;
  EXPECT_EQ(readFile(path), "step,x\n1,b\n2,c\n");
  ASSERT_TRUE(resume("step,x\n1,b\n2,c", 5)) << error;
  EXPECT_EQ(lines.size(), 1u);
}

TEST_F(CsvFileTest, GetsItsHeaderWhenEmptyOrTornThere) {
  for (const char *contents : {"", "st", "step,x"}) {
    ASSERT_TRUE(resume(contents, 5)) << contents;
    EXPECT_EQ(readFile(path), "step,x\n");
  }
}

TEST_F(CsvFileTest, StaysAsItIsWhenItIsNotOurs) {
  EXPECT_FALSE(resume("time,y\n1,2\n", 5));
  EXPECT_EQ(error, path + ":1: found another first line, wanted \"step,x\"");
  EXPECT_EQ(readFile(path), "time,y\n1,2\n");
  for (const char *line : {"x", "", "2", "1,again", "0,less", "-3,b"}) {
    std::string contents = std::string("step,x\n1,a\n") + line + "\n3,c\n";
    EXPECT_FALSE(resume(contents, 5)) << line;
    EXPECT_EQ(error, path + ":3: found a damaged line, wanted a step past 1");
    EXPECT_EQ(readFile(path), contents);
  }
}

TEST_F(CsvFileTest, RefusesASecondWriter) {
  CsvFile first, second;
  ASSERT_TRUE(first.open(path, error));
  EXPECT_FALSE(second.open(path, error));
  EXPECT_EQ(error, path + ": found another tt-train writing to it, wanted a "
                          "directory of our own");
}

TEST_F(CsvFileTest, RefusesWhatIsNoFile) {
  CsvFile link, device, pipe;
  ASSERT_EQ(symlink("/dev/null", path.c_str()), 0);
  EXPECT_FALSE(link.open(path, error));
  EXPECT_EQ(error, path + ": cannot open for writing: Too many levels of "
                          "symbolic links");
  EXPECT_FALSE(device.open("/dev/null", error));
  EXPECT_EQ(error, "/dev/null: found a device, wanted a regular file");
  CsvFile missing;
  EXPECT_FALSE(missing.open(path + "/x", error));
}
