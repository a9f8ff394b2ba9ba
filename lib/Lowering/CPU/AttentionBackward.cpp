//===- AttentionBackward.cpp - Gradients from q, k, v, out, lse, dOut -----===//
//
// Per query block: transposed and row copies of q and dOut, delta, lse in base
// 2. Per tile: p and ds again from q, k, v (2 products), then dv += p dOut,
// dk += ds q and dq += ds k. dk and dv grow in their buffers, dq in scratch.
//
//===----------------------------------------------------------------------===//
#include "AttentionTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <limits>

using namespace mlir;
using namespace tt::cpu;
using tt::attention::TilePlan;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kLog2E = 1.4426950408889634;
static constexpr int64_t kDefaultKeyTile = 64;
/// Keys of one dk/dv task of the split schedule.
static constexpr int64_t kKeysPerTask = 256;

namespace {

/// What the tasks of a phase produce.
enum class Products { All, KeysAndValues, Queries };

class BackwardEmitter {
public:
  BackwardEmitter(PhaseShell &shell, const AttentionSpec &spec,
                  RegisterTile tile, Products products)
      : e(shell), spec(spec), tile(tile), products(products),
        frame(spec,
              spec.backwardBlockK ? spec.backwardBlockK : kDefaultKeyTile),
        rowPitch((spec.headSize + kLanes - 1) / kLanes * kLanes) {}

  int64_t emit(); // returns the number of tasks
  int64_t getWorkerBytes() const { return frame.workerBytes; }

private:
  void openOperands();
  int64_t emitKeyTasks();
  int64_t emitQueryTasks();
  void clearGradients(Value begin, Value end);
  void emitQueryBlock(Value batch, Value head, Value block, Value keyBegin,
                      Value keyEnd);
  void readQueryBlock();
  void readRows(Value memref, Value base, int64_t token, Value transposed,
                double transposedFactor, Value rows, double rowFactor);
  void emitDelta(Value outBase, Value dOutBase);
  void emitTile(Value keyBlock);
  void emitScores(const GroupMask &mask, Value row, int64_t count, bool masked,
                  Value column, int64_t vectors);
  void accumulateKeyRows(Value gradient, Value base, int64_t token,
                         Value scores, Value rows);
  void accumulateQueries(Value column, int64_t vectors, Value count);

  Value baseOf(const HeadsOperand &operand, Value batch, Value head) {
    return e.add(e.mul(batch, operand.batch), e.mul(head, operand.head));
  }
  bool writesKeys() const { return products != Products::Queries; }
  bool writesQueries() const { return products != Products::KeysAndValues; }

  LoopEmitter e;
  const AttentionSpec &spec;
  RegisterTile tile;
  Products products;
  AttentionFrame frame;
  int64_t rowPitch; // of qRows and dOutRows

  Value q, k, v, out, lse, dOut, dq, dk, dv;
  // Scratch: [D][blockQ], [blockQ][rowPitch], [blockK][blockQ], [blockQ].
  Value qTile, dOutTile, dqTile, qRows, dOutRows, p, ds, delta, lse2;
  // Offsets of the current heads and blocks.
  Value kBase, vBase, dkBase, dvBase;
  Value qBase, outBase, dOutBase, lseBase;
  Value firstQuery, valid, firstKey, keyRows;
};

void BackwardEmitter::openOperands() {
  auto open = [&](const HeadsOperand &operand, bool ofKeys) {
    return frame.open(e, operand, ofKeys ? spec.kvHeads : spec.heads,
                      ofKeys ? spec.keys : spec.queries);
  };
  q = open(spec.q, false);
  k = open(spec.k, true);
  v = open(spec.v, true);
  out = open(spec.out, false);
  dOut = open(spec.dOut, false);
  lse = e.shell.operand(
      spec.lseOperand, MemRefType::get({spec.batch * spec.heads * spec.queries},
                                       e.b.getF32Type()));
  int64_t blockQ = frame.plan.blockQ, blockK = frame.plan.blockK;
  qTile = frame.allocate(e, spec.headSize * blockQ);
  dOutTile = frame.allocate(e, spec.headSize * blockQ);
  p = frame.allocate(e, blockK * blockQ);
  ds = frame.allocate(e, blockK * blockQ);
  delta = frame.allocate(e, blockQ);
  lse2 = frame.allocate(e, blockQ);
  if (writesKeys()) {
    dk = open(spec.dk, true);
    dv = open(spec.dv, true);
    qRows = frame.allocate(e, blockQ * rowPitch);
    dOutRows = frame.allocate(e, blockQ * rowPitch);
  }
  if (writesQueries()) {
    dq = open(spec.dq, false);
    dqTile = frame.allocate(e, spec.headSize * blockQ);
  }
}

/// Zeros to dk and dv for the keys [begin, end).
void BackwardEmitter::clearGradients(Value begin, Value end) {
  Value zero = e.splat(0.0);
  e.loop(begin, end, 1, [&](Value token) {
    forEachElements(e, spec.headSize, [&](Value element, int64_t width) {
      Value mask = e.firstLanesOrNull(width);
      Value at = e.add(e.mul(token, spec.dk.token), element);
      e.store(zero, dk, e.add(dkBase, at), mask);
      at = e.add(e.mul(token, spec.dv.token), element);
      e.store(zero, dv, e.add(dvBase, at), mask);
    });
  });
}

/// One operand block as [D][blockQ] and, when `rows` is given, as rows.
void BackwardEmitter::readRows(Value memref, Value base, int64_t token,
                               Value transposed, double transposedFactor,
                               Value rows, double rowFactor) {
  int64_t block = frame.plan.blockQ;
  auto scale = [&](ArrayRef<Value> values, double factor) {
    SmallVector<Value> scaled(values);
    if (factor != 1.0)
      for (Value &value : scaled)
        value = e.mulF(value, e.splat(factor));
    return scaled;
  };
  TokenBlock from{memref,       base,  token,
                  valid,        block, frame.plan.queries % block == 0,
                  spec.headSize};
  readSquares(
      e, from,
      [&](Value first, Value element, int64_t width, ArrayRef<Value> square) {
        storeTransposed(e, scale(square, transposedFactor), transposed, first,
                        element, width, block);
        if (!rows)
          return;
        for (auto [i, row] : llvm::enumerate(scale(square, rowFactor)))
          e.store(row, rows, e.add(e.mul(e.add(first, i), rowPitch), element));
      });
}

/// delta = sum over d of dOut * out: 16 partial FMA chains and their tree.
void BackwardEmitter::emitDelta(Value outBase, Value dOutBase) {
  e.loop(e.index(0), valid, 1, [&](Value token) {
    Value outAt = e.add(outBase, e.mul(token, spec.out.token));
    Value dOutAt = e.add(dOutBase, e.mul(token, spec.dOut.token));
    SmallVector<Value> sum = forEachLanes(
        e.b, e.loc, spec.headSize, e.splat(0.0),
        [&](OpBuilder &inner, Value element, Value mask, ValueRange carried,
            SmallVectorImpl<Value> &next) {
          auto load = [&](Value memref, Value at) {
            Value position = arith::AddIOp::create(inner, e.loc, at, element);
            return loadLanes(inner, e.loc, memref, position, mask);
          };
          next.push_back(math::FmaOp::create(inner, e.loc, load(dOut, dOutAt),
                                             load(out, outAt), carried[0]));
        });
    memref::StoreOp::create(e.b, e.loc, horizontalSum(e.b, e.loc, sum[0]),
                            delta, token);
  });
}

void BackwardEmitter::readQueryBlock() {
  readRows(q, qBase, spec.q.token, qTile, spec.scale * kLog2E, qRows,
           spec.scale);
  readRows(dOut, dOutBase, spec.dOut.token, dOutTile, 1.0, dOutRows, 1.0);
  int64_t block = frame.plan.blockQ;
  Value zero = e.splat(0.0);
  if (frame.plan.queries % block)
    e.loop(e.index(0), e.index(block), kLanes,
           [&](Value lane) { e.store(zero, delta, lane); });
  emitDelta(outBase, dOutBase);
  // +inf makes the probabilities of a row without keys, or past the end, 0.
  Value lowest = e.splat(-kInfinity), highest = e.splat(kInfinity);
  e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
    Value mask = firstLanes(e.b, e.loc, e.sub(valid, lane));
    Value value = loadLanes(e.b, e.loc, lse, e.add(lseBase, lane), mask,
                            /*passThru=*/-kInfinity);
    Value base2 = e.mulF(value, e.splat(kLog2E));
    e.store(e.selectEqual(value, lowest, highest, base2), lse2, lane);
  });
  if (writesQueries())
    e.loop(e.index(0), e.index(spec.headSize * block), kLanes,
           [&](Value at) { e.store(zero, dqTile, at); });
}

/// p and ds of one register tile.
void BackwardEmitter::emitScores(const GroupMask &mask, Value row,
                                 int64_t count, bool masked, Value column,
                                 int64_t vectors) {
  int64_t block = frame.plan.blockQ;
  Value token = e.add(firstKey, row), zero = e.splat(0.0);
  SmallVector<Value> zeros(count * vectors, zero);
  auto product = [&](Value memref, Value base, int64_t stride, Value lanes) {
    ScalarSource scalars{memref, e.add(base, e.mul(token, stride)), stride, 1};
    return emitProducts(e, {count, vectors}, e.index(0), e.index(spec.headSize),
                        scalars, LanesSource{lanes, column, block}, zeros);
  };
  auto perLanes = [&](Value memref) {
    SmallVector<Value> loaded;
    for (int64_t i = 0; i < vectors; ++i)
      loaded.push_back(e.load(memref, e.add(column, i * kLanes)));
    return loaded;
  };
  auto finish = [&](Value memref,
                    function_ref<Value(Value at, int64_t r, int64_t i)> make) {
    for (int64_t r = 0; r < count; ++r) {
      SmallVector<Value> visible;
      if (masked)
        visible = emitVisible(e, mask, e.add(row, r), vectors);
      Value from = e.add(e.mul(e.add(row, r), block), column);
      for (int64_t i = 0; i < vectors; ++i) {
        Value at = e.add(from, i * kLanes);
        Value value = make(at, r, i);
        if (masked)
          value = arith::SelectOp::create(e.b, e.loc, visible[i], value, zero);
        e.store(value, memref, at);
      }
    }
  };
  SmallVector<Value> scores = product(k, kBase, spec.k.token, qTile);
  SmallVector<Value> perQuery = perLanes(lse2);
  finish(p, [&](Value, int64_t r, int64_t i) {
    return emitExp2(e, e.subF(scores[r * vectors + i], perQuery[i]));
  });
  SmallVector<Value> dp = product(v, vBase, spec.v.token, dOutTile);
  perQuery = perLanes(delta);
  finish(ds, [&](Value at, int64_t r, int64_t i) {
    return e.mulF(e.subF(dp[r * vectors + i], perQuery[i]), e.load(p, at));
  });
}

/// gradient[key] += sum over the block's queries of scores[key] * rows.
void BackwardEmitter::accumulateKeyRows(Value gradient, Value base,
                                        int64_t token, Value scores,
                                        Value rows) {
  const TilePlan &plan = frame.plan;
  Value end = keyRows, offset;
  if (plan.causal) {
    offset = e.sub(e.add(firstQuery, plan.diagonal()), firstKey);
    Value seen = e.clamp(e.add(offset, plan.blockQ), keyRows);
    end = e.min(e.mul(e.div(e.add(seen, tile.rows - 1), tile.rows), tile.rows),
                keyRows);
  }
  auto update = [&](Value row, int64_t count, Value element, int64_t vectors,
                    int64_t lastLanes) {
    // The first query that sees the tile's first key.
    Value begin = e.index(0);
    if (plan.causal)
      begin = e.clamp(e.sub(row, offset), valid);
    auto slot = [&](int64_t r, int64_t i) {
      Value at = e.mul(e.add(e.add(firstKey, row), r), token);
      return e.add(e.add(e.add(base, at), element), i * kLanes);
    };
    auto maskOf = [&](int64_t i) {
      return e.firstLanesOrNull(i == vectors - 1 ? lastLanes : kLanes);
    };
    SmallVector<Value> acc;
    for (int64_t r = 0; r < count; ++r)
      for (int64_t i = 0; i < vectors; ++i)
        acc.push_back(e.load(gradient, slot(r, i), maskOf(i)));
    int64_t block = plan.blockQ;
    acc = emitProducts(e, {count, vectors}, begin, valid,
                       ScalarSource{scores, e.mul(row, block), block, 1},
                       LanesSource{rows, element, rowPitch}, acc);
    for (int64_t r = 0; r < count; ++r)
      for (int64_t i = 0; i < vectors; ++i)
        e.store(acc[r * vectors + i], gradient, slot(r, i), maskOf(i));
  };
  forEachRowTile(e, e.index(0), end, tile.rows, frame.keyRemainders(tile.rows),
                 [&](Value row, int64_t count) {
                   int64_t whole = spec.headSize / tile.width() * tile.width();
                   e.loop(e.index(0), e.index(whole), tile.width(),
                          [&](Value element) {
                            update(row, count, element, tile.vectors, kLanes);
                          });
                   if (int64_t left = spec.headSize - whole) {
                     int64_t vectors = (left + kLanes - 1) / kLanes;
                     update(row, count, e.index(whole), vectors,
                            left - (vectors - 1) * kLanes);
                   }
                 });
}

/// dq[D][queries] += sum over the tile's keys of k * ds.
void BackwardEmitter::accumulateQueries(Value column, int64_t vectors,
                                        Value count) {
  int64_t block = frame.plan.blockQ;
  Value from = e.add(kBase, e.mul(firstKey, spec.k.token));
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
            acc.push_back(e.load(dqTile, slot(row, i)));
        acc =
            emitProducts(e, {elements, vectors}, e.index(0), count,
                         ScalarSource{k, e.add(from, element), 1, spec.k.token},
                         LanesSource{ds, column, block}, acc);
        for (int64_t row = 0; row < elements; ++row)
          for (int64_t i = 0; i < vectors; ++i)
            e.store(acc[row * vectors + i], dqTile, slot(row, i));
      });
}

void BackwardEmitter::emitTile(Value keyBlock) {
  const TilePlan &plan = frame.plan;
  firstKey = e.mul(keyBlock, plan.blockK);
  keyRows =
      plan.keys % plan.blockK == 0
          ? e.index(plan.blockK)
          : e.min(e.sub(e.index(plan.keys), firstKey), e.index(plan.blockK));
  forEachColumnGroup(
      e, plan.blockQ, tile.vectors, [&](Value column, int64_t vectors) {
        GroupMask mask = emitGroupMask(e, frame, firstQuery, firstKey, keyRows,
                                       column, vectors);
        forEachScoreTile(e, frame, mask, keyRows, tile.rows,
                         [&](Value row, int64_t count, bool masked) {
                           emitScores(mask, row, count, masked, column,
                                      vectors);
                         });
        if (writesQueries())
          accumulateQueries(column, vectors, mask.some);
      });
  if (writesKeys()) {
    accumulateKeyRows(dv, dvBase, spec.dv.token, p, dOutRows);
    accumulateKeyRows(dk, dkBase, spec.dk.token, ds, qRows);
  }
}

/// All products of one query block with the key blocks [keyBegin, keyEnd).
void BackwardEmitter::emitQueryBlock(Value batch, Value head, Value block,
                                     Value keyBegin, Value keyEnd) {
  const TilePlan &plan = frame.plan;
  bool whole = plan.queries % plan.blockQ == 0;
  firstQuery = e.mul(block, plan.blockQ);
  valid = whole ? e.index(plan.blockQ)
                : e.min(e.sub(e.index(plan.queries), firstQuery),
                        e.index(plan.blockQ));
  auto base = [&](const HeadsOperand &operand) {
    return e.add(baseOf(operand, batch, head),
                 e.mul(firstQuery, operand.token));
  };
  qBase = base(spec.q);
  outBase = base(spec.out);
  dOutBase = base(spec.dOut);
  lseBase = e.add(e.mul(e.add(e.mul(batch, spec.heads), head), spec.queries),
                  firstQuery);
  readQueryBlock();
  Value begin = e.max(frame.emitBound(e, plan.keyBegin(), block), keyBegin);
  Value end = e.min(frame.emitBound(e, plan.keyEnd(), block), keyEnd);
  e.loop(begin, end, 1, [&](Value keyBlock) { emitTile(keyBlock); });
  if (!writesQueries())
    return;
  TokenBlock to{dq,          base(spec.dq), spec.dq.token, valid,
                plan.blockQ, whole,         spec.headSize};
  Value scale = e.splat(spec.scale);
  writeTransposed(e, dqTile, to, [&](Value) { return scale; });
}

/// Tasks (batch, kv head[, chunk of keys]): all query heads of the group in
/// order, so that dk and dv are whole when the task ends.
int64_t BackwardEmitter::emitKeyTasks() {
  const TilePlan &plan = frame.plan;
  int64_t group = spec.heads / spec.kvHeads, blocks = plan.numKeyBlocks();
  int64_t perTask = blocks;
  if (products == Products::KeysAndValues)
    perTask =
        std::min(blocks, std::max<int64_t>(1, kKeysPerTask / plan.blockK));
  int64_t chunks = (blocks + perTask - 1) / perTask;
  Value row = e.div(e.shell.task(), chunks);
  Value keyBegin = e.mul(e.rem(e.shell.task(), chunks), perTask);
  Value keyEnd = e.min(e.add(keyBegin, perTask), e.index(blocks));
  Value batch = e.div(row, spec.kvHeads), kvHead = e.rem(row, spec.kvHeads);
  kBase = baseOf(spec.k, batch, kvHead);
  vBase = baseOf(spec.v, batch, kvHead);
  dkBase = baseOf(spec.dk, batch, kvHead);
  dvBase = baseOf(spec.dv, batch, kvHead);
  clearGradients(e.mul(keyBegin, plan.blockK),
                 e.min(e.mul(keyEnd, plan.blockK), e.index(plan.keys)));
  // A query block without keys still has to write its dq.
  Value begin = writesQueries()
                    ? e.index(0)
                    : frame.emitBound(e, plan.queryBegin(), keyBegin);
  e.loop(e.index(0), e.index(group), 1, [&](Value member) {
    Value head = e.add(e.mul(kvHead, group), member);
    e.loop(begin, e.index(plan.numQueryBlocks()), 1, [&](Value block) {
      emitQueryBlock(batch, head, block, keyBegin, keyEnd);
    });
  });
  return spec.batch * spec.kvHeads * chunks;
}

/// Tasks (batch, head, query block), the longest of a head first.
int64_t BackwardEmitter::emitQueryTasks() {
  const TilePlan &plan = frame.plan;
  int64_t blocks = plan.numQueryBlocks();
  Value row = e.div(e.shell.task(), blocks);
  Value block = e.rem(e.shell.task(), blocks);
  if (plan.causal)
    block = e.sub(e.index(blocks - 1), block);
  Value batch = e.div(row, spec.heads), head = e.rem(row, spec.heads);
  Value kvHead = e.div(head, spec.heads / spec.kvHeads);
  kBase = baseOf(spec.k, batch, kvHead);
  vBase = baseOf(spec.v, batch, kvHead);
  emitQueryBlock(batch, head, block, e.index(0), e.index(plan.numKeyBlocks()));
  return spec.batch * spec.heads * blocks;
}

int64_t BackwardEmitter::emit() {
  openOperands();
  return products == Products::Queries ? emitQueryTasks() : emitKeyTasks();
}

} // namespace

EmittedKernel tt::cpu::emitAttentionBackward(ModuleOp module, Location loc,
                                             StringRef symbol,
                                             const Target &target,
                                             const AttentionSpec &spec) {
  EmittedKernel kernel;
  auto addPhase = [&](StringRef part, Products products) {
    PhaseShell shell(module, loc, (symbol + part + target.suffix).str(),
                     spec.numOperands);
    BackwardEmitter emitter(shell, spec, getAttentionTile(target), products);
    int64_t tasks = emitter.emit();
    kernel.phases.push_back(shell.finish(tasks));
    kernel.workerBytes = std::max(kernel.workerBytes, emitter.getWorkerBytes());
  };
  if (spec.splitBackward) {
    addPhase("_dkv", Products::KeysAndValues);
    addPhase("_dq", Products::Queries);
  } else {
    addPhase("", Products::All);
  }
  return kernel;
}
