//===- KernelSampleTest.cpp - Some rows of a kernel -----------------------===//
//
// What a sample computes must be what the whole kernel computes there.
//
//===----------------------------------------------------------------------===//
#include "tt/Certify/KernelSample.h"

#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using reference::AnyTensor;

namespace {

/// The elements at `positions`.
AnyTensor<double> pick(const AnyTensor<double> &whole, const Positions &positions) {
  reference::Shape shape;
  int64_t count = 1;
  for (const auto &kept : positions) {
    shape.push_back(kept.size());
    count *= kept.size();
  }
  std::vector<int64_t> at(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, stride = 1;
    for (int d = int(shape.size()) - 1; d >= 0; --d) {
      at[i] += positions[d][rest % shape[d]] * stride;
      rest /= shape[d];
      stride *= whole.shape()[d];
    }
  }
  if (!whole.isFloat()) {
    reference::IntTensor ints(shape);
    for (int64_t i = 0; i < count; ++i)
      ints[i] = whole.ints()[at[i]];
    return ints;
  }
  reference::Tensor<double> floats(shape);
  for (int64_t i = 0; i < count; ++i)
    floats[i] = whole.floats()[at[i]];
  return floats;
}

class KernelSampleTest : public testing::Test {
protected:
  KernelSampleTest() { context.loadDialect<TTDialect, func::FuncDialect>(); }

  /// Samples the kernel; its results must be those of the whole one there.
  void check(const std::string &body, double maxWork) {
    std::string text = "tt.kernel @k" + body;
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto kernel = *module->getOps<KernelOp>().begin();
    std::string error;
    ASSERT_TRUE(sampleKernel(kernel, maxWork, 5, sample, error)) << error;
    reference::Random random(3);
    auto inputs =
        reference::randomInputs(cast<FunctionOpInterface>(kernel.getOperation()), random);
    auto whole = reference::Interpreter<double>(*module).run("k", inputs);
    ASSERT_TRUE(whole.succeeded()) << whole.error;
    std::vector<AnyTensor<double>> few;
    for (auto [input, positions] : llvm::zip_equal(inputs, sample.arguments))
      few.push_back(pick(input, positions));
    auto part = reference::Interpreter<double>(*sample.module).run("k", few);
    ASSERT_TRUE(part.succeeded()) << part.error;
    for (size_t i = 0; i < whole.results.size(); ++i) {
      auto wanted = pick(whole.results[i], sample.results[i]);
      if (wanted.isFloat())
        EXPECT_EQ(part.results[i].floats().data, wanted.floats().data) << "result " << i;
      else
        EXPECT_EQ(part.results[i].ints().data, wanted.ints().data) << "result " << i;
    }
  }

  MLIRContext context;
  KernelSample sample;
};

const char *const kMatmul = "attributes {anchor = \"matmul\", numerics = {}, schedule = {}}";

TEST_F(KernelSampleTest, rowsAndColumnsOfAProduct) {
  check(std::string(R"((%a: tensor<3x40x16xf32>, %b: tensor<16x60xf32>, %c: tensor<60xf32>) -> tensor<3x40x60xf32> )") +
            kMatmul + R"( {
    %0 = tt.linear in_out %a, %b, %c : (tensor<3x40x16xf32>, tensor<16x60xf32>, tensor<60xf32>) -> tensor<3x40x60xf32>
    %1 = tt.gelu tanh %0 : tensor<3x40x60xf32>
    tt.yield %1 : tensor<3x40x60xf32> })", 2000);
  EXPECT_LT(sample.kept, 0.1);
  EXPECT_EQ(sample.arguments[0][2].size(), 16u) << "the contracted size stays";
  EXPECT_GE(sample.depth, 16);
}

TEST_F(KernelSampleTest, columnsOfASumOverRows) {
  check(std::string(R"((%a: tensor<30x64xf32>, %r: tensor<30xf32>) -> tensor<64xf32> )") + kMatmul +
            R"( {
    %0 = tt.broadcast %r dims = [0] : tensor<30xf32> -> tensor<30x64xf32>
    %1 = tt.mul %a, %0 : tensor<30x64xf32>
    %2 = tt.sum %1 dims = [0] : (tensor<30x64xf32>) -> tensor<64xf32>
    tt.yield %2 : tensor<64xf32> })", 600);
  EXPECT_EQ(sample.arguments[1][0].size(), 30u) << "all rows are in the sum";
  EXPECT_LT(sample.results[0][0].size(), 64u);
}

TEST_F(KernelSampleTest, batchAndHeadsOfAttention) {
  check(std::string(R"((%q: tensor<4x8x6x4xf32>, %k: tensor<4x8x6x4xf32>, %v: tensor<4x8x6x4xf32>) -> (tensor<4x8x6x4xf32>, tensor<4x8x6xf32>) )") +
            kMatmul + R"( {
    %o, %l = tt.attention %q, %k, %v causal scale = 0.5 : (tensor<4x8x6x4xf32>, tensor<4x8x6x4xf32>, tensor<4x8x6x4xf32>) -> (tensor<4x8x6x4xf32>, tensor<4x8x6xf32>)
    tt.yield %o, %l : tensor<4x8x6x4xf32>, tensor<4x8x6xf32> })", 3000);
  EXPECT_EQ(sample.arguments[0][2].size(), 6u);
  EXPECT_LT(sample.results[0][1].size(), 8u);
}

TEST_F(KernelSampleTest, dropoutKeepsTheFirstSamples) {
  check(std::string(R"((%x: tensor<16x40xf32>, %k: tensor<2xi32>) -> tensor<16x40xf32> )") + kMatmul +
            R"( {
    %0 = tt.dropout %x, %k p = 0.5 site = 1 samples = 16 : (tensor<16x40xf32>, tensor<2xi32>) -> tensor<16x40xf32>
    tt.yield %0 : tensor<16x40xf32> })", 200);
  EXPECT_LT(sample.results[0][0].size(), 16u);
  EXPECT_EQ(sample.results[0][0].back() + 1, int64_t(sample.results[0][0].size()));
}

TEST_F(KernelSampleTest, scatterKeepsAllRowsOfItsIndices) {
  check(std::string(R"((%i: tensor<20xi32>, %d: tensor<20x32xf32>) -> tensor<9x32xf32> )") + kMatmul +
            R"( {
    %0 = tt.embedding_bwd %i, %d rows = 9 : (tensor<20xi32>, tensor<20x32xf32>) -> tensor<9x32xf32>
    tt.yield %0 : tensor<9x32xf32> })", 300);
  EXPECT_EQ(sample.arguments[0][0].size(), 20u);
  EXPECT_EQ(sample.results[0][0].size(), 9u);
  EXPECT_LT(sample.results[0][1].size(), 32u);
}

TEST_F(KernelSampleTest, ropeKeepsTheFirstPositions) {
  check(std::string(R"((%x: tensor<2x3x64x8xf32>) -> tensor<2x3x64x8xf32> )") + kMatmul + R"( {
    %0 = tt.rope half_split %x theta = 100.0 : (tensor<2x3x64x8xf32>) -> tensor<2x3x64x8xf32>
    tt.yield %0 : tensor<2x3x64x8xf32> })", 500);
  EXPECT_LT(sample.results[0][2].size(), 64u);
}

} // namespace
