//===- CrossEntropyBwdEmitter.cpp - Adjoint of the loss over a vocabulary -===//
//
// The counted rows are counted in a first phase, then a row needs three sweeps:
// the largest logit, the powers and their sum, the gradient.
//
//===----------------------------------------------------------------------===//
#include "CrossEntropyRows.h"
#include "KernelEmitters.h"
#include "tt/IR/LossEmit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

/// The factor of the current row.
static Value emitRowWeight(RowLoop &row, LossRows &loss, CrossEntropyBwdOp op,
                           const RowTarget &target, Value countMemref) {
  LoopEmitter &e = row.e;
  bool perRow = op.getReduction() == Reduction::None;
  Value weight =
      row.builder.element(op.getDLoss(), perRow ? row.stat() : Position{});
  if (op.getReduction() == Reduction::Mean) {
    Value count =
        memref::LoadOp::create(e.b, e.loc, countMemref, ValueRange{e.index(0)});
    weight = arith::DivFOp::create(e.b, e.loc, weight, count);
  }
  return arith::SelectOp::create(e.b, e.loc, target.isCounted, weight,
                                 loss.scalar(e, 0.0));
}

namespace {
/// e^(logits - lse) of a row. A large lse does not hold the digits of the sum
/// that it is the logarithm of: where it is that sum's, rounded, the powers are
/// divided by the sum.
struct RowPowers {
  Value powers;        // scratch: e^(logits - max)
  Value factor;        // lanes
  Value slopeOfTarget; // lanes: e^(logits - lse) - 1 of the target

  RowPowers(RowLoop &row, LossRows &loss, const RowTarget &target, Value x,
            Value lse)
      : powers(row.scratchRow()) {
    LoopEmitter &e = row.e;
    PowerSums sums(row, loss, target, x, [&](const Position &at, Value power) {
      row.storeScratch(powers, at, power);
    });
    Value max = sums.max, sum = e.addF(sums.ofOthers, sums.ofTarget);
    Value own = e.addF(max, math::LogOp::create(e.b, e.loc, sum));
    Value off = math::AbsFOp::create(e.b, e.loc, e.subF(own, lse));
    Value bound = e.mulF(math::AbsFOp::create(e.b, e.loc, lse),
                         loss.scalar(e, kRoundedLse));
    Value isRounding = arith::CmpFOp::create(
        e.b, e.loc, arith::CmpFPredicate::OLE, off, bound);
    Value inverse = arith::DivFOp::create(e.b, e.loc, loss.scalar(e, 1), sum);
    Value meant = math::ExpOp::create(e.b, e.loc, e.subF(max, lse));
    Value slope = arith::SelectOp::create(
        e.b, e.loc, isRounding,
        arith::NegFOp::create(e.b, e.loc, e.mulF(sums.ofOthers, inverse)),
        e.subF(e.mulF(sums.ofTarget, meant), loss.scalar(e, 1)));
    slopeOfTarget = row.builder.spread(slope);
    factor = row.builder.spread(
        arith::SelectOp::create(e.b, e.loc, isRounding, inverse, meant));
  }
  Value at(RowLoop &row, const Position &at) const {
    return row.e.mulF(row.loadScratch(powers, at), factor);
  }
};
} // namespace

LogicalResult tt::cpu::emitCrossEntropyBwdKernel(const KernelJob &job,
                                                 CrossEntropyBwdOp op,
                                                 EmittedKernel &emitted) {
  LossRows loss(op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {loss.shape, loss.shape.drop_back()});
  if (failed(checkLossElement(op)) || failed(yields) ||
      failed(checkEpilogue(op.getOperation(), loss.shape)))
    return failure();
  bool mean = op.getReduction() == Reduction::Mean;
  auto countMemref = [&](PhaseShell &shell) {
    return shell.shared(0, MemRefType::get({1}, shell.builder().getF32Type()));
  };
  if (mean) {
    emitted.sharedBytes = kAlignment;
    PhaseShell shell(job.module, job.loc(), job.phaseSymbol("_count"),
                     job.signature.numOperands(), job.mayAlias());
    LoopEmitter e(shell);
    ElementBuilder builder(e, job);
    memref::StoreOp::create(e.b, e.loc, loss.count(e, builder),
                            countMemref(shell), ValueRange{e.index(0)});
    emitted.phases.push_back(shell.finish(1));
  }
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  RowLoop row(shell, job, loss.shape);
  LoopEmitter &e = row.e;
  row.forRows([&] {
    RowTarget target(row, loss);
    Value weight = row.builder.spread(emitRowWeight(
        row, loss, op, target, mean ? countMemref(shell) : Value()));
    RowPowers powers(row, loss, target, op.getLogits(),
                     row.builder.element(op.getLse(), row.stat()));
    row.builder.bind(
        op.getDLogits(), [=, &e, &row](const Position &at) mutable {
          Value d =
              arith::SelectOp::create(e.b, e.loc, target.isAt(row, at),
                                      powers.slopeOfTarget, powers.at(row, at));
          return e.mulF(d, weight);
        });
    row.storeYields(*yields);
  });
  emitted.workerBytes = row.workerBytes();
  emitted.phases.push_back(shell.finish(row.tasks()));
  return success();
}
