//===- SortEmitter.cpp - Lines in stable order ----------------------------===//
//
// A merge sort of places, bottom up, in scratch of the worker: runs of 1, 2, 4,
// ... elements go from one half of the place array to the other. Stable, n log n,
// and without a branch that depends on threads or levels.
//
//===----------------------------------------------------------------------===//
#include "SortEmitter.h"
#include "IndexMath.h"
#include "LoopNest.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

class SortEmitter {
public:
  SortEmitter(PhaseShell &shell, const KernelJob &job, Operation *anchor,
              ArrayRef<ResultView> yields);

  void emitLine(Value line);
  int64_t lines() const { return elementCount(lineShape); }
  static int64_t workerBytes(int64_t size) {
    return alignBytes(size * 4) + alignBytes(2 * size * 4);
  }

  LoopEmitter e;

private:
  Position at(ArrayRef<LaneIndex> line, Value i) {
    Position position{llvm::to_vector<4>(line), {}};
    position.dims.insert(position.dims.begin() + dim, math.uniform(i));
    return position;
  }
  void fill(ArrayRef<LaneIndex> line);
  void merge(Value from, Value to, Value begin, Value middle, Value end);
  void mergeRuns(Value pass);
  void write(ArrayRef<LaneIndex> line);
  Value isBefore(Value x, Value y);

  Value load(Value memref, Value i) {
    return memref::LoadOp::create(e.b, e.loc, memref, ValueRange{i});
  }
  void store(Value value, Value memref, Value i) {
    memref::StoreOp::create(e.b, e.loc, value, memref, ValueRange{i});
  }
  Value toIndex(Value place) {
    return arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), place);
  }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::slt, a, b);
  }

  ElementBuilder builder;
  LaneMath math;
  Operation *anchor;
  ArrayRef<ResultView> yields;
  SmallVector<int64_t> lineShape;
  int64_t dim, size;
  bool descending;
  Value keys, places; // f32 [size], i32 [2 size]
};

} // namespace

SortEmitter::SortEmitter(PhaseShell &shell, const KernelJob &job, Operation *anchor,
                         ArrayRef<ResultView> yields)
    : e(shell), builder(e, job), math(e), anchor(anchor), yields(yields) {
  auto type = cast<RankedTensorType>(anchor->getOperand(0).getType());
  dim = anchor->getAttrOfType<IntegerAttr>("dim").getInt();
  size = type.getDimSize(dim);
  lineShape.assign(type.getShape().begin(), type.getShape().end());
  lineShape.erase(lineShape.begin() + dim);
  descending = isa<TopKOp>(anchor) || cast<SortOp>(anchor).getDescending();
  keys = shell.worker(0, MemRefType::get({size}, e.b.getF32Type()));
  places = shell.worker(alignBytes(size * 4),
                        MemRefType::get({2 * size}, e.b.getI32Type()));
}

void SortEmitter::fill(ArrayRef<LaneIndex> line) {
  e.loop(e.index(0), e.index(size), 1, [&](Value i) {
    ElementBuilder::Scope scope(builder);
    store(builder.element(anchor->getOperand(0), at(line, i)), keys, i);
    store(arith::IndexCastOp::create(e.b, e.loc, e.b.getI32Type(), i), places, i);
  });
}

/// x < y in the order wanted; NaN is above all numbers.
Value SortEmitter::isBefore(Value x, Value y) {
  if (descending)
    std::swap(x, y);
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(e.b, e.loc, predicate, a, b);
  };
  Value toNaN = arith::AndIOp::create(
      e.b, e.loc, compare(arith::CmpFPredicate::UNO, y, y),
      compare(arith::CmpFPredicate::ORD, x, x));
  return arith::OrIOp::create(e.b, e.loc, toNaN,
                              compare(arith::CmpFPredicate::OLT, x, y));
}

/// The runs [begin, middle) and [middle, end) of `from` into one of `to`. On a tie
/// the left run, whose elements came first.
void SortEmitter::merge(Value from, Value to, Value begin, Value middle, Value end) {
  Value last = e.index(size - 1);
  e.loop(begin, end, 1, ValueRange{begin, middle}, [&](Value out, ValueRange next) {
    Value left = next[0], right = next[1];
    auto placeAt = [&](Value i) { return load(places, e.add(from, e.min(i, last))); };
    Value leftPlace = placeAt(left), rightPlace = placeAt(right);
    Value before = isBefore(load(keys, toIndex(rightPlace)),
                            load(keys, toIndex(leftPlace)));
    Value hasLeft = less(left, middle), hasRight = less(right, end);
    Value keepsLeft = arith::AndIOp::create(
        e.b, e.loc, hasLeft,
        arith::XOrIOp::create(e.b, e.loc, before,
                              arith::ConstantIntOp::create(e.b, e.loc, 1, 1)));
    Value takesRight = arith::SelectOp::create(
        e.b, e.loc, keepsLeft, arith::ConstantIntOp::create(e.b, e.loc, 0, 1),
        hasRight);
    store(arith::SelectOp::create(e.b, e.loc, takesRight, rightPlace, leftPlace),
          places, e.add(to, out));
    auto step = [&](Value when, Value yes, Value no) -> Value {
      return arith::SelectOp::create(e.b, e.loc, when, yes, no);
    };
    return SmallVector<Value>{step(takesRight, left, e.add(left, 1)),
                              step(takesRight, e.add(right, 1), right)};
  });
}

/// One pass over the line: runs of 2^pass become runs of twice that.
void SortEmitter::mergeRuns(Value pass) {
  Value one = e.index(1), all = e.index(size);
  Value run = arith::ShLIOp::create(e.b, e.loc, one, pass);
  Value two = arith::ShLIOp::create(e.b, e.loc, run, one);
  Value from = e.mul(e.rem(pass, 2), size), to = e.sub(all, from);
  Value rounded = e.add(all, e.sub(two, one));
  Value pairs = arith::ShRUIOp::create(e.b, e.loc, rounded, e.add(pass, 1));
  e.loop(e.index(0), pairs, 1, [&](Value pair) {
    Value begin = arith::ShLIOp::create(e.b, e.loc, pair, e.add(pass, 1));
    Value middle = e.min(e.add(begin, run), all);
    merge(from, to, begin, middle, e.min(e.add(begin, two), all));
  });
}

void SortEmitter::write(ArrayRef<LaneIndex> line) {
  Value values = anchor->getResult(0), indices = anchor->getResult(1);
  int64_t length = cast<RankedTensorType>(values.getType()).getDimSize(dim);
  int64_t passes = llvm::Log2_64_Ceil(uint64_t(size));
  Value sorted = e.index(passes % 2 * size);
  e.loop(e.index(0), e.index(length), 1, [&](Value i) {
    ElementBuilder::Scope scope(builder);
    Value place = load(places, e.add(sorted, i));
    Value key = load(keys, toIndex(place));
    builder.bind(values, [key](const Position &) { return key; });
    builder.bind(indices, [place](const Position &) { return place; });
    Position position = at(line, i);
    for (const ResultView &yield : yields)
      builder.store(yield.storage, position, builder.element(yield.value, position));
  });
  builder.unbind(values);
  builder.unbind(indices);
}

void SortEmitter::emitLine(Value line) {
  ElementBuilder::Scope scope(builder);
  SmallVector<LaneIndex, 4> index = math.delinearize(math.uniform(line), lineShape);
  fill(index);
  int64_t passes = llvm::Log2_64_Ceil(uint64_t(size));
  e.loop(e.index(0), e.index(passes), 1, [&](Value pass) { mergeRuns(pass); });
  write(index);
}

LogicalResult tt::cpu::emitSort(const KernelJob &job, Operation *anchor,
                                ArrayRef<ResultView> yields,
                                EmittedKernel &emitted) {
  auto type = cast<RankedTensorType>(anchor->getOperand(0).getType());
  int64_t size =
      type.getDimSize(anchor->getAttrOfType<IntegerAttr>("dim").getInt());
  if (size > INT32_MAX)
    return anchor->emitError() << "'" << anchor->getName()
                               << "' along 2^31 elements or more is not lowered on "
                                  "the CPU";
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  SortEmitter sort(shell, job, anchor, yields);
  int64_t lines = sort.lines();
  int64_t passes = llvm::Log2_64_Ceil(uint64_t(size)) + 1;
  int64_t perTask = rowsPerTask(lines, size * passes); // checked: a tensor's size
  LoopEmitter &e = sort.e;                             // times at most 32
  Value begin = e.mul(shell.task(), perTask);
  Value end = e.min(e.add(begin, perTask), e.index(lines));
  e.loop(begin, end, 1, [&](Value line) { sort.emitLine(line); });
  emitted.workerBytes = SortEmitter::workerBytes(size);
  emitted.phases.push_back(shell.finish(ceilDiv(lines, perTask)));
  return success();
}
