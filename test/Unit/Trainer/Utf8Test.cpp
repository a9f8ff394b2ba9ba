#include "tt/Trainer/Utf8.h"

#include "gtest/gtest.h"

using namespace tt::trainer;

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!isCodePoint(c))
      continue;
    std::string text;
    appendUtf8(c, text);
    size_t at = 0;
    char32_t back = 0xFFFFFFFF;
    ASSERT_TRUE(nextCodePoint(text, at, back)) << uint32_t(c);
    ASSERT_EQ(back, c);
    ASSERT_EQ(at, text.size());
  }
}

TEST(Utf8, RefusesWhatIsNotUtf8) {
  const std::string bad[] = {
      "\x80",             // a tail alone
      "\xC0\x80",         // overlong NUL
      "\xC1\xBF",         // overlong 0x7F
      "\xE0\x9F\xBF",     // overlong U+07FF
      "\xF0\x8F\xBF\xBF", // overlong U+FFFF
      "\xED\xA0\x80",     // surrogate
      "\xED\xBF\xBF",     // surrogate
      "\xF4\x90\x80\x80", // past U+10FFFF
      "\xF5\x80\x80\x80",
      "\xFF",
      "\xC3",
      "\xE2\x82",
      "\xF0\x9F\x98",
      "\xC3(",
      "\xE2\x82(",
  };
  for (const std::string &text : bad) {
    size_t at = 0;
    char32_t codePoint;
    EXPECT_FALSE(nextCodePoint(text, at, codePoint))
        << testing::PrintToString(text);
    EXPECT_EQ(at, 0u);
  }
  size_t at = 0;
  char32_t codePoint;
  EXPECT_FALSE(nextCodePoint("", at, codePoint));
}
