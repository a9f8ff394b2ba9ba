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
                     const TilePlan &plan, const AttentionMask &mask)
    : builder(builder), loc(loc), emit(builder, loc), plan(plan), mask(mask),
      batches(shapeOf(q)[0]), heads(shapeOf(q)[1]), keyHeads(shapeOf(k)[1]),
      headSize(shapeOf(q)[3]),
      sumType(accumulationType(tensorOf(q).getElementType())),
      deadRows(mask.mayHideRows(AttentionShape::of(q, k))), top(builder.getInsertionBlock()) {}

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

std::pair<Value, Value> TileLoops::segmentRange(Value segments, Value batch,
                                                TokenBlock tokens) {
  auto extract = [&](Value token) -> Value {
    return tensor::ExtractOp::create(builder, loc, segments, ValueRange{batch, token});
  };
  Value first = extract(tokens.start);
  Value end = fold<arith::AddIOp>(tokens.start, index(tokens.size));
  Values range = loop(tokens.start, end, {first, first}, [&](Value token, ValueRange so) {
    Value segment = extract(token);
    return Values{arith::MinSIOp::create(builder, loc, so[0], segment),
                  arith::MaxSIOp::create(builder, loc, so[1], segment)};
  });
  return {range[0], range[1]};
}

Values TileLoops::ifSegmentsMeet(std::pair<Value, Value> ofQueries, Head head,
                                 TokenBlock keys, ValueRange carried,
                                 function_ref<Values()> body) {
  auto [low, high] = segmentRange(mask.kSegments, head.batch, keys);
  auto isAtMost = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, a, b);
  };
  Value meet = arith::AndIOp::create(builder, loc, isAtMost(low, ofQueries.second),
                                     isAtMost(ofQueries.first, high));
  auto op = scf::IfOp::create(
      builder, loc, meet,
      [&](OpBuilder &, Location) { scf::YieldOp::create(builder, loc, body()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(builder, loc, carried); });
  return Values(op.getResults());
}

Values TileLoops::forEachKeyBlock(
    Head head, TokenBlock queries, Values carried,
    function_ref<Values(TokenBlock, bool, ValueRange)> body) {
  int64_t whole = plan.keys / plan.blockK, rest = plan.keys % plan.blockK;
  std::pair<Value, Value> segments;
  if (mask.qSegments)
    segments = segmentRange(mask.qSegments, head.batch, queries);
  auto blocks = [&](Value begin, Value end, int64_t size, bool masked) {
    carried = loop(begin, end, carried, [&](Value j, ValueRange values) {
      TokenBlock keys = tokens(j, plan.blockK, size);
      if (!mask.qSegments)
        return body(keys, masked, values);
      return ifSegmentsMeet(segments, head, keys, values,
                            [&] { return body(keys, masked, values); });
    });
  };
  bool hides = plan.hasRight() || plan.hasLeft() || plan.prefix > 0 || plan.hidesAtRunTime;
  int64_t prefixFull = plan.prefixFull(), prefixEnd = std::min(plan.prefixEnd(), whole);
  if (prefixFull)
    blocks(index(0), index(prefixFull), plan.blockK, false);
  if (prefixFull < prefixEnd)
    blocks(index(prefixFull), index(prefixEnd), plan.blockK, true);
  Value end = evaluate(plan.keyEnd(), queries.block);
  if (whole) {
    Value fullEnd = evaluate(plan.fullEnd(), queries.block);
    Value begin = evaluate(plan.keyBegin(), queries.block);
    if (prefixEnd)
      begin = fold<arith::MaxSIOp>(begin, index(prefixEnd));
    bool startsLate = plan.hasLeft() || prefixEnd;
    Value wholeEnd; // what the full blocks need not know
    auto getWholeEnd = [&] {
      if (!wholeEnd)
        wholeEnd = rest ? fold<arith::MinSIOp>(end, index(whole)) : end;
      return wholeEnd;
    };
    if (plan.hasLeft() && !plan.hidesAtRunTime) {
      Value fullBegin = evaluate(plan.fullBegin(), queries.block);
      fullBegin = fold<arith::MaxSIOp>(fullBegin, begin);
      fullBegin = fold<arith::MinSIOp>(fullBegin, getWholeEnd());
      blocks(begin, fullBegin, plan.blockK, true);
      begin = fullBegin;
    }
    if (!plan.hidesAtRunTime)
      blocks(begin, fullEnd, plan.blockK, false);
    if (plan.hasRight() || plan.hidesAtRunTime)
      blocks(startsLate ? fold<arith::MaxSIOp>(fullEnd, begin) : fullEnd, getWholeEnd(),
             plan.blockK, true);
  }
  if (!rest)
    return carried;
  // Runs once, or never where the mask ends before.
  bool inPrefix = plan.prefixEnd() > whole;
  blocks(index(whole), inPrefix ? index(whole + 1) : end, rest, hides);
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

Value TileLoops::splat(ArrayRef<int64_t> shape, double value) {
  return emit.splat(RankedTensorType::get(shape, sumType), value);
}

Value TileLoops::empty(Value like) {
  RankedTensorType type = tensorOf(like);
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}
