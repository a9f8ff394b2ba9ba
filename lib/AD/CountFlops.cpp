//===- CountFlops.cpp - --tt-count-flops ----------------------------------===//
#include "tt/AD/OpCost.h"
#include "tt/AD/Passes.h"
#include "tt/Attention/TiledKernel.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tt {
#define GEN_PASS_DEF_COUNTFLOPSPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {
struct Flops {
  int64_t weights = 0, attention = 0, others = 0, bytes = 0;
  int64_t visited = 0; // of attention's, those in tiles that its mask does not skip
};

/// What of the products of an attention its visited tiles hold.
int64_t visitedFlops(Operation *op, int64_t flops) {
  attention::TilePlan plan = attention::TiledKernel::planOf(op);
  int64_t scores = plan.queries * plan.keys;
  return flops / scores * plan.countVisitedScores(); // flops: a multiple of the scores
}

struct CountFlopsPass final : tt::impl::CountFlopsPassBase<CountFlopsPass> {
  llvm::StringMap<Flops> counted;

  Flops count(func::FuncOp function, SymbolTable &symbols) {
    auto found = counted.find(function.getSymName());
    if (found != counted.end())
      return found->second;
    counted[function.getSymName()] = {}; // a cycle counts nothing more
    Flops sum;
    function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee())) {
          Flops inner = count(callee, symbols);
          sum.weights += inner.weights;
          sum.attention += inner.attention;
          sum.visited += inner.visited;
          sum.others += inner.others;
          sum.bytes += inner.bytes;
        }
        return;
      }
      OpCost cost = costOf(op);
      bool isAttention = isa<AttentionOp, AttentionBwdOp>(op);
      (isAttention ? sum.attention : sum.weights) += cost.matmulFlops;
      if (isAttention)
        sum.visited += visitedFlops(op, cost.matmulFlops);
      sum.others += cost.otherFlops;
      sum.bytes += cost.bytes;
      if (cost.matmulFlops || cost.otherFlops || cost.bytes)
        llvm::outs() << "@" << function.getSymName() << " " << op->getName().getStringRef()
                     << " " << cost.matmulFlops << " flops of products, "
                     << cost.otherFlops << " others, " << cost.bytes << " bytes\n";
    });
    llvm::outs() << "@" << function.getSymName() << " total weights " << sum.weights
                 << " attention " << sum.attention << " flops\n@"
                 << function.getSymName() << " others " << sum.others
                 << " flops, bytes of its ops " << sum.bytes << "\n";
    if (sum.visited != sum.attention)
      llvm::outs() << "@" << function.getSymName() << " visited tiles hold " << sum.visited
                   << " of the attention's flops\n";
    counted[function.getSymName()] = sum;
    return sum;
  }

  /// What a flat step runs, launch by launch.
  void countStep(StepOp step, SymbolTable &symbols) {
    Flops sum;
    for (LaunchOp launch : step.getBody().getOps<LaunchOp>())
      if (auto kernel = symbols.lookup<KernelOp>(launch.getKernel()))
        kernel.walk([&](CostOpInterface cost) {
          bool attention = isa<AttentionOp, AttentionBwdOp>(cost.getOperation());
          (attention ? sum.attention : sum.weights) += cost.getMatmulFlops();
        });
    llvm::outs() << "@" << step.getSymName() << " total weights " << sum.weights
                 << " attention " << sum.attention << " flops\n";
  }

  void runOnOperation() override {
    counted.clear();
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      count(function, symbols);
    for (auto step : getOperation().getOps<StepOp>())
      countStep(step, symbols);
    markAllAnalysesPreserved();
  }
};
} // namespace
