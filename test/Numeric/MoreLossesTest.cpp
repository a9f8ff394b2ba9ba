//===- MoreLossesTest.cpp - Values of losses, statistics and gates --------===//
#include "Program.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

static const double kInfinity = std::numeric_limits<double>::infinity();

/// @f of one op over operands x, y, ... of the given types.
static Program single(const std::string &op, const std::string &operandTypes,
                      const std::string &arguments, const std::string &results) {
  return Program("func.func @f(" + arguments + ") -> (" + results + ") { %r = tt." + op +
                 " : (" + operandTypes + ") -> " + results + " return %r : " + results +
                 " }");
}

static Program extended(const std::string &reduction, const std::string &attributes,
                        bool isWeighted, const std::string &rows = "3") {
  std::string z = "tensor<" + rows + "x3xf64>", t = "tensor<" + rows + "xi32>";
  std::string l = reduction == "none" ? "tensor<" + rows + "xf64>" : "tensor<f64>";
  return Program("func.func @f(%z: " + z + ", %t: " + t +
                 (isWeighted ? ", %w: tensor<3xf64>" : "") + ") -> " + l +
                 " { %l, %e = tt.cross_entropy " + reduction + " %z, %t " +
                 (isWeighted ? "weights(%w) " : "") + attributes + " : (" + z + ", " + t +
                 (isWeighted ? ", tensor<3xf64>" : "") + ") -> (" + l + ", tensor<" + rows +
                 "xf64>) return %l : " + l + " }");
}

// RF-10: smoothing leaves ignored rows out.
TEST(MoreLossesTest, smoothingAndIgnoredLabels) {
  Program program = extended("mean", "{label_smoothing = 0.2 : f64}", false, "2");
  Values inputs = {floats({2, 3}, {2, 0, -1, 0, 1, 3}), ints({2}, {0, -100})};
  expectNear(program.run(inputs)[0], {0.503179352889619});
  expectNear(program.gradient(inputs, {full(1, {})})[0],
             {-0.022872, 0.047529, -0.024657, 0, 0, 0}, 1e-6);
}

// Smoothing, z-loss and weights together; from the formula and its differences.
TEST(MoreLossesTest, allTermsOfCrossEntropy) {
  Program program =
      extended("mean", "{label_smoothing = 0.2 : f64, z_loss = 0.1 : f64}", true);
  Values inputs = {floats({3, 3}, {2, 0, -1, 0, 1, 3, 0.5, -0.5, 0.25}),
                   ints({3}, {0, -100, 2}), floats({3}, {0.5, 2, 1.5})};
  expectNear(program.run(inputs)[0], {1.366843535250205});
  expectNear(program.gradient(inputs, {full(1, {})}, "0")[0],
             {0.156143477, -0.0162123, -0.031438876, 0, 0, 0, 0.413263096, 0.091495654,
              -0.315170364},
             1e-8);
}

// RF-09 for the extended forms: nothing counts, or all weights that count are 0.
TEST(MoreLossesTest, nothingCounts) {
  for (const char *reduction : {"none", "sum", "mean"}) {
    bool isNone = reduction == std::string("none");
    Program program =
        extended(reduction, "{label_smoothing = 0.2 : f64, z_loss = 0.1 : f64}", true);
    Values inputs = {floats({3, 3}, {kInfinity, 0, std::nan(""), 0, 1, 3, 1, 1, 1}),
                     ints({3}, {-100, 3, -1}), floats({3}, {0.5, 2, 1.5})};
    expectNear(program.run(inputs)[0], std::vector<double>(isNone ? 3 : 1, 0), 0);
    expectNear(program.gradient(inputs, {full(1, isNone ? Shape{3} : Shape{})}, "0")[0],
               std::vector<double>(9, 0), 0);
  }
  Program weighted = extended("mean", "{}", true);
  Values zeros = {floats({3, 3}, {1, 2, 3, 0, 1, 3, 1, 1, 1}), ints({3}, {0, 0, 0}),
                  floats({3}, {0, 1, 1})};
  expectNear(weighted.run(zeros)[0], {0}, 0);
  expectNear(weighted.gradient(zeros, {full(1, {})}, "0")[0], std::vector<double>(9, 0), 0);
}

TEST(MoreLossesTest, linearCrossEntropyOfNothing) { // RF-09
  Program program(R"(func.func @f(%h: tensor<3x2xf64>, %w: tensor<4x2xf64>, %t: tensor<3xi32>) -> tensor<f64> {
    %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<3x2xf64>, tensor<4x2xf64>, tensor<3xi32>) -> (tensor<f64>, tensor<3xf64>)
    return %l : tensor<f64> })");
  Values inputs = {pattern(37, 11, {3, 2}), pattern(53, 29, {4, 2}),
                   ints({3}, {-100, -100, -100})};
  expectNear(program.run(inputs)[0], {0}, 0);
  Values g = program.gradient(inputs, {full(1, {})});
  expectNear(g[0], std::vector<double>(6, 0), 0);
  expectNear(g[1], std::vector<double>(8, 0), 0);
}

// The chunked loss is the loss of the whole logits, and so are its gradients: plain, and
// with every option.
TEST(MoreLossesTest, linearCrossEntropyIsTheWholeLoss) {
  for (const char *reduction : {"mean", "sum"})
    for (bool isPlain : {true, false}) {
      std::string weights = isPlain ? "" : " weights(%c)", c = isPlain ? "" : ", tensor<7xf64>";
      std::string options =
          isPlain ? "" : " {label_smoothing = 0.2 : f64, z_loss = 0.1 : f64}";
      std::string head = "func.func @f(%h: tensor<5x3xf64>, %w: tensor<3x7xf64>, %t: "
                         "tensor<5xi32>" + std::string(isPlain ? "" : ", %c: tensor<7xf64>") +
                         ") -> tensor<f64> { ";
      std::string tail = " -> (tensor<f64>, tensor<5xf64>) return %l : tensor<f64> }";
      Program whole(head +
                    "%z = tt.linear in_out %h, %w : (tensor<5x3xf64>, tensor<3x7xf64>) -> "
                    "tensor<5x7xf64> %l, %lse = tt.cross_entropy " + reduction + " %z, %t" +
                    weights + options + " : (tensor<5x7xf64>, tensor<5xi32>" + c + ")" + tail);
      Program chunked(head + "%l, %lse = tt.linear_cross_entropy " + reduction +
                      " in_out %h, %w, %t" + weights + " chunks = 3" + options +
                      " : (tensor<5x3xf64>, tensor<3x7xf64>, tensor<5xi32>" + c + ")" + tail);
      Values inputs = {pattern(37, 11, {5, 3}), pattern(53, 29, {3, 7}),
                       ints({5}, {6, 0, -100, 3, 3})};
      if (!isPlain)
        inputs.push_back(floats({7}, {0.5, 2, 1.5, 0.25, 1.25, 0, 3}));
      expectNear(chunked.run(inputs)[0], whole.run(inputs)[0].floats().data);
      Values a = whole.gradient(inputs, {full(1, {})});
      Values b = chunked.gradient(inputs, {full(1, {})});
      ASSERT_EQ(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i)
        expectNear(b[i], a[i].floats().data);
    }
}

TEST(MoreLossesTest, mse) {
  const char *arguments = "%x: tensor<2x2xf64>, %y: tensor<2x2xf64>";
  const char *types = "tensor<2x2xf64>, tensor<2x2xf64>";
  Values inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {0, 2, 1, 7})};
  expectNear(single("mse mean %x, %y", types, arguments, "tensor<f64>").run(inputs)[0], {3.5});
  expectNear(single("mse sum %x, %y", types, arguments, "tensor<f64>").run(inputs)[0], {14});
  Program none = single("mse none %x, %y", types, arguments, "tensor<2x2xf64>");
  expectNear(none.run(inputs)[0], {1, 0, 4, 9});
  Values g = single("mse mean %x, %y", types, arguments, "tensor<f64>")
                 .gradient(inputs, {full(2, {})});
  expectNear(g[0], {1, 0, 2, -3});
  expectNear(g[1], {-1, 0, -2, 3});
}

TEST(MoreLossesTest, klDiv) {
  const char *arguments = "%x: tensor<1x3xf64>, %y: tensor<1x3xf64>";
  const char *types = "tensor<1x3xf64>, tensor<1x3xf64>";
  auto logs = [](double a, double b, double c) {
    return floats({1, 3}, {std::log(a), std::log(b), std::log(c)});
  };
  Program plain = single("kl_div batchmean %x, %y", types, arguments, "tensor<f64>");
  Values inputs = {logs(0.1, 0.6, 0.3), floats({1, 3}, {0.2, 0.3, 0.5})};
  expectNear(plain.run(inputs)[0], {0.186098093827});
  Program log = single("kl_div sum %x, %y log_target", types, arguments, "tensor<f64>");
  expectNear(log.run({inputs[0], logs(0.2, 0.3, 0.5)})[0], {0.186098093827});
  // A probability of 0 counts nothing, however impossible the input says it is.
  Values zero = {floats({1, 3}, {-kInfinity, std::log(0.6), 0}),
                 floats({1, 3}, {0, 0.6, 0.4})};
  expectNear(plain.run(zero)[0], {0.4 * std::log(0.4)});
  Values g = plain.gradient(zero, {full(1, {})});
  expectNear(g[0], {0, -0.6, -0.4});
  expectNear(g[1], {0, 1, 1 + std::log(0.4)});
}

TEST(MoreLossesTest, bceWithLogits) {
  const char *arguments = "%x: tensor<4xf64>, %y: tensor<4xf64>, %w: tensor<4xf64>";
  Program program = single("bce_with_logits none %x, %y pos_weight(%w)",
                           "tensor<4xf64>, tensor<4xf64>, tensor<4xf64>", arguments,
                           "tensor<4xf64>");
  Values inputs = {floats({4}, {0.5, -2, 1.5, 0.5}), floats({4}, {1, 0, 0.25, 0.75}),
                   floats({4}, {1, 1, 1, 3})};
  expectNear(program.run(inputs)[0],
             {0.474076984180107, 0.126928011042972, 1.326413277982752, 1.310192460450267});
}

// RF-16's range: no overflow on either side, and the digits of a tiny loss.
TEST(MoreLossesTest, bceOfLargeLogits) {
  std::string text = "bce_with_logits none %x, %y";
  Program program = single(text, "tensor<7xf64>, tensor<7xf64>",
                           "%x: tensor<7xf64>, %y: tensor<7xf64>", "tensor<7xf64>");
  Values inputs = {floats({7}, {-1000, -100, -20, 0, 20, 100, 1000}), full(1, {7})};
  std::vector<double> wanted = {1000, 100, 20.000000002061153, 0.6931471805599453,
                                2.061153620314381e-09, 3.720075976020836e-44, 0};
  auto found = program.run(inputs)[0].floats();
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-12 * wanted[i]) << i;
  expectNear(program.gradient(inputs, {full(1, {7})})[0],
             {-1, -1, -0.9999999979388463, -0.5, -2.0611536181902037e-09, 0, 0}, 1e-14);
}

TEST(MoreLossesTest, statistics) {
  auto of = [](const std::string &op, const std::string &x, const std::string &y) {
    return Program("func.func @f(%x: " + x + ") -> " + y + " { %y = tt." + op +
                   " return %y : " + y + " }");
  };
  Program population = of("variance %x dims = [0] : (tensor<4xf64>) -> tensor<f64>",
                          "tensor<4xf64>", "tensor<f64>");
  Program unbiased = of("variance %x dims = [0] {correction = 1 : i64} : (tensor<4xf64>) "
                        "-> tensor<f64>", "tensor<4xf64>", "tensor<f64>");
  Values x = {floats({4}, {1, 2, 4, 8.5})};
  expectNear(population.run(x)[0], {8.296875});
  expectNear(unbiased.run(x)[0], {11.0625});
  Program lse = of("logsumexp %x dims = [1] : (tensor<3x3xf64>) -> tensor<3xf64>",
                   "tensor<3x3xf64>", "tensor<3xf64>");
  Values rows = {floats({3, 3}, {1, 2, 3, 1001, 1002, 1003, -kInfinity, -kInfinity,
                                 -kInfinity})};
  expectNear(lse.run(rows)[0], {3.4076059644443806, 1003.4076059644443806, -kInfinity});
  // A slice of -inf has zero gradients, not NaN.
  expectNear(lse.gradient(rows, {full(1, {3})})[0],
             {.0900305732, .2447284711, .6652409558, .0900305732, .2447284711, .6652409558,
              0, 0, 0},
             1e-10);
  Program logs = of("log_softmax %x : tensor<3xf64>", "tensor<3xf64>", "tensor<3xf64>");
  expectNear(logs.run({floats({3}, {1, 2, 3})})[0],
             {-2.4076059644443806, -1.4076059644443806, -0.4076059644443806});
  expectNear(logs.run({floats({3}, {1e6, 1e6 + 1, 1e6 + 2})})[0],
             {-2.4076059644443806, -1.4076059644443806, -0.4076059644443806});
}

TEST(MoreLossesTest, gates) {
  Program geglu("func.func @f(%x: tensor<2xf64>, %y: tensor<2xf64>) -> tensor<2xf64> { "
                "%z = tt.geglu erf %x, %y : tensor<2xf64> return %z : tensor<2xf64> }");
  expectNear(geglu.run({floats({2}, {0.7, -1.3}), floats({2}, {2, -0.5})})[0],
             {1.0612508868877, 0.0629203149806467});
  Program reglu("func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> { "
                "%z = tt.reglu %x, %y : tensor<3xf64> return %z : tensor<3xf64> }");
  Values inputs = {floats({3}, {2, 0, -1}), floats({3}, {5, 6, 7})};
  expectNear(reglu.run(inputs)[0], {10, 0, 0});
  Values g = reglu.gradient(inputs, {full(1, {3})});
  expectNear(g[0], {5, 0, 0}); // relu'(0) = 0
  expectNear(g[1], {2, 0, 0});
}

TEST(MoreLossesTest, groupNorm) {
  Program program(R"(func.func @f(%x: tensor<1x4x2xf64>, %g: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<1x4x2xf64>, tensor<1x2xf64>, tensor<1x2xf64>) {
    %y, %m, %r = tt.group_norm %x, %g, %b groups = 2 eps = 1.0e-5 : (tensor<1x4x2xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<1x4x2xf64>, tensor<1x2xf64>, tensor<1x2xf64>)
    return %y, %m, %r : tensor<1x4x2xf64>, tensor<1x2xf64>, tensor<1x2xf64> })");
  auto found = program.run({floats({1, 4, 2}, {1, 2, 3, 4, 2, 0, -1, 5}),
                            floats({4}, {1, 2, 0.5, -1}), floats({4}, {0, 1, 2, 3})});
  expectNear(found[0],
             {-1.341635419969, -0.447211806656, 1.894423613313, 3.683270839938,
              2.109108841205, 1.672673476385, 4.091088412049, 1.472476223132},
             1e-11);
  expectNear(found[1], {2.5, 1.5});
  expectNear(found[2], {0.894423613312618, 0.4364353648194543});
}

TEST(MoreLossesTest, rmsNormWithUnitOffset) {
  Program program(R"(func.func @f(%x: tensor<2xf64>, %g: tensor<2xf64>) -> tensor<2xf64> {
    %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 unit_offset : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<f64>)
    return %y : tensor<2xf64> })");
  expectNear(program.run({floats({2}, {3, 4}), floats({2}, {0.5, -0.25})})[0],
             {1.2727916970192086, 0.8485277980128058});
}
