#include "tt/Trainer/TextData.h"

#include "../../Common/TemporaryDirectory.h"
#include "gtest/gtest.h"

using namespace tt::test;
using namespace tt::trainer;

TEST(TextData, HoldsTheEndOut) {
  TextData data;
  std::string error;
  ASSERT_TRUE(data.assign("0123456789abcdefghij", "t", Vocabulary::bytes(), 0.1,
                          4, error))
      << error;
  EXPECT_EQ(data.training().size, 18u);
  EXPECT_EQ(data.validation().size, 2u);
  EXPECT_EQ(data.validation().data[0], 'i');
}

TEST(TextData, NeedsAContextAndOne) {
  TextData data;
  std::string error;
  std::string text(22, 'a'); // 20 to train on, 2 held out
  EXPECT_TRUE(data.assign(text, "t", Vocabulary::bytes(), 0.1, 19, error));
  EXPECT_FALSE(data.assign(text, "t", Vocabulary::bytes(), 0.1, 20, error));
  EXPECT_EQ(error, "t: found 20 bytes to train on (22 less 2 held out), wanted "
                   "at least 21: the model's context of 20 and one");
  EXPECT_FALSE(data.assign(text, "t", Vocabulary::bytes(), 0.05, 4, error));
  EXPECT_EQ(error,
            "t: found 1 bytes held out for validation, wanted at least 2");
}

TEST(TextData, HashesAsPublished) {
  EXPECT_EQ(hashText(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hashText("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hashText("foobar"), 0x85944171f73967e8u);
}

TEST(TextData, ReadsFilesAndSaysWhyNot) {
  TemporaryDirectory directory;
  std::string text, error, path = directory.path("t.txt");
  writeText(path, std::string("a\0b", 3));
  EXPECT_TRUE(readTextFile(path, text, error)) << error;
  EXPECT_EQ(text, std::string("a\0b", 3));
  writeText(path, "");
  EXPECT_FALSE(readTextFile(path, text, error));
  EXPECT_EQ(error, path + ": found an empty file, wanted text");
  EXPECT_FALSE(readTextFile(path + "x", text, error));
  EXPECT_EQ(error, path + "x: cannot open: No such file or directory");
  EXPECT_FALSE(readTextFile(directory.path(), text, error));
  EXPECT_EQ(error, directory.path() + ": cannot read: Is a directory");
}
