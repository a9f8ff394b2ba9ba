// NumPy .npy files, read strictly.
#ifndef TT_SUPPORT_NPYFILE_H
#define TT_SUPPORT_NPYFILE_H

#include "tt/runtime/Safetensors.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tt::support {

/// One array, row-major. Element types are those that both NumPy and tt have:
/// F64, F32, F16, I64, I32, I8 and BOOL (no BF16).
struct NpyArray {
  runtime::SafetensorsDtype dtype = runtime::SafetensorsDtype::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};

/// Checks everything: magic, version 1.0 to 3.0, the header's dictionary and
/// its three keys, the element type (little-endian), C order, and that the
/// data is as long as the shape says. Nothing is allocated on the word of the
/// header alone. `name` stands in error texts: "NAME: found ..., wanted ...".
bool parseNpy(std::string_view file, std::string_view name, NpyArray &array,
              std::string &error);

bool readNpyFile(const std::string &path, NpyArray &array, std::string &error);

/// Version 1.0, written atomically. False for BF16, which NumPy lacks.
bool writeNpyFile(const std::string &path, const NpyArray &array,
                  std::string &error);

} // namespace tt::support
#endif
