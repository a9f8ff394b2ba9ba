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
  // Words stay in 64 bits, whose upper halves hold anything: the products are
  // of the lower halves only, which is what x86 multiplies anyway.
  Value lowHalf = integerConstant(builder, loc, wide, 0xffffffffu);
  Value halfBits = integerConstant(builder, loc, wide, 32);
  auto widen = [&](Value word) -> Value {
    return arith::ExtUIOp::create(builder, loc, wide, word);
  };
  auto multiply = [&](Value word, uint32_t factor) -> Value {
    return arith::MulIOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, word, lowHalf),
        integerConstant(builder, loc, wide, factor));
  };
  auto mix = [&](Value product, Value word, Value key) -> Value {
    Value high = arith::ShRUIOp::create(builder, loc, product, halfBits);
    Value mixed = arith::XOrIOp::create(builder, loc, high, word);
    if (key.getType() != narrow)
      key = vector::BroadcastOp::create(builder, loc, narrow, key);
    return arith::XOrIOp::create(builder, loc, mixed, widen(key));
  };
  auto step = [&](Value key, uint32_t increment) -> Value {
    return arith::AddIOp::create(
        builder, loc, key,
        integerConstant(builder, loc, key.getType(), increment));
  };
  for (Value &word : counter)
    word = widen(word);
  for (int round = 0; round < 10; ++round) {
    Value product0 = multiply(counter[0], 0xD2511F53u);
    Value product1 = multiply(counter[2], 0xCD9E8D57u);
    counter = {mix(product1, counter[1], key0), product1,
               mix(product0, counter[3], key1), product0};
    key0 = step(key0, 0x9E3779B9u);
    key1 = step(key1, 0xBB67AE85u);
  }
  for (Value &word : counter)
    word = arith::TruncIOp::create(builder, loc, narrow, word);
  return counter;
}
