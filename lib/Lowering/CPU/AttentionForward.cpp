//===- AttentionForward.cpp - Online softmax over key blocks --------------===//
//
// One task is one block of queries of one head. Per key block and group of
// lanes: scores and their maximum, exp2 and sum, then output += p v. The output
// tile is [D][queries] and is transposed when it is written.
//
//===----------------------------------------------------------------------===//
#include "AttentionFeatures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tt::cpu;
using tt::attention::TilePlan;

namespace {

class ForwardEmitter {
public:
  ForwardEmitter(PhaseShell &shell, const AttentionSpec &spec,
                 RegisterTile tile)
      : e(shell), spec(spec), tile(tile),
        frame(spec, kQueryTile,
              spec.blockK ? spec.blockK : kAttentionKeyBlock),
        features(e, frame) {}

  int64_t emit(); // returns the number of tasks
  int64_t getWorkerBytes() const { return frame.workerBytes; }

private:
  void openTask();
  void readQueries();
  void emitKeyBlock(Value keyBlock);
  void emitGroup(Value firstKey, Value rows, Value column, int64_t vectors);
  SmallVector<Value> emitScores(const GroupMask &mask, Value firstKey,
                                Value rows, Value column, int64_t vectors);
  void emitProbabilities(ValueRange maximum, ValueRange rescale, Value count,
                         Value column);
  void dropProbabilities(Value count, Value column, int64_t vectors);
  void emitOutput(ValueRange rescale, Value firstKey, Value count,
                  Value column);
  void writeResults();

  LoopEmitter e;
  const AttentionSpec &spec;
  RegisterTile tile;
  AttentionFrame frame;
  ScoreFeatures features;

  // Operands, and offsets of the task's head in them.
  Value q, k, v, out, lse;
  Value qBase, kBase, vBase, outBase, lseBase;
  Value queryBlock, firstQuery, valid;
  // Scratch: q and output as [D][blockQ], scores as [blockK][group width],
  // running maximum and sum.
  Value qTile, outTile, scores, maxima, sums;
};

void ForwardEmitter::openTask() {
  const TilePlan &plan = frame.plan;
  int64_t blocks = plan.numQueryBlocks();
  q = frame.open(e, spec.q, spec.heads, spec.queries);
  k = frame.open(e, spec.k, spec.kvHeads, spec.keys);
  v = frame.open(e, spec.v, spec.kvHeads, spec.keys);
  out = frame.open(e, spec.out, spec.heads, spec.queries);
  lse = e.shell.operand(
      spec.lseOperand, MemRefType::get({spec.batch * spec.heads * spec.queries},
                                       e.b.getF32Type()));
  qTile = frame.allocate(e, spec.headSize * plan.blockQ);
  outTile = frame.allocate(e, spec.headSize * plan.blockQ);
  scores = frame.allocate(e, plan.blockK * tile.width());
  maxima = frame.allocate(e, plan.blockQ);
  sums = frame.allocate(e, plan.blockQ);

  // Heads in order; inside a head the causal mask makes the last block the
  // longest task, so it goes first.
  Value row = e.div(e.shell.task(), blocks); // batch * heads + head
  queryBlock = e.rem(e.shell.task(), blocks);
  if (spec.causal)
    queryBlock = e.sub(e.index(blocks - 1), queryBlock);
  Value batch = e.div(row, spec.heads), head = e.rem(row, spec.heads);
  Value kvHead = e.div(head, spec.heads / spec.kvHeads);
  firstQuery = e.mul(queryBlock, plan.blockQ);
  valid = plan.queries % plan.blockQ == 0
              ? e.index(plan.blockQ)
              : e.min(e.sub(e.index(plan.queries), firstQuery),
                      e.index(plan.blockQ));
  auto base = [&](const HeadsOperand &operand, Value which) {
    return e.add(e.mul(batch, operand.batch), e.mul(which, operand.head));
  };
  qBase = e.add(base(spec.q, head), e.mul(firstQuery, spec.q.token));
  outBase = e.add(base(spec.out, head), e.mul(firstQuery, spec.out.token));
  kBase = base(spec.k, kvHead);
  vBase = base(spec.v, kvHead);
  lseBase = e.add(e.mul(row, spec.queries), firstQuery);
  features.open();
  features.enterHead(batch, head);
  features.enterQueries(firstQuery, valid);
}

void ForwardEmitter::readQueries() {
  int64_t block = frame.plan.blockQ;
  TokenBlock from{q,
                  qBase,
                  spec.q.token,
                  valid,
                  block,
                  frame.plan.queries % block == 0,
                  spec.headSize};
  Value factor = e.splat(features.getQueryFactor());
  readSquares(
      e, from,
      [&](Value token, Value element, int64_t width, ArrayRef<Value> rows) {
        SmallVector<Value> scaled;
        for (Value row : rows)
          scaled.push_back(e.mulF(row, factor));
        storeTransposed(e, scaled, qTile, token, element, width, block);
      });
  Value zero = e.splat(0.0), lowest = e.splat(-kInfinity);
  e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
    e.store(lowest, maxima, lane);
    e.store(zero, sums, lane);
  });
  e.loop(e.index(0), e.index(spec.headSize * block), kLanes,
         [&](Value at) { e.store(zero, outTile, at); });
}

/// Scores of a group to scratch; returns their maximum per lane.
SmallVector<Value> ForwardEmitter::emitScores(const GroupMask &mask,
                                              Value firstKey, Value rows,
                                              Value column, int64_t vectors) {
  // The maximum lives in scratch between the loops of forEachScoreTile.
  auto slot = [&](int64_t i) { return e.add(column, i * kLanes); };
  forEachScoreTile(
      e, frame, mask, rows, tile.rows,
      [&](Value row, int64_t count, bool masked) {
        Value token = e.add(firstKey, row);
        ScalarSource keys{k, e.add(kBase, e.mul(token, spec.k.token)),
                          spec.k.token, 1};
        LanesSource queries{qTile, column, frame.plan.blockQ};
        SmallVector<Value> zeros(count * vectors, e.splat(0.0));
        SmallVector<Value> sums =
            emitProducts(e, {count, vectors}, e.index(0),
                         e.index(spec.headSize), keys, queries, zeros);
        features.apply({row, column, count, vectors}, sums);
        SmallVector<Value> maximum;
        for (int64_t i = 0; i < vectors; ++i)
          maximum.push_back(e.load(maxima, slot(i)));
        for (int64_t r = 0; r < count; ++r) {
          SmallVector<Value> visible;
          if (masked) {
            visible = emitVisible(e, mask, e.add(row, r), vectors);
            features.hide(e.add(row, r), column, visible);
          }
          Value at = e.mul(e.add(row, r), tile.width());
          for (int64_t i = 0; i < vectors; ++i) {
            Value score = sums[r * vectors + i];
            if (masked)
              score = arith::SelectOp::create(e.b, e.loc, visible[i], score,
                                              e.splat(-kInfinity));
            e.store(score, scores, e.add(at, i * kLanes));
            maximum[i] = emitMax(e.b, e.loc, score, maximum[i]);
          }
        }
        for (int64_t i = 0; i < vectors; ++i)
          e.store(maximum[i], maxima, slot(i));
      });
  SmallVector<Value> maximum;
  for (int64_t i = 0; i < vectors; ++i)
    maximum.push_back(e.load(maxima, slot(i)));
  return maximum;
}

/// exp2 of the scores in place; the running sums.
void ForwardEmitter::emitProbabilities(ValueRange maximum, ValueRange rescale,
                                       Value count, Value column) {
  SmallVector<Value> zeros(maximum.size(), e.splat(0.0));
  SmallVector<Value> blockSums =
      e.loop(e.index(0), count, 1, zeros, [&](Value row, ValueRange partial) {
        SmallVector<Value> next;
        for (auto [i, m] : llvm::enumerate(maximum)) {
          Value at = e.add(e.mul(row, tile.width()), i * kLanes);
          Value p = emitExp2(e, e.subF(e.load(scores, at), m));
          e.store(p, scores, at);
          next.push_back(e.addF(partial[i], p));
        }
        return next;
      });
  for (auto [i, sum] : llvm::enumerate(blockSums)) {
    Value at = e.add(column, i * kLanes);
    e.store(e.fma(e.load(sums, at), rescale[i], sum), sums, at);
  }
}

/// Zeros where dropout takes a probability, after the sums have it.
void ForwardEmitter::dropProbabilities(Value count, Value column, int64_t vectors) {
  Value zero = e.splat(0.0);
  features.forEachKept(count, column, vectors, [&](Value row, int64_t i, Value kept) {
    Value at = e.add(e.mul(row, tile.width()), i * kLanes);
    Value p = e.load(scores, at);
    e.store(arith::SelectOp::create(e.b, e.loc, kept, p, zero), scores, at);
  });
}

void ForwardEmitter::emitOutput(ValueRange rescale, Value firstKey, Value count,
                                Value column) {
  int64_t vectors = rescale.size(), block = frame.plan.blockQ;
  Value from = e.add(vBase, e.mul(firstKey, spec.v.token));
  forEachRowTile(
      e, e.index(0), e.index(spec.headSize), tile.rows,
      {spec.headSize % tile.rows}, [&](Value element, int64_t elements) {
        auto slot = [&](int64_t row, int64_t i) {
          return e.add(e.add(e.mul(e.add(element, row), block), column),
                       i * kLanes);
        };
        SmallVector<Value> acc;
        for (int64_t row = 0; row < elements; ++row)
          for (int64_t i = 0; i < vectors; ++i)
            acc.push_back(e.mulF(e.load(outTile, slot(row, i)), rescale[i]));
        ScalarSource values{v, e.add(from, element), 1, spec.v.token};
        LanesSource probabilities{scores, e.index(0), tile.width()};
        acc = emitProducts(e, {elements, vectors}, e.index(0), count, values,
                           probabilities, acc);
        for (int64_t row = 0; row < elements; ++row)
          for (int64_t i = 0; i < vectors; ++i)
            e.store(acc[row * vectors + i], outTile, slot(row, i));
      });
}

void ForwardEmitter::emitGroup(Value firstKey, Value rows, Value column,
                               int64_t vectors) {
  GroupMask mask =
      emitGroupMask(e, frame, firstQuery, firstKey, rows, column, vectors);
  features.enterColumns(column, vectors);
  SmallVector<Value> before;
  for (int64_t i = 0; i < vectors; ++i)
    before.push_back(e.load(maxima, e.add(column, i * kLanes)));
  SmallVector<Value> maximum =
      emitScores(mask, firstKey, rows, column, vectors);
  SmallVector<Value> rescale;
  Value lowest = e.splat(-kInfinity), zero = e.splat(0.0);
  for (int64_t i = 0; i < vectors; ++i) {
    // A lane that has seen no key yet subtracts 0, not -inf from -inf.
    maximum[i] = e.selectEqual(maximum[i], lowest, zero, maximum[i]);
    rescale.push_back(emitExp2(e, e.subF(before[i], maximum[i])));
  }
  emitProbabilities(maximum, rescale, mask.some, column);
  if (spec.dropout > 0)
    dropProbabilities(mask.some, column, vectors);
  emitOutput(rescale, firstKey, mask.some, column);
}

void ForwardEmitter::emitKeyBlock(Value keyBlock) {
  const TilePlan &plan = frame.plan;
  Value firstKey = e.mul(keyBlock, plan.blockK);
  Value rows =
      plan.keys % plan.blockK == 0
          ? e.index(plan.blockK)
          : e.min(e.sub(e.index(plan.keys), firstKey), e.index(plan.blockK));
  auto emit = [&] {
    features.enterKeys(firstKey, rows);
    forEachColumnGroup(e, plan.blockQ, valid, tile.vectors,
                       [&](Value column, int64_t vectors) {
                         emitGroup(firstKey, rows, column, vectors);
                       });
  };
  if (Value meet = features.segmentsMeet(firstKey, rows))
    e.ifThen(meet, emit);
  else
    emit();
}

void ForwardEmitter::writeResults() {
  int64_t block = frame.plan.blockQ;
  Value zero = e.splat(0.0), one = e.splat(features.getDropScale());
  Value sink = spec.sinks ? features.sink() : Value();
  // sums becomes its reciprocal, 0 for a row that has seen no key.
  e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
    Value sum = e.load(sums, lane), total = sum;
    Value maximum = e.load(maxima, lane), decay; // -inf: no key seen
    if (sink) { // as one more key, without a value
      Value larger = emitMax(e.b, e.loc, maximum, sink);
      decay = emitExp2(e, e.subF(maximum, larger));
      total = e.fma(sum, decay, emitExp2(e, e.subF(sink, larger)));
      maximum = larger;
    }
    Value logarithm = math::LogOp::create(e.b, e.loc, total);
    Value value = e.fma(maximum, e.splat(kLn2), logarithm);
    value = e.selectEqual(sum, zero, e.splat(-kInfinity), value);
    e.store(value, lse, e.add(lseBase, lane),
            firstLanes(e.b, e.loc, e.sub(valid, lane)));
    Value inverse = arith::DivFOp::create(e.b, e.loc, one, total);
    if (sink)
      inverse = e.mulF(inverse, decay);
    e.store(e.selectEqual(sum, zero, zero, inverse), sums, lane);
  });
  TokenBlock to{out,          outBase, spec.out.token,
                valid,        block,   frame.plan.queries % block == 0,
                spec.headSize};
  writeTransposed(e, outTile, to,
                  [&](Value token) { return e.load(sums, token); });
}

int64_t ForwardEmitter::emit() {
  openTask();
  readQueries();
  frame.forEachKeyBlock(e, queryBlock, Value(), Value(),
                        [&](Value keyBlock) { emitKeyBlock(keyBlock); });
  writeResults();
  return spec.batch * spec.heads * frame.plan.numQueryBlocks();
}

} // namespace

EmittedKernel tt::cpu::emitAttentionForward(ModuleOp module, Location loc,
                                            StringRef symbol,
                                            const Target &target,
                                            const AttentionSpec &spec) {
  PhaseShell shell(module, loc, (symbol + target.suffix).str(),
                   spec.numOperands);
  ForwardEmitter emitter(shell, spec, getAttentionTile(target));
  int64_t tasks = emitter.emit();
  EmittedKernel kernel;
  kernel.phases.push_back(shell.finish(tasks));
  kernel.workerBytes = emitter.getWorkerBytes();
  return kernel;
}
