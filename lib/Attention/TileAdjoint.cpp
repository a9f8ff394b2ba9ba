//===- TileAdjoint.cpp - Adjoint of attention as loops over tiles ---------===//
//
// The same loops as the forward. The probabilities of a tile come from its
// scores and lse; a query block carries its dq, all loops carry dk and dv whole,
// to which the query heads of a group add one after the other.
//
//===----------------------------------------------------------------------===//
#include "TileScores.h"

#include <limits>

using namespace mlir;
using namespace tt;
using namespace tt::attention;

using Values = TileLoops::Values;

namespace {

/// What a query block reads once.
struct QueryTile {
  Value q, dOutput, lse, delta;
};

class AdjointTiles {
public:
  AdjointTiles(TileLoops &loops, AttentionBwdOp op)
      : loops(loops), e(loops.emit), op(op), scores(loops, loops.mask) {}

  /// carried and returned: dq, dk, dv and, if wanted, d_bias.
  Values queryBlock(Head head, TokenBlock queries, ValueRange carried);

private:
  QueryTile readQueries(Head head, TokenBlock queries);
  /// carried and returned: the tile's dq, and dk, dv, d_bias.
  Values keyBlock(const QueryTile &tile, Head head, TokenBlock queries,
                  TokenBlock keys, bool masked, ValueRange carried);
  Value addTile(Value tile, Value to, Head head, TokenBlock keys) {
    Value old = loops.read(to, head.batch, head.key, keys);
    return loops.write(e.add(old, tile), to, head.batch, head.key, keys);
  }

  TileLoops &loops;
  Emit &e;
  AttentionBwdOp op;
  TileScores scores;
};

} // namespace

QueryTile AdjointTiles::readQueries(Head head, TokenBlock queries) {
  auto read = [&](Value from) {
    return loops.read(from, head.batch, head.query, queries);
  };
  QueryTile tile{read(op.getQ()), read(op.getDOutput()), read(op.getLse()), {}};
  if (loops.hasDeadRows()) {
    // The output of a row without a key is 0 whatever its d_output is.
    Value none = e.splat(tile.lse.getType(), -std::numeric_limits<double>::infinity());
    Value alive = e.compare(ComparePredicate::NE, tile.lse, none);
    tile.dOutput = e.select(e.alongRow(alive, tile.dOutput), tile.dOutput,
                            e.splat(tile.dOutput.getType(), 0));
  }
  tile.delta = e.rowSum(e.mul(tile.dOutput, read(op.getOutput())));
  if (op.getDLse())
    tile.delta = e.sub(tile.delta, read(op.getDLse()));
  return tile;
}

Values AdjointTiles::keyBlock(const QueryTile &tile, Head head, TokenBlock queries,
                              TokenBlock keys, bool masked, ValueRange carried) {
  Value dq = carried[0], dk = carried[1], dv = carried[2];
  Value k = loops.read(op.getK(), head.batch, head.key, keys);
  ScoreTile at{head, queries, keys};
  Value capSlope, s = scores.scores(at, tile.q, k, &capSlope);
  Value p = e.exp(e.sub(s, e.alongRow(tile.lse, s)));
  if (masked)
    p = scores.hide(at, p, 0);
  Value dvTile = loops.product(scores.drop(at, p), tile.dOutput, true, false);
  Value v = loops.read(op.getV(), head.batch, head.key, keys);
  Value dp = scores.drop(at, loops.product(tile.dOutput, v, false, true));
  Value ds = e.mul(p, e.sub(dp, e.alongRow(tile.delta, dp)));
  Values result(carried);
  if (op.getDBias())
    result[3] = scores.addToBias(at, ds, carried[3]);
  if (capSlope)
    ds = e.mul(ds, capSlope);
  ds = e.scale(ds, loops.mask.scale);
  Value dkTile = loops.product(ds, tile.q, true, false);
  result[0] = e.add(dq, loops.product(ds, k, false, false));
  result[1] = addTile(dkTile, dk, head, keys);
  result[2] = addTile(dvTile, dv, head, keys);
  return result;
}

Values AdjointTiles::queryBlock(Head head, TokenBlock queries, ValueRange carried) {
  QueryTile tile = readQueries(head, queries);
  Values start(carried);
  start[0] = loops.splat({queries.size, loops.headSize}, 0);
  Values state = loops.forEachKeyBlock(
      head, queries, start,
      [&](TokenBlock keys, bool masked, ValueRange values) {
        return keyBlock(tile, head, queries, keys, masked, values);
      });
  state[0] = loops.write(state[0], carried[0], head.batch, head.query, queries);
  return state;
}

Values tt::attention::emitTiledAdjoint(OpBuilder &builder, AttentionBwdOp op,
                                       const TilePlan &plan) {
  TileLoops loops(builder, op.getLoc(), op.getQ(), op.getK(), plan,
                  AttentionMask::of(op));
  AdjointTiles tiles(loops, op);
  Value zero = loops.splat(shapeOf(op.getK()), 0); // sums stay wide
  Values start = {loops.empty(op.getDq()), zero, zero};
  if (op.getDBias())
    start.push_back(loops.splat(shapeOf(op.getBias()), 0));
  Values results = loops.forEachHead(
      start, [&](Head head, ValueRange outer) {
        return loops.forEachQueryBlock(
            Values(outer), [&](TokenBlock queries, ValueRange inner) {
              return tiles.queryBlock(head, queries, inner);
            });
      });
  for (auto [value, result] : llvm::zip(results, op.getResults()))
    value = loops.emit.cast(value, tensorOf(result).getElementType());
  return results;
}
