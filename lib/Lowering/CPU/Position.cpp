//===- Position.cpp - Arithmetic on lane indices --------------------------===//
#include "Position.h"
#include "KernelSignature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tt::cpu;

bool tt::cpu::samePosition(const Position &a, const Position &b) {
  if (a.mask != b.mask || a.dims.size() != b.dims.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
    if (x.base != y.base || x.step != y.step || x.lanes != y.lanes)
      return false;
  return true;
}

LaneIndex LaneMath::constant(int64_t value) {
  return {e.index(value), 0, value, 0, {}};
}

Value LaneMath::iota() {
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < kLanes; ++i)
    values.push_back(e.b.getIndexAttr(i));
  return arith::ConstantOp::create(
      e.b, e.loc,
      DenseElementsAttr::get(getLanesType(e.b.getIndexType()), values));
}

Value LaneMath::splatIndex(Value scalar) {
  return vector::BroadcastOp::create(e.b, e.loc,
                                     getLanesType(e.b.getIndexType()), scalar);
}

Value LaneMath::splatIndex(int64_t value) {
  return arith::ConstantOp::create(
      e.b, e.loc,
      DenseElementsAttr::get(getLanesType(e.b.getIndexType()),
                             Attribute(e.b.getIndexAttr(value))));
}

Value LaneMath::materialize(const LaneIndex &a) {
  if (a.lanes)
    return a.lanes;
  Value lanes = splatIndex(a.base);
  if (a.step == 0)
    return lanes;
  Value offsets = iota();
  if (a.step != 1)
    offsets = arith::MulIOp::create(e.b, e.loc, offsets, splatIndex(a.step));
  return arith::AddIOp::create(e.b, e.loc, lanes, offsets);
}

LaneIndex LaneMath::add(const LaneIndex &a, const LaneIndex &b) {
  if (a.lanes || b.lanes)
    return fromLanes(arith::AddIOp::create(e.b, e.loc, materialize(a),
                                           materialize(b)));
  LaneIndex sum{e.add(a.base, b.base), a.step + b.step,
                std::gcd(a.multiple, b.multiple), 0, {}};
  // One side carries the lanes, the other moves them by whole windows.
  const LaneIndex &moved = a.step ? a : b;
  const LaneIndex &fixed = a.step ? b : a;
  if (fixed.step == 0 && moved.window && fixed.multiple % moved.window == 0)
    sum.window = moved.window;
  return sum;
}

LaneIndex LaneMath::shift(const LaneIndex &a, int64_t offset) {
  return offset == 0 ? a : add(a, constant(offset));
}

LaneIndex LaneMath::scale(const LaneIndex &a, int64_t factor) {
  if (factor == 1)
    return a;
  if (factor == 0)
    return constant(0);
  if (a.lanes)
    return fromLanes(
        arith::MulIOp::create(e.b, e.loc, a.lanes, splatIndex(factor)));
  return {e.mul(a.base, factor), a.step * factor, a.multiple * factor, 0, {}};
}

std::pair<LaneIndex, LaneIndex> LaneMath::divide(const LaneIndex &a,
                                                 int64_t divisor) {
  if (divisor == 1)
    return {a, constant(0)};
  int64_t common = std::gcd(a.multiple, divisor);
  int64_t quotientMultiple =
      a.multiple % divisor == 0 ? a.multiple / divisor : 1;
  auto quotient = [&](int64_t step) {
    return LaneIndex{e.div(a.base, divisor), step, quotientMultiple, 0, {}};
  };
  bool whole = a.step == 1 && ((a.multiple % 16 == 0 && divisor % 16 == 0) ||
                               (a.window && divisor % a.window == 0));
  if (a.isUniform() || (!a.lanes && whole)) {
    int64_t window = a.step == 0               ? 0
                     : a.window && divisor % a.window == 0 ? a.window
                                                           : divisor;
    LaneIndex rest{e.rem(a.base, divisor), a.step, common, window, {}};
    return {quotient(0), rest};
  }
  if (!a.lanes && a.step % divisor == 0)
    return {quotient(a.step / divisor),
            LaneIndex{e.rem(a.base, divisor), 0, common, 0, {}}};
  Value lanes = materialize(a), by = splatIndex(divisor);
  return {fromLanes(arith::DivUIOp::create(e.b, e.loc, lanes, by)),
          fromLanes(arith::RemUIOp::create(e.b, e.loc, lanes, by))};
}

LaneIndex LaneMath::linearize(ArrayRef<LaneIndex> dims,
                              ArrayRef<int64_t> strides) {
  LaneIndex sum = constant(0);
  // The dimension of the lanes last, so that its window is weighed against
  // the sum of all others.
  const LaneIndex *moving = nullptr;
  int64_t movingStride = 0;
  for (auto [dim, stride] : llvm::zip_equal(dims, strides)) {
    if (!moving && !dim.lanes && dim.step == 1 && stride == 1) {
      moving = &dim;
      movingStride = stride;
      continue;
    }
    sum = add(sum, scale(dim, stride));
  }
  return moving ? add(sum, scale(*moving, movingStride)) : sum;
}

SmallVector<LaneIndex, 4> LaneMath::delinearize(LaneIndex number,
                                                ArrayRef<int64_t> shape) {
  SmallVector<LaneIndex, 4> dims(shape.size(), constant(0));
  size_t first = 0; // outermost dimension of more than one element
  while (first < shape.size() && shape[first] == 1)
    ++first;
  for (size_t i = shape.size(); i-- > 0;) {
    if (i == first) {
      dims[i] = number;
      break;
    }
    if (i < first)
      break;
    if (shape[i] != 1)
      std::tie(number, dims[i]) = divide(number, shape[i]);
  }
  return dims;
}

SmallVector<LaneIndex, 4> LaneMath::reshape(ArrayRef<LaneIndex> dims,
                                            ArrayRef<int64_t> from,
                                            ArrayRef<int64_t> to) {
  SmallVector<LaneIndex, 4> result;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t i0 = i, j0 = j;
    int64_t a = i < from.size() ? from[i++] : 1;
    int64_t b = j < to.size() ? to[j++] : 1;
    while (a != b)
      if (a < b)
        a *= from[i++];
      else
        b *= to[j++];
    if (i - i0 == 1 && j - j0 == 1) {
      result.push_back(dims[i0]);
      continue;
    }
    ArrayRef<int64_t> group = from.slice(i0, i - i0);
    LaneIndex number =
        linearize(dims.slice(i0, i - i0), denseStrides(group));
    llvm::append_range(result, delinearize(number, to.slice(j0, j - j0)));
  }
  return result;
}

Value LaneMath::inRange(const LaneIndex &a, int64_t size) {
  bool vector = !a.isUniform();
  Value index = vector ? materialize(a) : a.base;
  Value low = vector ? splatIndex(0) : e.index(0);
  Value high = vector ? splatIndex(size) : e.index(size);
  Value notBelow = arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::sge, index, low);
  Value below = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::slt,
                                      index, high);
  return arith::AndIOp::create(e.b, e.loc, notBelow, below);
}

LaneIndex LaneMath::clamp(const LaneIndex &a, int64_t size) {
  if (a.isUniform())
    return uniform(e.clamp(a.base, e.index(size - 1)));
  Value index = arith::MaxSIOp::create(e.b, e.loc, materialize(a),
                                       splatIndex(0));
  return fromLanes(
      arith::MinSIOp::create(e.b, e.loc, index, splatIndex(size - 1)));
}
