// What the pre-scan keeps away from MLIR's parser.
#include "tt/Support/SourcePrescan.h"

#include "../Runtime/Mutator.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace tt::support;

namespace {

/// "" or "LINE:COLUMN wanted, found".
std::string scan(std::string_view text, const PrescanLimits &limits = {}) {
  tt::test::ExactBytes bytes(text);
  std::optional<PrescanError> error =
      prescanSource({bytes.begin(), bytes.size}, limits);
  if (!error)
    return "";
  return std::to_string(error->line) + ":" + std::to_string(error->column) +
         " " + error->wanted + ", got " + error->found;
}

std::string repeat(std::string_view part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += part;
  return out;
}

/// Each alias a pair of the former: 2^levels in all.
std::string bomb(char sigil, int levels, const char *open, const char *close) {
  std::string s(1, sigil), text = s + "a0 = " + (sigil == '!' ? "i32" : "1");
  for (int i = 1; i <= levels; ++i) {
    std::string former = s + "a" + std::to_string(i - 1);
    text += "\n" + s + "a" + std::to_string(i) + " = " + open + former + ", " +
            former + close;
  }
  return text + "\n\"t\"() : () -> ()\n";
}

TEST(SourcePrescanTest, AcceptsOrdinaryText) {
  EXPECT_EQ(scan("module {}"), "");
  const char *module = R"mlir(// a comment with ( [ {
#map = affine_map<(d0, d1) -> (d0 * 4 + d1 mod 3, -d1)>
#set = affine_set<(d0) : (d0 - 1 >= 0, d0 <= 5)>
!pair = tuple<i32, tensor<4x?xf32>>
#loc3 = loc("a)))":1:2)
func.func @"f((("(%arg0: tensor<4xf32>, %arg1: !pair) -> i1 {
  %0 = "tt.add"(%arg0, %arg0) {map = #map} : (tensor<4xf32>, tensor<4xf32>)
      -> tensor<4xf32> loc(#loc3)
  %1 = arith.cmpf olt, %a, %b : f32
  return %1 : i1
} loc(#loc4)
#loc4 = loc(fused[#loc3, "x"])
)mlir";
  EXPECT_EQ(scan(module), "");
  EXPECT_EQ(scan(repeat("\"t\"() {v = dense<[-1, -2]> : tensor<2xi32>, m = "
                        "affine_map<(a) -> (a + 1)>} : () -> ()\n",
                        5000)),
            "");
}

TEST(SourcePrescanTest, RefusesWhatHoldsNothing) {
  EXPECT_EQ(scan(""), "1:1 MLIR text, got a text without any operation");
  EXPECT_EQ(scan(" \n\t\r\n"),
            "3:1 MLIR text, got a text without any operation");
  EXPECT_EQ(scan("// only\n  // comments"),
            "2:14 MLIR text, got a text without any operation");
  EXPECT_EQ(scan(std::string(100, '\0')), "1:1 MLIR text, got a NUL byte");
  EXPECT_EQ(scan(std::string("module {\n  \0}", 13)),
            "2:3 MLIR text, got a NUL byte");
}

TEST(SourcePrescanTest, RefusesBytecode) {
  EXPECT_EQ(scan(std::string("ML\xefR\x06\0\0MLIR", 11)),
            "1:1 MLIR text, got MLIR bytecode (bytecode input rejected)");
  EXPECT_EQ(prescanSource("ML\xefR")->message("x.mlirbc"),
            "x.mlirbc:1:1: error: expected MLIR text, but got MLIR bytecode "
            "(bytecode input rejected)");
  EXPECT_EQ(scan("ML\xefS"), ""); // MLIR reports that
}

TEST(SourcePrescanTest, BoundsTheSize) {
  PrescanLimits limits;
  limits.maxBytes = 10;
  EXPECT_EQ(scan("module {}\n", limits), "");
  EXPECT_EQ(scan("module {}\n\n", limits), "1:1 at most 10, got 11 bytes");
}

TEST(SourcePrescanTest, BoundsTheDepthOfBrackets) {
  for (const char *pair : {"()", "[]", "{}", "<>"}) {
    std::string open(1, pair[0]), close(1, pair[1]);
    EXPECT_EQ(scan("x" + repeat(open, 256) + repeat(close, 256)), "") << pair;
    EXPECT_EQ(scan("x" + repeat(open, 257) + repeat(close, 257)),
              "1:258 brackets nested at most 256 deep, got one more")
        << pair;
    EXPECT_NE(scan(repeat(open, 10000)), "");
    EXPECT_NE(scan(repeat(open, 100000)), "");
    EXPECT_EQ(scan(repeat(open + close, 10000)), "");
  }
  EXPECT_NE(scan(repeat("module {\n", 300)), "");
  EXPECT_NE(scan("!t = " + repeat("tuple<", 300)), "");
  // Mixed and mismatched: a stray closer does not lower the count.
  EXPECT_NE(scan(repeat("[ ) ", 300)), "");
  EXPECT_NE(scan(repeat("( ] ", 300)), "");
  EXPECT_NE(scan(repeat("<(", 200)), "");
  EXPECT_EQ(scan(")]}>" + repeat("]", 1000) + "module {}"), "");
}

TEST(SourcePrescanTest, IgnoresBracketsInStringsAndComments) {
  EXPECT_EQ(scan("\"" + repeat("[", 1000) + "\""), "");
  EXPECT_EQ(scan("\"\\\"" + repeat("[", 1000) + "\""), "");
  EXPECT_EQ(scan("x // " + repeat("[", 1000)), "");
  EXPECT_NE(scan("\"\\\\\"" + repeat("[", 1000)), ""); // the string has ended
  EXPECT_NE(scan("// \"\n" + repeat("[", 1000)), "");
  EXPECT_NE(scan("\"unterminated\n" + repeat("[", 1000)), "");
  EXPECT_NE(scan("x / " + repeat("[", 1000)), "");
}

TEST(SourcePrescanTest, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(scan(repeat("() -> () ", 1000)), "");
  EXPECT_EQ(scan("s<(d) : (" + repeat("d >= 0, d <= 0, ", 1000) + "d == 0)>"),
            "");
  EXPECT_EQ(scan(repeat("(a < b) ", 1000)), "");
  EXPECT_NE(scan(repeat("<() -> ", 300)), ""); // '->' closes nothing
}

// Found here: MLIR's parser recurses for each operator.
TEST(SourcePrescanTest, BoundsOperatorChains) {
  auto map = [](const std::string &body) {
    return "#m = affine_map<(d0) -> (" + body + "d0)>";
  };
  EXPECT_EQ(scan(map(repeat("d0 + ", 200))), "");
  for (const char *part : {"-", "- ", "d0 + ", "d0 * ", "d0 mod ", "d0 - ",
                           "d0 floordiv ", "d0 ceildiv ", "d0\n+//,\n"})
    EXPECT_NE(scan(map(repeat(part, 300))), "") << part;
  EXPECT_EQ(scan(map(repeat("-1, ", 1000))), "");
}

TEST(SourcePrescanTest, DefusesAliasBombs) {
  for (int levels : {20, 40, 100, 10000}) {
    EXPECT_NE(scan(bomb('!', levels, "tuple<", ">")), "") << levels;
    EXPECT_NE(scan(bomb('#', levels, "[", "]")), "") << levels;
  }
  EXPECT_EQ(scan(bomb('!', 40, "tuple<", ">")),
            "19:1 aliases that expand to at most 1000000 uses, got more");
  EXPECT_EQ(scan(bomb('!', 15, "tuple<", ">")), "");
  // Spread over lines, on one line, with comments, between braces.
  EXPECT_NE(scan(bomb('!', 40, "tuple\n<", "\n>")), "");
  EXPECT_NE(scan(bomb('#', 40, "//x\n[//y\n", "]")), "");
  EXPECT_NE(scan(bomb('!', 40, "(", ") -> i32")), "");
  EXPECT_NE(scan(bomb('!', 40, "() -> (", ")")), "");
  EXPECT_NE(scan(bomb('#', 40, "#x.y<", ">")), "");
  EXPECT_NE(scan("module {" + bomb('!', 40, "tuple<", ">") + "}"), "");
  std::string line = bomb('!', 40, "tuple<", ">");
  for (char &c : line)
    c = c == '\n' ? ' ' : c;
  EXPECT_NE(scan(line), "");
  // The split marker of tests changes nothing.
  EXPECT_NE(scan(bomb('!', 40, "tuple<", ">\n// -----")), "");
}

TEST(SourcePrescanTest, FollowsBodiesThatGoOn) {
  // "1 : !t", "@a::@b", "() -> !t", dictionaries: all belong to the alias.
  auto chain = [](const char *front, const char *back) {
    std::string text = "!a0 = i32\n";
    for (int i = 1; i < 40; ++i) {
      std::string former = "!a" + std::to_string(i - 1);
      text += "!a" + std::to_string(i) + " = " + front + former + back +
              former + "\n";
    }
    return text;
  };
  EXPECT_NE(scan(chain("(", ") -> ")), "");
  EXPECT_NE(scan(chain("(", ")\n//c\n->\n")), "");
  EXPECT_NE(scan(chain("!x<\"s\", ", "> : ")), "");
}

TEST(SourcePrescanTest, CountsDepthAfterExpansion) {
  // Found here: short definitions, a deep type.
  std::string text = "!a0 = i32\n";
  for (int i = 1; i < 10; ++i)
    text += "!a" + std::to_string(i) + " = " + repeat("tuple<", 50) + "!a" +
            std::to_string(i - 1) + repeat(">", 50) + "\n";
  EXPECT_EQ(scan(text), "7:1 an alias whose expansion nests brackets at most "
                        "256 deep, got 300");
}

TEST(SourcePrescanTest, CountsReferencesInOperations) {
  // One alias of 2^15 leaves, used by many operations.
  std::string text = bomb('!', 15, "tuple<", ">");
  EXPECT_EQ(scan(text + repeat("\"t\"() : () -> !a15\n", 10)), "");
  EXPECT_NE(scan(text + repeat("\"t\"() : () -> !a15\n", 100)), "");
  // Plain aliases may be used as often as one likes.
  EXPECT_EQ(scan("!a = i32\n" + repeat("\"t\"() : () -> !a\n", 100000)), "");
  EXPECT_EQ(scan(text + repeat("\"t\"() : () -> !a0\n", 100000)), "");
}

TEST(SourcePrescanTest, RefusesCyclesButTakesLateLocations) {
  EXPECT_EQ(scan("#a = loc(fused[#b])\n#b = loc(fused[#a])"),
            "2:16 aliases without a cycle, got an alias that names itself");
  EXPECT_NE(scan("!a = tuple<!a>"), "");
  EXPECT_EQ(scan("module {} loc(#l1)\n#l1 = loc(fused[#l2])\n#l2 = loc(\"x\")"),
            "");
  // Split test files define a name again: the last one before counts.
  EXPECT_EQ(scan("!a = i32\n!b = tuple<!a>\nx\n// -----\n!a = tuple<!b>\n"
                 "!b = i32\nx"),
            "");
}

TEST(SourcePrescanTest, DialectSymbolsAreNoAliases) {
  EXPECT_EQ(scan("#x.y = 1"), "");
  EXPECT_EQ(scan("!llvm.ptr !llvm.ptr<3> #gpu<dim x> ! #"), "");
  EXPECT_EQ(scan("\"t\"() {a == #b, c = #d} : () -> ()"), "");
}

TEST(SourcePrescanTest, ManyAliasesTakeBoundedTime) {
  auto start = std::chrono::steady_clock::now();
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += "#l" + std::to_string(i) + " = loc(\"x\":" + std::to_string(i) +
            ":1)\n";
  text += "module {\n" + repeat("\"t\"() : () -> () loc(#l299999)\n", 300000);
  EXPECT_EQ(scan(text + "}"), "");
  EXPECT_NE(scan(repeat("#a = #a ", 2000000)), "");
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), 30.0); // with sanitizers; 1 s without
}

TEST(SourcePrescanTest, SurvivesMutations) {
  tt::test::Mutator mutator(3);
  std::vector<std::string> words = {
      "(",  ")",  "<",  ">",       "{",   "}",  "[",     "]",
      "->", "\"", "//", "\n",      "#a",  "!b", "#a = ", "!b =",
      ":",  "::", "@x", "ML\xefR", "mod", "-"};
  std::string seed = "#a = affine_map<(d0) -> (d0 + 1)>\n!b = tuple<i32, i32>\n"
                     "!c = tuple<!b, !b>\nfunc.func @f(%x: !c) -> i32 {\n"
                     "  \"t\"() {m = #a} : () -> () loc(\"s\":1:2)\n}\n";
  uint64_t accepted = 0;
  uint64_t count = tt::test::repeatFor(
      2.0, [&] { accepted += scan(mutator.mutate(seed, words)).empty(); });
  EXPECT_GT(accepted, 0u);
  std::printf("%llu mutants, %llu accepted\n",
              static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(accepted));
}

} // namespace
