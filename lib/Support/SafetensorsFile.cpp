// Whole safetensors files for the tools.
#include "tt/Support/SafetensorsFile.h"

#include "tt/Support/CheckedSize.h"
#include "tt/Support/Escape.h"
#include "tt/runtime/AtomicFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace tt::support;
using namespace tt::runtime;

namespace {
/// The runtime's error text as a std::string.
class TextBuffer {
public:
  operator ErrorText() { return {text, sizeof text}; }
  /// Puts `front` before the text; always false.
  bool moveTo(std::string &error, const std::string &front) {
    error = front + text;
    return false;
  }

private:
  char text[1024] = "";
};
} // namespace

static std::string decode(JsonText text) {
  std::string out(text.size, '\0');
  out.resize(jsonDecode(text, out.data(), out.size()));
  return out;
}

SafetensorsFile::SafetensorsFile(SafetensorsFile &&other) {
  *this = std::move(other);
}

SafetensorsFile &SafetensorsFile::operator=(SafetensorsFile &&other) {
  std::swap(fd, other.fd);
  filePath.swap(other.filePath);
  fileTensors.swap(other.fileTensors);
  indexByName.swap(other.indexByName);
  fileMetadata.swap(other.fileMetadata);
  return *this;
}

SafetensorsFile::~SafetensorsFile() {
  if (fd >= 0)
    close(fd);
}

bool SafetensorsFile::open(const std::string &path, std::string &error,
                           bool foreignDtypes) {
  *this = SafetensorsFile();
  filePath = path;
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    error = path + ": cannot open: " + std::strerror(errno);
    return false;
  }
  TextBuffer text;
  uint64_t bytes = 0;
  if (!SafetensorsReader::memoryBytes(fd, bytes, text))
    return text.moveTo(error, path + ": ");
  std::vector<char> memory(bytes);
  SafetensorsReader reader;
  if (!reader.openFd(fd, memory.data(), memory.size(), text, foreignDtypes))
    return text.moveTo(error, path + ": ");
  list(reader);
  return true;
}

void SafetensorsFile::list(const SafetensorsReader &reader) {
  fileTensors.reserve(reader.count());
  for (uint32_t i = 0; i < reader.count(); ++i) {
    SafetensorsTensor tensor = reader.at(i);
    fileTensors.push_back(
        {decode(tensor.name), tensor.dtype,
         std::vector<int64_t>(tensor.shape, tensor.shape + tensor.rank),
         tensor.offset, tensor.bytes});
    indexByName.emplace(fileTensors.back().name, i);
  }
  uint64_t cursor = 0;
  JsonText key, value;
  while (reader.nextMetadata(cursor, key, value))
    fileMetadata.emplace(decode(key), decode(value));
}

const SafetensorsFile::Tensor *
SafetensorsFile::find(std::string_view name) const {
  auto found = indexByName.find(name);
  return found == indexByName.end() ? nullptr : &fileTensors[found->second];
}

bool SafetensorsFile::read(const Tensor &tensor, void *to,
                           std::string &error) const {
  SafetensorsTensor plain;
  plain.name = {tensor.name.data(), tensor.name.size()}; // for messages only
  plain.offset = tensor.offset;
  plain.bytes = tensor.bytes;
  TextBuffer text;
  return SafetensorsReader::read(fd, plain, to, text) ||
         text.moveTo(error, filePath + ": ");
}

bool SafetensorsFile::read(const Tensor &tensor, std::vector<char> &to,
                           std::string &error) const {
  to.resize(tensor.bytes); // at most the file's size: it was checked
  return read(tensor, to.data(), error);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
struct Contents {
  const std::vector<SafetensorsInput> &tensors;
  std::vector<std::pair<std::string, std::string>> metadata;
};
} // namespace

static void tensorOf(void *ctx, uint32_t index, const char *&name,
                     SafetensorsDtype &dtype, uint32_t &rank, int64_t *shape) {
  const SafetensorsInput &tensor = static_cast<Contents *>(ctx)->tensors[index];
  name = tensor.name.c_str();
  dtype = tensor.dtype;
  rank = static_cast<uint32_t>(tensor.shape.size());
  std::copy_n(tensor.shape.begin(), std::min<size_t>(rank, kSafetensorsMaxRank),
              shape);
}

static void metadataOf(void *ctx, uint32_t index, const char *&key,
                       const char *&value) {
  const auto &pair = static_cast<Contents *>(ctx)->metadata[index];
  key = pair.first.c_str();
  value = pair.second.c_str();
}

/// Names end at a NUL for the runtime, so they must not hold one.
static bool checkTexts(const Contents &contents, std::string &error) {
  auto check = [&](const std::string &text) {
    if (text.find('\0') == std::string::npos)
      return true;
    error = "found a NUL in a name or in metadata, wanted none";
    return false;
  };
  for (const SafetensorsInput &tensor : contents.tensors)
    if (!check(tensor.name))
      return false;
  for (const auto &pair : contents.metadata)
    if (!check(pair.first) || !check(pair.second))
      return false;
  return true;
}

bool tt::support::writeSafetensorsFile(
    const std::string &path, std::vector<SafetensorsInput> tensors,
    const std::map<std::string, std::string> &metadata, std::string &error) {
  std::sort(tensors.begin(), tensors.end(),
            [](const SafetensorsInput &lhs, const SafetensorsInput &rhs) {
              uint32_t left = safetensorsDtypeBytes(lhs.dtype);
              uint32_t right = safetensorsDtypeBytes(rhs.dtype);
              return left != right ? left > right : lhs.name < rhs.name;
            });
  std::vector<std::string_view> names;
  for (const SafetensorsInput &tensor : tensors)
    names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    error = path + ": found tensor \"" + escapeTerminal(*twice) +
            "\" twice, wanted unique names";
    return false;
  }
  Contents contents = {tensors, {metadata.begin(), metadata.end()}};
  if (!checkTexts(contents, error)) {
    error = path + ": " + error;
    return false;
  }
  SafetensorsContents described;
  described.ctx = &contents;
  described.numTensors = static_cast<uint32_t>(tensors.size());
  described.tensor = tensorOf;
  described.numMetadata = static_cast<uint32_t>(contents.metadata.size());
  described.metadata = metadataOf;

  TextBuffer text;
  AtomicFile file;
  uint64_t dataBytes = 0;
  if (!file.open(path.c_str(), text))
    return text.moveTo(error, "");
  if (!writeSafetensorsHeader(described, file.sink(), dataBytes, text))
    return text.moveTo(error, file.isOpen() ? path + ": " : "");
  for (const SafetensorsInput &tensor : tensors) {
    CheckedSize bytes = CheckedSize::product(tensor.shape) *
                        safetensorsDtypeBytes(tensor.dtype);
    if (!file.write(tensor.data, bytes.value(), text))
      return text.moveTo(error, "");
  }
  return file.commit(text) || text.moveTo(error, "");
}
