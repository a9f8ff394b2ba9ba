//===- KinkTest.cpp - Derivatives at kinks and between equal elements -----===//
//
// At a kink the rules take one piece of the function, which the op's text states.
// Forward and reverse rules, the complex step and differences must all be of that
// piece: a model with rounded values stands on kinks all the time.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

using namespace tt::test;
using namespace tt::reference;

namespace {

struct Kink {
  const char *name;
  const char *body; // from %x and %z, which share two elements of each row, to %y
};

// Squares and products: a derivative that differs from element to element.
const Kink kKinks[] = {
    {"relu", "%r = tt.relu %x : tensor<2x6xf64>\n"
             "%y = tt.mul %r, %z : tensor<2x6xf64>"},
    {"relu2", "%y = tt.relu2 %x : tensor<2x6xf64>"},
    {"reglu", "%y = tt.reglu %x, %z : tensor<2x6xf64>"},
    {"abs", "%r = tt.abs %x : tensor<2x6xf64>\n"
            "%y = tt.mul %r, %z : tensor<2x6xf64>"},
    {"maximum", "%r = tt.maximum %x, %z : tensor<2x6xf64>\n"
                "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"minimum", "%r = tt.minimum %x, %z : tensor<2x6xf64>\n"
                "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"clamp", "%r = tt.clamp %x low = -1.0 high = 0.5 : tensor<2x6xf64>\n"
              "%y = tt.mul %r, %z : tensor<2x6xf64>"},
    {"max", "%m, %i = tt.max %x dim = 1 : (tensor<2x6xf64>) -> (tensor<2xf64>, tensor<2xi32>)\n"
            "%s = tt.square %m : tensor<2xf64>\n"
            "%y = tt.broadcast %s dims = [0] : tensor<2xf64> -> tensor<2x6xf64>"},
    {"min", "%m, %i = tt.min %x dim = 1 : (tensor<2x6xf64>) -> (tensor<2xf64>, tensor<2xi32>)\n"
            "%s = tt.square %m : tensor<2xf64>\n"
            "%y = tt.broadcast %s dims = [0] : tensor<2xf64> -> tensor<2x6xf64>"},
    {"sort", "%s, %i = tt.sort %x dim = 1 : (tensor<2x6xf64>) -> (tensor<2x6xf64>, tensor<2x6xi32>)\n"
             "%y = tt.mul %s, %z : tensor<2x6xf64>"},
    {"sort_descending",
     "%s, %i = tt.sort descending %x dim = 1 : (tensor<2x6xf64>) -> (tensor<2x6xf64>, tensor<2x6xi32>)\n"
     "%y = tt.mul %s, %z : tensor<2x6xf64>"},
    {"top_k", "%s, %i = tt.topk %x dim = 1 k = 6 : (tensor<2x6xf64>) -> (tensor<2x6xf64>, tensor<2x6xi32>)\n"
              "%y = tt.mul %s, %z : tensor<2x6xf64>"},
    {"compare", "%c = tt.compare lt %x, %z : (tensor<2x6xf64>, tensor<2x6xf64>) -> tensor<2x6xi1>\n"
                "%s = tt.square %x : tensor<2x6xf64>\n"
                "%y = tt.select %c, %s, %z : tensor<2x6xi1>, tensor<2x6xf64>"},
    {"floor", "%r = tt.floor %x : tensor<2x6xf64>\n"
              "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"ceil", "%r = tt.ceil %x : tensor<2x6xf64>\n"
             "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"round", "%r = tt.round %x : tensor<2x6xf64>\n"
              "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"sign", "%r = tt.sign %x : tensor<2x6xf64>\n"
             "%y = tt.mul %r, %x : tensor<2x6xf64>"},
    {"cast", "%r = tt.cast %x : tensor<2x6xf64> to tensor<2x6xi32>\n"
             "%f = tt.cast %r : tensor<2x6xi32> to tensor<2x6xf64>\n"
             "%y = tt.mul %f, %x : tensor<2x6xf64>"},
};

class Kinks : public testing::TestWithParam<Kink> {};

std::string program(const std::string &prefix, const std::string &body) {
  return "func.func @f(%x0: tensor<2x6xf64>, %z: tensor<2x6xf64>) -> tensor<2x6xf64> {\n" +
         prefix + body + "\nreturn %y : tensor<2x6xf64> }";
}

// -1, 0, 0.5 are kinks or ends above; equal elements stand in every row.
const Values kOnKinks = {floats({2, 6}, {-1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5, -1, -1, 2, 1}),
                         floats({2, 6}, {-1, 2, 0.5, -2, 3, 0, 0.25, 0.5, -1, 2, 2, 3})};

TEST_P(Kinks, derivativesAreOfThePieceThatTheRulesTake) {
  std::string x = "%zero = tt.constant dense<0.0> : tensor<2x6xf64>\n"
                  "%x = tt.add %x0, %zero : tensor<2x6xf64>\n";
  auto report = Program(program(x, GetParam().body)).check("all", kOnKinks);
  EXPECT_EQ(report.error, "");
  EXPECT_TRUE(report.passed()) << report.table();
}

/// Behind a straight-through rounding the values move on in replays, off the kink.
TEST_P(Kinks, holdBehindARounding) {
  std::string x = "%x = tt.fake_quant %x0 scale = 0.5 zero_point = 0 low = -4 high = 4 "
                  ": tensor<2x6xf64>\n";
  Program quantised(program(x, GetParam().body));
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    auto report = quantised.check("all", {}, seed);
    EXPECT_EQ(report.error, "");
    EXPECT_TRUE(report.passed()) << report.table();
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Kinks, testing::ValuesIn(kKinks),
                         [](const auto &info) { return info.param.name; });

/// A point on a kink is said to be one: each op takes its piece, and where two ops read
/// one value these need not be pieces of one function.
TEST(KinkTest, saysWhereAPointIsOnAKink) {
  const std::string identity = R"(func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
    %a = tt.relu %x : tensor<2xf64>
    %n = tt.neg %x : tensor<2xf64>
    %b = tt.relu %n : tensor<2xf64>
    %y = tt.sub %a, %b : tensor<2xf64>
    return %y : tensor<2xf64> })";
  for (auto [x, isOn] : {std::pair(0.0, true), {0.5, false}}) {
    auto report = Program(identity).check("all", {floats({2}, {x, 1})});
    EXPECT_TRUE(report.passed()) << report.table();
    EXPECT_EQ(report.table().find("ops decide anew within 2^-20") != std::string::npos, isOn)
        << report.table();
  }
}

/// max(x, y) by a rule that sends `left` of the cotangent to x.
std::string maximumWithRule(const std::string &left, const std::string &right) {
  return R"(func.func private @larger(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
    %z = tt.maximum %x, %y : tensor<3xf64>
    return %z : tensor<3xf64> }
  func.func private @rule(%x: tensor<3xf64>, %y: tensor<3xf64>, %z: tensor<3xf64>, %dz: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %l = tt.constant dense<)" + left + R"(> : tensor<3xf64>
    %r = tt.constant dense<)" + right + R"(> : tensor<3xf64>
    %dx = tt.mul %dz, %l : tensor<3xf64>
    %dy = tt.mul %dz, %r : tensor<3xf64>
    return %dx, %dy : tensor<3xf64>, tensor<3xf64> }
  func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
    %z = tt.custom_vjp @larger(%x, %y) vjp = @rule : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    return %z : tensor<3xf64> })";
}

/// Holding decisions does not take every rule for right: another piece than the op's
/// is refused, at the tie in the middle too.
TEST(KinkTest, refusesAnotherPieceAtATie) {
  const Values at = {floats({3}, {1, 2, 4}), floats({3}, {3, 2, 1})};
  auto check = [&](const char *left, const char *right) {
    auto report = Program(maximumWithRule(left, right)).check("all", at);
    EXPECT_EQ(report.error, "");
    return report.passed();
  };
  EXPECT_TRUE(check("[0.0, 1.0, 1.0]", "[1.0, 0.0, 0.0]"));
  EXPECT_FALSE(check("[0.0, 0.0, 1.0]", "[1.0, 1.0, 0.0]"));
  EXPECT_FALSE(check("[0.0, 0.5, 1.0]", "[1.0, 0.5, 0.0]"));
}

} // namespace
