//===- CrossEntropyRows.cpp - A row's target and its powers ---------------===//
#include "CrossEntropyRows.h"
#include "IndexMath.h"
#include "PhiloxEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

LogicalResult tt::cpu::checkLossElement(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (element.isF32())
    return success();
  return op->emitError() << "'" << op->getName() << "' of element type "
                         << element << " is not lowered on the CPU yet";
}

LossRows::LossRows(Value logits, Value targets, int64_t ignoreIndex)
    : targets(targets), ignoreIndex(ignoreIndex),
      shape(cast<RankedTensorType>(logits.getType()).getShape()) {
  rows = elementCount(shape.drop_back());
}

Value LossRows::isCounted(LoopEmitter &e, Value target) {
  Type type = target.getType();
  auto compare = [&](arith::CmpIPredicate predicate, int64_t value) -> Value {
    return arith::CmpIOp::create(e.b, e.loc, predicate, target,
                                 integerConstant(e.b, e.loc, type, value));
  };
  Value counted =
      arith::AndIOp::create(e.b, e.loc, compare(arith::CmpIPredicate::sge, 0),
                            compare(arith::CmpIPredicate::slt, shape.back()));
  if (ignoreIndex < 0 || ignoreIndex >= shape.back())
    return counted;
  return arith::AndIOp::create(e.b, e.loc, counted,
                               compare(arith::CmpIPredicate::ne, ignoreIndex));
}

SmallVector<Value> LossRows::overRows(
    LoopEmitter &e, ElementBuilder &builder, ValueRange carried,
    function_ref<SmallVector<Value>(const Position &, Value row, ValueRange)>
        body) {
  LaneMath math(e);
  return forLanes(e, rows, e.index(0), e.index(rows), carried,
                  [&](const LaneIndex &index, Value mask, ValueRange old) {
                    ElementBuilder::Scope scope(builder);
                    Position at{math.delinearize(index, shape.drop_back()),
                                mask};
                    return body(at, index.base, old);
                  });
}

Value LossRows::count(LoopEmitter &e, ElementBuilder &builder) {
  VectorType lanes = getLanesType(e.b.getI64Type());
  Value zero = integerConstant(e.b, e.loc, lanes, 0);
  auto addCounted = [&](const Position &at, Value, ValueRange old) {
    Value counted = isCounted(e, builder.lanes(targets, at));
    if (at.mask)
      counted = arith::AndIOp::create(e.b, e.loc, counted, at.mask);
    Value one = arith::ExtUIOp::create(e.b, e.loc, lanes, counted);
    return SmallVector<Value>{arith::AddIOp::create(e.b, e.loc, old[0], one)};
  };
  Value counts = overRows(e, builder, zero, addCounted)[0];
  Value sum = vector::ReductionOp::create(e.b, e.loc,
                                          vector::CombiningKind::ADD, counts);
  return arith::SIToFPOp::create(e.b, e.loc, e.b.getF32Type(), sum);
}

Value LossRows::scalar(LoopEmitter &e, double value) {
  return splatConstant(e.b, e.loc, e.b.getF32Type(), value);
}

RowTarget::RowTarget(RowLoop &row, LossRows &loss) {
  LoopEmitter &e = row.e;
  target = row.builder.element(loss.targets, row.stat());
  isCounted = loss.isCounted(e, target);
  Type i32 = e.b.getI32Type();
  Value column = target;
  if (!target.getType().isInteger(32))
    column = arith::TruncIOp::create(e.b, e.loc, i32, target);
  Value none = integerConstant(e.b, e.loc, i32, -1);
  column = arith::SelectOp::create(e.b, e.loc, isCounted, column, none);
  lanes = broadcastLanes(e.b, e.loc, column);
}

Value RowTarget::isAt(RowLoop &row, const Position &at) const {
  LoopEmitter &e = row.e;
  LaneMath math(e);
  Value column = arith::IndexCastOp::create(e.b, e.loc, lanes.getType(),
                                            math.materialize(at.dims.back()));
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, column,
                               lanes);
}

Value RowTarget::logit(RowLoop &row, Value logits) const {
  LoopEmitter &e = row.e;
  LaneMath math(e);
  Value index =
      arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), target);
  Position at = row.stat();
  at.dims.push_back(math.clamp(math.uniform(index), row.width()));
  return row.builder.element(logits, at);
}

PowerSums::PowerSums(RowLoop &row, LossRows &loss, const RowTarget &target,
                     Value x,
                     function_ref<void(const Position &, Value power)> keep)
    : max(row.max(x)) {
  LoopEmitter &e = row.e;
  Value maxLanes = row.builder.spread(max);
  ofOthers = row.sums(1, [&](const Position &at) {
    Value power =
        math::ExpOp::create(e.b, e.loc, e.subF(row.read(x, at), maxLanes));
    if (keep)
      keep(at, power);
    return RowLoop::Carried{arith::SelectOp::create(
        e.b, e.loc, target.isAt(row, at), e.splat(0), power)};
  })[0];
  logit = target.logit(row, x);
  ofTarget = math::ExpOp::create(e.b, e.loc, e.subF(logit, max));
  ofTarget = arith::SelectOp::create(e.b, e.loc, target.isCounted, ofTarget,
                                     loss.scalar(e, 0));
}
