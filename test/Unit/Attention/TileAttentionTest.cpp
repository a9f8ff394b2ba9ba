//===- TileAttentionTest.cpp - Tiled attention against the op -------------===//
#include "ParseAttention.h"

#include "tt/Attention/TilePlan.h"
#include "tt/Attention/TiledKernel.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ScopedPrinter.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace tt::attention;
using tt::reference::AnyTensor;
using tt::reference::Tensor;

namespace {

struct Case {
  int64_t batch, heads, keyHeads, queries, keys, headSize;
  bool causal;
  int64_t blockQ, blockK;
  const char *element = "f64";

  TilePlan plan() const {
    return {queries, keys, causal, std::min(blockQ, queries), std::min(blockK, keys)};
  }
  std::string type(int64_t heads, int64_t tokens) const {
    return llvm::formatv("tensor<{0}x{1}x{2}x{3}x{4}>", batch, heads, tokens,
                         headSize, element);
  }
  std::string q() const { return type(heads, queries); }
  std::string k() const { return type(keyHeads, keys); }
  std::string lse() const {
    return llvm::formatv("tensor<{0}x{1}x{2}x{3}>", batch, heads, queries,
                         element == StringRef("f64") ? "f64" : "f32");
  }
  /// The scale is exact in every element type.
  std::string attributes() const {
    return llvm::formatv("{0} scale = 0.75 {{block_q = {1} : i64, block_k = {2} : i64}",
                         causal ? "causal" : "", blockQ, blockK);
  }
  std::string forward() const {
    return llvm::formatv(R"(
      func.func @f(%q: {0}, %k: {1}, %v: {1}) -> ({0}, {2}) {{
        %o, %l = tt.attention %q, %k, %v {3} : ({0}, {1}, {1}) -> ({0}, {2})
        return %o, %l : {0}, {2}
      })", q(), k(), lse(), attributes());
  }
  std::string adjoint() const {
    return llvm::formatv(R"(
      func.func @f(%q: {0}, %k: {1}, %v: {1}, %o: {0}, %l: {2}, %d: {0}) -> ({0}, {1}, {1}) {{
        %dq, %dk, %dv = tt.attention_bwd %q, %k, %v, %o, %l, %d {3}
            : ({0}, {1}, {1}, {0}, {2}, {0}) -> ({0}, {1}, {1})
        return %dq, %dk, %dv : {0}, {1}, {1}
      })", q(), k(), lse(), attributes());
  }
};

void PrintTo(const Case &c, std::ostream *to) {
  *to << c.q() << " keys " << c.k() << " " << c.attributes();
}

/// Counts what the loops run by evaluating their bounds.
struct LoopWalk {
  llvm::DenseMap<Value, int64_t> known;
  int64_t products = 0, masks = 0;

  void run(Block &block) {
    for (Operation &op : block) {
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](scf::ForOp loop) {
            int64_t end = known.at(loop.getUpperBound());
            for (int64_t i = known.at(loop.getLowerBound()); i < end;
                 i += known.at(loop.getStep())) {
              known[loop.getInductionVar()] = i;
              run(*loop.getBody());
            }
          })
          .Case([&](tt::MatmulOp) { ++products; })
          .Case([&](tt::CompareOp op) {
            masks += op.getPredicate() == tt::ComparePredicate::LE;
          });
      if (op.getNumResults() == 1 && op.getResult(0).getType().isIndex())
        known[op.getResult(0)] = evaluate(&op);
    }
  }

  int64_t evaluate(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
      return constant.value();
    int64_t a = known.at(op->getOperand(0)), b = known.at(op->getOperand(1));
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](arith::AddIOp) { return a + b; })
        .Case([&](arith::SubIOp) { return a - b; })
        .Case([&](arith::MulIOp) { return a * b; })
        .Case([&](arith::DivUIOp) { return a / b; })
        .Case([&](arith::MinSIOp) { return std::min(a, b); })
        .Case([&](arith::MaxSIOp) { return std::max(a, b); });
  }
};

class TileAttention : public testing::TestWithParam<Case> {
protected:
  TileAttention() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<tt::TTDialect, func::FuncDialect, arith::ArithDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseAttention(context, text, /*tiled=*/false);
  }
  OwningOpRef<ModuleOp> tile(const std::string &text) {
    return parseAttention(context, text, /*tiled=*/true);
  }
  std::vector<AnyTensor<double>> run(ModuleOp module,
                                     std::vector<AnyTensor<double>> inputs) {
    auto outcome = tt::reference::Interpreter<double>(module).run("f", inputs);
    EXPECT_EQ(outcome.error, "");
    return outcome.results;
  }
  std::vector<AnyTensor<double>> randomInputs(ModuleOp module) {
    tt::reference::Random random(7);
    return tt::reference::randomInputs(module.lookupSymbol<func::FuncOp>("f"),
                                       random);
  }
  /// Inputs of the adjoint: q, k, v, output, lse, d_output.
  std::vector<AnyTensor<double>> adjointInputs() {
    auto forward = parse(GetParam().forward());
    auto inputs = randomInputs(*forward);
    for (auto &result : run(*forward, inputs))
      inputs.push_back(result);
    auto adjoint = parse(GetParam().adjoint());
    inputs.push_back(randomInputs(*adjoint).back());
    return inputs;
  }

  static void expectEqual(const std::vector<AnyTensor<double>> &got,
                          const std::vector<AnyTensor<double>> &wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t r = 0; r < got.size(); ++r) {
      const Tensor<double> &a = got[r].floats(), &b = wanted[r].floats();
      ASSERT_EQ(a.shape, b.shape);
      for (int64_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) // -inf is
          ASSERT_NEAR(a[i], b[i], 1e-12 * (1 + std::fabs(b[i])))
              << "result " << r << " element " << i;
    }
  }

  void expectCounts(ModuleOp module, int64_t productsPerTile) {
    LoopWalk walk;
    walk.run(module.lookupSymbol<func::FuncOp>("f").getBody().front());
    TilePlan plan = GetParam().plan();
    int64_t allHeads = GetParam().batch * GetParam().heads;
    EXPECT_EQ(walk.products, productsPerTile * allHeads * plan.countVisited());
    int64_t masked = plan.causal ? plan.countVisited() - plan.countFull() : 0;
    EXPECT_EQ(walk.masks, allHeads * masked);
  }

  MLIRContext context;
};

TEST_P(TileAttention, ForwardIsTheOp) {
  auto plain = parse(GetParam().forward()), tiled = tile(GetParam().forward());
  auto inputs = randomInputs(*plain);
  expectEqual(run(*tiled, inputs), run(*plain, inputs));
}

TEST_P(TileAttention, AdjointIsTheOp) {
  auto plain = parse(GetParam().adjoint()), tiled = tile(GetParam().adjoint());
  auto inputs = adjointInputs();
  expectEqual(run(*tiled, inputs), run(*plain, inputs));
}

TEST_P(TileAttention, LoopsVisitThePlansTiles) {
  expectCounts(*tile(GetParam().forward()), 2);
  expectCounts(*tile(GetParam().adjoint()), 5);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, TileAttention,
    testing::Values(
        Case{1, 2, 2, 32, 32, 4, true, 8, 8},   // square tiles
        Case{2, 2, 1, 32, 32, 3, false, 8, 16}, // no mask, one key head
        Case{1, 4, 2, 24, 40, 6, true, 8, 16},  // more keys, edge of keys
        Case{1, 4, 2, 24, 40, 6, false, 8, 16},
        Case{1, 2, 1, 40, 24, 5, true, 16, 8}, // dead rows: whole blocks
        Case{1, 2, 1, 40, 21, 5, true, 16, 8}, // and inside of a block
        Case{1, 1, 1, 29, 37, 7, true, 8, 16}, // both edges
        Case{1, 1, 1, 29, 37, 7, false, 8, 16},
        Case{1, 2, 2, 37, 29, 2, true, 16, 16},
        Case{1, 1, 1, 37, 29, 2, false, 5, 3},
        Case{1, 2, 1, 3, 5, 4, true, 64, 128}, // blocks longer than all
        Case{1, 1, 1, 1, 19, 4, true, 8, 8},   // one query
        Case{1, 1, 1, 19, 1, 4, true, 8, 8},   // one key
        Case{1, 2, 1, 24, 40, 6, true, 8, 16, "f32"},
        Case{1, 2, 1, 24, 40, 6, true, 8, 16, "bf16"}));

TEST_F(TileAttention, SquareCausalVisitsTheLowerTriangle) {
  for (int64_t n : {1, 2, 5}) {
    Case square{1, 1, 1, 8 * n, 8 * n, 2, true, 8, 8};
    LoopWalk walk;
    auto module = tile(square.forward());
    walk.run(module->lookupSymbol<func::FuncOp>("f").getBody().front());
    EXPECT_EQ(walk.products, 2 * n * (n + 1) / 2);
    EXPECT_EQ(walk.masks, n);
  }
}

TEST_F(TileAttention, NoValueHoldsTwoSequenceLengths) {
  constexpr int64_t kQueries = 24, kKeys = 40;
  Case shape{1, 4, 2, kQueries, kKeys, 6, true, 8, 16};
  for (const std::string &text : {shape.forward(), shape.adjoint()}) {
    auto module = tile(text);
    int64_t tensors = 0;
    module->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type)) {
          ++tensors;
          EXPECT_LE(llvm::count_if(tensor.getShape(),
                                   [](int64_t size) {
                                     return size == kQueries || size == kKeys;
                                   }),
                    1)
              << llvm::to_string(*op);
        }
    });
    EXPECT_GT(tensors, 50);
  }
}

TEST_F(TileAttention, DeadRowsKeepTheirGradientToThemselves) {
  Case shape{1, 1, 1, 5, 3, 2, true, 2, 2}; // queries 0 and 1 see no key
  auto tiled = tile(shape.adjoint());
  auto inputs = randomInputs(*tiled);
  auto forward = tile(shape.forward());
  auto results = run(*forward, {inputs[0], inputs[1], inputs[2]});
  for (int64_t i : {0, 1}) {
    EXPECT_EQ(results[1].floats()[i], -INFINITY);
    for (int64_t d : {0, 1}) {
      EXPECT_EQ(results[0].floats()[2 * i + d], 0);
      inputs[5].floats()[2 * i + d] = NAN; // d_output of a row without output
    }
  }
  inputs[3] = results[0];
  inputs[4] = results[1];
  auto gradients = run(*tiled, inputs);
  for (const auto &gradient : gradients)
    for (double value : gradient.floats().data)
      EXPECT_TRUE(std::isfinite(value));
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(gradients[0].floats()[i], 0);
}

constexpr char kKernel[] = R"(
  tt.kernel @attention_0(%k: tensor<1x1x40x4xf64>, %q: tensor<1x2x24x4xf64>)
      -> (tensor<1x2x24xf64>, tensor<1x2x24x4xf64>)
      attributes {anchor = "attention", numerics = {}, schedule = {}} {
    %o, %l = tt.attention %q, %k, %k causal scale = 0.5
        : (tensor<1x2x24x4xf64>, tensor<1x1x40x4xf64>, tensor<1x1x40x4xf64>)
       -> (tensor<1x2x24x4xf64>, tensor<1x2x24xf64>)
    tt.yield %l, %o : tensor<1x2x24xf64>, tensor<1x2x24x4xf64>
  }
  func.func @f(%q: tensor<1x2x24x4xf64>, %k: tensor<1x1x40x4xf64>)
      -> (tensor<1x2x24x4xf64>, tensor<1x2x24xf64>) {
    %l, %o = tt.call_kernel @attention_0(%k, %q)
        : (tensor<1x1x40x4xf64>, tensor<1x2x24x4xf64>)
       -> (tensor<1x2x24xf64>, tensor<1x2x24x4xf64>)
    return %o, %l : tensor<1x2x24x4xf64>, tensor<1x2x24xf64>
  })";

TEST_F(TileAttention, KernelSaysWhatItsOpSaid) {
  auto plain = parse(kKernel), tiled = tile(kKernel);
  auto inputs = randomInputs(*plain);
  expectEqual(run(*tiled, inputs), run(*plain, inputs));
  EXPECT_FALSE(TiledKernel::get(plain->lookupSymbol<tt::KernelOp>("attention_0")));
  auto kernel = TiledKernel::get(tiled->lookupSymbol<tt::KernelOp>("attention_0"));
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->mask.causal);
  EXPECT_FALSE(kernel->isAdjoint());
  EXPECT_EQ(kernel->mask.scale, 0.5);
  EXPECT_EQ(kernel->blockQ, 64);
  EXPECT_EQ(kernel->blockK, 128);
  EXPECT_EQ(kernel->operand("q"), 1u);
  EXPECT_EQ(kernel->operand("k"), 0u);
  EXPECT_EQ(kernel->operand("v"), 0u);
  EXPECT_EQ(kernel->operand("lse"), 2u);
  EXPECT_EQ(kernel->operand("output"), 3u);
  EXPECT_FALSE(kernel->operand("d_output"));
}

} // namespace
