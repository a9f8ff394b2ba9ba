//===- CheckpointPass.cpp - --tt-checkpoint -------------------------------===//
#include "ReplayPlan.h"
#include "tt/Remat/Passes.h"
#include "tt/Remat/ReplayCheck.h"

#include "tt/IR/TTDialect.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tt-checkpoint"

namespace tt {
#define GEN_PASS_DEF_CHECKPOINTPASS
#include "tt/Remat/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {
struct CheckpointPass final : tt::impl::CheckpointPassBase<CheckpointPass> {
  using CheckpointPassBase::CheckpointPassBase;

  LogicalResult checkOptions() {
    if (policy != "none" && policy != "full" && policy != "sqrt")
      return getOperation().emitError()
             << "expected policy to be none, full or sqrt, but got '" << policy << "'";
    if (segments < 0)
      return getOperation().emitError()
             << "expected segments to be 0 or more, but got " << int64_t(segments);
    if (segments > 0 && policy != "sqrt")
      return getOperation().emitError()
             << "expected policy=sqrt with segments=" << int64_t(segments) << ", but got '"
             << policy << "'";
    return success();
  }

  FailureOr<AdjointPair> findPair() {
    std::optional<AdjointPair> only;
    for (auto candidate : getOperation().getOps<func::FuncOp>()) {
      std::optional<AdjointPair> pair = readAdjoint(candidate);
      if (!pair || !(function.empty() ? pair->primal.isPublic()
                                      : pair->primal.getSymName() == function))
        continue;
      if (only)
        return candidate.emitError()
               << "expected one public function with an adjoint pair, or the "
                  "option function=, but found @" << only->backward.getSymName()
               << " and @" << candidate.getSymName();
      only = pair;
    }
    if (!only)
      return getOperation().emitError()
             << "expected a function with an adjoint pair as left by tt-autodiff";
    return *only;
  }

  FailureOr<ChainPlan> choose(const LossChain &chain, const LayerChain &sizes) {
    if (policy == "full")
      return planFull(sizes);
    if (segments == 0)
      return planLeastPeak(sizes);
    func::FuncOp primal = chain.pair.primal;
    if (segments > int64_t(chain.layers.size()))
      return primal.emitError()
             << "expected at most as many segments as @" << primal.getSymName()
             << " has layer calls, "
             << chain.layers.size() << ", but got " << int64_t(segments);
    return planSegments(sizes, segments);
  }

  LogicalResult run() {
    if (failed(checkOptions()))
      return failure();
    if (policy == "none")
      return success();
    FailureOr<AdjointPair> pair = findPair();
    if (failed(pair))
      return failure();
    LossChain chain = LossChain::find(*pair);
    if (chain.layers.size() < 2) {
      pair->primal.emitRemark()
          << "nothing to recompute: expected at least two calls of layers in @"
          << pair->primal.getSymName() << ", found " << chain.layers.size();
      return success();
    }
    LayerChain sizes = chain.measure();
    FailureOr<ChainPlan> cuts = choose(chain, sizes);
    if (failed(cuts))
      return failure();
    LDBG() << describe(sizes, *cuts);
    ReplayPlan plan = planReplays(chain, *cuts);
    numDropped += plan.dropped.count();
    numReplayed += plan.numReplayed;
    if (failed(applyReplays(chain, plan)))
      return failure();
    return verifyReplays(pair->backward);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
};
} // namespace
