//===- VectorMath.cpp - 16-lane helpers -----------------------------------===//
#include "tt/Lowering/CPU/VectorMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "tt/Lowering/CPU/Target.h"

using namespace mlir;
using namespace tt::cpu;

VectorType tt::cpu::getLanesType(Type element) {
  return VectorType::get({kLanes}, element);
}

Value tt::cpu::splatConstant(OpBuilder &builder, Location loc, Type type,
                             double value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value tt::cpu::broadcastLanes(OpBuilder &builder, Location loc, Value scalar) {
  return vector::BroadcastOp::create(builder, loc,
                                     getLanesType(scalar.getType()), scalar);
}

Value tt::cpu::emitMax(OpBuilder &builder, Location loc, Value a, Value b) {
  Value greater =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(builder, loc, greater, a, b);
}

/// Combines the lanes by the tree 8, 4, 2, 1 and returns lane 0.
static Value reduceLanes(OpBuilder &builder, Location loc, Value lanes,
                         function_ref<Value(Value, Value)> combine) {
  for (int64_t distance = kLanes / 2; distance > 0; distance /= 2) {
    int64_t width = 2 * distance;
    // lanes has `width` values here; split it in two halves.
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < distance; ++i) {
      low.push_back(i);
      high.push_back(i + distance);
    }
    assert(cast<VectorType>(lanes.getType()).getDimSize(0) == width);
    (void)width;
    Value lower = vector::ShuffleOp::create(builder, loc, lanes, lanes, low);
    Value upper = vector::ShuffleOp::create(builder, loc, lanes, lanes, high);
    lanes = combine(lower, upper);
  }
  return vector::ExtractOp::create(builder, loc, lanes, ArrayRef<int64_t>{0});
}

Value tt::cpu::horizontalSum(OpBuilder &builder, Location loc, Value lanes) {
  return reduceLanes(builder, loc, lanes, [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(builder, loc, a, b);
  });
}

Value tt::cpu::horizontalMax(OpBuilder &builder, Location loc, Value lanes) {
  return reduceLanes(builder, loc, lanes, [&](Value a, Value b) {
    return emitMax(builder, loc, a, b);
  });
}

Value tt::cpu::firstLanes(OpBuilder &builder, Location loc, Value count) {
  return vector::CreateMaskOp::create(
      builder, loc, getLanesType(builder.getI1Type()), ValueRange{count});
}

Value tt::cpu::loadLanes(OpBuilder &builder, Location loc, Value memref,
                         ValueRange indices, Value mask, double passThru) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  VectorType type = getLanesType(element);
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, memref, indices);
  Value rest;
  if (isa<FloatType>(element))
    rest = splatConstant(builder, loc, type, passThru);
  else
    rest = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, builder.getIntegerAttr(element, int64_t(passThru))));
  return vector::MaskedLoadOp::create(builder, loc, type, memref, indices, mask,
                                      rest);
}

void tt::cpu::storeLanes(OpBuilder &builder, Location loc, Value value,
                         Value memref, ValueRange indices, Value mask) {
  if (mask)
    vector::MaskedStoreOp::create(builder, loc, memref, indices, mask, value);
  else
    vector::StoreOp::create(builder, loc, value, memref, indices);
}

SmallVector<Value>
tt::cpu::forEachLanes(OpBuilder &builder, Location loc, int64_t size,
                      ValueRange carried,
                      function_ref<void(OpBuilder &, Value, Value, ValueRange,
                                        SmallVectorImpl<Value> &)>
                          step) {
  int64_t full = size / kLanes * kLanes;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> values(carried);
  if (full > 0) {
    auto loop = scf::ForOp::create(
        builder, loc, constant(0), constant(full), constant(kLanes), values,
        [&](OpBuilder &inner, Location, Value position, ValueRange args) {
          SmallVector<Value> next;
          step(inner, position, Value(), args, next);
          scf::YieldOp::create(inner, loc, next);
        });
    values.assign(loop.result_begin(), loop.result_end());
  }
  if (full < size) {
    SmallVector<bool> bits(kLanes);
    for (int64_t i = full; i < size; ++i)
      bits[i - full] = true;
    Value mask = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(getLanesType(builder.getI1Type()),
                               ArrayRef<bool>(bits)));
    SmallVector<Value> next;
    step(builder, constant(full), mask, values, next);
    values = std::move(next);
  }
  return values;
}
