//===- PrintResiduals.cpp - --tt-print-residuals --------------------------===//
#include "tt/AD/Adjoint.h"
#include "tt/AD/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tt {
#define GEN_PASS_DEF_PRINTRESIDUALSPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         ((tensor.getElementType().getIntOrFloatBitWidth() + 7) / 8);
}

namespace {
struct PrintResidualsPass final
    : tt::impl::PrintResidualsPassBase<PrintResidualsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      std::optional<AdjointPair> pair = readAdjoint(function);
      if (!pair)
        continue;
      int64_t total = 0;
      llvm::outs() << "@" << pair->forward.getSymName() << " -> @"
                   << function.getSymName() << "\n";
      Operation *terminator = pair->forward.getBody().front().getTerminator();
      for (auto [i, source] : llvm::enumerate(pair->residuals)) {
        Type type = function.getFunctionType().getInput(i);
        llvm::outs() << "  " << type << " " << bytesOf(type) << " bytes, ";
        if (source.kind == ResidualSource::Argument) {
          llvm::outs() << "argument " << source.index << "\n";
          continue;
        }
        unsigned result = source.kind == ResidualSource::Result
                              ? source.index
                              : pair->primal.getNumResults() + source.index;
        Value value = terminator->getOperand(result);
        llvm::outs() << (source.kind == ResidualSource::Result ? "result of " : "")
                     << (value.getDefiningOp()
                             ? value.getDefiningOp()->getName().getStringRef()
                             : StringRef("argument"))
                     << " at " << value.getLoc() << "\n";
        if (source.kind == ResidualSource::Extra)
          total += bytesOf(type);
      }
      llvm::outs() << "  kept by this function alone: " << total << " bytes\n";
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
