//===- FactsTest.cpp - Facts of reverse mode, executable ------------------===//
//
// docs/Tutorial/why-reverse-mode.md tells these in words. The straight-through
// experiment is in QuantiseTest, FLOP counts are in test/AD/count-flops.mlir.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include <cmath>
#include <map>

using namespace tt::test;
using namespace tt::reference;

static const char *const kNet = R"(
func.func @f(%x: tensor<1x8xf64>, %w: tensor<8x8xf64>, %v: tensor<8x1xf64>) -> tensor<1x1xf64> {
  %h = tt.linear in_out %x, %w : (tensor<1x8xf64>, tensor<8x8xf64>) -> tensor<1x8xf64>
  %a = tt.tanh %h : tensor<1x8xf64>
  %y = tt.linear in_out %a, %v : (tensor<1x8xf64>, tensor<8x1xf64>) -> tensor<1x1xf64>
  return %y : tensor<1x1xf64>
})";

/// Counts how often each function is run, by the values of its first argument.
static Options countingRuns(std::map<std::string, int> &runs) {
  Options options;
  options.onValue = [&runs](mlir::Value value, AnyTensor<double> &) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (argument && argument.getArgNumber() == 0)
      ++runs[mlir::cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp()).getSymName().str()];
  };
  return options;
}

/// A loss of n parameters: n passes of forward mode, one of reverse.
TEST(FactsTest, nForwardPassesGiveWhatOneReversePassGives) {
  Program program(kNet);
  Values inputs = {pattern(37, 11, {1, 8}), pattern(53, 29, {8, 8}), pattern(71, 3, {8, 1})};
  Derivatives derivatives;
  std::string error;
  auto f = program.module().lookupSymbol<mlir::func::FuncOp>("f");
  ASSERT_TRUE(derivatives.build(program.module(), f, "1,2", error)) << error;
  Values gradient;
  std::map<std::string, int> runs;
  Options counting = countingRuns(runs);
  ASSERT_TRUE(derivatives.pullBack(inputs, {full(1, {1, 1})}, gradient, error, counting))
      << error;
  for (size_t argument = 0; argument < 2; ++argument)
    for (int64_t k = 0; k < gradient[argument].floats().size(); ++k) {
      Values tangents = {full(0, {8, 8}), full(0, {8, 1})}, result;
      tangents[argument].floats()[k] = 1;
      ASSERT_TRUE(derivatives.pushForward(inputs, tangents, result, error, counting)) << error;
      EXPECT_NEAR(result[0].floats()[0], gradient[argument].floats()[k], 1e-14);
    }
  // One forward and one backward; one tangent per parameter.
  EXPECT_EQ(runs, (std::map<std::string, int>{
                      {"f_fwd", 1}, {"f_bwd", 1}, {"f_jvp", 8 * 8 + 8}}));
}

/// Column j of the Jacobian of @f by central differences at `x`.
static std::vector<double> jacobianColumn(Program &program, std::vector<double> x, size_t j,
                                          double h) {
  int64_t n = int64_t(x.size());
  std::vector<double> high = x, low = x, column;
  high[j] += h;
  low[j] -= h;
  auto up = program.run({floats({n}, high)})[0], down = program.run({floats({n}, low)})[0];
  for (int64_t i = 0; i < n; ++i)
    column.push_back((up.floats()[i] - down.floats()[i]) / (2 * h));
  return column;
}

/// J = diag(p) - p p^T.
TEST(FactsTest, softmaxJacobianIsDiagonalMinusOuterProduct) {
  Program program("func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> { %y = tt.softmax %x : "
                  "tensor<3xf64> return %y : tensor<3xf64> }");
  std::vector<double> x = {1, 2, 3};
  auto p = program.run({floats({3}, x)})[0];
  for (size_t j = 0; j < 3; ++j) {
    std::vector<double> column = jacobianColumn(program, x, j, 1e-5);
    for (size_t i = 0; i < 3; ++i) {
      double pi = p.floats()[int64_t(i)], pj = p.floats()[int64_t(j)];
      EXPECT_NEAR(column[i], (i == j ? pi : 0) - pi * pj, 1e-9);
    }
  }
  EXPECT_NEAR(jacobianColumn(program, x, 1, 1e-5)[0], -.0220330445, 1e-9);
}

/// J = (I - 1 1^T / n - xh xh^T / n) / s.
TEST(FactsTest, layerNormJacobianIsDiagonalMinusOuterProducts) {
  Program program(R"(func.func @f(%x: tensor<5xf64>) -> tensor<5xf64> {
    %g = tt.constant dense<1.0> : tensor<5xf64>
    %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-12 : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<f64>, tensor<f64>)
    return %y : tensor<5xf64> })");
  std::vector<double> x = {1, 2, 3, 4, 6};
  auto xh = program.run({floats({5}, x)})[0];
  double mean = 16.0 / 5, variance = 0;
  for (double value : x)
    variance += (value - mean) * (value - mean) / 5;
  for (size_t j = 0; j < 5; ++j) {
    std::vector<double> column = jacobianColumn(program, x, j, 1e-5);
    for (size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(column[i],
                  ((i == j) - 0.2 - xh.floats()[int64_t(i)] * xh.floats()[int64_t(j)] / 5) /
                      std::sqrt(variance),
                  1e-8);
  }
  EXPECT_NEAR(jacobianColumn(program, x, 0, 1e-5)[0], .2749099565, 1e-8);
  EXPECT_NEAR(jacobianColumn(program, x, 0, 1e-5)[1], -.2199279652, 1e-8);
}

/// d f / d x of 64 calls of @layer on a scalar.
static double through64Layers(const std::string &layer) {
  std::string text = "func.func private @layer(%x: tensor<f64>) -> tensor<f64> {\n" + layer +
                     "\nreturn %y : tensor<f64> }\n"
                     "func.func @f(%x0: tensor<f64>) -> tensor<f64> {\n";
  for (int i = 0; i < 64; ++i)
    text += "%x" + std::to_string(i + 1) + " = call @layer(%x" + std::to_string(i) +
            ") : (tensor<f64>) -> tensor<f64>\n";
  Program program(text + "return %x64 : tensor<f64> }");
  return program.gradient({full(0.5, {})}, {full(1, {})})[0].floats()[0];
}

TEST(FactsTest, residualPathHasDerivativeOne) {
  const char *residual = R"(
    %t = tt.tanh %x : tensor<f64>
    %w = tt.constant dense<0.0> : tensor<f64>
    %b = tt.mul %w, %t : tensor<f64>
    %y = tt.add %x, %b : tensor<f64>)";
  EXPECT_EQ(through64Layers(residual), 1.0);
  auto times = [](const char *factor) {
    return std::string("%c = tt.constant dense<") + factor +
           "> : tensor<f64>\n%y = tt.mul %x, %c : tensor<f64>";
  };
  EXPECT_NEAR(through64Layers(times("1.1")), 445.79, 5e-3);
  EXPECT_NEAR(through64Layers(times("0.9")), .00117902, 5e-9);
}

/// p (1 - p) of softmax (z, 0), formed as y (g - sum g y); in f32 1 - p is 0 from
/// z = 17 on.
TEST(FactsTest, saturatedSoftmax) {
  Program program("func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> { %y = tt.softmax %x : "
                  "tensor<2xf64> return %y : tensor<2xf64> }");
  Options typed;
  typed.mode = Mode::Typed;
  Program single("func.func @f(%x: tensor<2xf32>, %u: tensor<2xf32>) -> tensor<2xf32> { "
                 "%y = tt.softmax %x : tensor<2xf32> "
                 "%d = tt.softmax_bwd %y, %u : tensor<2xf32> return %d : tensor<2xf32> }");
  for (auto [z, wanted] : {std::pair(10.0, 4.540e-05), {20.0, 2.061e-09}, {40.0, 4.248e-18}}) {
    // Taken from the small probability, both slopes keep their digits; 1 - p of
    // the large one would be 0 in f64 too at z = 40.
    auto g = program.gradient({floats({2}, {z, 0})}, {floats({2}, {0, 1})})[0];
    EXPECT_NEAR(g.floats()[1] / wanted, 1, 3e-4) << z;
    EXPECT_NEAR(g.floats()[0] / wanted, -1, 3e-4) << z;
    auto d = single.run({floats({2}, {z, 0}), floats({2}, {0, 1})}, typed)[0];
    EXPECT_NEAR(d.floats()[1] / wanted, 1, 3e-4) << z;
  }
}

/// A unit whose input is negative for every row learns nothing.
TEST(FactsTest, deadReluHasNoGradient) {
  Program program(R"(func.func @f(%x: tensor<3x2xf64>, %w: tensor<2x2xf64>, %b: tensor<2xf64>) -> tensor<3x2xf64> {
    %h = tt.linear in_out %x, %w, %b : (tensor<3x2xf64>, tensor<2x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
    %y = tt.relu %h : tensor<3x2xf64>
    return %y : tensor<3x2xf64> })");
  Values g = program.gradient({floats({3, 2}, {1, 2, 3, 4, 5, 6}),
                               floats({2, 2}, {1, -1, 1, -1}), floats({2}, {0, 0})},
                              {full(1, {3, 2})}, "1,2");
  expectNear(g[0], {9, 0, 12, 0}); // column 1 belongs to the dead unit
  expectNear(g[1], {3, 0});
}

/// The weights of an attention-only block, with the backward written out: q, k, v
/// are [B, S, D], the weights [D, D]. Without the sum over B the result would be
/// one matrix per sample.
static const char *const kExplicit = R"(
func.func @f(%x: tensor<3x4x2xf64>, %wq: tensor<2x2xf64>, %wk: tensor<2x2xf64>, %wv: tensor<2x2xf64>) -> tensor<3x4x2xf64> {
  %q = tt.linear in_out %x, %wq : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %k = tt.linear in_out %x, %wk : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %v = tt.linear in_out %x, %wv : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %s = tt.matmul %q, %k transpose_rhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x4x4xf64>
  %p = tt.softmax %s : tensor<3x4x4xf64>
  %o = tt.matmul %p, %v : (tensor<3x4x4xf64>, tensor<3x4x2xf64>) -> tensor<3x4x2xf64>
  return %o : tensor<3x4x2xf64>
}
func.func @by_hand(%x: tensor<3x4x2xf64>, %wq: tensor<2x2xf64>, %wk: tensor<2x2xf64>, %wv: tensor<2x2xf64>, %do: tensor<3x4x2xf64>)
    -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<3x2x2xf64>) {
  %q = tt.linear in_out %x, %wq : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %k = tt.linear in_out %x, %wk : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %v = tt.linear in_out %x, %wv : (tensor<3x4x2xf64>, tensor<2x2xf64>) -> tensor<3x4x2xf64>
  %s = tt.matmul %q, %k transpose_rhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x4x4xf64>
  %p = tt.softmax %s : tensor<3x4x4xf64>
  %dv = tt.matmul %p, %do transpose_lhs : (tensor<3x4x4xf64>, tensor<3x4x2xf64>) -> tensor<3x4x2xf64>
  %dp = tt.matmul %do, %v transpose_rhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x4x4xf64>
  %ds = tt.softmax_bwd %p, %dp : tensor<3x4x4xf64>
  %dq = tt.matmul %ds, %k : (tensor<3x4x4xf64>, tensor<3x4x2xf64>) -> tensor<3x4x2xf64>
  %dk = tt.matmul %ds, %q transpose_lhs : (tensor<3x4x4xf64>, tensor<3x4x2xf64>) -> tensor<3x4x2xf64>
  %bq = tt.matmul %x, %dq transpose_lhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x2x2xf64>
  %bk = tt.matmul %x, %dk transpose_lhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x2x2xf64>
  %bv = tt.matmul %x, %dv transpose_lhs : (tensor<3x4x2xf64>, tensor<3x4x2xf64>) -> tensor<3x2x2xf64>
  %gq = tt.sum %bq dims = [0] : (tensor<3x2x2xf64>) -> tensor<2x2xf64>
  %gk = tt.sum %bk dims = [0] : (tensor<3x2x2xf64>) -> tensor<2x2xf64>
  %gv = tt.sum %bv dims = [0] : (tensor<3x2x2xf64>) -> tensor<2x2xf64>
  return %gq, %gk, %gv, %bv : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<3x2x2xf64>
})";

TEST(FactsTest, attentionWeightGradientsAreSummedOverTheBatch) {
  Program program(kExplicit);
  Values inputs = {pattern(37, 11, {3, 4, 2}), pattern(53, 29, {2, 2}), pattern(71, 3, {2, 2}),
                   pattern(17, 5, {2, 2})};
  Values u = {pattern(29, 7, {3, 4, 2})};
  Values g = program.gradient(inputs, u, "1,2,3");
  Values operands = inputs;
  operands.push_back(u[0]);
  auto hand = Interpreter<double>(program.module()).run("by_hand", operands);
  ASSERT_EQ(hand.error, "");
  for (int i = 0; i < 3; ++i)
    expectNear(hand.results[i], g[i].floats().data, 1e-13);
  // Against finite differences: the summed one is right, one sample's is not.
  double h = 1e-6, worstSummed = 0, worstAlone = 0;
  for (int64_t k = 0; k < 4; ++k) {
    Values high = inputs, low = inputs;
    high[3].floats()[k] += h;
    low[3].floats()[k] -= h;
    auto up = program.run(high)[0], down = program.run(low)[0];
    double slope = 0;
    for (int64_t i = 0; i < up.floats().size(); ++i)
      slope += u[0].floats()[i] * (up.floats()[i] - down.floats()[i]) / (2 * h);
    worstSummed = std::max(worstSummed, std::fabs(slope - g[2].floats()[k]));
    worstAlone = std::max(worstAlone, std::fabs(slope - hand.results[3].floats()[k]));
  }
  EXPECT_LE(worstSummed, 1e-8);
  EXPECT_GE(worstAlone, 0.1);
}

/// What f16 makes of small and large numbers: loss scaling in one line.
TEST(FactsTest, smallHalfPrecisionValues) {
  Program half("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %y = tt.cast %x : "
               "tensor<4xf32> to tensor<4xf16> %z = tt.cast %y : tensor<4xf16> to "
               "tensor<4xf32> return %z : tensor<4xf32> }");
  Options typed;
  typed.mode = Mode::Typed;
  auto y = half.run({floats({4}, {1e-6, 2e-8, 65520, 1e-8 * 65536})}, typed)[0];
  EXPECT_EQ(y.floats()[0], 17 * 0x1p-24); // not 0: 1.3 % off
  EXPECT_EQ(y.floats()[1], 0);            // at most 2^-25
  EXPECT_TRUE(std::isinf(y.floats()[2]));
  EXPECT_NEAR(y.floats()[3] / 65536, 9.997165761888027e-09, 1e-20);
}
