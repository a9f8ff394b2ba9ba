//===- TileLoops.cpp - Loops over the tiles of an attention ---------------===//
#include "TileLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tt;
using namespace tt::attention;

using Values = TileLoops::Values;

TileLoops::TileLoops(OpBuilder &builder, Location loc, Value q, Value k,
                     const TilePlan &plan, double scale)
    : builder(builder), loc(loc), emit(builder, loc), plan(plan), scale(scale),
      batches(shapeOf(q)[0]), heads(shapeOf(q)[1]), keyHeads(shapeOf(k)[1]),
      headSize(shapeOf(q)[3]),
      sumType(accumulationType(tensorOf(q).getElementType())),
      top(builder.getInsertionBlock()) {}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value TileLoops::index(int64_t value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(top);
    known = arith::ConstantIndexOp::create(builder, loc, value);
    lastConstant = known.getDefiningOp();
  }
  return known;
}

TileLoops::~TileLoops() {
  for (auto [value, constant] : constants)
    if (constant.use_empty()) // folded away
      constant.getDefiningOp()->erase();
}

/// BlockBound::at as ops.
Value TileLoops::evaluate(const BlockBound &bound, Value block) {
  if (bound.scale == 0)
    return index(bound.at(0));
  Value value = fold<arith::MulIOp>(block, index(bound.scale));
  value = fold<arith::AddIOp>(value, index(bound.offset));
  if (bound.scale < 0 || bound.offset < 0)
    value = fold<arith::MaxSIOp>(value, index(0));
  value = fold<arith::DivUIOp>(value, index(bound.divisor));
  return fold<arith::MinSIOp>(value, index(bound.high));
}

TokenBlock TileLoops::tokens(Value block, int64_t blockSize, int64_t size) {
  return {block, fold<arith::MulIOp>(block, index(blockSize)), size};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Values TileLoops::loop(Value begin, Value end, Values carried,
                       function_ref<Values(Value, ValueRange)> body) {
  auto op = scf::ForOp::create(builder, loc, begin, end, index(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.getBody());
  scf::YieldOp::create(builder, loc,
                       body(op.getInductionVar(), op.getRegionIterArgs()));
  return Values(op.getResults());
}

Values TileLoops::forEachHead(Values carried,
                              function_ref<Values(Head, ValueRange)> body) {
  return loop(index(0), index(batches), carried, [&](Value b, ValueRange outer) {
    return loop(index(0), index(heads), Values(outer), [&](Value h, ValueRange inner) {
      Value key = fold<arith::DivUIOp>(h, index(heads / keyHeads));
      return body({b, h, key}, inner);
    });
  });
}

Values TileLoops::forEachQueryBlock(
    Values carried, function_ref<Values(TokenBlock, ValueRange)> body) {
  int64_t whole = plan.queries / plan.blockQ, rest = plan.queries % plan.blockQ;
  if (whole)
    carried = loop(index(0), index(whole), carried, [&](Value i, ValueRange values) {
      return body(tokens(i, plan.blockQ, plan.blockQ), values);
    });
  if (rest)
    carried = body(tokens(index(whole), plan.blockQ, rest), carried);
  return carried;
}

Values TileLoops::forEachKeyBlock(
    TokenBlock queries, Values carried,
    function_ref<Values(TokenBlock, bool, ValueRange)> body) {
  int64_t whole = plan.keys / plan.blockK, rest = plan.keys % plan.blockK;
  auto blocks = [&](Value begin, Value end, int64_t size, bool masked) {
    carried = loop(begin, end, carried, [&](Value j, ValueRange values) {
      return body(tokens(j, plan.blockK, size), masked, values);
    });
  };
  Value end = evaluate(plan.keyEnd(), queries.block);
  if (whole) {
    Value fullEnd = evaluate(plan.fullEnd(), queries.block);
    blocks(evaluate(plan.keyBegin(), queries.block), fullEnd, plan.blockK, false);
    Value wholeEnd = rest ? fold<arith::MinSIOp>(end, index(whole)) : end;
    if (plan.causal)
      blocks(fullEnd, wholeEnd, plan.blockK, true);
  }
  if (rest) // runs once, or never where the mask ends before
    blocks(index(whole), end, rest, plan.causal);
  return carried;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Where a tile lies in its tensor.
struct SliceBounds {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static SliceBounds boundsOf(OpBuilder &builder, Value tensor, Value batch,
                            Value head, TokenBlock tokens) {
  auto number = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  auto offset = [](Value value) { return getAsOpFoldResult(value); };
  SliceBounds bounds;
  bounds.offsets = {offset(batch), offset(head), offset(tokens.start)};
  bounds.sizes = {number(1), number(1), number(tokens.size)};
  if (tensorOf(tensor).getRank() == 4) {
    bounds.offsets.push_back(number(0));
    bounds.sizes.push_back(number(shapeOf(tensor)[3]));
  }
  bounds.strides.assign(bounds.offsets.size(), number(1));
  return bounds;
}

Value TileLoops::read(Value from, Value batch, Value head, TokenBlock tokens) {
  SliceBounds bounds = boundsOf(builder, from, batch, head, tokens);
  SmallVector<int64_t> shape = {tokens.size};
  llvm::append_range(shape, shapeOf(from).drop_front(3));
  auto type = RankedTensorType::get(shape, tensorOf(from).getElementType());
  Value tile = tensor::ExtractSliceOp::create(
      builder, loc, type, from, bounds.offsets, bounds.sizes, bounds.strides);
  return emit.cast(tile, sumType);
}

Value TileLoops::write(Value tile, Value to, Value batch, Value head,
                       TokenBlock tokens) {
  SliceBounds bounds = boundsOf(builder, to, batch, head, tokens);
  return tensor::InsertSliceOp::create(
      builder, loc, emit.cast(tile, tensorOf(to).getElementType()), to,
      bounds.offsets, bounds.sizes, bounds.strides);
}

Value TileLoops::product(Value a, Value b, bool transposeA, bool transposeB) {
  return MatmulOp::create(builder, loc, a, b, transposeA, transposeB).getOutput();
}

Value TileLoops::scores(Value q, Value k) {
  return emit.scale(product(q, k, false, true), scale);
}

Value TileLoops::visible(TokenBlock queries, TokenBlock keys) {
  // In the tile: column <= row + (first query + S - T - first key).
  Value shift = fold<arith::AddIOp>(queries.start, index(plan.diagonal()));
  shift = fold<arith::SubIOp>(shift, keys.start);
  auto rowType = RankedTensorType::get({queries.size}, builder.getI32Type());
  auto tileType =
      RankedTensorType::get({queries.size, keys.size}, builder.getI32Type());
  Value shifts = tensor::SplatOp::create(
      builder, loc,
      builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(), shift),
      rowType);
  Value last = arith::AddIOp::create(
      builder, loc, IotaOp::create(builder, loc, rowType, 0), shifts);
  Value column = IotaOp::create(builder, loc, tileType, 1);
  return emit.compare(ComparePredicate::LE, column, emit.alongRow(last, column));
}

Value TileLoops::splat(ArrayRef<int64_t> shape, double value) {
  return emit.splat(RankedTensorType::get(shape, sumType), value);
}

Value TileLoops::empty(Value like) {
  RankedTensorType type = tensorOf(like);
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}
