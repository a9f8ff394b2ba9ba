//===- IndexRangeTest.cpp - Element offsets past 2^31 (RF-31) -------------===//
//
// Tensors of more than 2^31 elements, too large to run here: the lowered code is
// looked at. Every address is formed from i64, and no scalar i32 product, shift or
// sum may be left: a kernel without random numbers would need one for addresses
// only. The scatter's sums count ids, at most 2^31 of them by its own check.
//
//===----------------------------------------------------------------------===//
#include "KernelHarness.h"

#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include "tt/runtime/ModelTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

class IndexRangeTest : public KernelTest {
protected:
  /// Text of the first op that computes in 32 bits; "" if there is none.
  std::string narrowOp(const std::string &text, const Target &target);
  void expectWide(const std::string &body, const std::string &signature,
                  const std::string &anchor);
};

bool isNarrow(Operation *op, bool countsIds) {
  if (auto address = dyn_cast<LLVM::GEPOp>(op))
    return llvm::any_of(address.getDynamicIndices(), [](Value index) {
      return !index.getType().isInteger(64);
    });
  if (isa<LLVM::ShlOp>(op) && op->getOperand(0).getDefiningOp<LLVM::BitcastOp>())
    return false; // the bits of a float, its exponent
  bool isArithmetic = isa<LLVM::MulOp, LLVM::ShlOp>(op) || (isa<LLVM::AddOp>(op) && !countsIds);
  return isArithmetic && op->getResult(0).getType().isInteger(32);
}

std::string IndexRangeTest::narrowOp(const std::string &text, const Target &target) {
  OwningOpRef<ModuleOp> source = parseSourceString<ModuleOp>(text, &context);
  if (!source)
    return "the text does not parse";
  KernelOp kernel = *source->getOps<KernelOp>().begin();
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  EmittedKernel emitted;
  std::string error;
  if (failed(emitKernel(kernel, target, "", *module, emitted)))
    return "the kernel was refused";
  if (failed(lowerToLLVMDialect(*module, error)))
    return error;
  std::string found;
  unsigned addresses = 0;
  module->walk([&](Operation *op) {
    addresses += isa<LLVM::GEPOp>(op);
    if (found.empty() && isNarrow(op, kernel.getAnchor() == "scatter"))
      llvm::raw_string_ostream(found) << *op;
  });
  if (addresses == 0)
    return "no address is formed: the test looks at nothing";
  return found;
}

void IndexRangeTest::expectWide(const std::string &body, const std::string &signature,
                                const std::string &anchor) {
  std::string text = "tt.kernel @k" + signature + " attributes {anchor = \"" + anchor +
                     "\", numerics = {}, schedule = {}} {\n" + body + "\n}\n";
  for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa)
    EXPECT_EQ(narrowOp(text, getTarget(isa)), "") << getTarget(isa).suffix.str();
}

} // namespace

TEST_F(IndexRangeTest, Embedding) {
  expectWide("%y = tt.embedding %t, %i : (tensor<262144x8960xf32>, tensor<3xi32>) -> "
             "tensor<3x8960xf32>\ntt.yield %y : tensor<3x8960xf32>",
             "(%t: tensor<262144x8960xf32>, %i: tensor<3xi32>) -> tensor<3x8960xf32>",
             "elementwise");
}

TEST_F(IndexRangeTest, EmbeddingGradient) {
  expectWide("%y = tt.embedding_bwd %i, %d rows = 262144 : (tensor<3xi32>, "
             "tensor<3x8960xf32>) -> tensor<262144x8960xf32>\n"
             "tt.yield %y : tensor<262144x8960xf32>",
             "(%i: tensor<3xi32>, %d: tensor<3x8960xf32>) -> tensor<262144x8960xf32>",
             "scatter");
}

TEST_F(IndexRangeTest, Softmax) {
  expectWide("%y = tt.softmax %x : tensor<65536x32769xf32>\n"
             "tt.yield %y : tensor<65536x32769xf32>",
             "(%x: tensor<65536x32769xf32>) -> tensor<65536x32769xf32>", "row");
}

TEST_F(IndexRangeTest, CrossEntropy) {
  expectWide("%l, %s = tt.cross_entropy none %x, %t : (tensor<65536x32769xf32>, "
             "tensor<65536xi32>) -> (tensor<65536xf32>, tensor<65536xf32>)\n"
             "tt.yield %l, %s : tensor<65536xf32>, tensor<65536xf32>",
             "(%x: tensor<65536x32769xf32>, %t: tensor<65536xi32>) -> "
             "(tensor<65536xf32>, tensor<65536xf32>)",
             "row");
  expectWide("%y = tt.cross_entropy_bwd none %x, %t, %s, %d : (tensor<65536x32769xf32>, "
             "tensor<65536xi32>, tensor<65536xf32>, tensor<65536xf32>) -> "
             "tensor<65536x32769xf32>\ntt.yield %y : tensor<65536x32769xf32>",
             "(%x: tensor<65536x32769xf32>, %t: tensor<65536xi32>, %s: tensor<65536xf32>, "
             "%d: tensor<65536xf32>) -> tensor<65536x32769xf32>",
             "row");
}

TEST_F(IndexRangeTest, Matmul) {
  expectWide("%y = tt.linear out_in %x, %w : (tensor<65536x768xf32>, "
             "tensor<50257x768xf32>) -> tensor<65536x50257xf32>\n"
             "tt.yield %y : tensor<65536x50257xf32>",
             "(%x: tensor<65536x768xf32>, %w: tensor<50257x768xf32>) -> "
             "tensor<65536x50257xf32>",
             "matmul");
}

TEST_F(IndexRangeTest, Elementwise) {
  expectWide("%y = tt.add %a, %b : tensor<3x1073741824xf32>\n"
             "tt.yield %y : tensor<3x1073741824xf32>",
             "(%a: tensor<3x1073741824xf32>, %b: tensor<3x1073741824xf32>) -> "
             "tensor<3x1073741824xf32>",
             "elementwise");
}

TEST_F(IndexRangeTest, ColumnSum) {
  expectWide("%y = tt.sum %a dims = [0] : (tensor<65536x32769xf32>) -> tensor<32769xf32>\n"
             "tt.yield %y : tensor<32769xf32>",
             "(%a: tensor<65536x32769xf32>) -> tensor<32769xf32>", "column");
}
