//===- AttentionBackwardTile.cpp - The five products of a tile ------------===//
#include "AttentionBackward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tt::cpu;
using tt::attention::TilePlan;

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
      e, plan.blockQ, valid, tile.vectors, [&](Value column, int64_t vectors) {
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
