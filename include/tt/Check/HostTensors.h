//===- HostTensors.h - The interpreter's values as bytes --------*- C++ -*-===//
#ifndef TT_CHECK_HOSTTENSORS_H
#define TT_CHECK_HOSTTENSORS_H

#include "tt/Reference/Tensor.h"
#include "tt/runtime/Safetensors.h"
#include "tt/runtime/tt.h"

#include "mlir/IR/Types.h"

#include <string>
#include <vector>

namespace tt::check {

using HostTensor = reference::AnyTensor<double>;

/// A tensor's element type in a file or a library, its shape and its bytes.
struct Encoded {
  runtime::SafetensorsDtype dtype = runtime::SafetensorsDtype::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};

/// `encoded` holds as many bytes as its type and shape say.
HostTensor decode(const Encoded &encoded);
/// Rounds floats to nearest even; integers must fit.
Encoded encode(const HostTensor &value, runtime::SafetensorsDtype dtype);

/// Encodes a value for a tensor of a library. False and "NAME: found ...,
/// wanted ..." if kind or shape differ or an integer does not fit. Floats are
/// rounded to the library's type.
bool encodeFor(const tt_tensor_info &info, const HostTensor &value, Encoded &encoded,
               std::string &error);
std::string typeText(const tt_tensor_info &info);
/// The type of a tensor's elements in files.
runtime::SafetensorsDtype dtypeOf(mlir::Type element);

bool readNpy(const std::string &path, HostTensor &value, std::string &error);
bool writeNpy(const std::string &path, const HostTensor &value,
              runtime::SafetensorsDtype dtype, std::string &error);

} // namespace tt::check

#endif
