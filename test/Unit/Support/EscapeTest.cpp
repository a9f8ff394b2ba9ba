// One escaper per context, against the names that MLIR symbols may hold.
#include "tt/Support/Escape.h"

#include <gtest/gtest.h>

#include "tt/runtime/Json.h"

#include <string>

using namespace tt::support;

namespace {

const std::string kReplaced = "\xef\xbf\xbd";

TEST(EscapeTest, Html) {
  EXPECT_EQ(escapeHtml("<script>alert('x&\"y')</script>"),
            "&lt;script&gt;alert(&#39;x&amp;&quot;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(escapeHtml("plain é 😀\n\t"), "plain é 😀\n\t");
  EXPECT_EQ(escapeHtml(std::string("\0\x1b\x7f\xc2\x9b", 5)),
            kReplaced + kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(escapeHtml("\xe2\x80\xae"), kReplaced); // right-to-left override
  EXPECT_EQ(escapeHtml("\xff\xc3"), kReplaced + kReplaced);
  EXPECT_EQ(escapeHtml(""), "");
}

TEST(EscapeTest, Xml) {
  EXPECT_EQ(escapeXml("a]]>b<!--'\""), "a]]&gt;b&lt;!--&apos;&quot;");
  EXPECT_EQ(escapeXml("\xef\xbf\xbe"), kReplaced); // U+FFFE is no character
  EXPECT_EQ(escapeHtml("\xef\xbf\xbe"), "\xef\xbf\xbe");
  EXPECT_EQ(escapeXml("\r\x0b"), kReplaced + kReplaced);
}

TEST(EscapeTest, Json) {
  EXPECT_EQ(escapeJson("\"\\\n\t\x01"), "\\\"\\\\\\n\\t\\u0001");
  EXPECT_EQ(escapeJson("</script><!--&"),
            "\\u003c/script\\u003e\\u003c!--\\u0026");
  EXPECT_EQ(escapeJson("\xe2\x80\xa8\xe2\x80\xae"), "\\u2028\\u202e");
  EXPECT_EQ(escapeJson("\xed\xa0\x80"), kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(escapeJson("é😀"), "é😀");
}

TEST(EscapeTest, Terminal) {
  EXPECT_EQ(escapeTerminal("a\x1b[31mb\r\n"), "a\\x1b[31mb\\x0d\\x0a");
  EXPECT_EQ(escapeTerminal("a\nb", /*keepNewlines=*/true), "a\nb");
  EXPECT_EQ(escapeTerminal("\xc2\x9b"), "\\u{009b}"); // CSI in one character
  EXPECT_EQ(escapeTerminal("\x9b"), "\\x9b");
  EXPECT_EQ(escapeTerminal("\x7f"), "\\x7f");
  EXPECT_EQ(escapeTerminal("\xe2\x80\xae\xe2\x81\xa6"), "\\u{202e}\\u{2066}");
  EXPECT_EQ(escapeTerminal("é<&>"), "é<&>");
}

/// Any bytes: nothing dangerous is left, and JSON stays JSON.
TEST(EscapeTest, AllPairsOfBytes) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      std::string text = {char(first), char(second)};
      for (const std::string &out : {escapeHtml(text), escapeXml(text)}) {
        EXPECT_EQ(out.find_first_of("<>\"'"), std::string::npos);
        EXPECT_TRUE(tt::runtime::isValidUtf8(out.data(), out.size()));
      }
      std::string shown = escapeTerminal(text);
      for (char c : shown)
        EXPECT_FALSE((c >= 0 && c < 0x20) || c == 0x7f);
      EXPECT_TRUE(tt::runtime::isValidUtf8(shown.data(), shown.size()));
      std::string json = "\"" + escapeJson(text) + "\"";
      uint32_t keys[1];
      tt::runtime::JsonReader reader(json.data(), json.size(), keys, 1, {});
      EXPECT_EQ(reader.next(), tt::runtime::JsonEvent::String) << json;
      EXPECT_EQ(reader.next(), tt::runtime::JsonEvent::End) << json;
    }
}

} // namespace
