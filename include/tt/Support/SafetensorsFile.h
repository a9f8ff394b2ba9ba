// Whole safetensors files for the tools, over the runtime's reader and writer.
#ifndef TT_SUPPORT_SAFETENSORSFILE_H
#define TT_SUPPORT_SAFETENSORSFILE_H

#include "tt/runtime/Safetensors.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tt::support {

/// An open, completely checked file. Tensors are read by copy, one at a time.
class SafetensorsFile {
public:
  struct Tensor {
    std::string name;
    runtime::SafetensorsDtype dtype;
    std::vector<int64_t> shape;
    uint64_t offset; // in the file
    uint64_t bytes;
  };

  SafetensorsFile() = default;
  SafetensorsFile(SafetensorsFile &&other);
  SafetensorsFile &operator=(SafetensorsFile &&other);
  ~SafetensorsFile();

  /// Errors read "PATH: tensor "w": found ..., wanted ...". `foreignDtypes`:
  /// list tensors of types such as U8 instead of refusing the file.
  bool open(const std::string &path, std::string &error,
            bool foreignDtypes = false);

  const std::string &path() const { return filePath; }
  /// In the order of the data.
  const std::vector<Tensor> &tensors() const { return fileTensors; }
  /// Null if there is no such tensor.
  const Tensor *find(std::string_view name) const;
  const std::map<std::string, std::string> &metadata() const {
    return fileMetadata;
  }

  /// Reads a tensor; `to` holds tensor.bytes.
  bool read(const Tensor &tensor, void *to, std::string &error) const;
  bool read(const Tensor &tensor, std::vector<char> &to,
            std::string &error) const;

private:
  void list(const runtime::SafetensorsReader &reader);

  int fd = -1;
  std::string filePath;
  std::vector<Tensor> fileTensors;
  std::map<std::string, size_t, std::less<>> indexByName;
  std::map<std::string, std::string> fileMetadata;
};

/// A tensor to be written; `data` stays the caller's.
struct SafetensorsInput {
  std::string name;
  runtime::SafetensorsDtype dtype = runtime::SafetensorsDtype::F32;
  std::vector<int64_t> shape;
  const void *data = nullptr;
};

/// Writes a file atomically: larger element types first, then by name, as the
/// reference does. Same input, same bytes.
bool writeSafetensorsFile(const std::string &path,
                          std::vector<SafetensorsInput> tensors,
                          const std::map<std::string, std::string> &metadata,
                          std::string &error);

} // namespace tt::support
#endif
