//===- TileAdjoint.cpp - Adjoint of attention as loops over tiles ---------===//
//
// The same loops as the forward. The probabilities of a tile come from its
// scores and lse; a query block carries its dq, all loops carry dk and dv whole,
// to which the query heads of a group add one after the other.
//
//===----------------------------------------------------------------------===//
#include "TileLoops.h"

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
      : loops(loops), e(loops.emit), op(op) {}

  /// carried and returned: dq, dk, dv.
  Values queryBlock(Head head, TokenBlock queries, ValueRange carried);

private:
  QueryTile readQueries(Head head, TokenBlock queries);
  /// carried and returned: the tile's dq, and dk, dv.
  Values keyBlock(const QueryTile &tile, Head head, TokenBlock queries,
                  TokenBlock keys, bool masked, ValueRange carried);
  Value addTile(Value tile, Value to, Head head, TokenBlock keys) {
    Value old = loops.read(to, head.batch, head.key, keys);
    return loops.write(e.add(old, tile), to, head.batch, head.key, keys);
  }

  TileLoops &loops;
  Emit &e;
  AttentionBwdOp op;
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
  return tile;
}

Values AdjointTiles::keyBlock(const QueryTile &tile, Head head, TokenBlock queries,
                              TokenBlock keys, bool masked, ValueRange carried) {
  Value dq = carried[0], dk = carried[1], dv = carried[2];
  Value k = loops.read(op.getK(), head.batch, head.key, keys);
  Value s = loops.scores(tile.q, k);
  Value p = e.exp(e.sub(s, e.alongRow(tile.lse, s)));
  if (masked)
    p = e.select(loops.visible(queries, keys), p, e.splat(p.getType(), 0));
  Value dvTile = loops.product(p, tile.dOutput, true, false);
  Value v = loops.read(op.getV(), head.batch, head.key, keys);
  Value dp = loops.product(tile.dOutput, v, false, true);
  Value ds = e.mul(p, e.sub(dp, e.alongRow(tile.delta, dp)));
  ds = e.scale(ds, loops.scale);
  Value dkTile = loops.product(ds, tile.q, true, false);
  return {e.add(dq, loops.product(ds, k, false, false)),
          addTile(dkTile, dk, head, keys), addTile(dvTile, dv, head, keys)};
}

Values AdjointTiles::queryBlock(Head head, TokenBlock queries, ValueRange carried) {
  QueryTile tile = readQueries(head, queries);
  Values state = loops.forEachKeyBlock(
      queries,
      {loops.splat({queries.size, loops.headSize}, 0), carried[1], carried[2]},
      [&](TokenBlock keys, bool masked, ValueRange values) {
        return keyBlock(tile, head, queries, keys, masked, values);
      });
  state[0] = loops.write(state[0], carried[0], head.batch, head.query, queries);
  return state;
}

Values tt::attention::emitTiledAdjoint(OpBuilder &builder, AttentionBwdOp op,
                                       const TilePlan &plan) {
  TileLoops loops(builder, op.getLoc(), op.getQ(), op.getK(), plan,
                  op.getScale().convertToDouble());
  AdjointTiles tiles(loops, op);
  Value zero = loops.splat(shapeOf(op.getK()), 0); // sums stay wide
  Values results = loops.forEachHead(
      {loops.empty(op.getDq()), zero, zero}, [&](Head head, ValueRange outer) {
        return loops.forEachQueryBlock(
            Values(outer), [&](TokenBlock queries, ValueRange inner) {
              return tiles.queryBlock(head, queries, inner);
            });
      });
  for (Value &result : results)
    result = loops.emit.cast(result, tensorOf(op.getQ()).getElementType());
  return results;
}
