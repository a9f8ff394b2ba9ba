//===- PrintResiduals.cpp - --tt-print-residuals --------------------------===//
#include "tt/AD/Passes.h"
#include "tt/AD/Residuals.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tt {
#define GEN_PASS_DEF_PRINTRESIDUALSPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

/// Where a kept value comes from.
static std::string describeSource(const KeptValue &value) {
  if (value.source.kind == ResidualSource::Argument)
    return "argument " + std::to_string(value.source.index);
  Operation *op = value.forward.getDefiningOp();
  std::string what = op ? op->getName().getStringRef().str() : "argument";
  if (value.source.kind == ResidualSource::Result)
    what = "result of " + what;
  return what + " at " + placeOf(value.forward.getLoc());
}

namespace {
struct PrintResidualsPass final
    : tt::impl::PrintResidualsPassBase<PrintResidualsPass> {
  void runOnOperation() override {
    bool isEmpty = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (std::optional<AdjointPair> pair = readAdjoint(function)) {
        print(*pair);
        isEmpty = false;
      }
    if (isEmpty)
      getOperation().emitWarning("no function here has an adjoint: --tt-autodiff makes them, "
                                 "and comes before --tt-print-residuals");
    markAllAnalysesPreserved();
  }

  void print(AdjointPair &pair) {
    llvm::raw_ostream &out = llvm::outs();
    int64_t total = 0;
    out << "@" << pair.forward.getSymName() << " -> @" << pair.backward.getSymName() << "\n";
    for (const KeptValue &value : keptValues(pair)) {
      out << "  " << value.type << " " << value.bytes << " bytes, " << describeSource(value);
      for (auto [i, reader] : llvm::enumerate(value.readers))
        out << (i ? ", " : "; read by ") << describeReader(reader);
      out << "\n";
      if (value.source.kind == ResidualSource::Extra)
        total += value.bytes;
    }
    out << "  kept by this function alone: " << total << " bytes\n";
  }
};
} // namespace
