//===- TileForward.cpp - Attention as loops over tiles --------------------===//
//
// Online softmax. A query block carries, over its key blocks, the largest score
// m and the sum l of e^(s - m) per query, and the sum of e^(s - m) v.
//
//===----------------------------------------------------------------------===//
#include "TileScores.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace tt;
using namespace tt::attention;

using Values = TileLoops::Values;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

class ForwardTiles {
public:
  ForwardTiles(TileLoops &loops, AttentionOp op)
      : loops(loops), e(loops.emit), op(op), scores(loops, loops.mask) {}

  /// carried and returned: output, lse.
  Values queryBlock(Head head, TokenBlock queries, ValueRange carried);

private:
  /// carried and returned: m, l, sum of e^(s - m) v.
  Values keyBlock(Value q, Head head, TokenBlock queries, TokenBlock keys,
                  bool masked, ValueRange carried);
  /// The sums of a query block with the sink of its head in them.
  Values addSink(Head head, ValueRange state);
  Value largest(Value a, Value b) {
    return MaximumOp::create(e.builder, e.loc, a, b);
  }
  /// `value` with `instead` where `tested` is `special`.
  Value replace(Value tested, double special, Value value, double instead) {
    Value isSpecial = e.compare(ComparePredicate::EQ, tested,
                                e.splat(tested.getType(), special));
    return e.select(isSpecial, e.splat(value.getType(), instead), value);
  }

  TileLoops &loops;
  Emit &e;
  AttentionOp op;
  TileScores scores;
};

} // namespace

Values ForwardTiles::keyBlock(Value q, Head head, TokenBlock queries,
                              TokenBlock keys, bool masked, ValueRange carried) {
  Value m = carried[0], l = carried[1], sum = carried[2];
  Value k = loops.read(op.getK(), head.batch, head.key, keys);
  ScoreTile tile{head, queries, keys};
  Value s = scores.scores(tile, q, k);
  if (masked)
    s = scores.hide(tile, s, -kInfinity);
  Value ofTile = MaxOp::create(e.builder, e.loc, s, uint64_t(1)).getOutput();
  Value newM = largest(m, ofTile);
  // A row without a visible key so far has m = -inf; e^(-inf - 0) is what it needs.
  Value base = masked && scores.mayHideRowsOfTile()
                   ? replace(newM, -kInfinity, newM, 0)
                   : newM;
  Value p = e.exp(e.sub(s, e.alongRow(base, s)));
  Value decay = e.exp(e.sub(m, base));
  Value newL = e.add(e.mul(l, decay), e.rowSum(p));
  Value v = loops.read(op.getV(), head.batch, head.key, keys);
  Value newSum = e.add(e.mul(sum, e.alongRow(decay, sum)),
                       loops.product(scores.drop(tile, p), v, false, false));
  return {newM, newL, newSum};
}

Values ForwardTiles::addSink(Head head, ValueRange state) {
  Value m = state[0], l = state[1], sum = state[2];
  OpFoldResult at = getAsOpFoldResult(head.query), one = e.builder.getIndexAttr(1);
  Value sinks = op.getSinks();
  auto type = RankedTensorType::get({}, tensorOf(sinks).getElementType());
  Value sink = tensor::ExtractSliceOp::create(e.builder, e.loc, type, sinks, ArrayRef{at},
                                              ArrayRef{one}, ArrayRef{one});
  sink = e.broadcast(e.cast(sink, loops.sumType), shapeOf(m), {});
  Value newM = largest(m, sink), decay = e.exp(e.sub(m, newM));
  Value newL = e.add(e.mul(l, decay), e.exp(e.sub(sink, newM)));
  return {newM, newL, e.mul(sum, e.alongRow(decay, sum))};
}

Values ForwardTiles::queryBlock(Head head, TokenBlock queries, ValueRange carried) {
  Value q = loops.read(op.getQ(), head.batch, head.query, queries);
  int64_t rows = queries.size;
  Values state = loops.forEachKeyBlock(
      head, queries,
      {loops.splat({rows}, -kInfinity), loops.splat({rows}, 0),
       loops.splat({rows, loops.headSize}, 0)},
      [&](TokenBlock keys, bool masked, ValueRange values) {
        return keyBlock(q, head, queries, keys, masked, values);
      });
  Value seen = state[0]; // -inf: no key
  if (op.getSinks())
    state = addSink(head, state);
  Value m = state[0], l = state[1], sum = state[2];
  // Without a key: output 0 / 1, lse ln 0 + m, both as the op says.
  Value divisor = loops.hasDeadRows() ? replace(l, 0, l, 1) : l;
  Value output = e.div(sum, e.alongRow(divisor, sum));
  Value lse = e.add(LogOp::create(e.builder, e.loc, l), m);
  if (op.getSinks() && loops.hasDeadRows())
    lse = replace(seen, -kInfinity, lse, -kInfinity);
  return {loops.write(output, carried[0], head.batch, head.query, queries),
          loops.write(lse, carried[1], head.batch, head.query, queries)};
}

Values tt::attention::emitTiledAttention(OpBuilder &builder, AttentionOp op,
                                         const TilePlan &plan) {
  TileLoops loops(builder, op.getLoc(), op.getQ(), op.getK(), plan,
                  AttentionMask::of(op));
  ForwardTiles tiles(loops, op);
  return loops.forEachHead(
      {loops.empty(op.getOutput()), loops.empty(op.getLse())},
      [&](Head head, ValueRange outer) {
        return loops.forEachQueryBlock(
            Values(outer), [&](TokenBlock queries, ValueRange inner) {
              return tiles.queryBlock(head, queries, inner);
            });
      });
}
