//===- TileScores.cpp - Scores and masks of a tile ------------------------===//
#include "TileScores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace tt;
using namespace tt::attention;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An i32 tensor of this shape with `number`, an index, in every element.
static Value splatIndex(TileLoops &loops, ArrayRef<int64_t> shape, Value number) {
  Type i32 = loops.builder.getI32Type();
  Value narrow =
      loops.builder.createOrFold<arith::IndexCastOp>(loops.loc, i32, number);
  return tensor::SplatOp::create(loops.builder, loops.loc, narrow,
                                 RankedTensorType::get(shape, i32));
}

Value TileScores::columns(const ScoreTile &tile) {
  auto type = RankedTensorType::get({tile.queries.size, tile.keys.size},
                                    loops.builder.getI32Type());
  return IotaOp::create(loops.builder, loops.loc, type, 1);
}

Value TileScores::rowBound(const ScoreTile &tile, int64_t distance) {
  // In the tile: column <= row + (first query + S - T + distance - first key).
  Value shift = loops.fold<arith::AddIOp>(
      tile.queries.start, loops.index(loops.plan.diagonal() + distance));
  shift = loops.fold<arith::SubIOp>(shift, tile.keys.start);
  auto type = RankedTensorType::get({tile.queries.size}, loops.builder.getI32Type());
  Value shifts = splatIndex(loops, {tile.queries.size}, shift);
  return arith::AddIOp::create(loops.builder, loops.loc,
                               IotaOp::create(loops.builder, loops.loc, type, 0), shifts);
}

namespace {
/// Where a tile lies in a bias, which may have one batch or one head for all.
struct BiasSlice {
  BiasSlice(OpBuilder &builder, const ScoreTile &tile, Value bias) {
    auto number = [&](int64_t value) -> OpFoldResult {
      return builder.getIndexAttr(value);
    };
    ArrayRef<int64_t> shape = shapeOf(bias);
    offsets = {shape[0] == 1 ? number(0) : getAsOpFoldResult(tile.head.batch),
               shape[1] == 1 ? number(0) : getAsOpFoldResult(tile.head.query),
               getAsOpFoldResult(tile.queries.start), getAsOpFoldResult(tile.keys.start)};
    sizes = {number(1), number(1), number(tile.queries.size), number(tile.keys.size)};
    strides.assign(4, number(1));
  }
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

Value TileScores::readBias(const ScoreTile &tile, Value from) {
  BiasSlice slice(loops.builder, tile, from);
  auto type = RankedTensorType::get({tile.queries.size, tile.keys.size},
                                    tensorOf(from).getElementType());
  Value bias = tensor::ExtractSliceOp::create(loops.builder, loops.loc, type, from,
                                              slice.offsets, slice.sizes, slice.strides);
  return e.cast(bias, loops.sumType);
}

Value TileScores::addToBias(const ScoreTile &tile, Value x, Value to) {
  BiasSlice slice(loops.builder, tile, to);
  Value sum = e.add(readBias(tile, to), x);
  return tensor::InsertSliceOp::create(loops.builder, loops.loc, sum, to, slice.offsets,
                                       slice.sizes, slice.strides);
}

/// Segments of the rows or of the columns, repeated over the tile.
Value TileScores::readSegments(const ScoreTile &tile, Value from, bool ofKeys) {
  const TokenBlock &tokens = ofKeys ? tile.keys : tile.queries;
  auto number = [&](int64_t value) -> OpFoldResult {
    return loops.builder.getIndexAttr(value);
  };
  auto type = RankedTensorType::get({tokens.size}, tensorOf(from).getElementType());
  SmallVector<OpFoldResult> offsets = {getAsOpFoldResult(tile.head.batch),
                                       getAsOpFoldResult(tokens.start)};
  SmallVector<OpFoldResult> sizes = {number(1), number(tokens.size)};
  SmallVector<OpFoldResult> strides(2, number(1));
  Value slice = tensor::ExtractSliceOp::create(loops.builder, loops.loc, type, from,
                                               offsets, sizes, strides);
  return e.broadcast(slice, {tile.queries.size, tile.keys.size}, {ofKeys ? 1 : 0});
}

Value TileScores::scores(const ScoreTile &tile, Value q, Value k,
                         Value *capSlope) {
  Value s = e.scale(loops.product(q, k, false, true), mask.scale);
  if (mask.softcap > 0) {
    s = e.scale(s, 1 / mask.softcap);
    if (capSlope)
      *capSlope = e.tanhSlope(s);
    s = e.scale(e.tanh(s), mask.softcap);
  }
  if (mask.bias)
    s = e.add(s, readBias(tile, mask.bias));
  if (!mask.slopes)
    return s;
  OpFoldResult head = getAsOpFoldResult(tile.head.query), one = e.builder.getIndexAttr(1);
  auto type = RankedTensorType::get({}, tensorOf(mask.slopes).getElementType());
  Value slope = tensor::ExtractSliceOp::create(e.builder, e.loc, type, mask.slopes,
                                               ArrayRef{head}, ArrayRef{one},
                                               ArrayRef{one});
  slope = e.broadcast(e.cast(slope, loops.sumType), shapeOf(s), {});
  Value bound = rowBound(tile, 0), column = columns(tile);
  Value distance = e.sub(e.cast(column, loops.sumType),
                         e.cast(e.alongRow(bound, column), loops.sumType));
  distance = AbsOp::create(e.builder, e.loc, distance);
  return e.sub(s, e.mul(slope, distance));
}

Value TileScores::hide(const ScoreTile &tile, Value x, double instead) {
  Value shown = x, hidden = e.splat(x.getType(), instead);
  auto keep = [&](ComparePredicate predicate, Value a, Value b) {
    shown = e.select(e.compare(predicate, a, b), shown, hidden);
  };
  if (mask.right) {
    Value last = rowBound(tile, *mask.right), column = columns(tile);
    keep(ComparePredicate::LE, column, e.alongRow(last, column));
  }
  if (mask.left) {
    Value first = rowBound(tile, -*mask.left), column = columns(tile);
    keep(ComparePredicate::GE, column, e.alongRow(first, column));
  }
  if (mask.prefix > 0) {
    Value column = columns(tile);
    Value end = loops.fold<arith::SubIOp>(loops.index(mask.prefix), tile.keys.start);
    end = splatIndex(loops, shapeOf(column), end);
    shown = e.select(e.compare(ComparePredicate::LT, column, end), x, shown);
  }
  if (mask.qSegments)
    keep(ComparePredicate::EQ, readSegments(tile, mask.qSegments, false),
         readSegments(tile, mask.kSegments, true));
  if (mask.bias) {
    Value bias = readBias(tile, mask.bias);
    keep(ComparePredicate::NE, bias, e.splat(bias.getType(), -kInfinity));
  }
  return shown;
}

Value TileScores::drop(const ScoreTile &tile, Value x) {
  if (mask.dropout == 0)
    return x;
  // Element (h T + i) S + j of the sample.
  Value first = loops.fold<arith::MulIOp>(tile.head.query, loops.index(loops.plan.queries));
  first = loops.fold<arith::AddIOp>(first, tile.queries.start);
  first = loops.fold<arith::MulIOp>(first, loops.index(loops.plan.keys));
  first = loops.fold<arith::AddIOp>(first, tile.keys.start);
  return DropoutTileOp::create(e.builder, e.loc, x, mask.key, tile.head.batch, first,
                               APFloat(mask.dropout), uint64_t(mask.site),
                               uint64_t(loops.plan.keys))
      .getOutput();
}
