//===- ReduceEmitter.cpp - Sums and maxima over any dimensions ------------===//
//
// Numerics of a sum whose last dimension is reduced among others: for every
// result, the reduced indices without the last in blocks of 256; the rows of a
// block are added in order on 16 lanes (last index i on lane i mod 16), lanes
// by the tree (8, 4, 2, 1), blocks in order.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"
#include "IndexMath.h"
#include "KernelEmitters.h"
#include "LoopNest.h"
#include "MaxPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static constexpr int64_t kRowsPerBlock = 256;

namespace {

class ReduceEmitter {
public:
  ReduceEmitter(const KernelJob &job, Operation *op);
  LogicalResult emit(EmittedKernel &emitted);

private:
  Value blockSum(LoopEmitter &e, ElementBuilder &builder, Value kept,
                 Value block);
  void finish(LoopEmitter &e, ElementBuilder &builder, Value kept, Value sum);

  const KernelJob &job;
  Operation *op;
  SmallVector<int64_t> keptShape, outerSizes;
  SmallVector<bool> isReduced;
  SmallVector<ResultView> yields;
  int64_t kept, rows, blocks, width;
};

} // namespace

ReduceEmitter::ReduceEmitter(const KernelJob &job, Operation *op)
    : job(job), op(op) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  ArrayRef<int64_t> dims = isa<SumOp>(op) ? cast<SumOp>(op).getDims()
                                          : cast<MeanOp>(op).getDims();
  for (auto [i, size] : llvm::enumerate(shape)) {
    isReduced.push_back(llvm::is_contained(dims, int64_t(i)));
    (isReduced.back() ? outerSizes : keptShape).push_back(size);
  }
  width = outerSizes.pop_back_val();
  rows = elementCount(outerSizes);
  kept = elementCount(keptShape);
  blocks = ceilDiv(rows, kRowsPerBlock);
}

Value ReduceEmitter::blockSum(LoopEmitter &e, ElementBuilder &builder,
                              Value keptIndex, Value block) {
  LaneMath math(e);
  Value begin = e.mul(block, kRowsPerBlock);
  Value end = e.min(e.add(begin, kRowsPerBlock), e.index(rows));
  SmallVector<LaneIndex, 4> keptDims =
      math.delinearize(math.uniform(keptIndex), keptShape);
  SmallVector<Value> lanes = e.loop(
      begin, end, 1, e.splat(0.0), [&](Value row, ValueRange old) {
        SmallVector<LaneIndex, 4> outer =
            math.delinearize(math.uniform(row), outerSizes);
        return forLanes(
            e, width, e.index(0), e.index(width), old,
            [&](const LaneIndex &index, Value mask, ValueRange sums) {
              ElementBuilder::Scope scope(builder);
              Position at{{}, mask};
              size_t nextKept = 0, nextOuter = 0;
              for (bool reduced : isReduced)
                at.dims.push_back(!reduced ? keptDims[nextKept++]
                                  : nextOuter < outer.size()
                                      ? outer[nextOuter++]
                                      : index);
              Value value = builder.lanes(op->getOperand(0), at);
              if (mask)
                value = arith::SelectOp::create(e.b, e.loc, mask, value,
                                                e.splat(0.0));
              return SmallVector<Value>{e.addF(sums[0], value)};
            });
      });
  return horizontalSum(e.b, e.loc, lanes[0]);
}

void ReduceEmitter::finish(LoopEmitter &e, ElementBuilder &builder,
                           Value keptIndex, Value sum) {
  LaneMath math(e);
  if (isa<MeanOp>(op))
    sum = arith::DivFOp::create(
        e.b, e.loc, sum,
        splatConstant(e.b, e.loc, sum.getType(), double(rows * width)));
  builder.bind(op->getResult(0), [sum](const Position &) { return sum; });
  Position at{math.delinearize(math.uniform(keptIndex), keptShape), {}};
  ElementBuilder::Scope scope(builder);
  for (const ResultView &yield : yields)
    builder.store(yield.storage, at, builder.element(yield.value, at));
  builder.unbind(op->getResult(0));
}

LogicalResult ReduceEmitter::emit(EmittedKernel &emitted) {
  FailureOr<SmallVector<ResultView>> matched = matchYields(job, {keptShape});
  if (failed(matched) || failed(checkEpilogue(op)))
    return failure();
  yields = *matched;
  bool split = blocks > 1 && kept < 32;
  auto addBlocks = [&](LoopEmitter &e, function_ref<Value(Value)> sumOf) {
    Value none = splatConstant(e.b, e.loc, e.b.getF32Type(), 0.0);
    return e.loop(e.index(0), e.index(blocks), 1, none,
                  [&](Value block, ValueRange old) {
                    return SmallVector<Value>{e.addF(old[0], sumOf(block))};
                  })[0];
  };
  auto memrefOf = [&](PhaseShell &shell) {
    return shell.shared(0, MemRefType::get({blocks, kept},
                                           shell.builder().getF32Type()));
  };
  {
    PhaseShell shell(job.module, job.loc(),
                     job.phaseSymbol(split ? "_blocks" : ""),
                     job.signature.numOperands(), job.mayAlias());
    LoopEmitter e(shell);
    ElementBuilder builder(e, job);
    int64_t perTask = rowsPerTask(kept, rows * width);
    if (split) {
      Value keptIndex = e.rem(shell.task(), kept);
      Value block = e.div(shell.task(), kept);
      memref::StoreOp::create(e.b, e.loc,
                              blockSum(e, builder, keptIndex, block),
                              memrefOf(shell), ValueRange{block, keptIndex});
    } else {
      Value begin = e.mul(shell.task(), perTask);
      Value end = e.min(e.add(begin, perTask), e.index(kept));
      e.loop(begin, end, 1, [&](Value keptIndex) {
        finish(e, builder, keptIndex, addBlocks(e, [&](Value block) {
                 return blockSum(e, builder, keptIndex, block);
               }));
      });
    }
    emitted.phases.push_back(
        shell.finish(split ? kept * blocks : ceilDiv(kept, perTask)));
  }
  if (!split)
    return success();
  emitted.sharedBytes = blocks * kept * int64_t(sizeof(float));
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  Value keptIndex = shell.task(), memref = memrefOf(shell);
  finish(e, builder, keptIndex, addBlocks(e, [&](Value block) -> Value {
           return memref::LoadOp::create(e.b, e.loc, memref,
                                         ValueRange{block, keptIndex});
         }));
  emitted.phases.push_back(shell.finish(kept));
  return success();
}

/// A maximum or minimum over a dimension that is not the last: lane by lane, in order.
static LogicalResult emitExtremum(const KernelJob &job, Operation *anchor,
                                  const Extremum &op, EmittedKernel &emitted) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.index.getType()).getShape();
  FailureOr<SmallVector<ResultView>> yields = matchYields(job, {shape});
  if (failed(yields) || failed(checkEpilogue(anchor)))
    return failure();
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  LaneMath math(e);
  int64_t size = cast<RankedTensorType>(op.input.getType()).getDimSize(op.dim);
  Type place = getElementTypeOrSelf(op.index.getType());
  LoopNest nest(shape, SmallVector<bool>(shape.size(), false));
  nest.emit(e, shell.task(), [&](const Position &at) {
    ElementBuilder::Scope scope(builder);
    VectorType places = getLanesType(place);
    auto splatPlace = [&](Value index) -> Value {
      return arith::IndexCastOp::create(e.b, e.loc, places,
                                        math.splatIndex(index));
    };
    SmallVector<Value> best = e.loop(
        e.index(0), e.index(size), 1,
        ValueRange{e.splat(-INFINITY), splatPlace(e.index(0))},
        [&](Value i, ValueRange old) {
          ElementBuilder::Scope inner(builder);
          Position from = at;
          from.dims.insert(from.dims.begin() + op.dim, math.uniform(i));
          Value x = op.signedValue(e, builder.lanes(op.input, from));
          auto [max, where] =
              emitBetterMax(e, old[0], old[1], x, splatPlace(i), false);
          return SmallVector<Value>{max, where};
        });
    if (op.output) {
      Value extreme = op.signedValue(e, best[0]);
      builder.bind(op.output, [=](const Position &) { return extreme; });
    }
    builder.bind(op.index, [=](const Position &) { return best[1]; });
    for (const ResultView &yield : *yields)
      builder.store(yield.storage, at, builder.element(yield.value, at));
  });
  emitted.phases.push_back(shell.finish(nest.tasks()));
  return success();
}

LogicalResult tt::cpu::emitReduceKernel(const KernelJob &job, Operation *op,
                                        EmittedKernel &emitted) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!element.isF32())
    return op->emitError() << "'" << op->getName() << "' of element type "
                           << element << " is not lowered on the CPU yet";
  if (std::optional<Extremum> extremum = getExtremum(op))
    return emitExtremum(job, op, *extremum, emitted);
  return ReduceEmitter(job, op).emit(emitted);
}
