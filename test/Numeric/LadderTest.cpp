//===- LadderTest.cpp - Derivative rules of every differentiable op -------===//
//
// Taylor slope, dot product, complex step and central differences for each op,
// in shapes that include size 1 and primes.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include <cstdlib>

using namespace tt::test;

namespace {

struct Case {
  std::string name;
  std::string text;
  std::string wrt = "all";
  Values inputs = {}; // empty: random
};

std::string type(const std::string &shape) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + "f64>";
}

/// Names of cases have letters, digits and underscores only.
std::string tidy(std::string name) {
  for (char &c : name)
    if (!isalnum((unsigned char)c))
      c = '_';
  return name;
}

const std::vector<std::string> kShapes = {"", "1", "7", "2x3", "1x5x1"};

void addUnary(std::vector<Case> &cases) {
  for (const char *op :
       {"neg", "abs", "exp", "log", "sqrt", "rsqrt", "square", "reciprocal",
        "tanh", "sigmoid", "sin", "cos", "erf", "relu", "silu", "gelu erf",
        "gelu tanh"})
    for (const std::string &shape : kShapes) {
      std::string t = type(shape);
      cases.push_back({tidy(std::string(op) + "_" + shape),
                       "func.func @f(%x: " + t + ") -> " + t + " { %y = tt." +
                           op + " %x : " + t + " return %y : " + t + " }"});
    }
}

void addBinary(std::vector<Case> &cases) {
  for (const char *op : {"add", "sub", "mul", "div", "swiglu", "silu_bwd",
                         "gelu_bwd erf", "gelu_bwd tanh"})
    for (const std::string &shape : kShapes) {
      std::string t = type(shape);
      std::string text = "func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                         " { %z = tt." + op + " %x, %y : " + t +
                         " return %z : " + t + " }";
      std::string name = tidy(std::string(op) + "_" + shape);
      for (const char *wrt : {"all", "0", "1"})
        cases.push_back({name + "_wrt_" + wrt, text, wrt});
    }
  // Away from ties by more than the largest step.
  for (const char *op : {"maximum", "minimum"})
    cases.push_back({op,
                     std::string("func.func @f(%x: tensor<5xf64>, %y: "
                                 "tensor<5xf64>) -> tensor<5xf64> { %z = tt.") +
                         op + " %x, %y : tensor<5xf64> return %z : tensor<5xf64> }",
                     "all",
                     {floats({5}, {0.5, -1, 2, 0.25, -0.75}),
                      floats({5}, {1, -0.5, 1, -0.25, -1.25})}});
}

/// Ops whose module text is written out: name, then the whole text.
void addWritten(std::vector<Case> &cases) {
  auto add = [&](std::string name, std::string text, std::string wrt = "all",
                 Values inputs = {}) {
    cases.push_back({std::move(name), std::move(text), std::move(wrt),
                     std::move(inputs)});
  };
  // The same value twice, and a value that is not used.
  add("mul_of_itself", R"(func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
    %y = tt.mul %x, %x : tensor<3xf64>
    return %y : tensor<3xf64> })");
  add("select", R"(func.func @f(%c: tensor<7xi1>, %x: tensor<7xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
    %z = tt.select %c, %x, %y : tensor<7xi1>, tensor<7xf64>
    return %z : tensor<7xf64> })");
  add("select_by_compare", R"(func.func @f(%x: tensor<7xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
    %zero = tt.constant dense<0.0> : tensor<7xf64>
    %c = tt.compare gt %x, %zero : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
    %e = tt.exp %x : tensor<7xf64>
    %z = tt.select %c, %e, %y : tensor<7xi1>, tensor<7xf64>
    return %z : tensor<7xf64> })");
  add("cast", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
    %a = tt.cast %x : tensor<2x3xf64> to tensor<2x3xbf16>
    %b = tt.square %a : tensor<2x3xbf16>
    %c = tt.cast %b : tensor<2x3xbf16> to tensor<2x3xf64>
    return %c : tensor<2x3xf64> })");
  add("stop_gradient", R"(func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
    %s = tt.stop_gradient %x : tensor<3xf64>
    %y = tt.mul %x, %s : tensor<3xf64>
    return %y : tensor<3xf64> })");

  add("broadcast_scalar", R"(func.func @f(%x: tensor<f64>) -> tensor<2x3xf64> {
    %y = tt.broadcast %x dims = [] : tensor<f64> -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("broadcast_middle", R"(func.func @f(%x: tensor<3xf64>) -> tensor<2x3x1x5xf64> {
    %y = tt.broadcast %x dims = [1] : tensor<3xf64> -> tensor<2x3x1x5xf64>
    %z = tt.square %y : tensor<2x3x1x5xf64>
    return %z : tensor<2x3x1x5xf64> })");
  add("reshape", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<3x1x2xf64> {
    %y = tt.reshape %x : tensor<2x3xf64> -> tensor<3x1x2xf64>
    %z = tt.square %y : tensor<3x1x2xf64>
    return %z : tensor<3x1x2xf64> })");
  add("transpose", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<5x2x3xf64> {
    %y = tt.transpose %x permutation = [2, 0, 1] : (tensor<2x3x5xf64>) -> tensor<5x2x3xf64>
    %z = tt.square %y : tensor<5x2x3xf64>
    return %z : tensor<5x2x3xf64> })");
  add("slice", R"(func.func @f(%x: tensor<2x7xf64>) -> tensor<2x3xf64> {
    %y = tt.slice %x dim = 1 start = 2 size = 3 : (tensor<2x7xf64>) -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("slice_whole", R"(func.func @f(%x: tensor<2x7xf64>) -> tensor<2x7xf64> {
    %y = tt.slice %x dim = 0 start = 0 size = 2 : (tensor<2x7xf64>) -> tensor<2x7xf64>
    %z = tt.square %y : tensor<2x7xf64>
    return %z : tensor<2x7xf64> })");
  add("pad", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x6xf64> {
    %y = tt.pad %x dim = 1 low = 1 high = 2 : (tensor<2x3xf64>) -> tensor<2x6xf64>
    %z = tt.sin %y : tensor<2x6xf64>
    return %z : tensor<2x6xf64> })");
  const char *concat = R"(func.func @f(%a: tensor<2x1xf64>, %b: tensor<2x3xf64>, %c: tensor<2x2xf64>) -> tensor<2x6xf64> {
    %y = tt.concat %a, %b, %c dim = 1 : (tensor<2x1xf64>, tensor<2x3xf64>, tensor<2x2xf64>) -> tensor<2x6xf64>
    %z = tt.square %y : tensor<2x6xf64>
    return %z : tensor<2x6xf64> })";
  add("concat", concat);
  add("concat_wrt_one", concat, "1");
  add("take", R"(func.func @f(%x: tensor<2x5x3xf64>, %i: tensor<i32>) -> tensor<2x3xf64> {
    %y = tt.take %x, %i dim = 1 : (tensor<2x5x3xf64>, tensor<i32>) -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("take_outside", R"(func.func @f(%x: tensor<2x3xf64>, %w: tensor<3xf64>, %i: tensor<i64>) -> tensor<3xf64> {
    %y = tt.take %x, %i dim = 0 : (tensor<2x3xf64>, tensor<i64>) -> tensor<3xf64>
    %z = tt.add %y, %w : tensor<3xf64>
    return %z : tensor<3xf64> })", "all",
      {full(1, {2, 3}), full(2, {3}), ints({}, {int64_t(1) << 32})});

  add("sum_first", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<3xf64> {
    %y = tt.sum %x dims = [0] : (tensor<2x3xf64>) -> tensor<3xf64>
    %z = tt.square %y : tensor<3xf64>
    return %z : tensor<3xf64> })");
  add("sum_all", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<f64> {
    %y = tt.sum %x dims = [0, 1, 2] : (tensor<2x3x5xf64>) -> tensor<f64>
    %z = tt.square %y : tensor<f64>
    return %z : tensor<f64> })");
  add("mean_outer", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<3xf64> {
    %y = tt.mean %x dims = [0, 2] : (tensor<2x3x5xf64>) -> tensor<3xf64>
    %z = tt.square %y : tensor<3xf64>
    return %z : tensor<3xf64> })");
  add("max", R"(func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x2xf64> {
    %y, %i = tt.max %x dim = 1 : (tensor<2x3x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xi32>)
    %z = tt.square %y : tensor<2x2xf64>
    return %z : tensor<2x2xf64> })", "all",
      {floats({2, 3, 2}, {1, 2, 3, 1.5, 2, 1, -1, -2, -3, -1, -2, -0.5})});
  for (const char *shape : {"1", "5", "3x7", "2x1x3"}) {
    std::string t = type(shape);
    add(tidy(std::string("softmax_") + shape),
        "func.func @f(%x: " + t + ") -> " + t + " { %y = tt.softmax %x : " + t +
            " return %y : " + t + " }");
  }
}

void addMatmul(std::vector<Case> &cases) {
  for (int flags = 0; flags < 4; ++flags)
    for (const char *batch : {"", "2x", "2x1x"}) {
      bool ta = flags & 1, tb = flags & 2;
      std::string a = "tensor<" + std::string(batch) + (ta ? "5x3" : "3x5") + "xf64>";
      std::string b = "tensor<" + std::string(batch) + (tb ? "7x5" : "5x7") + "xf64>";
      std::string c = "tensor<" + std::string(batch) + "3x7xf64>";
      std::string text = "func.func @f(%a: " + a + ", %b: " + b + ") -> " + c +
                         " { %c = tt.matmul %a, %b" + (ta ? " transpose_lhs" : "") +
                         (tb ? " transpose_rhs" : "") + " : (" + a + ", " + b +
                         ") -> " + c + " return %c : " + c + " }";
      for (const char *wrt : {"all", "0", "1"})
        cases.push_back({tidy("matmul_" + std::to_string(flags) + "_" + batch +
                              "wrt_" + wrt),
                         text, wrt});
    }
  for (const char *layout : {"in_out", "out_in"})
    for (const char *rows : {"", "3x", "2x3x"})
      for (bool bias : {false, true}) {
        std::string x = "tensor<" + std::string(rows) + "5xf64>";
        std::string w = layout == std::string("in_out") ? "tensor<5x7xf64>"
                                                        : "tensor<7x5xf64>";
        std::string y = "tensor<" + std::string(rows) + "7xf64>";
        std::string text =
            "func.func @f(%x: " + x + ", %w: " + w +
            (bias ? ", %b: tensor<7xf64>" : "") + ") -> " + y +
            " { %y = tt.linear " + layout + " %x, %w" + (bias ? ", %b" : "") +
            " : (" + x + ", " + w + (bias ? ", tensor<7xf64>" : "") + ") -> " +
            y + " %z = tt.square %y : " + y + " return %z : " + y + " }";
        for (const char *wrt : {"all", "0", "1"})
          cases.push_back({tidy(std::string("linear_") + layout + "_" + rows +
                                (bias ? "bias_" : "") + "wrt_" + wrt),
                           text, wrt});
      }
}

void addNorms(std::vector<Case> &cases) {
  for (const char *rows : {"", "1x", "3x", "2x3x"})
    for (const char *width : {"5", "7"}) {
      std::string r(rows), w(width);
      std::string x = "tensor<" + r + w + "xf64>", c = "tensor<" + w + "xf64>";
      std::string s = r.empty() ? "tensor<f64>" : "tensor<" + r + "f64>";
      std::string three = ") -> (" + x + ", " + s + ", " + s + ")";
      std::string name = tidy(r + w);
      for (const char *wrt : {"all", "0", "1"}) {
        cases.push_back(
            {"layer_norm_" + name + "_wrt_" + wrt,
             "func.func @f(%x: " + x + ", %g: " + c + ", %b: " + c + ") -> " + x +
                 " { %y, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (" + x +
                 ", " + c + ", " + c + three + " return %y : " + x + " }",
             wrt});
        cases.push_back({"rms_norm_" + name + "_wrt_" + wrt,
                         "func.func @f(%x: " + x + ", %g: " + c + ") -> " + x +
                             " { %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (" +
                             x + ", " + c + ") -> (" + x + ", " + s +
                             ") return %y : " + x + " }",
                         wrt});
      }
      cases.push_back({"layer_norm_no_beta_" + name,
                       "func.func @f(%x: " + x + ", %g: " + c + ") -> " + x +
                           " { %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (" +
                           x + ", " + c + three + " return %y : " + x + " }"});
    }
}

void addLossAndEmbedding(std::vector<Case> &cases) {
  for (const char *reduction : {"mean", "sum", "none"})
    for (bool isFlat : {false, true}) {
      std::string rows = isFlat ? "" : "2x3";
      std::string z = isFlat ? "tensor<5xf64>" : "tensor<2x3x5xf64>";
      std::string t = isFlat ? "tensor<i32>" : "tensor<2x3xi32>";
      std::string s = type(rows);
      std::string loss = reduction == std::string("none") ? s : "tensor<f64>";
      Values inputs;
      if (!isFlat) // two rows that do not count
        inputs = {pattern(37, 11, {2, 3, 5}), ints({2, 3}, {4, -100, 0, 2, 9, 1})};
      cases.push_back({tidy(std::string("cross_entropy_") + reduction + "_" + rows),
                       "func.func @f(%z: " + z + ", %t: " + t + ") -> " + loss +
                           " { %l, %lse = tt.cross_entropy " + reduction +
                           " %z, %t : (" + z + ", " + t + ") -> (" + loss + ", " +
                           s + ") return %l : " + loss + " }",
                       "all", inputs});
    }
  std::string head = "func.func @f(%t: tensor<5x3xf64>, %i: tensor<2x7xi32>) -> "
                     "tensor<2x7x3xf64> { %y = tt.embedding %t, %i";
  std::string tail = " : (tensor<5x3xf64>, tensor<2x7xi32>) -> tensor<2x7x3xf64> "
                     "%z = tt.square %y : tensor<2x7x3xf64> "
                     "return %z : tensor<2x7x3xf64> }";
  cases.push_back({"embedding", head + tail});
}

void addAttention(std::vector<Case> &cases) {
  struct Sizes {
    const char *name, *q, *k, *lse;
  };
  for (Sizes n : {Sizes{"square", "2x2x5x3", "2x2x5x3", "2x2x5"},
                  Sizes{"grouped", "1x4x3x2", "1x2x3x2", "1x4x3"},
                  Sizes{"multi_query", "1x3x5x2", "1x1x5x2", "1x3x5"},
                  Sizes{"more_keys", "1x2x2x3", "1x2x5x3", "1x2x2"},
                  Sizes{"more_queries", "1x2x5x3", "1x1x2x3", "1x2x5"},
                  Sizes{"single", "1x1x1x1", "1x1x1x1", "1x1x1"}})
    for (bool causal : {false, true}) {
      std::string q = type(n.q), k = type(n.k);
      std::string text = "func.func @f(%q: " + q + ", %k: " + k + ", %v: " + k +
                         ") -> " + q + " { %o, %lse = tt.attention %q, %k, %v " +
                         (causal ? "causal " : "") + "scale = 0.6 : (" + q + ", " +
                         k + ", " + k + ") -> (" + q + ", " + type(n.lse) +
                         ") return %o : " + q + " }";
      for (const char *wrt : {"all", "0", "1", "2"})
        cases.push_back({std::string("attention_") + n.name +
                             (causal ? "_causal_wrt_" : "_wrt_") + wrt,
                         text, wrt});
    }
  for (const char *layout : {"half_split", "interleaved"})
    for (bool inverse : {false, true}) {
      std::string flags = std::string(layout) + (inverse ? " inverse" : "");
      cases.push_back({tidy("rope_" + flags),
                       "func.func @f(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> { "
                       "%y = tt.rope " + flags +
                           " %x theta = 100.0 : (tensor<2x3x4xf64>) -> "
                           "tensor<2x3x4xf64> %z = tt.square %y : tensor<2x3x4xf64> "
                           "return %z : tensor<2x3x4xf64> }"});
      cases.push_back({tidy("rope_positions_" + flags),
                       "func.func @f(%x: tensor<3x2xf64>, %p: tensor<3xi32>) -> "
                       "tensor<3x2xf64> { %y = tt.rope " + flags +
                           " %x positions(%p) theta = 100.0 : (tensor<3x2xf64>, "
                           "tensor<3xi32>) -> tensor<3x2xf64> "
                           "%z = tt.square %y : tensor<3x2xf64> "
                           "return %z : tensor<3x2xf64> }"});
    }
  cases.push_back({"dropout",
                   R"(func.func @f(%x: tensor<2x7xf64>, %k: tensor<2xi32>) -> tensor<2x7xf64> {
    %y = tt.dropout %x, %k p = 0.5 site = 3 samples = 2 : (tensor<2x7xf64>, tensor<2xi32>) -> tensor<2x7xf64>
    %z = tt.square %y : tensor<2x7xf64>
    return %z : tensor<2x7xf64> })"});
}

/// Composites: a call twice, a value with several readers, a small block.
void addPrograms(std::vector<Case> &cases) {
  cases.push_back({"calls", R"(
    func.func private @layer(%x: tensor<3x5xf64>, %w: tensor<5x5xf64>) -> tensor<3x5xf64> {
      %y = tt.linear in_out %x, %w : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %z = tt.tanh %y : tensor<3x5xf64>
      %r = tt.add %x, %z : tensor<3x5xf64>
      return %r : tensor<3x5xf64>
    }
    func.func @f(%x: tensor<3x5xf64>, %a: tensor<5x5xf64>, %b: tensor<5x5xf64>) -> tensor<3x5xf64> {
      %1 = call @layer(%x, %a) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %2 = call @layer(%1, %b) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %3 = call @layer(%2, %a) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      return %3 : tensor<3x5xf64>
    })"});
  cases.push_back({"tied_head", R"(
    func.func @f(%e: tensor<5x3xf64>, %i: tensor<2xi32>, %t: tensor<2xi32>) -> tensor<f64> {
      %h = tt.embedding %e, %i : (tensor<5x3xf64>, tensor<2xi32>) -> tensor<2x3xf64>
      %z = tt.linear out_in %h, %e : (tensor<2x3xf64>, tensor<5x3xf64>) -> tensor<2x5xf64>
      %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x5xf64>, tensor<2xi32>) -> (tensor<f64>, tensor<2xf64>)
      return %l : tensor<f64>
    })"});
  cases.push_back({"two_results", R"(
    func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<f64>) {
      %a = tt.mul %x, %y : tensor<3xf64>
      %b = tt.exp %a : tensor<3xf64>
      %s = tt.sum %a dims = [0] : (tensor<3xf64>) -> tensor<f64>
      return %b, %s : tensor<3xf64>, tensor<f64>
    })"});
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  addUnary(cases);
  addBinary(cases);
  addWritten(cases);
  addMatmul(cases);
  addNorms(cases);
  addLossAndEmbedding(cases);
  addAttention(cases);
  addPrograms(cases);
  return cases;
}

class LadderTest : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(LadderTest, passes) {
  Program program(GetParam().text);
  const char *seed = std::getenv("TT_NUMERIC_SEED"); // for runs by hand
  auto report = program.check(GetParam().wrt, GetParam().inputs,
                              seed ? std::strtoull(seed, nullptr, 10) : 1);
  EXPECT_EQ(report.error, "");
  EXPECT_TRUE(report.passed()) << report.table();
}

INSTANTIATE_TEST_SUITE_P(AllOps, LadderTest, testing::ValuesIn(allCases()),
                         [](const auto &info) { return info.param.name; });
