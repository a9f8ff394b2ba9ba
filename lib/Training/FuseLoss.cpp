//===- FuseLoss.cpp - --tt-fuse-loss --------------------------------------===//
#include "tt/Training/Passes.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {
#define GEN_PASS_DEF_FUSELOSSPASS
#include "tt/Training/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

/// The linear map that makes the logits of `loss` and of nothing else, perhaps
/// seen through a reshape of the rows; null if there is none, with the reason.
static LinearOp findHead(CrossEntropyOp loss, StringRef &found) {
  Value logits = loss.getLogits();
  auto refuse = [&](StringRef reason) {
    found = reason;
    return LinearOp();
  };
  if (tensorOf(loss.getTargets()).getNumElements() == 0)
    return refuse("no rows");
  if (!logits.hasOneUse())
    return refuse("logits that others read, too");
  if (auto reshape = logits.getDefiningOp<ReshapeOp>()) {
    Value input = reshape.getInput();
    bool keepsClasses = tensorOf(input).getRank() > 0 &&
                        shapeOf(input).back() == shapeOf(logits).back();
    if (!keepsClasses)
      return refuse("a reshape of the classes");
    if (!input.hasOneUse())
      return refuse("logits that others read, too");
    logits = input;
  }
  auto linear = logits.getDefiningOp<LinearOp>();
  if (!linear)
    return refuse(logits.getDefiningOp()
                      ? logits.getDefiningOp()->getName().getStringRef()
                      : StringRef("an argument"));
  return linear;
}

/// linear, (reshape,) cross_entropy -> linear_cross_entropy.
static void fuse(CrossEntropyOp loss, LinearOp head, int64_t chunks) {
  OpBuilder builder(loss);
  Emit e(builder, loss.getLoc());
  int64_t rows = tensorOf(loss.getTargets()).getNumElements();
  SmallVector<int64_t> shape(shapeOf(loss.getTargets()));
  shape.push_back(shapeOf(head.getInput()).back());
  auto fused = LinearCrossEntropyOp::create(
      builder, loss.getLoc(), e.reshape(head.getInput(), shape), head.getWeight(),
      loss.getTargets(), loss.getWeights(), head.getBias(), head.getLayout(), loss.getReduction(),
      std::min(chunks, rows), loss.getIgnoreIndex(), loss.getLabelSmoothing(),
      loss.getZLoss());
  Operation *logits = loss.getLogits().getDefiningOp();
  loss.replaceAllUsesWith(fused.getResults());
  loss.erase();
  if (logits != head.getOperation())
    logits->erase();
  head.erase();
}

namespace {
struct FuseLossPass final : tt::impl::FuseLossPassBase<FuseLossPass> {
  using FuseLossPassBase::FuseLossPassBase;

  void remarkWithoutLoss() {
    WalkResult chunked = getOperation().walk(
        [](LinearCrossEntropyOp) { return WalkResult::interrupt(); });
    getOperation().emitRemark()
        << "nothing to chunk: "
        << (chunked.wasInterrupted()
                ? "found a tt.linear_cross_entropy, which has chunks of its own"
                : "expected a tt.cross_entropy, found none");
  }

  void runOnOperation() override {
    if (chunks < 1) {
      getOperation().emitError() << "expected chunks to be positive, but got " << chunks;
      return signalPassFailure();
    }
    SmallVector<CrossEntropyOp> losses;
    getOperation().walk([&](CrossEntropyOp op) { losses.push_back(op); });
    unsigned fused = 0;
    StringRef found;
    for (CrossEntropyOp loss : losses) {
      LinearOp head = findHead(loss, found);
      if (!head)
        continue;
      fuse(loss, head, chunks);
      ++fused;
    }
    numFused += fused;
    if (losses.empty())
      remarkWithoutLoss();
    else if (!fused)
      losses.back().emitRemark()
          << "nothing to chunk: expected the loss of the logits of a tt.linear that "
             "nothing else reads, found " << found;
  }
};
} // namespace
