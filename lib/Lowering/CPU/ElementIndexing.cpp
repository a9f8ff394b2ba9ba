//===- ElementIndexing.cpp - Elements chosen at run time, pulled ----------===//
//
// An index outside its dimension reads as zero: the load goes to a place inside,
// and its value is thrown away.
//
//===----------------------------------------------------------------------===//
#include "ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
static bool isLanes(Value value) { return isa<VectorType>(value.getType()); }

LaneIndex ElementBuilder::indexFrom(Value integers, int64_t size,
                                    Value &valid) {
  Type type = e.b.getIndexType();
  if (isLanes(integers))
    type = getLanesType(type);
  Value index = arith::IndexCastOp::create(e.b, e.loc, type, integers);
  LaneIndex lane = isLanes(index) ? math.fromLanes(index) : math.uniform(index);
  valid = math.inRange(lane, size);
  return math.clamp(lane, size);
}

Value ElementBuilder::buildTake(TakeOp op, const Position &at) {
  Value valid;
  LaneIndex index =
      indexFrom(element(op.getIndex(), Position{{}, at.mask}),
                shapeOf(op.getInput())[op.getDim()], valid);
  Position from = at;
  from.dims.insert(from.dims.begin() + op.getDim(), index);
  return orZero(valid, element(op.getInput(), from));
}

Value ElementBuilder::buildEmbedding(EmbeddingOp op, const Position &at) {
  Position where{{}, at.mask};
  where.dims.assign(at.dims.begin(), at.dims.end() - 1);
  Value valid;
  LaneIndex row = indexFrom(element(op.getIds(), where),
                            shapeOf(op.getTable())[0], valid);
  Position from{{row, at.dims.back()}, at.mask};
  return orZero(valid, element(op.getTable(), from));
}

Value ElementBuilder::buildGatherRows(GatherRowsOp op, const Position &at) {
  size_t leading = shapeOf(op.getIds()).size();
  Position where{{}, at.mask}, from{{}, at.mask};
  where.dims.assign(at.dims.begin(), at.dims.begin() + leading);
  Value valid;
  from.dims.push_back(indexFrom(element(op.getIds(), where),
                                shapeOf(op.getInput())[0], valid));
  from.dims.append(at.dims.begin() + leading, at.dims.end());
  return orZero(valid, element(op.getInput(), from));
}

Value ElementBuilder::buildGatherAlong(GatherAlongOp op, const Position &at) {
  int64_t dim = op.getDim();
  Value valid;
  Position from = at;
  from.dims[dim] = indexFrom(element(op.getIndices(), at),
                             shapeOf(op.getInput())[dim], valid);
  return orZero(valid, element(op.getInput(), from));
}

Value ElementBuilder::buildOneHot(OneHotOp op, const Position &at) {
  Position where{{}, at.mask};
  where.dims.assign(at.dims.begin(), at.dims.end() - 1);
  Value id = element(op.getIds(), where);
  const LaneIndex &column = at.dims.back();
  bool lanes = isLanes(id) || !column.isUniform();
  Value position = lanes ? math.materialize(column) : column.base;
  if (lanes)
    id = spread(id);
  // In index width: a narrower one could wrap into the dimension.
  id = arith::IndexCastOp::create(e.b, e.loc, position.getType(), id);
  Value hit = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, id,
                                    position);
  Type type = cast<RankedTensorType>(op.getOutput().getType()).getElementType();
  auto constant = [&](double value) -> Value {
    TypedAttr attr = isa<FloatType>(type)
                         ? TypedAttr(e.b.getFloatAttr(type, value))
                         : TypedAttr(e.b.getIntegerAttr(type, int64_t(value)));
    Value scalar = arith::ConstantOp::create(e.b, e.loc, attr);
    return lanes ? spread(scalar) : scalar;
  };
  return select(hit, constant(1), constant(0));
}
