//===- TileFeaturesTest.cpp - Tiles of everything but plain causal --------===//
#include "ParseAttention.h"

#include "../../Common/AttentionCase.h"
#include "tt/Attention/TiledKernel.h"
#include "tt/Reference/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/TypeSwitch.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace tt::attention;
using tt::reference::AnyTensor;
using tt::reference::IntTensor;
using tt::reference::Random;
using tt::test::AttentionCase;
using Inputs = std::vector<AnyTensor<double>>;

namespace {

/// Runs the loops on their integers alone and counts matrix products.
class TripWalk {
public:
  TripWalk(func::FuncOp function, const Inputs &inputs) : inputs(inputs) {
    run(function.getBody().front());
  }
  int64_t products = 0;

private:
  static bool isScalar(Value value) { return value.getType().isIntOrIndex(); }

  void runFor(scf::ForOp loop) {
    auto carry = [&](ValueRange from) {
      std::vector<int64_t> values;
      for (Value value : from)
        values.push_back(isScalar(value) ? known.at(value) : 0);
      for (auto [to, value] : llvm::zip(loop.getRegionIterArgs(), values))
        if (isScalar(to))
          known[to] = value;
    };
    carry(loop.getInitArgs());
    for (int64_t i = known.at(loop.getLowerBound()), end = known.at(loop.getUpperBound());
         i < end; i += known.at(loop.getStep())) {
      known[loop.getInductionVar()] = i;
      run(*loop.getBody());
      carry(loop.getBody()->getTerminator()->getOperands());
    }
    for (auto [result, value] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
      if (isScalar(result))
        known[result] = known.at(value);
  }
  void run(Block &block) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        runFor(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        run(known.at(branch.getCondition()) ? *branch.thenBlock() : *branch.elseBlock());
      else if (isa<tt::MatmulOp>(op))
        ++products;
      else if (op.getNumResults() == 1 && isScalar(op.getResult(0)))
        known[op.getResult(0)] = evaluate(&op);
    }
  }
  int64_t evaluate(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
      return constant.value();
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      unsigned number = cast<BlockArgument>(extract.getTensor()).getArgNumber();
      const IntTensor &ids = inputs[number].ints();
      return ids[known.at(extract.getIndices()[0]) * ids.shape[1] +
                 known.at(extract.getIndices()[1])];
    }
    int64_t a = known.at(op->getOperand(0));
    if (isa<arith::IndexCastOp>(op))
      return a;
    int64_t b = known.at(op->getOperand(1));
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](arith::AddIOp) { return a + b; })
        .Case([&](arith::SubIOp) { return a - b; })
        .Case([&](arith::MulIOp) { return a * b; })
        .Case([&](arith::DivUIOp) { return a / b; })
        .Case([&](arith::MinSIOp) { return std::min(a, b); })
        .Case([&](arith::MaxSIOp) { return std::max(a, b); })
        .Case([&](arith::AndIOp) { return a & b; })
        .Case([&](arith::CmpIOp) { return int64_t(a <= b); });
  }

  const Inputs &inputs;
  llvm::DenseMap<Value, int64_t> known;
};

class TileFeatures : public testing::Test {
protected:
  TileFeatures() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<tt::TTDialect, func::FuncDialect, arith::ArithDialect>();
  }
  OwningOpRef<ModuleOp> parse(const std::string &text, bool tiled) {
    return tt::attention::parseAttention(context, text, tiled);
  }
  Inputs run(const std::string &text, const Inputs &inputs, bool tiled) {
    auto outcome =
        tt::reference::Interpreter<double>(*parse(text, tiled)).run("f", inputs);
    EXPECT_EQ(outcome.error, "");
    return outcome.results;
  }
  int64_t countProducts(const std::string &text, const Inputs &inputs) {
    auto module = parse(text, true);
    return TripWalk(module->lookupSymbol<func::FuncOp>("f"), inputs).products;
  }
  /// The tiled form against the op; the gradients of a group add up in another
  /// order.
  void expectTheOp(const std::string &text, const Inputs &inputs) {
    Inputs found = run(text, inputs, true), wanted = run(text, inputs, false);
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t r = 0; r < found.size(); ++r)
      for (int64_t i = 0; i < wanted[r].floats().size(); ++i) {
        double a = found[r].floats()[i], b = wanted[r].floats()[i];
        if (a != b) // -inf is
          ASSERT_NEAR(a, b, 1e-12 * (1 + std::fabs(b))) << "result " << r << " at " << i;
      }
  }
  /// Inputs of the adjoint after those of the forward.
  Inputs adjointInputs(const AttentionCase &c, Inputs inputs, Random &random) {
    for (auto &result : run(c.forward(), inputs, false))
      inputs.push_back(result);
    inputs.push_back(c.likeOutput(random));
    inputs.push_back(c.likeLse(random));
    return inputs;
  }

  MLIRContext context;
};

TEST_F(TileFeatures, RandomCombinationsAreTheOp) {
  Random random(77);
  for (int i = 0; i < 60; ++i) {
    AttentionCase c = AttentionCase::random(random);
    c.headSize = std::min<int64_t>(c.headSize, 5);
    c.blockQ = random.integer(0, 2) ? 8 : 16;
    c.blockK = random.integer(0, 2) ? 8 : 12;
    SCOPED_TRACE(c.name());
    Inputs inputs = c.inputs(random);
    expectTheOp(c.forward(), inputs);
    expectTheOp(c.adjoint(), adjointInputs(c, inputs, random));
  }
}

// Packed documents: the tiles of each with itself.
TEST_F(TileFeatures, DocumentsCostTheSumOfTheirSquares) {
  AttentionCase c;
  c.batch = c.heads = c.keyHeads = 1;
  c.queries = c.keys = 128;
  c.headSize = 2;
  c.blockQ = c.blockK = 8;
  c.segments = true;
  Random random(1);
  Inputs inputs = c.inputs(random);
  int64_t token = 0, squares = 0, triangles = 0;
  for (int64_t blocks : {5, 1, 7, 3}) {
    squares += blocks * blocks;
    triangles += blocks * (blocks + 1) / 2;
    for (int64_t i = 0; i < 8 * blocks; ++i, ++token)
      for (int operand : {3, 4})
        inputs[operand].ints()[token] = 10 * blocks;
  }
  ASSERT_EQ(token, 128);
  EXPECT_EQ(countProducts(c.forward(), inputs), 2 * squares);
  Inputs all = adjointInputs(c, inputs, random);
  EXPECT_EQ(countProducts(c.adjoint(), all), 5 * squares);
  c.causal = true;
  EXPECT_EQ(countProducts(c.forward(), inputs), 2 * triangles);
  EXPECT_EQ(countProducts(c.adjoint(), all), 5 * triangles);
}

// A sliding window costs as much per query at any length.
TEST_F(TileFeatures, SlidingWindowIsLinear) {
  auto products = [&](int64_t tokens, bool adjoint) {
    AttentionCase c;
    c.batch = c.heads = c.keyHeads = 1;
    c.queries = c.keys = tokens;
    c.headSize = 1;
    c.blockQ = c.blockK = 8;
    c.causal = true;
    c.left = 15;
    return countProducts(adjoint ? c.adjoint() : c.forward(), {});
  };
  for (auto [adjoint, perTile] : {std::pair{false, 2}, {true, 5}}) {
    // Three tiles for a query block but the first two.
    EXPECT_EQ(products(128, adjoint), perTile * (16 * 3 - 3));
    EXPECT_EQ(products(2048, adjoint) - products(1024, adjoint), perTile * 128 * 3);
  }
}

TEST_F(TileFeatures, NoValueHoldsTwoSequenceLengths) {
  AttentionCase c;
  c.queries = 24, c.keys = 40;
  c.blockQ = c.blockK = 8;
  c.causal = c.segments = c.slopes = c.sinks = true;
  c.left = 9, c.prefix = 3, c.softcap = 2, c.dropout = 0.5;
  for (const std::string &text : {c.forward(), c.adjoint()}) {
    auto module = parse(text, true);
    module->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          EXPECT_LE(llvm::count_if(tensor.getShape(),
                                   [](int64_t size) { return size == 24 || size == 40; }),
                    1);
    });
  }
}

} // namespace
