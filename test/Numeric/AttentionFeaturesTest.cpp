//===- AttentionFeaturesTest.cpp - Masks, scores and dropout together -----===//
#include "../Common/AttentionCase.h"
#include "Program.h"

#include "tt/IR/TTOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Loss <u, output> + <w, lse> of a case, and its gradient in q, k, v.
static Values gradientOf(const AttentionCase &c, const Values &inputs, const Values &cotangents,
                         const std::string &wrt = "0,1,2") {
  return Program(c.forward(cotangents.size() == 2)).gradient(inputs, cotangents, wrt);
}

//===----------------------------------------------------------------------===//
// Reported faults
//===----------------------------------------------------------------------===//

static AttentionCase oneHead(int64_t queries, int64_t keys, int64_t width) {
  AttentionCase c;
  c.batch = c.heads = c.keyHeads = 1;
  c.queries = queries, c.keys = keys, c.headSize = width;
  return c;
}

// RF-05: packed sequences, some without queries or keys, bottom-right causal in
// each. Segments say which tokens belong together; since every sequence has its
// own alignment, causal is by bias here.
TEST(AttentionFeaturesTest, packedWithEmptySequences) {
  AttentionCase c = oneHead(3, 8, 2);
  c.segments = true;
  c.bias = "one";
  Tensor<double> q = pattern(37, 11, {1, 1, 3, 2}), k = pattern(53, 29, {1, 1, 8, 2}),
                 v = pattern(71, 3, {1, 1, 8, 2}), dO = pattern(17, 5, {1, 1, 3, 2});
  for (double &x : q.data)
    x *= 1 / std::sqrt(2.0) / 0.625; // the case's own scale
  Tensor<double> bias({1, 1, 3, 8}, 0.0);
  bias[4] = -kInf; // of its two keys the first query of sequence 1 sees one
  Values inputs = {q, k, v, ints({1, 3}, {1, 1, 3}), ints({1, 8}, {0, 0, 0, 1, 1, 3, 3, 4}), bias};
  Program program(c.forward(false));
  expectNear(program.run(inputs)[0], {-0.34375, 0.765625, -0.196138, 0.913237, 0.170305, -0.735945},
             1e-6);
  Values g = program.gradient(inputs, {dO}, "0,1,2");
  std::vector<double> dq = g[0].floats().data;
  for (double &x : dq)
    x *= 1 / std::sqrt(2.0) / 0.625;
  expectNear(Tensor<double>({6}, dq), {0, 0, 0.005286, -0.024361, -0.00703, -0.00703}, 1e-6);
  expectNear(g[1], {0, 0, 0, 0, 0, 0, 0.004826, 0.01333, -0.004826, -0.01333, 0.010393, -0.000917,
                    -0.010393, 0.000917, 0, 0}, 1e-6);
  expectNear(g[2], {0, 0, 0, 0, 0, 0, -1.028631, -0.690412, -0.283869, -0.090838, 0.065991, 0.19064,
                    0.074634, 0.21561, 0, 0}, 1e-6);
}

// RF-06 at T = 1025 with a window of 100 keys, the query among them.
TEST(AttentionFeaturesTest, longSlidingWindow) {
  AttentionCase c = oneHead(1025, 1025, 64);
  c.causal = true;
  c.left = 99;
  Shape shape = {1, 1, 1025, 64};
  Tensor<double> q = pattern(37, 11, shape);
  for (double &x : q.data)
    x *= 0.125 / 0.625;
  Values inputs = {q, pattern(53, 29, shape), pattern(71, 3, shape)};
  Program program(c.forward(false));
  Values all = {program.run(inputs)[0]};
  for (auto &g : program.gradient(inputs, {pattern(17, 5, shape)}))
    all.push_back(g);
  const double sums[4] = {792.19512, 323.91898, 355.38965, 677.96456},
               last[4] = {-0.002150, -0.006788, -0.000567, 0.001555};
  for (int i = 0; i < 4; ++i) {
    double factor = i == 1 ? 0.125 / 0.625 : 1, sum = 0;
    for (double x : all[i].floats().data)
      sum += std::fabs(x * factor);
    EXPECT_NEAR(sum, sums[i], 1e-5 * sums[i]);
    EXPECT_NEAR(all[i].floats()[1024 * 64] * factor, last[i], 1e-6);
  }
}

// RF-01 by booleans in the form of segments: the middle query's segment is no
// key's. Whatever the loss does with its row, nothing of it comes back.
TEST(AttentionFeaturesTest, queryOfNoKeysSegment) {
  AttentionCase c = oneHead(3, 3, 2);
  c.segments = c.sinks = true;
  Tensor<double> k = floats({1, 1, 3, 2}, {1, 2, 0, 1, -1, 1});
  Values inputs = {floats({1, 1, 3, 2}, {1, 0, kInf, 1, 1, 1}), k, k,
                   ints({1, 3}, {0, 7, 0}), ints({1, 3}, {0, 0, 0}), full(0.5, {1})};
  Program program(c.forward());
  auto r = program.run(inputs);
  EXPECT_EQ(r[0].floats()[2], 0);
  EXPECT_EQ(r[1].floats()[1], -kInf);
  Tensor<double> dO = full(1, {1, 1, 3, 2}), dLse = full(1, {1, 1, 3});
  dO[2] = std::nan("");
  dLse[1] = kInf;
  for (const auto &g : program.gradient(inputs, {dO, dLse}, "0,1,2,5"))
    for (double x : g.floats().data)
      EXPECT_TRUE(std::isfinite(x));
}

//===----------------------------------------------------------------------===//
// Features against each other
//===----------------------------------------------------------------------===//

/// The same numbers within 1e-12, output and gradients in q, k, v.
static void expectSame(const AttentionCase &a, const Values &inputsA, const AttentionCase &b,
                       const Values &inputsB) {
  Random random(3);
  Values cotangents = {a.likeOutput(random), a.likeLse(random)};
  Values outA = Program(a.forward()).run(inputsA), outB = Program(b.forward()).run(inputsB);
  for (int i = 0; i < 2; ++i)
    expectNear(outA[i], outB[i].floats().data);
  Values gA = gradientOf(a, inputsA, cotangents), gB = gradientOf(b, inputsB, cotangents);
  for (int i = 0; i < 3; ++i)
    expectNear(gA[i], gB[i].floats().data);
}

static Values withBias(Values inputs, Tensor<double> bias) {
  inputs.push_back(std::move(bias));
  return inputs;
}

TEST(AttentionFeaturesTest, masksAreBiasesOfMinusInfinity) {
  for (auto [queries, keys] : {std::pair<int64_t, int64_t>{6, 6}, {4, 9}}) {
    AttentionCase plain, masked;
    plain.queries = masked.queries = queries;
    plain.keys = masked.keys = keys;
    masked.left = 2, masked.right = 1, masked.prefix = 2;
    plain.bias = "one";
    Tensor<double> bias({1, 1, queries, keys}, 0.0);
    for (int64_t i = 0; i < queries; ++i)
      for (int64_t j = 0; j < keys; ++j) {
        int64_t last = i + keys - queries;
        if (j >= 2 && (j < last - 2 || j > last + 1))
          bias[i * keys + j] = -kInf;
      }
    Random random(5);
    Values inputs = masked.inputs(random);
    expectSame(masked, inputs, plain, withBias(inputs, bias));
  }
}

TEST(AttentionFeaturesTest, slopesAreABias) {
  AttentionCase slopes, plain;
  slopes.queries = plain.queries = 4;
  slopes.keys = plain.keys = 7;
  slopes.slopes = true;
  plain.bias = "heads";
  Random random(6);
  Values inputs = slopes.inputs(random), rest(inputs.begin(), inputs.begin() + 3);
  Tensor<double> bias({1, 2, 4, 7});
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t j = 0; j < 7; ++j)
        bias[(h * 4 + i) * 7 + j] = -inputs[3].floats()[h] * double(std::abs(i + 3 - j));
  expectSame(slopes, inputs, plain, withBias(rest, bias));
}

// A sink is a key with score `sink` and value 0.
TEST(AttentionFeaturesTest, sinkIsAKeyWithoutValue) {
  AttentionCase c = oneHead(3, 4, 2), more = oneHead(3, 5, 2);
  c.sinks = true;
  more.bias = "one";
  Random random(8);
  Values inputs = c.inputs(random);
  double sink = inputs[3].floats()[0];
  auto padded = [&](const AnyTensor<double> &x) {
    std::vector<double> data = x.floats().data;
    data.resize(10, 0.0);
    return floats({1, 1, 5, 2}, data);
  };
  Tensor<double> bias({1, 1, 3, 5}, 0.0);
  for (int64_t i = 0; i < 3; ++i)
    bias[i * 5 + 4] = sink;
  Values longer = {inputs[0], padded(inputs[1]), padded(inputs[2]), bias};
  Values a = Program(c.forward()).run(inputs), b = Program(more.forward()).run(longer);
  for (int i = 0; i < 2; ++i)
    expectNear(a[i], b[i].floats().data);
  Values cotangents = {c.likeOutput(random), c.likeLse(random)};
  Values gA = gradientOf(c, inputs, cotangents, "0,3"), gB = gradientOf(more, longer, cotangents, "0,3");
  expectNear(gA[0], gB[0].floats().data);
  double sum = 0;
  for (int64_t i = 0; i < 3; ++i)
    sum += gB[1].floats()[i * 5 + 4];
  expectNear(gA[1], {sum});
}

// Padding is a segment of no query: what the padded keys hold does not matter.
TEST(AttentionFeaturesTest, paddedEqualsUnpadded) {
  AttentionCase c = oneHead(3, 5, 2), padded = oneHead(3, 8, 2);
  padded.segments = true;
  Random random(9);
  Values inputs = c.inputs(random);
  auto pad = [&](const AnyTensor<double> &x) {
    std::vector<double> data = x.floats().data;
    data.resize(16, std::nan(""));
    return floats({1, 1, 8, 2}, data);
  };
  Values longer = {inputs[0], pad(inputs[1]), pad(inputs[2]), ints({1, 3}, {0, 0, 0}),
                   ints({1, 8}, {0, 0, 0, 0, 0, -1, -1, -1})};
  Values a = Program(c.forward()).run(inputs), b = Program(padded.forward()).run(longer);
  for (int i = 0; i < 2; ++i)
    expectNear(a[i], b[i].floats().data);
  Values cotangents = {c.likeOutput(random), c.likeLse(random)};
  Values gA = gradientOf(c, inputs, cotangents), gB = gradientOf(padded, longer, cotangents);
  expectNear(gA[0], gB[0].floats().data);
  for (int i : {1, 2}) {
    std::vector<double> wanted = gA[i].floats().data;
    wanted.resize(16, 0.0);
    expectNear(gB[i], wanted);
  }
}

// The mask of attention is that of tt.dropout on [B, H, T, S].
TEST(AttentionFeaturesTest, dropoutIsThatOfTheProbabilities) {
  AttentionCase c;
  c.dropout = 0.25;
  c.queries = 3, c.keys = 5;
  c.headSize = 5; // v = identity shows p
  Random random(10);
  Values inputs = c.inputs(random);
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t e = 0; e < 25; ++e)
      inputs[2].floats()[b * 25 + e] = e % 6 == 0;
  AttentionCase dry = c;
  dry.dropout = 0;
  Values p = Program(dry.forward()).run({inputs[0], inputs[1], inputs[2]});
  Program drop("func.func @f(%p: tensor<2x2x3x5xf64>, %k: tensor<2xi32>) -> tensor<2x2x3x5xf64> {"
               " %o = tt.dropout %p, %k p = 0.25 site = 5 samples = 2 : (tensor<2x2x3x5xf64>, "
               "tensor<2xi32>) -> tensor<2x2x3x5xf64> return %o : tensor<2x2x3x5xf64> }");
  Values wanted = drop.run({p[0], inputs[3]}), found = Program(c.forward()).run(inputs);
  expectNear(found[0], wanted[0].floats().data);
  expectNear(found[1], p[1].floats().data); // lse is that of p before
  int64_t zeros = 0;
  for (double x : found[0].floats().data)
    zeros += x == 0;
  EXPECT_GT(zeros, 5);
  EXPECT_LT(zeros, 30);
}

//===----------------------------------------------------------------------===//
// Decomposition
//===----------------------------------------------------------------------===//

/// @f with its attention ops decomposed.
static void decompose(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) {
    if (llvm::isa<tt::AttentionOp, tt::AttentionBwdOp>(op))
      ops.push_back(op);
  });
  for (mlir::Operation *op : ops) {
    mlir::OpBuilder builder(op);
    llvm::SmallVector<mlir::Value> results(op->getNumResults());
    auto composite = llvm::cast<tt::DecomposableOpInterface>(op);
    ASSERT_TRUE(succeeded(composite.buildDecomposition(builder, results)));
    op->replaceAllUsesWith(results);
    op->erase();
  }
}

/// Every float within tolerance, infinities equal, NaN nowhere.
static void expectSameValues(const Values &got, const Values &wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    for (double x : got[i].floats().data)
      ASSERT_FALSE(std::isnan(x)) << "result " << i;
    expectNear(got[i], wanted[i].floats().data, 1e-11);
  }
}

TEST(AttentionFeaturesTest, decompositionsAreTheOps) {
  Random random(20);
  for (int i = 0; i < 60; ++i) {
    AttentionCase c = AttentionCase::random(random);
    c.queries = std::min<int64_t>(c.queries, 7), c.keys = std::min<int64_t>(c.keys, 8);
    c.prefix = std::min(c.prefix, c.keys);
    SCOPED_TRACE(c.name());
    Values inputs = c.inputs(random);
    Program forward(c.forward()), forward2(c.forward());
    decompose(forward2.module());
    Values results = forward.run(inputs);
    expectSameValues(forward2.run(inputs), results);
    for (auto &x : {results[0], results[1], AnyTensor<double>(c.likeOutput(random)),
                    AnyTensor<double>(c.likeLse(random))})
      inputs.push_back(x);
    Program adjoint(c.adjoint()), adjoint2(c.adjoint());
    decompose(adjoint2.module());
    expectSameValues(adjoint2.run(inputs), adjoint.run(inputs));
  }
}

// The adjoint has derivatives of its own, through its decomposition: the ladder
// climbs it. Rows that see no key have no finite lse to move.
TEST(AttentionFeaturesTest, adjointIsDifferentiable) {
  Random random(21);
  int checked = 0;
  for (int i = 0; i < 40 && checked < 12; ++i) {
    AttentionCase c = AttentionCase::random(random);
    c.queries = std::min<int64_t>(c.queries, 5), c.keys = std::min<int64_t>(c.keys, 6);
    c.headSize = std::min<int64_t>(c.headSize, 5);
    c.prefix = std::min(c.prefix, c.keys);
    c.biasHides = false;
    Values inputs = c.inputs(random);
    Values results = Program(c.forward()).run(inputs);
    bool dies = false;
    for (double x : results[1].floats().data)
      dies |= std::isinf(x);
    if (dies)
      continue;
    ++checked;
    SCOPED_TRACE(c.name());
    for (auto &x : {results[0], results[1], AnyTensor<double>(c.likeOutput(random)),
                    AnyTensor<double>(c.likeLse(random))})
      inputs.push_back(x);
    Program adjoint(c.adjoint());
    unsigned own = unsigned(c.operands().size());
    std::string wrt = "0,1,2";
    for (unsigned j = own; j < own + 4; ++j)
      wrt += "," + std::to_string(j);
    auto report = adjoint.check(wrt, inputs);
    EXPECT_EQ(report.error, "");
    EXPECT_TRUE(report.passed()) << report.table();
  }
  EXPECT_EQ(checked, 12);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Two features, by their numbers.
class AttentionPairsTest : public testing::TestWithParam<std::pair<size_t, size_t>> {};

// T < S, T > S, T == S and sizes of 1. Where every row sees a key lse is a result.
TEST_P(AttentionPairsTest, climbTheLadder) {
  auto [a, b] = GetParam();
  const auto &features = AttentionCase::features();
  struct Sizes {
    int64_t batch, heads, keyHeads, queries, keys, headSize;
  };
  for (Sizes n : {Sizes{2, 2, 1, 5, 5, 3}, Sizes{1, 2, 2, 3, 7, 2},
                  Sizes{2, 3, 1, 7, 3, 1}, Sizes{1, 1, 1, 1, 1, 1}}) {
    AttentionCase c;
    c.batch = n.batch, c.heads = n.heads, c.keyHeads = n.keyHeads;
    c.queries = n.queries, c.keys = n.keys, c.headSize = n.headSize;
    features[a](c);
    features[b](c);
    SCOPED_TRACE(c.name());
    Random random(a * features.size() + b);
    Values inputs = c.inputs(random);
    bool dies = c.queries > c.keys || c.biasHides;
    // Slopes that are constants take another way than trained ones.
    for (const char *wrt : {"all", "0,1"}) {
      if (!c.slopes && wrt != std::string("all"))
        continue;
      auto report = Program(c.forward(/*returnLse=*/!dies)).check(wrt, inputs);
      EXPECT_EQ(report.error, "");
      EXPECT_TRUE(report.passed()) << report.table();
    }
  }
}

static std::vector<std::pair<size_t, size_t>> pairs() {
  std::vector<std::pair<size_t, size_t>> all;
  for (size_t a = 0; a < AttentionCase::features().size(); ++a)
    for (size_t b = 0; b < a; ++b)
      all.push_back({b, a});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Features, AttentionPairsTest, testing::ValuesIn(pairs()),
                         [](const auto &info) {
                           return std::to_string(info.param.first) + "_" +
                                  std::to_string(info.param.second);
                         });
