//===- HostTensors.cpp - The interpreter's values as bytes ----------------===//
#include "tt/Check/HostTensors.h"

#include "tt/Support/NpyFile.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace tt::reference;
using namespace tt::check;
using tt::runtime::SafetensorsDtype;

static const llvm::fltSemantics &semanticsOf(SafetensorsDtype dtype) {
  switch (dtype) {
  case SafetensorsDtype::F16:
    return llvm::APFloat::IEEEhalf();
  case SafetensorsDtype::BF16:
    return llvm::APFloat::BFloat();
  case SafetensorsDtype::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static bool isFloat(SafetensorsDtype dtype) {
  return dtype == SafetensorsDtype::F64 || dtype == SafetensorsDtype::F32 ||
         dtype == SafetensorsDtype::BF16 || dtype == SafetensorsDtype::F16;
}

/// The little-endian bits of element i.
static uint64_t bitsAt(const Encoded &encoded, size_t i, unsigned width) {
  uint64_t bits = 0;
  std::memcpy(&bits, encoded.bytes.data() + i * width, width);
  return bits;
}

HostTensor tt::check::decode(const Encoded &encoded) {
  unsigned width = runtime::safetensorsDtypeBytes(encoded.dtype);
  size_t count = encoded.bytes.size() / width;
  if (!isFloat(encoded.dtype)) {
    IntTensor ints(encoded.shape, std::vector<int64_t>(count));
    unsigned shift = 64 - 8 * width;
    for (size_t i = 0; i < count; ++i)
      ints.data[i] = int64_t(bitsAt(encoded, i, width) << shift) >> shift;
    return ints;
  }
  const llvm::fltSemantics &semantics = semanticsOf(encoded.dtype);
  Tensor<double> floats(encoded.shape, std::vector<double>(count));
  for (size_t i = 0; i < count; ++i) {
    llvm::APFloat value(semantics,
                        llvm::APInt(8 * width, bitsAt(encoded, i, width)));
    bool lost;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    floats.data[i] = value.convertToDouble();
  }
  return floats;
}

Encoded tt::check::encode(const HostTensor &value, SafetensorsDtype dtype) {
  unsigned width = runtime::safetensorsDtypeBytes(dtype);
  Encoded encoded{dtype, value.shape(), {}};
  size_t count = value.isFloat() ? value.floats().data.size()
                                 : value.ints().data.size();
  encoded.bytes.resize(count * width);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits;
    if (value.isFloat()) {
      llvm::APFloat number(value.floats().data[i]);
      bool lost;
      number.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven, &lost);
      bits = number.bitcastToAPInt().getZExtValue();
    } else {
      bits = uint64_t(value.ints().data[i]);
    }
    std::memcpy(encoded.bytes.data() + i * width, &bits, width);
  }
  return encoded;
}

bool tt::check::readNpy(const std::string &path, HostTensor &value, std::string &error) {
  support::NpyArray array;
  if (!support::readNpyFile(path, array, error))
    return false;
  value = decode({array.dtype, std::move(array.shape), std::move(array.bytes)});
  return true;
}

bool tt::check::writeNpy(const std::string &path, const HostTensor &value,
                       SafetensorsDtype dtype, std::string &error) {
  // NumPy has no bf16; f32 holds it exactly.
  Encoded encoded =
      encode(value, dtype == SafetensorsDtype::BF16 ? SafetensorsDtype::F32 : dtype);
  return support::writeNpyFile(
      path, {encoded.dtype, std::move(encoded.shape), std::move(encoded.bytes)},
      error);
}

std::string tt::check::typeText(const tt_tensor_info &info) {
  static const char *const names[] = {"f64", "f32", "bf16", "f16", "i64", "i32", "i8", "i1"};
  std::string text = names[info.dtype];
  text += "[";
  for (uint32_t i = 0; i < info.rank; ++i)
    text += (i ? ", " : "") + std::to_string(info.shape[i]);
  return text + "]";
}

bool tt::check::encodeFor(const tt_tensor_info &info, const HostTensor &value,
                          Encoded &encoded, std::string &error) {
  auto dtype = SafetensorsDtype(info.dtype);
  std::vector<int64_t> shape(info.shape, info.shape + info.rank);
  if (value.isFloat() != isFloat(dtype) || value.shape() != shape) {
    error = std::string(info.name) + ": found " +
            (value.isFloat() ? "floats" : "integers") + " of shape [";
    for (size_t i = 0; i < value.shape().size(); ++i)
      error += (i ? ", " : "") + std::to_string(value.shape()[i]);
    error += "], wanted " + typeText(info);
    return false;
  }
  unsigned bits = 8 * runtime::safetensorsDtypeBytes(dtype);
  if (!value.isFloat())
    for (int64_t x : value.ints().data) {
      bool fits = dtype == SafetensorsDtype::BOOL ? x == 0 || x == 1
                                                  : int64_t(uint64_t(x) << (64 - bits)) >> (64 - bits) == x;
      if (fits)
        continue;
      error = std::string(info.name) + ": found " + std::to_string(x) + ", wanted " +
              typeText(info);
      return false;
    }
  encoded = encode(value, dtype);
  return true;
}

SafetensorsDtype tt::check::dtypeOf(mlir::Type element) {
  if (element.isF64())
    return SafetensorsDtype::F64;
  if (element.isF32())
    return SafetensorsDtype::F32;
  if (element.isBF16())
    return SafetensorsDtype::BF16;
  if (element.isF16())
    return SafetensorsDtype::F16;
  switch (element.getIntOrFloatBitWidth()) {
  case 64:
    return SafetensorsDtype::I64;
  case 32:
    return SafetensorsDtype::I32;
  case 8:
    return SafetensorsDtype::I8;
  default:
    return SafetensorsDtype::BOOL;
  }
}
