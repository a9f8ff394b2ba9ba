//===- TwinTest.cpp - Small twins of graphs -------------------------------===//
#include "tt/Certify/Twin.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::certify;

namespace {

class TwinTest : public testing::Test {
protected:
  TwinTest() {
    context.loadDialect<TTDialect, func::FuncDialect, arith::ArithDialect>();
  }

  /// The twin of `text`, which must be a shrunken one.
  ModuleOp twinOf(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    std::string error;
    twin = makeTwin(*module, "", report, error);
    EXPECT_TRUE(twin) << error;
    EXPECT_TRUE(report.isShrunken) << report.note;
    EXPECT_TRUE(succeeded(verify(*twin)));
    return *twin;
  }
  template <typename Op> std::vector<Op> all() {
    std::vector<Op> ops;
    twin->walk([&](Op op) { ops.push_back(op); });
    return ops;
  }
  static int64_t sizeOf(Value value, unsigned dim) {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module, twin;
  TwinReport report;
};

// Three thirds of a projection, cut into heads: [B, T, 3 H D].
const char *const kHeads = R"(
  func.func @f(%x: tensor<6x128x96xf32>, %w: tensor<96x288xf32>) -> tensor<6x128x4x24xf32> {
    %p = tt.linear in_out %x, %w : (tensor<6x128x96xf32>, tensor<96x288xf32>) -> tensor<6x128x288xf32>
    %q = tt.slice %p dim = 2 start = 0 size = 96 : (tensor<6x128x288xf32>) -> tensor<6x128x96xf32>
    %k = tt.slice %p dim = 2 start = 96 size = 96 : (tensor<6x128x288xf32>) -> tensor<6x128x96xf32>
    %v = tt.slice %p dim = 2 start = 192 size = 96 : (tensor<6x128x288xf32>) -> tensor<6x128x96xf32>
    %a = tt.add %q, %k : tensor<6x128x96xf32>
    %b = tt.add %a, %v : tensor<6x128x96xf32>
    %h = tt.reshape %b : tensor<6x128x96xf32> -> tensor<6x128x4x24xf32>
    return %h : tensor<6x128x4x24xf32>
  })";

TEST_F(TwinTest, slicesStayDisjointThirdsAndHeadsTheirProduct) {
  twinOf(kHeads);
  auto slices = all<SliceOp>();
  ASSERT_EQ(slices.size(), 3u);
  int64_t third = slices[0].getSize();
  EXPECT_LT(third, 96);
  for (auto [i, slice] : llvm::enumerate(slices)) {
    EXPECT_EQ(int64_t(slice.getSize()), third);
    EXPECT_EQ(int64_t(slice.getStart()), int64_t(i) * third);
    EXPECT_EQ(sizeOf(slice.getInput(), 2), 3 * third);
  }
  auto reshape = all<ReshapeOp>()[0];
  EXPECT_EQ(sizeOf(reshape.getOutput(), 2) * sizeOf(reshape.getOutput(), 3), third);
}

TEST_F(TwinTest, classesHaveDistinctSizes) {
  twinOf(kHeads);
  auto type = cast<RankedTensorType>(all<ReshapeOp>()[0].getType());
  llvm::SmallVector<int64_t> sizes(type.getShape());
  llvm::sort(sizes);
  EXPECT_EQ(std::unique(sizes.begin(), sizes.end()), sizes.end()) << "of B, T, H, D";
}

TEST_F(TwinTest, shiftedSliceKeepsItsOffset) {
  twinOf(R"(func.func @f(%x: tensor<256xf32>) -> tensor<255xf32> {
    %a = tt.slice %x dim = 0 start = 0 size = 255 : (tensor<256xf32>) -> tensor<255xf32>
    %b = tt.slice %x dim = 0 start = 1 size = 255 : (tensor<256xf32>) -> tensor<255xf32>
    %y = tt.sub %b, %a : tensor<255xf32>
    return %y : tensor<255xf32>
  })");
  auto slices = all<SliceOp>();
  EXPECT_EQ(int64_t(slices[0].getStart()), 0);
  EXPECT_EQ(int64_t(slices[1].getStart()), 1);
  EXPECT_EQ(int64_t(slices[1].getSize()), sizeOf(slices[1].getInput(), 0) - 1);
  EXPECT_LT(sizeOf(slices[0].getInput(), 0), 64);
}

TEST_F(TwinTest, attentionKeepsGroupsAndGetsSeveralTiles) {
  twinOf(R"(func.func @f(%q: tensor<2x8x512x64xf32>, %k: tensor<2x2x512x64xf32>, %v: tensor<2x2x512x64xf32>)
      -> (tensor<2x8x512x64xf32>, tensor<2x8x512xf32>) {
    %r = tt.rope half_split %q theta = 1.0e4 : (tensor<2x8x512x64xf32>) -> tensor<2x8x512x64xf32>
    %o, %lse = tt.attention %r, %k, %v causal scale = 0.125
      : (tensor<2x8x512x64xf32>, tensor<2x2x512x64xf32>, tensor<2x2x512x64xf32>) -> (tensor<2x8x512x64xf32>, tensor<2x8x512xf32>)
    return %o, %lse : tensor<2x8x512x64xf32>, tensor<2x8x512xf32>
  })");
  auto attention = all<AttentionOp>()[0];
  int64_t heads = sizeOf(attention.getQ(), 1), keyHeads = sizeOf(attention.getK(), 1);
  EXPECT_EQ(heads % keyHeads, 0);
  EXPECT_LT(keyHeads, heads);
  EXPECT_EQ(sizeOf(attention.getQ(), 3) % 2, 0) << "rope turns pairs";
  ASSERT_TRUE(attention.getBlockK());
  int64_t block = *attention.getBlockK(), keys = sizeOf(attention.getK(), 2);
  EXPECT_GE(keys, 2 * block);
  EXPECT_NE(keys % block, 0) << "a partial tile";
}

TEST_F(TwinTest, indexLimitsAndSamplesFollow) {
  twinOf(R"(func.func @f(%e: tensor<50257x96xf32>, %i: tensor<12x64xi32> {tt.index_limit = 50257}, %k: tensor<2xi32>)
      -> tensor<12x64x96xf32> {
    %x = tt.embedding %e, %i : (tensor<50257x96xf32>, tensor<12x64xi32>) -> tensor<12x64x96xf32>
    %y = tt.dropout %x, %k p = 0.1 site = 0 samples = 12 : (tensor<12x64x96xf32>, tensor<2xi32>) -> tensor<12x64x96xf32>
    return %y : tensor<12x64x96xf32>
  })");
  auto embedding = all<EmbeddingOp>()[0];
  auto function = *twin->getOps<func::FuncOp>().begin();
  EXPECT_EQ(function.getArgAttrOfType<IntegerAttr>(1, kIndexLimitAttr).getInt(),
            sizeOf(embedding.getTable(), 0));
  auto dropout = all<DropoutOp>()[0];
  EXPECT_EQ(int64_t(dropout.getSamples()), sizeOf(dropout.getInput(), 0));
  EXPECT_EQ(sizeOf(dropout.getKey(), 0), 2);
}

TEST_F(TwinTest, aChainKeepsTwoLayersOfEachKind) {
  std::string text = R"(
  func.func private @layer(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> tensor<64x32xf32> {
    %y = tt.linear in_out %x, %w : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    return %y : tensor<64x32xf32>
  }
  func.func @f(%x: tensor<64x32xf32>)";
  for (int i = 0; i < 9; ++i)
    text += ", %w" + std::to_string(i) + ": tensor<32x32xf32> {" +
            (i < 4 ? "tt.frozen, " : "") + "tt.param = \"w" + std::to_string(i) + "\"}";
  text += ") -> tensor<64x32xf32> {\n %h0 = tt.tanh %x : tensor<64x32xf32>\n";
  for (int i = 0; i < 9; ++i)
    text += "%h" + std::to_string(i + 1) + " = call @layer(%h" + std::to_string(i) + ", %w" +
            std::to_string(i) +
            ") : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>\n";
  twinOf(text + "return %h9 : tensor<64x32xf32>\n}");
  EXPECT_EQ(all<func::CallOp>().size(), 4u) << "two frozen ones and two others";
  EXPECT_EQ(report.removedCalls, 5u);
  auto function = twin->lookupSymbol<func::FuncOp>("f");
  EXPECT_EQ(function.getNumArguments(), 5u) << "x and the four layers' weights";
}

TEST_F(TwinTest, everythingThatChangesScoresFollows) {
  twinOf(R"(func.func @f(%q: tensor<2x8x512x64xf32>, %k: tensor<2x8x256x64xf32>, %b: tensor<1x8x512x256xf32>,
      %s: tensor<8xf32>, %qs: tensor<2x512xi32>, %ks: tensor<2x256xi32>, %key: tensor<2xi32>) -> tensor<2x8x512x64xf32> {
    %o, %lse = tt.attention %q, %k, %k segments(%qs, %ks) slopes(%s) bias(%b) sinks(%s) key(%key) scale = 0.125
        {window_left = 31 : i64, dropout_p = 0.1, site = 0 : i64}
      : (tensor<2x8x512x64xf32>, tensor<2x8x256x64xf32>, tensor<2x8x256x64xf32>, tensor<2x512xi32>, tensor<2x256xi32>,
         tensor<8xf32>, tensor<1x8x512x256xf32>, tensor<8xf32>, tensor<2xi32>) -> (tensor<2x8x512x64xf32>, tensor<2x8x512xf32>)
    return %o : tensor<2x8x512x64xf32>
  })");
  auto attention = all<AttentionOp>()[0];
  EXPECT_NE(sizeOf(attention.getQ(), 2), sizeOf(attention.getK(), 2));
  EXPECT_LT(int64_t(*attention.getWindowLeft()), sizeOf(attention.getK(), 2));
}

TEST_F(TwinTest, aGroupNormKeepsItsGroups) {
  twinOf(R"(func.func @f(%x: tensor<16x96x40xf32>, %g: tensor<96xf32>) -> tensor<16x96x40xf32> {
    %y, %m, %r = tt.group_norm %x, %g groups = 12 eps = 1.0e-5
      : (tensor<16x96x40xf32>, tensor<96xf32>) -> (tensor<16x96x40xf32>, tensor<16x12xf32>, tensor<16x12xf32>)
    return %y : tensor<16x96x40xf32>
  })");
  auto norm = all<GroupNormOp>()[0];
  EXPECT_LT(int64_t(norm.getGroups()), 12);
  EXPECT_EQ(sizeOf(norm.getInput(), 1) % int64_t(norm.getGroups()), 0);
}

TEST_F(TwinTest, smallGraphThatCannotShrinkIsItsOwnTwin) {
  module = parseSourceString<ModuleOp>(R"(func.func @f(%x: tensor<9x20xf32>, %k: tensor<2xi32>) -> tensor<9x20xf32> {
    %y = tt.dropout %x, %k p = 0.1 site = 0 samples = 45 : (tensor<9x20xf32>, tensor<2xi32>) -> tensor<9x20xf32>
    return %y : tensor<9x20xf32>
  })", &context);
  std::string error;
  twin = makeTwin(*module, "", report, error);
  ASSERT_TRUE(twin) << error;
  EXPECT_EQ(sizeOf(all<DropoutOp>()[0].getInput(), 1), 20);
}

TEST_F(TwinTest, f64IsWideEverywhere) {
  ModuleOp small = twinOf(R"(func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
    %c = tt.constant dense<0.1> : tensor<64xf32>
    %y = tt.mul %x, %c : tensor<64xf32>
    return %y : tensor<64xf32>
  })");
  toF64(small);
  ASSERT_TRUE(succeeded(verify(small)));
  auto value = cast<DenseElementsAttr>(all<ConstantOp>()[0].getValue());
  EXPECT_EQ(value.getSplatValue<double>(), double(0.1f)) << "the f32 number, exactly";
}

} // namespace
