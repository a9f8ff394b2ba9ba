#include "tt/Trainer/Vocabulary.h"

#include "gtest/gtest.h"

using namespace tt::trainer;
using Choice = Vocabulary::Choice;

static Vocabulary fromText(const std::string &text) {
  std::string error;
  auto vocabulary = Vocabulary::fromText(text, "t.txt", error);
  EXPECT_TRUE(vocabulary) << error;
  return *vocabulary;
}

TEST(Vocabulary, GivesIdsInTheOrderOfCodePoints) {
  Vocabulary vocabulary = fromText("ba\nb\xC3\xA9");
  EXPECT_EQ(vocabulary.size(), 4);
  std::vector<int32_t> tokens;
  std::string error, back;
  ASSERT_TRUE(vocabulary.encode("\xC3\xA9"
                                "ab\n",
                                "t.txt", tokens, error));
  EXPECT_EQ(tokens, (std::vector<int32_t>{3, 1, 2, 0}));
  for (int32_t id : tokens)
    vocabulary.decode(id, back);
  EXPECT_EQ(back, "\xC3\xA9"
                  "ab\n");
  EXPECT_EQ(vocabulary.startToken(), 0);
}

TEST(Vocabulary, StartsSamplesWithANewlineOrTheFirstId) {
  EXPECT_EQ(fromText("\tb\n").startToken(), 1);
  EXPECT_EQ(fromText("ab").startToken(), 0);
  EXPECT_EQ(Vocabulary::bytes().startToken(), '\n');
}

TEST(Vocabulary, NamesThePlaceOfAWrongByte) {
  std::string error;
  EXPECT_FALSE(Vocabulary::fromText("a\nb\xFF", "t.txt", error));
  EXPECT_EQ(error, "t.txt:2: byte 3: found 0xff, wanted UTF-8 text");
}

TEST(Vocabulary, NamesAnUnknownCharacter) {
  std::string error;
  std::vector<int32_t> tokens;
  EXPECT_FALSE(fromText("ab").encode("a\xC3\xA9", "--prompt", tokens, error));
  EXPECT_EQ(error, "--prompt:1: byte 1: found U+00E9, wanted one of the 2 "
                   "characters of the vocabulary");
}

TEST(Vocabulary, ChoosesCharactersThenBytes) {
  std::string error;
  EXPECT_FALSE(
      Vocabulary::choose("abc", "t", Choice::Auto, 3, error)->isBytes());
  EXPECT_FALSE(Vocabulary::choose("abc", "t", Choice::Auto, 2, error));
  EXPECT_EQ(error, "t: found 3 distinct characters, wanted at most 2, the "
                   "model's vocabulary (bytes need one of 256)");
  std::string many;
  for (int i = 0; i < 300; ++i)
    many += {char(0xC4 + i / 64), char(0x80 + i % 64)};
  EXPECT_TRUE(
      Vocabulary::choose(many, "t", Choice::Auto, 256, error)->isBytes());
  EXPECT_FALSE(Vocabulary::choose(many, "t", Choice::Characters, 256, error));
  EXPECT_EQ(error, "t: found 300 distinct characters, wanted at most 256, the "
                   "model's vocabulary");
  // Bytes take any text.
  EXPECT_TRUE(
      Vocabulary::choose("\xFF", "t", Choice::Bytes, 256, error)->isBytes());
  EXPECT_FALSE(Vocabulary::choose("a", "t", Choice::Bytes, 255, error));
  EXPECT_EQ(error, "--vocabulary: found bytes, wanted characters: the model's "
                   "vocabulary is 255, bytes need 256");
}

TEST(Vocabulary, SurvivesSerialization) {
  for (const std::string &text :
       {std::string("\n hello"), std::string("\0a", 2),
        std::string("\xC3\xA9\xF4\x8F\xBF\xBF")}) {
    std::string error, form = fromText(text).serialize();
    auto back = Vocabulary::parse(form, error);
    ASSERT_TRUE(back) << error;
    EXPECT_EQ(back->serialize(), form);
    EXPECT_EQ(back->size(), fromText(text).size());
  }
  EXPECT_EQ(fromText("cab\n").serialize(), "a,61-63");
  EXPECT_EQ(Vocabulary::bytes().serialize(), "bytes");
}

TEST(Vocabulary, RefusesDamagedForms) {
  for (const char *form :
       {"", ",", "61,", "61-", "63-61", "61,61", "62,61", "zz", "110000",
        "d800", "-61", "61;62", "61-63-65", "byte", "ffffffffff"}) {
    std::string error;
    EXPECT_FALSE(Vocabulary::parse(form, error)) << form;
    EXPECT_NE(error, "");
  }
}
