// Tensors of the reference interpreter in .npy and .safetensors files.
#include "TensorFiles.h"

#include "tt/Support/NpyFile.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace tt::reference;
using namespace tt::run;
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

HostTensor tt::run::decode(const Encoded &encoded) {
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

Encoded tt::run::encode(const HostTensor &value, SafetensorsDtype dtype) {
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

bool tt::run::readNpy(const std::string &path, HostTensor &value, std::string &error) {
  support::NpyArray array;
  if (!support::readNpyFile(path, array, error))
    return false;
  value = decode({array.dtype, std::move(array.shape), std::move(array.bytes)});
  return true;
}

bool tt::run::writeNpy(const std::string &path, const HostTensor &value,
                       SafetensorsDtype dtype, std::string &error) {
  // NumPy has no bf16; f32 holds it exactly.
  Encoded encoded =
      encode(value, dtype == SafetensorsDtype::BF16 ? SafetensorsDtype::F32 : dtype);
  return support::writeNpyFile(
      path, {encoded.dtype, std::move(encoded.shape), std::move(encoded.bytes)},
      error);
}
