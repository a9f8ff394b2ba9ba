//===- AttentionBackwardTile.cpp - The five products of a tile ------------===//
#include "AttentionBackward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tt::cpu;
using tt::attention::TilePlan;

/// ds from dp: (dp - delta) p. What dv reads of p is dropped here.
Value BackwardEmitter::scoreChange(Value at, Value probability, Value change, Value delta) {
  Value zero = e.splat(0.0);
  if (spec.dropout > 0)
    e.store(e.selectEqual(e.load(kept, at), zero, zero, probability), p, at);
  Value result = e.mulF(e.subF(change, delta), probability);
  return goesThroughCap() ? e.mulF(result, e.load(capSlope, at)) : result;
}

/// Adds a register tile's p dp and p, key after key, whatever its height.
void BackwardEmitter::addToRowSum(Value row, int64_t count, Value column,
                                 int64_t vectors) {
  for (int64_t i = 0; i < vectors; ++i) {
    Value query = e.add(column, i * kLanes);
    Value sum = e.load(rowSum, query), mass = e.load(rowMass, query);
    for (int64_t r = 0; r < count; ++r) {
      Value at = e.add(e.mul(e.add(row, r), frame.plan.blockQ), query);
      Value probability = e.load(p, at);
      sum = e.fma(probability, e.load(ds, at), sum);
      mass = e.addF(mass, probability);
    }
    e.store(sum, rowSum, query);
    e.store(mass, rowMass, query);
  }
}

/// 1 / sum p where that is 1 but for the rounding of lse, else 1: a sink, of which the
/// adjoint knows nothing else, may have the rest of the row.
Value BackwardEmitter::inverseMass(Value query) {
  Value one = e.splat(1.0), mass = e.load(rowMass, query);
  Value off = math::AbsFOp::create(e.b, e.loc,
                                   math::LogOp::create(e.b, e.loc, mass));
  Value size = math::AbsFOp::create(e.b, e.loc, e.load(lse2, query));
  Value bound = e.mulF(emitMax(e.b, e.loc, size, one), e.splat(0x1p-22));
  // Less: a row without keys has the mass 0 and the lse inf.
  Value isRounding =
      arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OLT, off, bound);
  return arith::DivFOp::create(
      e.b, e.loc, one, arith::SelectOp::create(e.b, e.loc, isRounding, mass, one));
}

/// delta becomes the sum of p dp if that is within 2^-20 of its terms; for an output
/// that is not this attention's own it stays what it is. The p of a row are divided by
/// their sum, which the rounding of lse keeps from being 1: a row of ds then sums to 0,
/// and a large lse, which is off by e^6 at 10^8, does not matter.
void BackwardEmitter::finishDelta(Value column, int64_t vectors) {
  for (int64_t i = 0; i < vectors; ++i) {
    Value query = e.add(column, i * kLanes);
    Value step = e.mulF(e.load(reach, query), e.splat(0x1p-20));
    Value inverse = inverseMass(query);
    e.store(inverse, rowMass, query);
    Value given = e.load(delta, query), summed = e.mulF(e.load(rowSum, query), inverse);
    Value distance = math::AbsFOp::create(e.b, e.loc, e.subF(summed, given));
    Value isClose = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OLE, distance, step);
    Value value = arith::SelectOp::create(e.b, e.loc, isClose, summed, given);
    if (spec.dLse)
      value = e.subF(value, loadLseChange(query));
    e.store(value, delta, query);
  }
}

/// ds of one register tile that holds dp.
void BackwardEmitter::finishScores(Value row, int64_t count, bool masked, Value column,
                                   int64_t vectors) {
  Value zero = e.splat(0.0);
  for (int64_t i = 0; i < vectors; ++i) {
    Value query = e.add(column, i * kLanes), perQuery = e.load(delta, query);
    Value inverse = e.load(rowMass, query);
    for (int64_t r = 0; r < count; ++r) {
      Value at = e.add(e.mul(e.add(row, r), frame.plan.blockQ), query);
      Value probability = e.mulF(e.load(p, at), inverse);
      e.store(probability, p, at);
      Value change = scoreChange(at, probability, e.load(ds, at), perQuery);
      if (masked) // not even what is no number reaches a hidden key
        change = e.selectEqual(probability, zero, zero, change);
      e.store(change, ds, at);
    }
  }
}

/// p and ds of one register tile; where rows are whole in it, p and dp.
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
      if (masked) {
        visible = emitVisible(e, mask, e.add(row, r), vectors);
        features.hide(e.add(row, r), column, visible);
      }
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
  SmallVector<Value> slopes;
  features.apply({row, column, count, vectors}, scores, &slopes);
  SmallVector<Value> perQuery = perLanes(lse2);
  if (goesThroughCap())
    finish(capSlope,
           [&](Value, int64_t r, int64_t i) { return slopes[r * vectors + i]; });
  finish(p, [&](Value, int64_t r, int64_t i) {
    return emitExp2(e, e.subF(scores[r * vectors + i], perQuery[i]));
  });
  SmallVector<Value> dp = product(v, vBase, spec.v.token, dOutTile);
  perQuery = perLanes(delta);
  finish(ds, [&](Value at, int64_t r, int64_t i) {
    Value change = dp[r * vectors + i];
    if (spec.dropout > 0)
      change = e.selectEqual(e.load(kept, at), zero, zero, change);
    return seesWholeRows() ? change : scoreChange(at, e.load(p, at), change, perQuery[i]);
  });
  if (seesWholeRows())
    addToRowSum(row, count, column, vectors);
}

/// gradient[key] += sum over the block's queries of scores[key] * rows.
void BackwardEmitter::accumulateKeyRows(Value gradient, Value base,
                                        int64_t token, Value scores,
                                        Value rows) {
  const TilePlan &plan = frame.plan;
  Value end = keyRows, offset;
  bool startsLate = plan.hasRight() && !frame.wholeTiles;
  if (startsLate) {
    offset = e.sub(e.add(firstQuery, plan.diagonal() + plan.right()), firstKey);
    Value seen = e.clamp(e.add(offset, plan.blockQ), keyRows);
    end = e.min(e.mul(e.div(e.add(seen, tile.rows - 1), tile.rows), tile.rows),
                keyRows);
  }
  auto update = [&](Value row, int64_t count, Value element, int64_t vectors,
                    int64_t lastLanes) {
    // The first query that sees the tile's first key.
    Value begin = e.index(0);
    if (startsLate)
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
  if (Value meet = features.segmentsMeet(firstKey, keyRows))
    e.ifThen(meet, [&] { emitProductsOfTile(); });
  else
    emitProductsOfTile();
}

/// 1 or 0 for every score of a column group.
void BackwardEmitter::writeKept(Value column, int64_t vectors, Value count) {
  Value zero = e.splat(0.0), one = e.splat(1.0);
  features.forEachKept(count, column, vectors, [&](Value row, int64_t i, Value keeps) {
    Value at = e.add(e.add(e.mul(row, frame.plan.blockQ), column), i * kLanes);
    e.store(arith::SelectOp::create(e.b, e.loc, keeps, one, zero), kept, at);
  });
}

void BackwardEmitter::emitProductsOfTile() {
  const TilePlan &plan = frame.plan;
  features.enterKeys(firstKey, keyRows);
  forEachColumnGroup(
      e, plan.blockQ, valid, tile.vectors, [&](Value column, int64_t vectors) {
        GroupMask mask = emitGroupMask(e, frame, firstQuery, firstKey, keyRows,
                                       column, vectors);
        features.enterColumns(column, vectors);
        if (spec.dropout > 0)
          writeKept(column, vectors, keyRows);
        forEachScoreTile(e, frame, mask, keyRows, tile.rows,
                         [&](Value row, int64_t count, bool masked) {
                           emitScores(mask, row, count, masked, column,
                                      vectors);
                         });
        if (seesWholeRows()) {
          finishDelta(column, vectors);
          forEachScoreTile(e, frame, mask, keyRows, tile.rows,
                           [&](Value row, int64_t count, bool masked) {
                             finishScores(row, count, masked, column, vectors);
                           });
        }
        if (writesQueries())
          accumulateQueries(column, vectors, mask.some);
      });
  if (writesKeys()) {
    accumulateKeyRows(dv, dvBase, spec.dv.token, p, dOutRows);
    accumulateKeyRows(dk, dkBase, spec.dk.token, ds, qRows);
  }
  if (products == Products::Bias)
    accumulateBias();
}
