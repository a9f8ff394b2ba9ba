//===- PhiloxEmitter.cpp - Philox4x32-10 as vector code -------------------===//
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::cpu;

Value tt::cpu::integerConstant(OpBuilder &builder, Location loc, Type type,
                               uint64_t value) {
  Type element = getElementTypeOrSelf(type);
  APInt bits = APInt(64, value).trunc(element.getIntOrFloatBitWidth());
  TypedAttr attribute = builder.getIntegerAttr(element, bits);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

std::array<Value, 4> tt::cpu::emitPhilox(OpBuilder &builder, Location loc,
                                         std::array<Value, 4> counter,
                                         Value key0, Value key1) {
  Type narrow = counter[0].getType();
  Type wide = builder.getI64Type();
  if (auto vector = dyn_cast<VectorType>(narrow))
    wide = VectorType::get(vector.getShape(), wide);
  auto spread = [&](Value key) -> Value {
    if (narrow == key.getType())
      return key;
    return vector::BroadcastOp::create(builder, loc, narrow, key);
  };
  // The high and the low half of word * factor.
  auto multiply = [&](Value word, uint32_t factor) {
    Value product = arith::MulIOp::create(
        builder, loc, arith::ExtUIOp::create(builder, loc, wide, word),
        integerConstant(builder, loc, wide, factor));
    Value high = arith::ShRUIOp::create(
        builder, loc, product, integerConstant(builder, loc, wide, 32));
    return std::pair<Value, Value>(
        arith::TruncIOp::create(builder, loc, narrow, high),
        arith::TruncIOp::create(builder, loc, narrow, product));
  };
  auto mix = [&](Value a, Value b, Value c) -> Value {
    Value first = arith::XOrIOp::create(builder, loc, a, b);
    return arith::XOrIOp::create(builder, loc, first, c);
  };
  auto step = [&](Value key, uint32_t increment) -> Value {
    return arith::AddIOp::create(
        builder, loc, key,
        integerConstant(builder, loc, key.getType(), increment));
  };
  for (int round = 0; round < 10; ++round) {
    auto [high0, low0] = multiply(counter[0], 0xD2511F53u);
    auto [high1, low1] = multiply(counter[2], 0xCD9E8D57u);
    counter = {mix(high1, counter[1], spread(key0)), low1,
               mix(high0, counter[3], spread(key1)), low0};
    key0 = step(key0, 0x9E3779B9u);
    key1 = step(key1, 0xBB67AE85u);
  }
  return counter;
}
