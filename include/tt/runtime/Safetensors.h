// Reading and writing of safetensors files. Part of the model library: libc
// only, allocates and maps nothing.
#ifndef TT_RUNTIME_SAFETENSORS_H
#define TT_RUNTIME_SAFETENSORS_H

#include "tt/runtime/ErrorText.h"
#include "tt/runtime/Json.h"

#include <stddef.h>
#include <stdint.h>

namespace tt::runtime {

/// Element types by their safetensors name. The first eight have the numbers
/// of tt_dtype (cast freely); from U8 on they are foreign: known by name and
/// size, but tt has no such type.
enum class SafetensorsDtype : uint32_t {
  F64 = 0,
  F32 = 1,
  BF16 = 2,
  F16 = 3,
  I64 = 4,
  I32 = 5,
  I8 = 6,
  BOOL = 7,
  U8 = 16,
  I16,
  U16,
  U32,
  U64,
  F8_E4M3,
  F8_E5M2,
  F8_E8M0,
  C64
};

/// "F32" and so on; never null.
const char *safetensorsDtypeName(SafetensorsDtype dtype);
/// Bytes of one element: 1, 2, 4 or 8.
uint32_t safetensorsDtypeBytes(SafetensorsDtype dtype);
/// True for the eight types that tt computes with.
bool safetensorsDtypeIsSupported(SafetensorsDtype dtype);

constexpr uint32_t kSafetensorsMaxRank = 8;
constexpr uint64_t kSafetensorsMaxHeader = 100000000;
constexpr uint64_t kSafetensorsMaxDimension = 1ull << 40;
constexpr uint64_t kSafetensorsMaxTensor = 1ull << 47;

/// One tensor of a file. `name` points into the header's memory.
struct SafetensorsTensor {
  JsonText name;
  SafetensorsDtype dtype = SafetensorsDtype::F32;
  uint32_t rank = 0;
  int64_t shape[kSafetensorsMaxRank] = {};
  uint64_t offset = 0; // from the start of the file
  uint64_t bytes = 0;
};

/// Checks a file completely (everything but the tensors' values) and then
/// answers questions about it. The memory handed in must outlive the reader.
///
///   SafetensorsReader reader;
///   if (!reader.openFd(fd, memory, memoryBytes, error)) ...
///   SafetensorsTensor tensor;
///   if (!reader.find("wte", tensor)) ...          // log n
///   if (!reader.read(fd, tensor, to, error)) ...  // exactly tensor.bytes
class SafetensorsReader {
public:
  /// What openFd needs for the file: 2.25 times its header and 512 bytes.
  /// Checks the header's length and reads only the first 8 bytes.
  static bool memoryBytes(int fd, uint64_t &bytes, ErrorText error);

  /// Reads the header with pread into `memory` (any alignment) and checks it.
  /// With `foreignDtypes`, tensors of types such as U8 are listed instead of
  /// refused.
  bool openFd(int fd, void *memory, uint64_t memoryBytes, ErrorText error,
              bool foreignDtypes = false);

  /// The same for a whole file in memory, which is only read and must not
  /// change: a copy, or a private mapping of a file nobody writes to (openFd
  /// checks a copy of the header and is safe from that). `scratch` needs
  /// scratchBytes(file, fileBytes).
  bool openBuffer(const void *file, uint64_t fileBytes, void *scratch,
                  uint64_t scratchBytes, ErrorText error,
                  bool foreignDtypes = false);
  static uint64_t scratchBytes(const void *file, uint64_t fileBytes);

  uint32_t count() const { return numTensors; }
  /// Tensor `index` in the order of the data. index < count().
  SafetensorsTensor at(uint32_t index) const;
  /// False if there is no such tensor.
  bool find(const char *name, SafetensorsTensor &tensor) const;

  uint32_t metadataCount() const { return numMetadata; }
  /// The next pair in the order of the file; start with cursor = 0.
  bool nextMetadata(uint64_t &cursor, JsonText &key, JsonText &value) const;
  bool findMetadata(const char *key, JsonText &value) const;

  /// Reads the tensor's bytes with pread; a file that has become shorter
  /// since the check is an error.
  static bool read(int fd, const SafetensorsTensor &tensor, void *to,
                   ErrorText error);
  /// Reads a slice of them: `bytes` at `from` (both inside the tensor).
  static bool readSlice(int fd, const SafetensorsTensor &tensor, uint64_t from,
                        uint64_t bytes, void *to, ErrorText error);

private:
  struct Extent { // of a tensor's data, and the position of its key
    uint64_t begin;
    uint64_t end;
    uint64_t key;
  };

  bool openHeader(const char *text, uint64_t textBytes, uint64_t fileBytes,
                  void *scratch, uint64_t scratchBytes, ErrorText error);
  bool readEntries(const char *text, uint64_t textBytes, uint32_t *keys,
                   uint64_t keyCapacity, uint64_t extentCapacity,
                   ErrorText error);
  bool readMetadata(JsonReader &reader, uint64_t keyPosition);
  bool checkExtents(uint64_t dataBytes, ErrorText error);
  SafetensorsTensor tensorAtKey(uint64_t key) const;

  const char *header = nullptr;
  uint64_t headerBytes = 0;
  Extent *extents = nullptr;       // sorted by begin, then end
  const uint32_t *names = nullptr; // positions of keys, sorted by name
  uint32_t numTensors = 0;
  uint32_t numNames = 0; // tensors and, perhaps, __metadata__
  uint32_t numMetadata = 0;
  uint64_t metadataKey = 0; // position of "__metadata__", 0: none
  bool acceptForeign = false;
};

/// What a file to be written holds. The callbacks are asked several times and
/// must answer the same. The order of tensors is the order of the data; put
/// types with larger elements first to keep all data aligned. The tensors'
/// names must be unique (not checked); that of the metadata keys is checked.
struct SafetensorsContents {
  void *ctx = nullptr;
  uint32_t numTensors = 0;
  /// Sets name (NUL-terminated), dtype, rank and the shape's first elements.
  void (*tensor)(void *ctx, uint32_t index, const char *&name,
                 SafetensorsDtype &dtype, uint32_t &rank,
                 int64_t *shape) = nullptr;
  uint32_t numMetadata = 0; // at most 1024
  void (*metadata)(void *ctx, uint32_t index, const char *&key,
                   const char *&value) = nullptr;
};

/// Takes bytes; false stops the writing and leaves a text.
struct ByteSink {
  void *ctx = nullptr;
  bool (*write)(void *ctx, const void *data, uint64_t bytes,
                ErrorText error) = nullptr;
};

/// Writes the length and the header (same contents, same bytes; padded with
/// spaces to a multiple of 8). The caller then writes the tensors' bytes in
/// order with nothing between them: `dataBytes` in all.
///
///   AtomicFile file;
///   file.open(path, error) &&
///       writeSafetensorsHeader(contents, file.sink(), dataBytes, error) &&
///       file.write(w, wBytes, error) && ... && file.commit(error);
bool writeSafetensorsHeader(const SafetensorsContents &contents, ByteSink sink,
                            uint64_t &dataBytes, ErrorText error);

} // namespace tt::runtime
#endif
