//===- KernelOperands.cpp - Storage of one kernel's operands --------------===//
#include "KernelOperands.h"
#include "tt/Certify/Certificate.h"

#include "tt/IR/SourcePlace.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace tt;
using certify::Positions;
using reference::AnyTensor;

AlignedBytes::AlignedBytes(uint64_t bytes) : bytes(bytes) {
  uint64_t rounded = (bytes + 127) / 64 * 64; // never empty
  start.reset(static_cast<char *>(std::aligned_alloc(64, rounded)));
  if (start)
    std::memset(start.get(), 0xff, rounded);
}

void AlignedBytes::Free::operator()(char *p) const { std::free(p); }

std::string tt::errorAtKernel(KernelOp kernel) {
  std::string place = sourcePlace(kernel.getLoc());
  return (place.empty() ? "" : place + ": ") + "error: kernel @" +
         kernel.getSymName().str() + " ";
}

static uint64_t bytesPerElement(Type element) {
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

KernelOperands::Operand KernelOperands::allocate(Type type, Attribute strides) const {
  Operand operand;
  operand.type = cast<RankedTensorType>(type);
  ArrayRef<int64_t> shape = operand.type.getShape();
  if (auto given = dyn_cast_or_null<DenseI64ArrayAttr>(strides)) {
    operand.strides.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  } else {
    operand.strides.assign(shape.size(), 1);
    for (int64_t d = int64_t(shape.size()) - 2; d >= 0; --d)
      operand.strides[d] = operand.strides[d + 1] * shape[d + 1]; // checked: one tensor
  }
  int64_t extent = operand.type.getNumElements() ? 1 : 0;
  for (auto [size, stride] : llvm::zip_equal(shape, operand.strides))
    extent += extent ? (size - 1) * stride : 0; // checked: inside the arena
  operand.bytes = std::make_unique<AlignedBytes>(
      extent * bytesPerElement(operand.type.getElementType()));
  return operand;
}

/// Calls function(offset in elements, row-major number) for all elements.
template <typename Function>
static void forEach(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, Function function) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size; // checked: of one tensor
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0, offset = 0; i < count; ++i) {
    function(offset, i);
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      offset += strides[d];
      if (++index[d] < shape[d])
        break;
      offset -= index[d] * strides[d];
      index[d] = 0;
    }
  }
}

/// One round of SplitMix64, so that element i needs no history.
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

void KernelOperands::fill(const Operand &operand, const reference::InputRange &range,
                          uint64_t seed) {
  char *data = operand.bytes->data();
  Type element = operand.type.getElementType();
  auto store = [&](int64_t at, auto value) {
    std::memcpy(data + at * sizeof value, &value, sizeof value);
  };
  forEach(operand.type.getShape(), operand.strides, [&](int64_t at, int64_t i) {
    uint64_t bits = mix(seed + uint64_t(i));
    double unit = double(bits >> 11) * 0x1p-53;
    if (isa<FloatType>(element)) {
      double x = range.low + (range.high - range.low) * unit;
      if (range.hasRandomSign && bits & 1)
        x = -x;
      return element.isF64() ? store(at, x) : store(at, float(x));
    }
    int64_t x = range.lowest + int64_t(bits % uint64_t(range.end - range.lowest));
    if (element.isInteger(64))
      return store(at, x);
    return element.isInteger(32) ? store(at, int32_t(x)) : store(at, int8_t(x));
  });
}

/// The range of argument `i` of `form`.
static reference::InputRange rangeOf(FunctionOpInterface form, unsigned i, Draw draw) {
  reference::InputRange range = reference::inputRange(form, i);
  if (draw == Draw::AsRead)
    return range;
  range.hasRandomSign = false;
  if (draw == Draw::NearOne)
    range.low = 0.875, range.high = 1.125;
  if (draw == Draw::Falling || draw == Draw::Rising) {
    unsigned place = draw == Draw::Falling ? i : form.getNumArguments() - 1 - i;
    range.low = std::ldexp(1.0, -int(std::min(place, 20u)));
    range.high = 1.125 * range.low;
  }
  return range;
}

KernelOperands::KernelOperands(KernelOp kernel, KernelOp form, uint64_t seed, Draw draw)
    : kernel(kernel) {
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  auto reads = cast<FunctionOpInterface>(form.getOperation());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    arguments.push_back(
        allocate(function.getArgumentTypes()[i], function.getArgAttr(i, kStridesAttr)));
    fill(arguments.back(), rangeOf(reads, i, draw), mix(seed * 64 + i));
  }
  allocateResults();
}

void KernelOperands::allocateResults() {
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.push_back(
        allocate(function.getResultTypes()[i], function.getResultAttr(i, kStridesAttr)));
}

void KernelOperands::keepResults() {
  kept = std::move(results);
  results.clear();
  allocateResults();
}

std::vector<char *> KernelOperands::addresses() const {
  std::vector<char *> all;
  for (const auto *list : {&arguments, &results})
    for (const Operand &operand : *list)
      all.push_back(operand.bytes->data());
  return all;
}

AnyTensor<double> KernelOperands::gather(const Operand &operand,
                                         const Positions &positions) {
  reference::Shape shape;
  for (const std::vector<int64_t> &kept : positions)
    shape.push_back(int64_t(kept.size()));
  Type element = operand.type.getElementType();
  bool isFloat = isa<FloatType>(element);
  reference::Tensor<double> floats(isFloat ? shape : reference::Shape());
  reference::IntTensor ints(isFloat ? reference::Shape() : shape);
  const char *data = operand.bytes->data();
  auto load = [&](int64_t at, auto value) {
    std::memcpy(&value, data + at * sizeof value, sizeof value);
    return value;
  };
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t count = isFloat ? floats.size() : ints.size();
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      at += positions[d][index[d]] * operand.strides[d]; // checked: inside the operand
    if (isFloat)
      floats[i] = element.isF64() ? load(at, double()) : double(load(at, float()));
    else
      ints[i] = element.isInteger(64)   ? load(at, int64_t())
                : element.isInteger(32) ? int64_t(load(at, int32_t()))
                                        : int64_t(load(at, int8_t()));
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
  return isFloat ? AnyTensor<double>(std::move(floats)) : AnyTensor<double>(std::move(ints));
}

AnyTensor<double> KernelOperands::argumentAt(unsigned i, const Positions &positions) const {
  return gather(arguments[i], positions);
}
AnyTensor<double> KernelOperands::resultAt(unsigned i, const Positions &positions) const {
  return gather(results[i], positions);
}

bool KernelOperands::sameAsKept(unsigned i) const {
  const AlignedBytes &a = *results[i].bytes, &b = *kept[i].bytes;
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}
