// The strict JSON reader: what it accepts, refuses and says.
#include "tt/runtime/Json.h"

#include "Mutator.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace tt::runtime;
using tt::test::ExactBytes;

namespace {

std::string decode(JsonText text) {
  std::string out(text.size, '\0');
  out.resize(jsonDecode(text, out.data(), out.size()));
  return out;
}

/// The events as a short text, or "error: ...".
std::string read(std::string_view text, uint32_t maxDepth = 8) {
  ExactBytes bytes(text);
  std::vector<uint32_t> keys(text.size() / 5 + 1);
  char message[256] = "";
  JsonLimits limits;
  limits.maxDepth = maxDepth;
  JsonReader reader(bytes.begin(), bytes.size, keys.data(), keys.size(),
                    {message, sizeof message}, limits);
  std::string out;
  for (;;) {
    switch (reader.next()) {
    case JsonEvent::ObjectBegin:
      out += "{ ";
      break;
    case JsonEvent::ObjectEnd:
      out += "} ";
      break;
    case JsonEvent::ArrayBegin:
      out += "[ ";
      break;
    case JsonEvent::ArrayEnd:
      out += "] ";
      break;
    case JsonEvent::Key:
      out += decode(reader.text()) + ": ";
      break;
    case JsonEvent::String:
      out += "'" + decode(reader.text()) + "' ";
      break;
    case JsonEvent::Integer:
      out += std::to_string(reader.integer()) + " ";
      break;
    case JsonEvent::Number:
      out += "n" + std::string(reader.text().data, reader.text().size) + " ";
      break;
    case JsonEvent::True:
      out += "true ";
      break;
    case JsonEvent::False:
      out += "false ";
      break;
    case JsonEvent::Null:
      out += "null ";
      break;
    case JsonEvent::End:
      EXPECT_EQ(reader.next(), JsonEvent::End);
      return out;
    case JsonEvent::Error:
      EXPECT_EQ(reader.next(), JsonEvent::Error);
      EXPECT_STRNE(message, "");
      return std::string("error: ") + message;
    }
  }
}

bool isRefused(std::string_view text, uint32_t maxDepth = 8) {
  return read(text, maxDepth).rfind("error: ", 0) == 0;
}

TEST(JsonTest, ReadsEveryKindOfValue) {
  EXPECT_EQ(read(R"({"a":[1,-2,2.5,1e3],"b":{"c":true,"d":false},"e":null})"),
            "{ a: [ 1 -2 n2.5 n1e3 ] b: { c: true d: false } e: null } ");
  EXPECT_EQ(read(" \t\r\n{ } \n"), "{ } ");
  EXPECT_EQ(read("[]"), "[ ] ");
  EXPECT_EQ(read("\"x\""), "'x' ");
  EXPECT_EQ(read("0"), "0 ");
  EXPECT_EQ(read("[[[1]],{}]"), "[ [ [ 1 ] ] { } ] ");
}

TEST(JsonTest, ErrorsSayFoundWantedAndWhere) {
  EXPECT_EQ(read(""), "error: found the end of the text at byte 0, wanted a "
                      "value");
  EXPECT_EQ(read("{\"a\" 1}"), "error: found '1' at byte 5, wanted ':'");
  EXPECT_EQ(read("[1,]"), "error: found ']' at byte 3, wanted a value");
  EXPECT_EQ(read("{\"a\":1,}"),
            "error: found '}' at byte 7, wanted a key in quotes");
  EXPECT_EQ(read("[1}"), "error: found '}' at byte 2, wanted ',' or ']'");
  EXPECT_EQ(read("{} x"),
            "error: found 'x' at byte 3, wanted the end of the text");
  EXPECT_EQ(read("{\"x\":1,\"x\":2}"),
            "error: found duplicate key \"x\" at byte 7, first at byte 1, "
            "wanted unique keys");
}

TEST(JsonTest, RefusesWhatOnlyLooksLikeJson) {
  for (const char *text : {"{",         "[",
                           "}",         "]",
                           ",",         ":",
                           "{]",        "[}",
                           "{1:2}",     "{\"a\"}",
                           "[1 2]",     "[,1]",
                           "{,}",       "tru",
                           "True",      "nul",
                           "NaN",       "Infinity",
                           "-Infinity", "'x'",
                           "{a:1}",     "// c\n1",
                           "/**/1",     "1 1",
                           "{}{}",      "\xef\xbb\xbf{}",
                           "+1",        "01",
                           "-",         "-01",
                           "1.",        ".5",
                           "1e",        "1e+",
                           "0x10",      "1_0",
                           "--1"})
    EXPECT_TRUE(isRefused(text)) << text;
  EXPECT_TRUE(isRefused(std::string_view("{}\0", 3)));
  EXPECT_TRUE(isRefused(std::string_view("\0", 1)));
}

TEST(JsonTest, ChecksIntegers) {
  EXPECT_EQ(read("9223372036854775807"), "9223372036854775807 ");
  EXPECT_EQ(read("-9223372036854775808"), "-9223372036854775808 ");
  EXPECT_TRUE(isRefused("9223372036854775808"));
  EXPECT_TRUE(isRefused("-9223372036854775809"));
  EXPECT_TRUE(isRefused("18446744073709551616"));
  EXPECT_TRUE(isRefused(std::string(1000, '9')));
  EXPECT_EQ(read("-0"), "n-0 "); // not an integer: its sign would be lost
  EXPECT_EQ(read("0.0"), "n0.0 ");
  EXPECT_EQ(read("1E-2"), "n1E-2 ");
}

TEST(JsonTest, DecodesEscapes) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t")"), "'\"\\/\b\f\n\r\t' ");
  EXPECT_EQ(read(R"("\u0041\u00e9\u20AC")"), "'A\xc3\xa9\xe2\x82\xac' ");
  EXPECT_EQ(read(R"("\ud83d\ude00")"), "'\xf0\x9f\x98\x80' ");
  EXPECT_EQ(read(R"("\u0000")"), std::string("'\0' ", 4));
  for (const char *text :
       {R"("\x")", R"("\u12")", R"("\u12g4")", R"("\ud800")", R"("\ud800x")",
        R"("\ud800\n")", R"("\ud800\u0041")", R"("\ud800\ud800")",
        R"("\udc00")", R"("\)", R"("\u)", R"("\ud800\u)", R"("\")"})
    EXPECT_TRUE(isRefused(text)) << text;
}

TEST(JsonTest, RefusesBadBytesInStrings) {
  for (const char *bytes :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe0\x80\x80", "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xef\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xfe", "\n", "\t",
        "\x01", "\x1f"})
    EXPECT_TRUE(isRefused("\"" + std::string(bytes) + "\"")) << bytes;
  EXPECT_TRUE(isRefused(std::string_view("\"\0\"", 3)));
  EXPECT_FALSE(isRefused("\"\x7f\xc2\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf\""));
}

TEST(JsonTest, FindsDuplicatesHoweverTheyAreSpelled) {
  EXPECT_TRUE(isRefused(R"({"a":1,"b":2,"a":3})"));
  EXPECT_TRUE(isRefused(R"({"a":1,"\u0061":2})"));
  EXPECT_TRUE(isRefused(R"({"\ud83d\ude00":1,"😀":2})"));
  EXPECT_TRUE(isRefused(R"({"/":1,"\/":2})"));
  EXPECT_TRUE(isRefused(R"({"":1,"":2})"));
  EXPECT_TRUE(isRefused(R"({"long enough key":1,"b":0,"long enough key":2})"));
  EXPECT_TRUE(isRefused(R"({"a":{"x":1,"y":2,"x":3}})"));
  EXPECT_TRUE(isRefused(R"({"a":{"x":1},"b":{"x":1},"a":1})"));
  // Not duplicates: other objects, other case, prefixes.
  EXPECT_FALSE(isRefused(R"({"a":{"a":{"a":1}},"b":{"a":1},"A":1,"aa":1})"));
  EXPECT_FALSE(isRefused(R"({"abcdefgh":1,"abcdefghi":2,"abcdefg":3})"));
  EXPECT_FALSE(isRefused(R"([{"a":1},{"a":1}])"));
}

TEST(JsonTest, BoundsDepth) {
  auto nested = [](int depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_FALSE(isRefused(nested(8)));
  EXPECT_TRUE(isRefused(nested(9)));
  EXPECT_FALSE(isRefused(nested(3), 3));
  EXPECT_TRUE(isRefused(nested(4), 3));
  EXPECT_FALSE(isRefused(nested(64), 1000)); // the hard limit
  EXPECT_TRUE(isRefused(nested(65), 1000));
  EXPECT_TRUE(isRefused(std::string(10000, '['), 64));
  EXPECT_EQ(read("[[1]]", 1), "error: found nesting deeper than 1 at byte 1, "
                              "wanted at most 1");
}

TEST(JsonTest, BoundsKeysByTheCallersScratch) {
  std::string text = R"({"a":1,"b":2,"c":3})";
  uint32_t keys[3];
  char message[128] = "";
  for (size_t capacity : {2, 3}) {
    JsonReader reader(text.data(), text.size(), keys, capacity,
                      {message, sizeof message});
    reader.next();
    EXPECT_EQ(reader.skip(JsonEvent::ObjectBegin), capacity == 3);
  }
  EXPECT_STREQ(message, "found more than 2 keys at byte 13, wanted at most "
                        "that many");
}

TEST(JsonTest, RefusesEveryTruncation) {
  std::string text =
      R"({"a":[1,-2.5e1,"x\u0041\ud83d\ude00é"],"b":{"c":true,"d":null}})";
  ASSERT_FALSE(isRefused(text));
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_TRUE(isRefused(text.substr(0, size))) << size;
}

TEST(JsonTest, WorksWithoutAnErrorText) {
  uint32_t keys[4];
  JsonReader reader("{1", 2, keys, 4, {});
  reader.next();
  EXPECT_EQ(reader.next(), JsonEvent::Error);
}

TEST(JsonTest, ReadsAValueInTheMiddle) {
  std::string text = R"({"a":[1,{"b":2}],"c":3})";
  uint32_t keys[4];
  JsonReader reader(text.data(), text.size(), keys, 4, {});
  reader.readValueAt(5);
  EXPECT_EQ(reader.next(), JsonEvent::ArrayBegin);
  EXPECT_TRUE(reader.skip(JsonEvent::ArrayBegin));
  EXPECT_EQ(reader.next(), JsonEvent::End);
}

/// 100,000 tensors, sorted, reversed and with long common prefixes, and one
/// duplicate at the worst place.
TEST(JsonTest, ChecksManyKeysInBoundedTime) {
  auto start = std::chrono::steady_clock::now();
  std::string prefix(60, 'p');
  for (int order = 0; order < 3; ++order) {
    std::string text = "{";
    for (int i = 0; i < 100000; ++i) {
      int number = order == 0   ? i
                   : order == 1 ? 99999 - i
                                : static_cast<int>(i * 7919ll % 100000);
      text += "\"" + prefix + std::to_string(number) + "\":0,";
    }
    EXPECT_FALSE(isRefused(text + "\"x\":0}"));
    EXPECT_TRUE(isRefused(text + "\"" + prefix + "0\":0}"));
  }
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), 30.0); // with sanitizers; 1 s without
}

TEST(JsonTest, ComparesDecodedBytes) {
  auto text = [](std::string_view raw) {
    return JsonText{raw.data(), raw.size()};
  };
  EXPECT_EQ(jsonCompare(text("abc"), text("\\u0061bc")), 0);
  EXPECT_LT(jsonCompare(text("ab"), text("abc")), 0);
  EXPECT_GT(jsonCompare(text("b"), text("abc")), 0);
  EXPECT_LT(jsonCompare(text("z"), text("\\u00e9")), 0);
  EXPECT_LT(jsonCompare(text("\\uffff"), text("\\ud83d\\ude00")), 0);
  EXPECT_LT(jsonCompare(text("12345678a"), text("12345678b")), 0);
  EXPECT_TRUE(jsonEquals(text("\\u0061"), "a"));
  EXPECT_FALSE(jsonEquals(text("a\\u0000"), "a"));
  EXPECT_FALSE(jsonEquals(text("a"), "ab"));
}

TEST(JsonTest, ErrorTextIsCutAndPrintable) {
  char small[8] = "";
  EXPECT_FALSE(ErrorText({small, sizeof small}).fail("%s", "0123456789"));
  EXPECT_STREQ(small, "0123456");
  EXPECT_FALSE(ErrorText({small, sizeof small}).prefix("ab"));
  EXPECT_STREQ(small, "ab01234");
  EXPECT_FALSE(ErrorText({small, sizeof small}).prefix("0123456789"));
  EXPECT_STREQ(small, "0123456");
  EXPECT_FALSE(ErrorText().fail("x"));
  EXPECT_FALSE(ErrorText().prefix("x"));
  EXPECT_STREQ(PrintableText("a\x1b[31m\xff", 7).text, "a\\x1b[31m\\xff");
  std::string longText(500, 'x');
  std::string shown = PrintableText(longText.data(), longText.size()).text;
  EXPECT_LT(shown.size(), 96u);
  EXPECT_EQ(shown.substr(shown.size() - 3), "...");
}

TEST(JsonTest, SurvivesMutations) {
  tt::test::Mutator mutator(1);
  std::vector<std::string> words = {
      "{",      "}",    "[",    "]",        ",",
      ":",      "\"",   "\\u",  "\\ud800",  "1e999",
      "-0",     "true", "null", "\xf0\x9f", "99999999999999999999",
      "\"a\":1"};
  std::string seed =
      R"({"a":[1,-2.5e1,"x\u0041\ud83d\ude00é"],"b":{"c":true,"d":null}})";
  uint64_t accepted = 0;
  uint64_t count = tt::test::repeatFor(
      2.0, [&] { accepted += !isRefused(mutator.mutate(seed, words)); });
  EXPECT_GT(accepted, 0u);
  std::printf("%llu mutants, %llu accepted\n",
              static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(accepted));
}

} // namespace
