//===- LineEmitter.cpp - Running sums and adds along a dimension ----------===//
//
// The lines of one dimension are independent; each is walked from one end to the
// other, 16 lines at a time. That order is the numerics.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"
#include "KernelEmitters.h"
#include "LoopNest.h"
#include "PhiloxEmitter.h"
#include "SortEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

class LineEmitter {
public:
  LineEmitter(PhaseShell &shell, const KernelJob &job, ArrayRef<ResultView> yields)
      : e(shell), builder(e, job), math(e), yields(yields) {}

  void emitCumSum(CumSumOp op, const Position &line);
  void emitScatter(ScatterAlongOp op, const Position &line);

  LoopEmitter e;
  ElementBuilder builder;

private:
  /// The position of element `i` of a line.
  Position along(const Position &line, int64_t dim, LaneIndex i) {
    Position at = line;
    at.dims.insert(at.dims.begin() + dim, i);
    return at;
  }
  Value read(Value value, const Position &at, bool lanes) {
    return lanes ? builder.lanes(value, at) : builder.element(value, at);
  }
  Value add(Value a, Value b) {
    if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
      return e.addF(a, b);
    return arith::AddIOp::create(e.b, e.loc, a, b);
  }
  Value zero(Type element, bool lanes) {
    Type type = lanes ? Type(getLanesType(element)) : element;
    return arith::ConstantOp::create(e.b, e.loc, e.b.getZeroAttr(type));
  }
  void store(Value anchor, const Position &at, Value value);

  LaneMath math;
  ArrayRef<ResultView> yields;
};

} // namespace

/// Writes one element of the anchor to all yields.
void LineEmitter::store(Value anchor, const Position &at, Value value) {
  ElementBuilder::Scope scope(builder);
  builder.bind(anchor, [value](const Position &) { return value; });
  for (const ResultView &yield : yields)
    builder.store(yield.storage, at, builder.element(yield.value, at));
  builder.unbind(anchor);
}

void LineEmitter::emitCumSum(CumSumOp op, const Position &line) {
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim(), size = type.getDimSize(dim);
  bool lanes = !line.isUniform();
  e.loop(e.index(0), e.index(size), 1, zero(type.getElementType(), lanes),
         [&](Value step, ValueRange sum) {
           ElementBuilder::Scope scope(builder);
           Value i = op.getReverse() ? e.sub(e.index(size - 1), step) : step;
           Position at = along(line, dim, math.uniform(i));
           Value next = add(sum[0], read(op.getInput(), at, lanes));
           store(op.getOutput(), at, op.getExclusive() ? Value(sum[0]) : next);
           return SmallVector<Value>{next};
         });
}

/// The result's own storage holds the sums, so that a long line needs no scratch:
/// the one yield is the anchor.
void LineEmitter::emitScatter(ScatterAlongOp op, const Position &line) {
  RankedTensorType type = typeOf(op.getUpdates());
  int64_t dim = op.getDim(), size = op.getSize();
  bool lanes = !line.isUniform();
  const StridedOperand &sums = yields[0].storage;
  Value none = zero(type.getElementType(), lanes);
  e.loop(e.index(0), e.index(size), 1, [&](Value i) {
    builder.store(sums, along(line, dim, math.uniform(i)), none);
  });
  e.loop(e.index(0), e.index(type.getDimSize(dim)), 1, [&](Value i) {
    ElementBuilder::Scope scope(builder);
    Position from = along(line, dim, math.uniform(i));
    Value place = read(op.getIndices(), from, lanes);
    Type indexType = e.b.getIndexType();
    if (lanes)
      indexType = getLanesType(indexType);
    place = arith::IndexCastOp::create(e.b, e.loc, indexType, place);
    LaneIndex index = lanes ? math.fromLanes(place) : math.uniform(place);
    Value inside = math.inRange(index, size);
    Value update = arith::SelectOp::create(
        e.b, e.loc, inside, read(op.getUpdates(), from, lanes), none);
    Position to = along(line, dim, math.clamp(index, size));
    Value old = builder.load(sums, to);
    builder.store(sums, to, add(lanes ? builder.spread(old) : old, update));
  });
}

static LogicalResult checkType(Operation *anchor, bool allowsIntegers) {
  Type element = getElementTypeOrSelf(anchor->getOperand(0).getType());
  if (element.isF32() || (allowsIntegers && isa<IntegerType>(element)))
    return success();
  return anchor->emitError() << "'" << anchor->getName() << "' of element type "
                             << element << " is not lowered on the CPU yet";
}

LogicalResult tt::cpu::emitLineKernel(const KernelJob &job, Operation *anchor,
                                      EmittedKernel &emitted) {
  ArrayRef<int64_t> shape = typeOf(anchor->getResult(0)).getShape();
  int64_t dim = anchor->getAttrOfType<IntegerAttr>("dim").getInt();
  FailureOr<SmallVector<ResultView>> yields = matchYields(job, {shape});
  if (failed(checkType(anchor, isa<CumSumOp>(anchor))) || failed(yields) ||
      failed(checkEpilogue(anchor)))
    return failure();
  if (isa<SortOp, TopKOp>(anchor))
    return emitSort(job, anchor, *yields, emitted);
  SmallVector<int64_t> lines(shape);
  lines.erase(lines.begin() + dim);
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LineEmitter emitter(shell, job, *yields);
  LoopNest nest(lines, SmallVector<bool>(lines.size(), false));
  nest.emit(emitter.e, shell.task(), [&](const Position &line) {
    ElementBuilder::Scope scope(emitter.builder);
    if (auto sum = dyn_cast<CumSumOp>(anchor))
      emitter.emitCumSum(sum, line);
    else
      emitter.emitScatter(cast<ScatterAlongOp>(anchor), line);
  });
  emitted.phases.push_back(shell.finish(nest.tasks()));
  return success();
}
