//===- CrossEntropyEmitter.cpp - The loss over a vocabulary ---------------===//
//
// lse = m + ln sum e^(x - m) per row on 16 lanes; the losses of the rows are
// added in a second phase, on 16 lanes too.
//
//===----------------------------------------------------------------------===//
#include "CrossEntropyRows.h"
#include "IndexMath.h"
#include "KernelEmitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

/// lse and loss of the current row. The loss is a difference of numbers below
/// the largest logit, as a large lse does not hold the digits of the sum; next
/// to the largest logit it is ln(1 + others / target).
static std::pair<Value, Value> emitRowLoss(RowLoop &row, LossRows &loss,
                                           CrossEntropyOp op) {
  LoopEmitter &e = row.e;
  RowTarget target(row, loss);
  PowerSums sums(row, loss, target, op.getLogits());
  Value sum = e.addF(sums.ofOthers, sums.ofTarget);
  Value logSum = math::LogOp::create(e.b, e.loc, sum),
        lse = e.addF(sums.max, logSum);
  Value ratio = arith::DivFOp::create(e.b, e.loc, sums.ofOthers, sums.ofTarget);
  Value isNear = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OGE,
                                       sums.ofTarget, loss.scalar(e, 0.25));
  Value value = arith::SelectOp::create(
      e.b, e.loc, isNear, math::Log1pOp::create(e.b, e.loc, ratio),
      e.subF(logSum, e.subF(sums.logit, sums.max)));
  value = arith::SelectOp::create(e.b, e.loc, target.isCounted, value,
                                  loss.scalar(e, 0));
  return {lse, value};
}

LogicalResult tt::cpu::emitCrossEntropyKernel(const KernelJob &job,
                                              CrossEntropyOp op,
                                              EmittedKernel &emitted) {
  LossRows loss(op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  ArrayRef<int64_t> statShape = loss.shape.drop_back();
  bool perRow = op.getReduction() == Reduction::None;
  SmallVector<ArrayRef<int64_t>> shapes{statShape};
  if (!perRow && !statShape.empty())
    shapes.push_back({});
  FailureOr<SmallVector<ResultView>> yields = matchYields(job, shapes);
  if (failed(checkLossElement(op)) || failed(yields) ||
      failed(checkEpilogue(op.getOperation())))
    return failure();
  // Yields that need the loss of all rows wait for the second phase.
  SmallVector<ResultView> rowYields, lossYields;
  for (const ResultView &yield : *yields) {
    bool isScalar = yield.storage.shape.empty();
    bool late = !perRow && isScalar &&
                (!statShape.empty() || yield.value == op.getLoss());
    (late ? lossYields : rowYields).push_back(yield);
  }
  auto losses = [&](PhaseShell &shell) {
    return shell.shared(0, MemRefType::get({roundUp(loss.rows, kLanes)},
                                           shell.builder().getF32Type()));
  };
  {
    PhaseShell shell(job.module, job.loc(),
                     job.phaseSymbol(perRow ? "" : "_rows"),
                     job.signature.numOperands(), job.mayAlias());
    RowLoop row(shell, job, loss.shape);
    row.forRows([&] {
      auto [lse, value] = emitRowLoss(row, loss, op);
      row.builder.bind(op.getLse(),
                       [lse = lse](const Position &) { return lse; });
      if (perRow)
        row.builder.bind(op.getLoss(),
                         [value = value](const Position &) { return value; });
      else
        memref::StoreOp::create(row.e.b, row.e.loc, value, losses(shell),
                                ValueRange{row.row()});
      row.storeYields(rowYields);
    });
    emitted.workerBytes = row.workerBytes();
    emitted.phases.push_back(shell.finish(row.tasks()));
  }
  if (perRow)
    return success();
  emitted.sharedBytes = roundUp(loss.rows, kLanes) * int64_t(sizeof(float));
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value lanes =
      loss.overRows(e, builder, e.splat(0.0),
                    [&](const Position &at, Value row, ValueRange old) {
                      return SmallVector<Value>{
                          e.addF(old[0], e.load(losses(shell), row, at.mask))};
                    })[0];
  Value total = horizontalSum(e.b, e.loc, lanes);
  if (op.getReduction() == Reduction::Mean) {
    Value count = loss.count(e, builder);
    Value none = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OEQ,
                                       count, loss.scalar(e, 0.0));
    Value mean = arith::DivFOp::create(e.b, e.loc, total, count);
    total =
        arith::SelectOp::create(e.b, e.loc, none, loss.scalar(e, 0.0), mean);
  }
  builder.bind(op.getLoss(), [total](const Position &) { return total; });
  for (const ResultView &yield : lossYields)
    builder.store(yield.storage, Position{},
                  builder.element(yield.value, Position{}));
  emitted.phases.push_back(shell.finish(1));
  return success();
}
