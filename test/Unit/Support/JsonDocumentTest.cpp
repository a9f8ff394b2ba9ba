// Typed access to config.json and the messages about wrong ones.
#include "tt/Support/JsonDocument.h"

#include "../../Common/TemporaryDirectory.h"
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

using namespace tt::support;

namespace {

JsonDocument parse(std::string_view text) {
  std::string error;
  std::optional<JsonDocument> document =
      JsonDocument::parse(text, "config.json", error);
  EXPECT_TRUE(document) << error;
  return document ? *document : JsonDocument();
}

std::string parseError(std::string_view text, JsonDocumentLimits limits = {}) {
  std::string error;
  EXPECT_FALSE(JsonDocument::parse(text, "config.json", error, limits));
  return error;
}

TEST(JsonDocumentTest, HoldsEveryKind) {
  JsonDocument document = parse(
      R"({"n":null,"b":true,"i":-3,"d":2.5,"s":"\u00e9","a":[1,[2]],"o":{"x":1}})");
  const JsonValue &root = document.root();
  ASSERT_TRUE(root.isObject());
  ASSERT_EQ(root.members().size(), 7u);
  EXPECT_EQ(root.members()[0].first, "n"); // the file's order
  EXPECT_TRUE(root.find("n")->isNull());
  EXPECT_TRUE(root.find("b")->boolean());
  EXPECT_EQ(root.find("i")->integer(), -3);
  EXPECT_EQ(root.find("i")->number(), -3.0);
  EXPECT_EQ(root.find("d")->number(), 2.5);
  EXPECT_EQ(root.find("s")->string(), "\xc3\xa9");
  ASSERT_EQ(root.find("a")->elements().size(), 2u);
  EXPECT_EQ(root.find("a")->elements()[1].elements()[0].integer(), 2);
  EXPECT_EQ(root.find("o")->find("x")->integer(), 1);
  EXPECT_EQ(root.find("q"), nullptr);
}

TEST(JsonDocumentTest, ReadsNumbersInAnyLocale) {
  JsonDocument document = parse("[0.1,1e308,1e-400,-1.5E+2,5e-324]");
  const auto &values = document.root().elements();
  EXPECT_EQ(values[0].number(), 0.1);
  EXPECT_EQ(values[1].number(), 1e308);
  EXPECT_EQ(values[2].number(), 0.0);
  EXPECT_EQ(values[3].number(), -150.0);
  EXPECT_EQ(values[4].number(), 5e-324);
  EXPECT_EQ(parseError("{\"x\":\n 1e309}"),
            "config.json:2:2: found 1e309 at byte 7, wanted a number in the "
            "range of a double");
}

TEST(JsonDocumentTest, PlacesSyntaxErrors) {
  EXPECT_EQ(parseError("{\n  \"a\": 1,\n  \"b\" 2\n}"),
            "config.json:3:7: found '2' at byte 18, wanted ':'");
  EXPECT_EQ(parseError(""), "config.json:1:1: found the end of the text at "
                            "byte 0, wanted a value");
  EXPECT_NE(parseError("{\"a\":1,\"a\":2}").find("duplicate key"),
            std::string::npos);
  EXPECT_NE(parseError("[[[[[[[[[1]]]]]]]]]").find("nesting deeper than 8"),
            std::string::npos);
  JsonDocumentLimits limits;
  limits.maxBytes = 3;
  EXPECT_EQ(parseError("[1] ", limits),
            "config.json: found 4 bytes, wanted at most 3");
}

TEST(JsonDocumentTest, IntegersAreTypedAndRanged) {
  JsonDocument document =
      parse(R"({"n_head":"12","a":12,"b":12.0,"c":null,"d":-1,"e":[1]})");
  std::string error;
  EXPECT_EQ(document.getInteger("a", 1, 1 << 20, error), 12);
  EXPECT_EQ(document.getInteger("q", 1, 9, 7, error), 7);
  EXPECT_EQ(document.getInteger("c", 1, 9, 7, error), 7);
  EXPECT_EQ(error, "");
  auto message = [&](const char *key) {
    std::string text;
    EXPECT_FALSE(document.getInteger(key, 1, 1 << 20, text));
    return text;
  };
  EXPECT_EQ(message("n_head"), "config.json:1: key \"n_head\": found string, "
                               "wanted integer in [1, 2^20]");
  EXPECT_EQ(message("b"), "config.json:1: key \"b\": found 12, wanted integer in "
                          "[1, 2^20]");
  EXPECT_EQ(message("c"), "config.json:1: key \"c\": found null, wanted integer "
                          "in [1, 2^20]");
  EXPECT_EQ(message("d"), "config.json:1: key \"d\": found -1, wanted integer in "
                          "[1, 2^20]");
  EXPECT_EQ(message("e"), "config.json:1: key \"e\": found array, wanted integer "
                          "in [1, 2^20]");
  EXPECT_EQ(message("q"), "config.json: key \"q\": found nothing, wanted "
                          "integer in [1, 2^20]");
}

TEST(JsonDocumentTest, MembersHaveLines) {
  JsonDocument document = parse("{\n\"a\":\n{\"b\":\n1}, \"c\": [\n\n], \"d\": 2}");
  const JsonValue &root = document.root();
  EXPECT_EQ(root.line(), 0u);
  EXPECT_EQ(root.find("a")->line(), 2u); // the key's, not the value's
  EXPECT_EQ(root.find("a")->find("b")->line(), 3u);
  EXPECT_EQ(root.find("c")->line(), 4u);
  EXPECT_EQ(root.find("d")->line(), 6u);
  EXPECT_EQ(document.place("d"), "config.json:6");
  EXPECT_EQ(document.place("q"), "config.json");
}

TEST(JsonDocumentTest, OtherTypes) {
  JsonDocument document = parse(R"({"s":"gelu","b":false,"d":1e-5,"i":3})");
  std::string error;
  EXPECT_EQ(document.getString("s", error), "gelu");
  EXPECT_EQ(document.getString("q", std::string("x"), error), "x");
  EXPECT_EQ(document.getBool("b", error), false);
  EXPECT_EQ(document.getBool("q", true, error), true);
  EXPECT_EQ(document.getNumber("d", 0, 1, error), 1e-5);
  EXPECT_EQ(document.getNumber("i", 0, 4, error), 3.0);
  EXPECT_EQ(document.getNumber("q", 0, 4, 0.5, error), 0.5);
  EXPECT_EQ(document.getChoice("s", {"relu", "gelu"}, error), "gelu");
  EXPECT_EQ(error, "");

  EXPECT_FALSE(document.getChoice("s", {"relu", "silu"}, error));
  EXPECT_EQ(error, "config.json:1: key \"s\": found \"gelu\", wanted \"relu\" or "
                   "\"silu\"");
  EXPECT_FALSE(document.getBool("s", error)); // the first error stays
  EXPECT_NE(error.find("wanted \"relu\""), std::string::npos);
  error.clear();
  EXPECT_FALSE(document.getNumber("d", 0.5, 1, error));
  EXPECT_EQ(error,
            "config.json:1: key \"d\": found 1e-05, wanted number in [0.5, 1]");
  error.clear();
  EXPECT_FALSE(document.getBool("i", error));
  EXPECT_EQ(error, "config.json:1: key \"i\": found 3, wanted true or false");
  error.clear();
  EXPECT_FALSE(document.getString("b", error));
  EXPECT_EQ(error, "config.json:1: key \"b\": found false, wanted string");
  error.clear();
  EXPECT_FALSE(document.getChoice("i", {"a"}, error));
  EXPECT_EQ(error, "config.json:1: key \"i\": found 3, wanted \"a\"");
}

TEST(JsonDocumentTest, RefusesUnknownKeys) {
  std::string error;
  JsonDocument document = parse(R"({"a":1,"\u001b[31m":2})");
  EXPECT_TRUE(document.checkKeys({"a", "\x1b[31m"}, error));
  EXPECT_FALSE(document.checkKeys({"a"}, error));
  EXPECT_EQ(error, "config.json:1: key \"\\x1b[31m\": found an unknown key, "
                   "wanted only known ones");
  error.clear();
  EXPECT_FALSE(parse("[1]").checkKeys({}, error));
  EXPECT_EQ(error, "config.json: found array, wanted object");
}

TEST(JsonDocumentTest, LoadsFiles) {
  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("tt-config.json"), error;
  std::ofstream(path) << "{\"a\":1}";
  std::optional<JsonDocument> document = JsonDocument::load(path, error);
  ASSERT_TRUE(document) << error;
  EXPECT_EQ(document->name(), "tt-config.json");
  EXPECT_EQ(document->getInteger("a", 0, 1, error), 1);
  std::remove(path.c_str());
  EXPECT_FALSE(JsonDocument::load(path, error));
  EXPECT_EQ(error, path + ": cannot read: No such file or directory");
  error.clear();
  EXPECT_FALSE(JsonDocument::load("/tmp", error));
  EXPECT_EQ(error, "/tmp: cannot read: Is a directory");
}

TEST(JsonDocumentTest, RefusesWhatHasNoEnd) {
  std::string error;
  EXPECT_FALSE(JsonDocument::load("/dev/zero", error));
  EXPECT_EQ(error, "/dev/zero: found a device, wanted a regular file");
}

} // namespace
