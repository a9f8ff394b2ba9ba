// The graph builder: broadcasting, names, attributes.
#include "tt/Frontend/GraphBuilder.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;

static std::string verifiedText(GraphBuilder &b) {
  OwningOpRef<ModuleOp> module = b.takeModule();
  EXPECT_TRUE(succeeded(verify(*module)));
  std::string text = printModule(*module);
  // What is printed parses.
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(text, module->getContext());
  EXPECT_TRUE(again);
  return text;
}

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// The broadcasts in `add` of two shapes.
static std::string addText(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  MLIRContext context;
  GraphBuilder b(&context);
  auto args =
      b.beginFunction("f", {b.argument("x", lhs), b.argument("y", rhs)});
  b.endFunction({b.named("sum").add(args[0], args[1])});
  return verifiedText(b);
}

TEST(GraphBuilder, EqualShapesNeedNoBroadcast) {
  std::string text = addText({4, 8}, {4, 8});
  EXPECT_FALSE(contains(text, "tt.broadcast"));
  EXPECT_TRUE(contains(text, "%sum = tt.add %x, %y : tensor<4x8xf32>"));
}

TEST(GraphBuilder, BiasIsBroadcastOverRows) {
  EXPECT_TRUE(contains(addText({2, 4, 8}, {8}),
                       "tt.broadcast %y dims = [2] : tensor<8xf32> -> "
                       "tensor<2x4x8xf32>"));
  EXPECT_TRUE(contains(addText({4, 8}, {2, 4, 8}),
                       "tt.broadcast %x dims = [1, 2] : tensor<4x8xf32> -> "
                       "tensor<2x4x8xf32>"));
}

TEST(GraphBuilder, SizesOfOneRepeat) {
  std::string text = addText({4, 1}, {1, 8});
  EXPECT_TRUE(
      contains(text, "tt.reshape %x : tensor<4x1xf32> -> tensor<4xf32>"));
  EXPECT_TRUE(contains(text, "dims = [0] : tensor<4xf32> -> tensor<4x8xf32>"));
  EXPECT_TRUE(contains(text, "dims = [1] : tensor<8xf32> -> tensor<4x8xf32>"));
  EXPECT_TRUE(contains(addText({1, 1}, {1}), "dims = [1] : tensor<1xf32>"));
}

TEST(GraphBuilder, ScalarsRepeat) {
  EXPECT_TRUE(
      contains(addText({4, 8}, {}), "tt.broadcast %y dims = [] : tensor<f32>"));
}

TEST(GraphBuilder, RolesOfArguments) {
  MLIRContext context;
  GraphBuilder b(&context);
  auto args = b.beginFunction("f", {b.parameter("w", {8}, "normal:0.02"),
                                    b.indices("ids", {2, 3}, 65), b.key()});
  b.endFunction({args[0]}, {"out"});
  std::string text = verifiedText(b);
  EXPECT_TRUE(contains(
      text, R"(%w: tensor<8xf32> {tt.init = "normal:0.02", tt.param = "w"})"));
  EXPECT_TRUE(contains(
      text,
      R"(%ids: tensor<2x3xi32> {tt.index_limit = 65 : i64, tt.input = "ids"})"));
  EXPECT_TRUE(contains(text, R"(%key: tensor<2xi32> {tt.input = "key"})"));
  EXPECT_TRUE(contains(text, R"(-> (tensor<8xf32> {tt.output = "out"}))"));
}

TEST(GraphBuilder, NamesFromFilesPrintSafely) {
  MLIRContext context;
  GraphBuilder b(&context);
  auto args = b.beginFunction("f", {b.argument("a b\"\n%\x1b", {2}),
                                    b.argument("", {2}), b.argument("7", {2}),
                                    b.argument("a b\"\n%\x1b", {2})});
  b.endFunction({b.add(args[0], args[3])});
  verifiedText(b);
}

TEST(GraphBuilder, HeadsSplitAndMergeBack) {
  MLIRContext context;
  GraphBuilder b(&context);
  auto args = b.beginFunction("f", {b.argument("x", {2, 7, 24})});
  Value heads = b.splitHeads(args[0], 4); // [B, H, T, D]
  EXPECT_EQ(GraphBuilder::shapeOf(heads), ArrayRef<int64_t>({2, 4, 7, 6}));
  Value merged = b.mergeHeads(heads);
  EXPECT_EQ(GraphBuilder::shapeOf(merged), ArrayRef<int64_t>({2, 7, 24}));
  b.endFunction({merged});
  verifiedText(b);
}

TEST(GraphBuilder, AllOpsVerify) {
  MLIRContext context;
  GraphBuilder b(&context);
  auto args = b.beginFunction(
      "f", {b.argument("x", {2, 7, 8}), b.argument("w", {8, 8}),
            b.argument("g", {8}), b.indices("ids", {2, 7}, 8), b.key()});
  Value x = args[0], w = args[1], g = args[2], ids = args[3], key = args[4];
  Value y = b.embedding(w, ids);
  y = b.sub(b.mul(y, x), b.div(x, b.constant({}, 2.0)));
  y = b.maximum(b.minimum(y, x), b.unary<TanhOp>(y));
  y = b.gelu(b.linear(y, w, g, WeightLayout::OutIn), GeluApprox::Erf);
  y = b.layerNorm(b.rmsNorm(y, g, 1e-6), g, Value(), 1e-5);
  y = b.transpose(b.slice(y, -1, 4, 4), {0, 2, 1});
  y = b.matmul(y, y, /*transposeLhs=*/false, /*transposeRhs=*/true);
  Value q = b.rope(b.splitHeads(x, 2), 1e4, RopeLayout::Interleaved);
  Value o = b.causalAttention(q, q, q, 0.5, /*window=*/0, {0.1, key, 3});
  o = b.dropout(b.mergeHeads(o), key, 0.5, 4);
  Value loss = b.crossEntropyMean(b.swiglu(o, x), ids);
  b.endFunction({y, loss});
  std::string text = verifiedText(b);
  EXPECT_TRUE(contains(text, "dropout_p = 1.000000e-01"));
  EXPECT_TRUE(contains(text, "site = 4 samples = 2"));
}
