//===- KnownIntegers.cpp - Integers known at compile time -----------------===//
#include "KnownIntegers.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;

/// Elements of the result of an op that moves elements: `source` turns the
/// index of a result element into that of an operand's.
static std::optional<Integers>
moved(Value from, Value to,
      function_ref<void(ArrayRef<int64_t>, MutableArrayRef<int64_t>)> source) {
  std::optional<Integers> elements = knownIntegers(from);
  if (!elements)
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(to), fromShape = shapeOf(from);
  SmallVector<int64_t> index(shape.size()), at(fromShape.size());
  Integers result;
  for (int64_t n = tensorOf(to).getNumElements(); n > 0; --n) {
    source(index, at);
    int64_t position = 0;
    for (auto [i, size] : llvm::zip_equal(at, fromShape)) // checked: a tensor's
      position = position * size + i;                     // own elements
    result.push_back((*elements)[position]);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
  return result;
}

static std::optional<Integers> known(ConstantOp op) {
  auto dense = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!dense)
    return std::nullopt;
  return Integers(dense.value_begin<APInt>(), dense.value_end<APInt>());
}

static std::optional<Integers> known(IotaOp op) {
  RankedTensorType type = tensorOf(op.getOutput());
  unsigned width = type.getElementTypeBitWidth();
  int64_t size = type.getDimSize(op.getDim()), inner = 1;
  for (int64_t extent : type.getShape().drop_front(op.getDim() + 1))
    inner *= extent; // checked: at most kMaxFoldedElements
  Integers result;
  for (int64_t i = 0, n = type.getNumElements(); i < n; ++i)
    result.push_back(APInt(width, uint64_t(i / inner % size)));
  return result;
}

std::optional<Integers> tt::knownIntegers(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!value.getDefiningOp() || !type || !isa<IntegerType>(type.getElementType()) ||
      type.getNumElements() > kMaxFoldedElements)
    return std::nullopt;
  using Result = std::optional<Integers>;
  return llvm::TypeSwitch<Operation *, Result>(value.getDefiningOp())
      .Case<ConstantOp, IotaOp>([](auto op) { return known(op); })
      .Case([](ReshapeOp op) { return knownIntegers(op.getInput()); })
      .Case([&](BroadcastOp op) {
        return moved(op.getInput(), value,
                     [&](ArrayRef<int64_t> index, MutableArrayRef<int64_t> at) {
                       for (auto [i, dim] : llvm::enumerate(op.getDims()))
                         at[i] = index[dim];
                     });
      })
      .Case([&](TransposeOp op) {
        return moved(op.getInput(), value,
                     [&](ArrayRef<int64_t> index, MutableArrayRef<int64_t> at) {
                       for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
                         at[dim] = index[i];
                     });
      })
      .Case([&](SliceOp op) {
        return moved(op.getInput(), value,
                     [&](ArrayRef<int64_t> index, MutableArrayRef<int64_t> at) {
                       llvm::copy(index, at.begin());
                       at[op.getDim()] += op.getStart();
                     });
      })
      .Default([](Operation *) { return std::nullopt; });
}

OpFoldResult
tt::foldIntegers(Value lhs, Value rhs, Type result,
                 function_ref<APInt(const APInt &, const APInt &)> f) {
  std::optional<Integers> a = knownIntegers(lhs);
  std::optional<Integers> b = a ? knownIntegers(rhs) : std::nullopt;
  if (!a || !b)
    return {};
  Integers values;
  for (auto [x, y] : llvm::zip_equal(*a, *b))
    values.push_back(f(x, y));
  return DenseElementsAttr::get(cast<RankedTensorType>(result), values);
}

bool tt::isKnownSplat(Value value, int64_t number) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat || !isa<IntegerType>(splat.getElementType()))
    return false;
  APInt element = splat.getSplatValue<APInt>();
  return element == APInt(element.getBitWidth(), uint64_t(number), true, true);
}

APInt tt::floorDiv(const APInt &a, const APInt &b) {
  if (b.isZero())
    return b;
  APInt quotient, remainder;
  APInt::sdivrem(a, b, quotient, remainder); // wraps for least / -1
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative())
    --quotient;
  return quotient;
}
