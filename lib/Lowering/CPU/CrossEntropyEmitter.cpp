//===- CrossEntropyEmitter.cpp - The loss over a vocabulary ---------------===//
//
// Forward: lse = m + ln sum e^(x - m) per row on 16 lanes; the losses of the
// rows are added in a second phase, on 16 lanes too. Backward: the counted
// rows are counted in a first phase, then a row needs three sweeps: the largest
// logit, the powers and their sum, the gradient.
//
//===----------------------------------------------------------------------===//
#include "IndexMath.h"
#include "KernelEmitters.h"
#include "PhiloxEmitter.h"
#include "RowLoop.h"
#include "tt/IR/LossEmit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

/// What both directions share: targets and the count of counted rows.
class LossRows {
public:
  LossRows(const KernelJob &job, Value logits, Value targets,
           int64_t ignoreIndex)
      : job(job), targets(targets), ignoreIndex(ignoreIndex),
        shape(cast<RankedTensorType>(logits.getType()).getShape()) {
    rows = elementCount(shape.drop_back());
  }

  /// i1 or lanes of it: the target is a class and is not ignored.
  Value isCounted(LoopEmitter &e, Value target) {
    Type type = target.getType();
    auto compare = [&](arith::CmpIPredicate predicate, int64_t value) -> Value {
      return arith::CmpIOp::create(e.b, e.loc, predicate, target,
                                   integerConstant(e.b, e.loc, type, value));
    };
    Value counted = arith::AndIOp::create(
        e.b, e.loc, compare(arith::CmpIPredicate::sge, 0),
        compare(arith::CmpIPredicate::slt, shape.back()));
    if (ignoreIndex < 0 || ignoreIndex >= shape.back())
      return counted;
    return arith::AndIOp::create(e.b, e.loc, counted,
                                 compare(arith::CmpIPredicate::ne, ignoreIndex));
  }

  /// One 16-lane sweep over the rows, in row-major order.
  SmallVector<Value>
  overRows(LoopEmitter &e, ElementBuilder &builder, ValueRange carried,
           function_ref<SmallVector<Value>(const Position &, Value row,
                                           ValueRange)>
               body) {
    LaneMath math(e);
    return forLanes(e, rows, e.index(0), e.index(rows), carried,
                    [&](const LaneIndex &index, Value mask, ValueRange old) {
                      ElementBuilder::Scope scope(builder);
                      Position at{math.delinearize(index, shape.drop_back()),
                                  mask};
                      return body(at, index.base, old);
                    });
  }

  /// The number of counted rows as f32.
  Value count(LoopEmitter &e, ElementBuilder &builder) {
    VectorType lanes = getLanesType(e.b.getI64Type());
    Value zero = integerConstant(e.b, e.loc, lanes, 0);
    Value counts = overRows(
        e, builder, zero, [&](const Position &at, Value, ValueRange old) {
          Value counted = isCounted(e, builder.lanes(targets, at));
          if (at.mask)
            counted = arith::AndIOp::create(e.b, e.loc, counted, at.mask);
          Value one = arith::ExtUIOp::create(e.b, e.loc, lanes, counted);
          return SmallVector<Value>{
              arith::AddIOp::create(e.b, e.loc, old[0], one)};
        })[0];
    Value sum = vector::ReductionOp::create(e.b, e.loc,
                                            vector::CombiningKind::ADD, counts);
    return arith::SIToFPOp::create(e.b, e.loc, e.b.getF32Type(), sum);
  }

  Value scalar(LoopEmitter &e, double value) {
    return splatConstant(e.b, e.loc, e.b.getF32Type(), value);
  }

  const KernelJob &job;
  Value targets;
  int64_t ignoreIndex;
  ArrayRef<int64_t> shape;
  int64_t rows;
};

} // namespace

static LogicalResult checkF32(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (element.isF32())
    return success();
  return op->emitError() << "'" << op->getName() << "' of element type "
                         << element << " is not lowered on the CPU yet";
}

/// lse and loss of the current row.
static std::pair<Value, Value> emitRowLoss(RowLoop &row, LossRows &loss,
                                           CrossEntropyOp op) {
  LoopEmitter &e = row.e;
  using Carried = RowLoop::Carried;
  Value x = op.getLogits(), max = row.max(x);
  Value maxLanes = row.builder.spread(max);
  Value sum = row.sums(1, [&](const Position &at) {
    Value d = e.subF(row.read(x, at), maxLanes);
    return Carried{math::ExpOp::create(e.b, e.loc, d)};
  })[0];
  // The loss is the difference of two numbers below the largest logit: a large lse does
  // not hold the digits of the sum.
  Value logSum = math::LogOp::create(e.b, e.loc, sum), lse = e.addF(max, logSum);

  LaneMath math(e);
  Value target = row.builder.element(loss.targets, row.stat());
  Value counted = loss.isCounted(e, target);
  Value index =
      arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), target);
  Position at = row.stat();
  at.dims.push_back(math.clamp(math.uniform(index), row.width()));
  // The logit itself, pulled as a scalar.
  Value logit = row.builder.element(x, at);
  Value value = arith::SelectOp::create(e.b, e.loc, counted,
                                        e.subF(logSum, e.subF(logit, max)),
                                        loss.scalar(e, 0.0));
  return {lse, value};
}

LogicalResult tt::cpu::emitCrossEntropyKernel(const KernelJob &job,
                                              CrossEntropyOp op,
                                              EmittedKernel &emitted) {
  LossRows loss(job, op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  ArrayRef<int64_t> statShape = loss.shape.drop_back();
  bool perRow = op.getReduction() == Reduction::None;
  SmallVector<ArrayRef<int64_t>> shapes{statShape};
  if (!perRow && !statShape.empty())
    shapes.push_back({});
  FailureOr<SmallVector<ResultView>> yields = matchYields(job, shapes);
  if (failed(checkF32(op)) || failed(yields) ||
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
    return shell.shared(
        0, MemRefType::get({roundUp(loss.rows, kLanes)},
                           shell.builder().getF32Type()));
  };
  {
    PhaseShell shell(job.module, job.loc(),
                     job.phaseSymbol(perRow ? "" : "_rows"),
                     job.signature.numOperands(), job.mayAlias());
    RowLoop row(shell, job, loss.shape);
    row.forRows([&] {
      auto [lse, value] = emitRowLoss(row, loss, op);
      row.builder.bind(op.getLse(), [lse = lse](const Position &) { return lse; });
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
  Value lanes = loss.overRows(
      e, builder, e.splat(0.0),
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
    total = arith::SelectOp::create(e.b, e.loc, none, loss.scalar(e, 0.0),
                                    mean);
  }
  builder.bind(op.getLoss(), [total](const Position &) { return total; });
  for (const ResultView &yield : lossYields)
    builder.store(yield.storage, Position{},
                  builder.element(yield.value, Position{}));
  emitted.phases.push_back(shell.finish(1));
  return success();
}

/// The factor of the current row.
static Value emitRowWeight(RowLoop &row, LossRows &loss, CrossEntropyBwdOp op,
                           Value target, Value countMemref) {
  LoopEmitter &e = row.e;
  bool perRow = op.getReduction() == Reduction::None;
  Value weight = row.builder.element(op.getDLoss(),
                                     perRow ? row.stat() : Position{});
  if (op.getReduction() == Reduction::Mean) {
    Value count = memref::LoadOp::create(e.b, e.loc, countMemref,
                                         ValueRange{e.index(0)});
    weight = arith::DivFOp::create(e.b, e.loc, weight, count);
  }
  return arith::SelectOp::create(e.b, e.loc, loss.isCounted(e, target), weight,
                                 loss.scalar(e, 0.0));
}

namespace {
/// e^(logits - lse) of a row. A large lse does not hold the digits of the sum that it is
/// the logarithm of: where it is that sum's, rounded, the powers are divided by the sum.
struct RowPowers {
  Value powers; // scratch: e^(logits - max)
  Value factor; // lanes

  RowPowers(RowLoop &row, LossRows &loss, Value x, Value lse) : powers(row.scratchRow()) {
    LoopEmitter &e = row.e;
    Value max = row.max(x), maxLanes = row.builder.spread(max);
    Value sum = row.sums(1, [&](const Position &at) {
      Value power = math::ExpOp::create(e.b, e.loc, e.subF(row.read(x, at), maxLanes));
      row.storeScratch(powers, at, power);
      return RowLoop::Carried{power};
    })[0];
    Value own = e.addF(max, math::LogOp::create(e.b, e.loc, sum));
    Value off = math::AbsFOp::create(e.b, e.loc, e.subF(own, lse));
    Value bound = e.mulF(math::AbsFOp::create(e.b, e.loc, lse), loss.scalar(e, kRoundedLse));
    Value isRounding =
        arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OLE, off, bound);
    Value inverse = arith::DivFOp::create(e.b, e.loc, loss.scalar(e, 1), sum);
    Value meant = row.builder.spread(e.subF(max, lse));
    factor = arith::SelectOp::create(e.b, e.loc, isRounding, row.builder.spread(inverse),
                                     math::ExpOp::create(e.b, e.loc, meant));
  }
  Value at(RowLoop &row, const Position &at) const {
    return row.e.mulF(row.loadScratch(powers, at), factor);
  }
};
} // namespace

LogicalResult tt::cpu::emitCrossEntropyBwdKernel(const KernelJob &job,
                                                 CrossEntropyBwdOp op,
                                                 EmittedKernel &emitted) {
  LossRows loss(job, op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  FailureOr<SmallVector<ResultView>> yields =
      matchYields(job, {loss.shape, loss.shape.drop_back()});
  if (failed(checkF32(op)) || failed(yields) ||
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
    Value target = row.builder.element(op.getTargets(), row.stat());
    Value weight = row.builder.spread(emitRowWeight(
        row, loss, op, target, mean ? countMemref(shell) : Value()));
    RowPowers powers(row, loss, op.getLogits(), row.builder.element(op.getLse(), row.stat()));
    Type i32 = e.b.getI32Type();
    if (!target.getType().isInteger(32))
      target = arith::TruncIOp::create(e.b, e.loc, i32, target);
    Value targetLanes = broadcastLanes(e.b, e.loc, target);
    row.builder.bind(op.getDLogits(), [=, &e, &row](const Position &at) mutable {
      Value p = powers.at(row, at);
      LaneMath math(e);
      Value column = arith::IndexCastOp::create(
          e.b, e.loc, targetLanes.getType(),
          math.materialize(at.dims.back()));
      Value hit = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                        column, targetLanes);
      Value less = e.subF(p, e.splat(1.0));
      Value d = arith::SelectOp::create(e.b, e.loc, hit, less, p);
      return e.mulF(d, weight);
    });
    row.storeYields(*yields);
  });
  emitted.workerBytes = row.workerBytes();
  emitted.phases.push_back(shell.finish(row.tasks()));
  return success();
}
