// The safetensors reader.
#include "tt/runtime/Safetensors.h"

#include "HeapSort.h"
#include "SafetensorsDtype.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::runtime;

using Number = unsigned long long; // for %llu

static constexpr uint64_t kLengthBytes = 8;
/// Interrupted calls without progress before we give up.
static constexpr int kMaxInterrupts = 1000;

bool tt::runtime::safetensorsBytes(SafetensorsDtype dtype, const int64_t *shape,
                                   uint32_t rank, uint64_t &bytes) {
  uint64_t product = safetensorsDtypeBytes(dtype);
  bool overflow = product == 0, isEmpty = false;
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t dimension = static_cast<uint64_t>(shape[i]); // negative: huge
    overflow |= dimension > kSafetensorsMaxDimension;
    isEmpty |= dimension == 0; // which does not excuse the others
    overflow |=
        __builtin_mul_overflow(product, dimension ? dimension : 1, &product);
  }
  bytes = isEmpty ? 0 : product;
  return !overflow && product <= kSafetensorsMaxTensor;
}

//===----------------------------------------------------------------------===//
// Reading bytes
//===----------------------------------------------------------------------===//

static bool readFully(int fd, void *to, uint64_t bytes, uint64_t offset,
                      ErrorText error) {
  char *out = static_cast<char *>(to);
  int interrupts = 0;
  while (bytes > 0) {
    size_t chunk = bytes < (1u << 30) ? bytes : 1u << 30;
    ssize_t got = pread(fd, out, chunk, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR && ++interrupts < kMaxInterrupts)
      continue;
    if (got < 0)
      return error.fail("reading at byte %llu failed: %s", Number(offset),
                        ErrnoText(errno).text);
    if (got == 0)
      return error.fail("found the end of the file at byte %llu, wanted %llu "
                        "more bytes",
                        Number(offset), Number(bytes));
    interrupts = 0;
    out += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
  return true;
}

/// The header's length out of the first 8 bytes, little-endian, checked.
static bool decodeLength(const unsigned char *first, uint64_t fileBytes,
                         uint64_t &length, ErrorText error) {
  length = 0;
  for (int i = 7; i >= 0; --i)
    length = (length << 8) | first[i];
  if (length > kSafetensorsMaxHeader)
    return error.fail("found header length %llu at byte 0, wanted at most %llu",
                      Number(length), Number(kSafetensorsMaxHeader));
  if (length > fileBytes - kLengthBytes)
    return error.fail("found header length %llu at byte 0, wanted at most "
                      "%llu, the rest of the file",
                      Number(length), Number(fileBytes - kLengthBytes));
  return true;
}

static bool readLength(int fd, uint64_t &fileBytes, uint64_t &length,
                       ErrorText error) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    return error.fail("fstat failed: %s", ErrnoText(errno).text);
  if (!S_ISREG(status.st_mode))
    return error.fail("found %s, wanted a regular file",
                      fileKind(status.st_mode));
  fileBytes = static_cast<uint64_t>(status.st_size);
  if (fileBytes < kLengthBytes)
    return error.fail("found a file of %llu bytes, wanted at least 8",
                      Number(fileBytes));
  unsigned char first[kLengthBytes];
  return readFully(fd, first, sizeof first, 0, error) &&
         decodeLength(first, fileBytes, length, error);
}

/// A tensor takes at least 49 bytes of header, a metadata pair 6.
static uint64_t maxTensors(uint64_t headerBytes) {
  return headerBytes / 49 + 1;
}
static uint64_t maxKeys(uint64_t headerBytes) { return headerBytes / 6 + 8; }

/// 24 bytes per extent and 4 per key: 24 / 49 + 4 / 6 < 1.25.
static uint64_t scratchFor(uint64_t headerBytes) {
  return headerBytes + headerBytes / 4 + 256;
}

bool SafetensorsReader::memoryBytes(int fd, uint64_t &bytes, ErrorText error) {
  uint64_t fileBytes, length;
  if (!readLength(fd, fileBytes, length, error))
    return false;
  bytes = length + scratchFor(length);
  return true;
}

uint64_t SafetensorsReader::scratchBytes(const void *file, uint64_t fileBytes) {
  uint64_t length;
  if (fileBytes < kLengthBytes ||
      !decodeLength(static_cast<const unsigned char *>(file), fileBytes, length,
                    {}))
    return 0; // openBuffer will say why
  return scratchFor(length);
}

bool SafetensorsReader::openFd(int fd, void *memory, uint64_t memoryBytes,
                               ErrorText error, bool foreignDtypes) {
  *this = SafetensorsReader();
  acceptForeign = foreignDtypes;
  uint64_t fileBytes, length;
  if (!readLength(fd, fileBytes, length, error))
    return false;
  if (memoryBytes < length)
    return error.fail("found %llu bytes of memory for the header, wanted %llu",
                      Number(memoryBytes), Number(length + scratchFor(length)));
  char *text = static_cast<char *>(memory);
  return readFully(fd, text, length, kLengthBytes, error) &&
         openHeader(text, length, fileBytes, text + length,
                    memoryBytes - length, error);
}

bool SafetensorsReader::openBuffer(const void *file, uint64_t fileBytes,
                                   void *scratch, uint64_t scratchBytes,
                                   ErrorText error, bool foreignDtypes) {
  *this = SafetensorsReader();
  acceptForeign = foreignDtypes;
  if (fileBytes < kLengthBytes)
    return error.fail("found a file of %llu bytes, wanted at least 8",
                      Number(fileBytes));
  uint64_t length;
  const char *text = static_cast<const char *>(file) + kLengthBytes;
  return decodeLength(static_cast<const unsigned char *>(file), fileBytes,
                      length, error) &&
         openHeader(text, length, fileBytes, scratch, scratchBytes, error);
}

bool SafetensorsReader::read(int fd, const SafetensorsTensor &tensor, void *to,
                             ErrorText error) {
  return readSlice(fd, tensor, 0, tensor.bytes, to, error);
}

bool SafetensorsReader::readSlice(int fd, const SafetensorsTensor &tensor,
                                  uint64_t from, uint64_t bytes, void *to,
                                  ErrorText error) {
  PrintableText name(tensor.name.data, tensor.name.size);
  if (from > tensor.bytes || bytes > tensor.bytes - from)
    return error.fail("tensor \"%s\": found a slice of %llu bytes at %llu, "
                      "wanted one inside its %llu bytes",
                      name.text, Number(bytes), Number(from),
                      Number(tensor.bytes));
  if (readFully(fd, to, bytes, tensor.offset + from, error))
    return true;
  return error.prefix("tensor \"%s\": ", name.text);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static bool readDtype(JsonReader &reader, SafetensorsDtype &dtype,
                      bool acceptForeign) {
  if (reader.next() != JsonEvent::String)
    return reader.fail("a dtype in quotes");
  if (!findSafetensorsDtype(reader.text(), dtype))
    return reader.fail(acceptForeign
                           ? "a known dtype: F64, F32, BF16, F16, I64, I32, I8, "
                             "BOOL, U8, I16, U16, U32, U64, F8_E4M3, F8_E5M2, "
                             "F8_E8M0 or C64"
                           : "a known dtype: F64, F32, BF16, F16, I64, I32, I8 or "
                             "BOOL");
  if (!acceptForeign && !safetensorsDtypeIsSupported(dtype))
    return reader.fail("a supported dtype (this one is unsupported): F64, F32, "
                       "BF16, F16, I64, I32, I8 or BOOL");
  return true;
}

static bool readShape(JsonReader &reader, SafetensorsTensor &tensor) {
  if (reader.next() != JsonEvent::ArrayBegin)
    return reader.fail("a shape in []");
  tensor.rank = 0;
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::ArrayEnd)
      return true;
    if (event != JsonEvent::Integer || reader.integer() < 0 ||
        reader.integer() > int64_t(kSafetensorsMaxDimension))
      return reader.fail("a dimension in [0, 2^40]");
    if (tensor.rank == kSafetensorsMaxRank)
      return reader.fail("a shape of at most 8 dimensions");
    tensor.shape[tensor.rank++] = reader.integer();
  }
}

static bool readOffsets(JsonReader &reader, uint64_t &begin, uint64_t &end) {
  if (reader.next() != JsonEvent::ArrayBegin)
    return reader.fail("data_offsets in []");
  uint64_t values[2];
  for (uint64_t &value : values) {
    if (reader.next() != JsonEvent::Integer || reader.integer() < 0)
      return reader.fail("an offset in [0, 2^63 - 1]");
    value = static_cast<uint64_t>(reader.integer());
  }
  if (reader.next() != JsonEvent::ArrayEnd)
    return reader.fail("']' after two offsets");
  begin = values[0];
  end = values[1];
  return true;
}

/// Reads the object that describes a tensor; sets all but its name.
static bool readTensor(JsonReader &reader, SafetensorsTensor &tensor,
                       uint64_t &begin, uint64_t &end, bool acceptForeign,
                       ErrorText error) {
  if (reader.next() != JsonEvent::ObjectBegin)
    return reader.fail("a tensor's description in {}");
  bool hasDtype = false, hasShape = false, hasOffsets = false;
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::Error)
      return false;
    if (event == JsonEvent::ObjectEnd)
      break;
    bool read = false;
    if (jsonEquals(reader.text(), "dtype"))
      read = hasDtype = readDtype(reader, tensor.dtype, acceptForeign);
    else if (jsonEquals(reader.text(), "shape"))
      read = hasShape = readShape(reader, tensor);
    else if (jsonEquals(reader.text(), "data_offsets"))
      read = hasOffsets = readOffsets(reader, begin, end);
    else
      reader.fail("dtype, shape or data_offsets");
    if (!read)
      return false;
  }
  if (!hasDtype || !hasShape || !hasOffsets)
    return reader.fail("dtype, shape and data_offsets before it");
  if (!safetensorsBytes(tensor.dtype, tensor.shape, tensor.rank, tensor.bytes))
    return error.fail("found a shape of more than 2^47 bytes, wanted at most "
                      "that");
  if (begin > end || end - begin != tensor.bytes)
    return error.fail("found data_offsets [%llu, %llu], wanted %llu bytes, as "
                      "its shape of %s takes",
                      Number(begin), Number(end), Number(tensor.bytes),
                      safetensorsDtypeName(tensor.dtype));
  return true;
}

bool SafetensorsReader::readMetadata(JsonReader &reader, uint64_t keyPosition) {
  if (reader.next() != JsonEvent::ObjectBegin)
    return reader.fail("metadata in {}");
  metadataKey = keyPosition;
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::Error || event == JsonEvent::ObjectEnd)
      return event == JsonEvent::ObjectEnd;
    if (reader.next() != JsonEvent::String)
      return reader.fail("a metadata value in quotes");
    ++numMetadata;
  }
}

bool SafetensorsReader::readEntries(const char *text, uint64_t textBytes,
                                    uint32_t *keys, uint64_t keyCapacity,
                                    uint64_t extentCapacity, ErrorText error) {
  JsonLimits limits;
  limits.positionBase = kLengthBytes;
  JsonReader reader(text, textBytes, keys, keyCapacity, error, limits);
  if (textBytes == 0 || text[0] != '{')
    return reader.fail("'{' as the header's first byte");
  reader.next();
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::Error)
      return false;
    if (event == JsonEvent::ObjectEnd)
      break;
    JsonText name = reader.text();
    uint64_t key = reader.position();
    if (jsonEquals(name, "__metadata__")) {
      if (!readMetadata(reader, key))
        return error.prefix("__metadata__: ");
      continue;
    }
    PrintableText shown(name.data, name.size);
    if (numTensors == extentCapacity) // cannot be: each takes 49 bytes
      return error.fail("tensor \"%s\": found more tensors than fit",
                        shown.text);
    SafetensorsTensor tensor;
    Extent extent = {0, 0, key};
    if (!readTensor(reader, tensor, extent.begin, extent.end, acceptForeign,
                    error))
      return error.prefix("tensor \"%s\": ", shown.text);
    extents[numTensors++] = extent;
  }
  names = reader.sortedKeys();
  numNames = static_cast<uint32_t>(reader.numSortedKeys());
  return reader.next() == JsonEvent::End;
}

/// The data must be tiled by the tensors, from its first byte to its last.
bool SafetensorsReader::checkExtents(uint64_t dataBytes, ErrorText error) {
  heapSort(extents, numTensors, [](const Extent &lhs, const Extent &rhs) {
    return lhs.begin != rhs.begin ? lhs.begin < rhs.begin : lhs.end < rhs.end;
  });
  uint64_t expected = 0;
  for (uint32_t i = 0; i < numTensors; ++i) {
    const Extent &extent = extents[i];
    if (extent.begin == expected && extent.end <= dataBytes) {
      expected = extent.end;
      continue;
    }
    JsonText name = JsonReader::stringAt(header, extent.key);
    PrintableText shown(name.data, name.size);
    if (extent.begin == expected)
      return error.fail("tensor \"%s\": found data_offsets [%llu, %llu], "
                        "wanted an end of at most %llu, the data in the file",
                        shown.text, Number(extent.begin), Number(extent.end),
                        Number(dataBytes));
    return error.fail("tensor \"%s\": found data_offsets [%llu, %llu], wanted "
                      "a begin of %llu, where the tensor before it ends",
                      shown.text, Number(extent.begin), Number(extent.end),
                      Number(expected));
  }
  if (expected != dataBytes)
    return error.fail("found %llu bytes of data, wanted %llu, where the last "
                      "tensor ends",
                      Number(dataBytes), Number(expected));
  return true;
}

bool SafetensorsReader::openHeader(const char *text, uint64_t textBytes,
                                   uint64_t fileBytes, void *scratch,
                                   uint64_t scratchBytes, ErrorText error) {
  if (scratchBytes < scratchFor(textBytes))
    return error.fail("found %llu bytes of scratch, wanted %llu",
                      Number(scratchBytes), Number(scratchFor(textBytes)));
  uintptr_t start = (reinterpret_cast<uintptr_t>(scratch) + 7) & ~uintptr_t(7);
  extents = reinterpret_cast<Extent *>(start);
  uint32_t *keys =
      reinterpret_cast<uint32_t *>(extents + maxTensors(textBytes));
  header = text;
  headerBytes = textBytes;
  if (readEntries(text, textBytes, keys, maxKeys(textBytes),
                  maxTensors(textBytes), error) &&
      checkExtents(fileBytes - kLengthBytes - textBytes, error))
    return true;
  *this = SafetensorsReader();
  return false;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The byte behind the key at `key` and its ':'.
static size_t valuePosition(const char *header, JsonText key) {
  const char *at = key.data + key.size + 1;
  while (*at != ':')
    ++at;
  return static_cast<size_t>(at + 1 - header);
}

SafetensorsTensor SafetensorsReader::tensorAtKey(uint64_t key) const {
  SafetensorsTensor tensor;
  tensor.name = JsonReader::stringAt(header, key);
  uint32_t keys[4];
  JsonReader reader(header, headerBytes, keys, 4, {});
  reader.readValueAt(valuePosition(header, tensor.name));
  uint64_t begin = 0, end = 0;
  readTensor(reader, tensor, begin, end, acceptForeign, {}); // checked before
  tensor.offset = kLengthBytes + headerBytes + begin;
  return tensor;
}

SafetensorsTensor SafetensorsReader::at(uint32_t index) const {
  return tensorAtKey(extents[index].key);
}

bool SafetensorsReader::find(const char *name,
                             SafetensorsTensor &tensor) const {
  size_t nameSize = strlen(name);
  uint32_t low = 0, high = numNames;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = jsonComparePlain(JsonReader::stringAt(header, names[middle]),
                                 name, nameSize);
    if (order == 0 && metadataKey != 0 && names[middle] == metadataKey)
      return false;
    if (order == 0) {
      tensor = tensorAtKey(names[middle]);
      return true;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

bool SafetensorsReader::nextMetadata(uint64_t &cursor, JsonText &key,
                                     JsonText &value) const {
  if (metadataKey == 0)
    return false;
  if (cursor == 0)
    cursor = valuePosition(header, JsonReader::stringAt(header, metadataKey));
  // Checked before: from here to the next quote or '}' there is only '{', ','
  // and white space.
  while (header[cursor] != '"' && header[cursor] != '}')
    ++cursor;
  if (header[cursor] == '}')
    return false;
  key = JsonReader::stringAt(header, cursor);
  cursor = valuePosition(header, key);
  while (header[cursor] != '"')
    ++cursor;
  value = JsonReader::stringAt(header, cursor);
  cursor = static_cast<uint64_t>(value.data + value.size + 1 - header);
  return true;
}

bool SafetensorsReader::findMetadata(const char *key, JsonText &value) const {
  uint64_t cursor = 0;
  JsonText candidate;
  while (nextMetadata(cursor, candidate, value))
    if (jsonEquals(candidate, key))
      return true;
  return false;
}
