// Tensors of the reference interpreter in .npy and .safetensors files.
#ifndef TT_TOOLS_TT_RUN_TENSORFILES_H
#define TT_TOOLS_TT_RUN_TENSORFILES_H

#include "tt/Reference/Tensor.h"
#include "tt/runtime/Safetensors.h"

#include <string>
#include <string_view>
#include <vector>

namespace tt::run {

using HostTensor = reference::AnyTensor<double>;

/// A tensor's element type in a file, its shape and its bytes.
struct Encoded {
  runtime::SafetensorsDtype dtype = runtime::SafetensorsDtype::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};

/// `encoded` holds as many bytes as its type and shape say.
HostTensor decode(const Encoded &encoded);
/// Rounds floats to nearest even; integers must fit.
Encoded encode(const HostTensor &value, runtime::SafetensorsDtype dtype);

bool readNpy(const std::string &path, HostTensor &value, std::string &error);
bool writeNpy(const std::string &path, const HostTensor &value,
              runtime::SafetensorsDtype dtype, std::string &error);

} // namespace tt::run

#endif
