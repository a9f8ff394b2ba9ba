// The safetensors writer.
#include "SafetensorsDtype.h"

#include <stdio.h>
#include <string.h>

using namespace tt::runtime;

using Number = unsigned long long; // for %llu

static constexpr uint32_t kMaxMetadata = 1024;

namespace {
/// Counts the header's bytes or, with a sink, passes them on in pieces.
class HeaderText {
public:
  HeaderText(ByteSink sink, ErrorText error) : sink(sink), error(error) {}

  bool put(const char *bytes, size_t count) {
    total += count;
    if (!sink.write)
      return true;
    while (count > 0) {
      size_t room = sizeof buffer - used;
      size_t part = count < room ? count : room;
      memcpy(buffer + used, bytes, part);
      used += part;
      bytes += part;
      count -= part;
      if (used == sizeof buffer && !flush())
        return false;
    }
    return true;
  }
  bool put(const char *text) { return put(text, strlen(text)); }
  bool putNumber(uint64_t value) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", Number(value));
    return put(digits, static_cast<size_t>(count));
  }
  bool putString(const char *text);
  bool flush() {
    size_t count = used;
    used = 0;
    return count == 0 || sink.write(sink.ctx, buffer, count, error);
  }
  uint64_t size() const { return total; }

private:
  ByteSink sink;
  ErrorText error;
  uint64_t total = 0;
  size_t used = 0;
  char buffer[4096];
};
} // namespace

bool HeaderText::putString(const char *text) {
  if (!put("\""))
    return false;
  for (; *text; ++text) {
    unsigned char byte = static_cast<unsigned char>(*text);
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(named, byte);
    char escape[8];
    if (found)
      snprintf(escape, sizeof escape, "\\%c", letters[found - named]);
    else if (byte < 0x20)
      snprintf(escape, sizeof escape, "\\u%04x", byte);
    else
      snprintf(escape, sizeof escape, "%c", byte);
    if (!put(escape))
      return false;
  }
  return put("\"");
}

static bool checkString(const char *text, const char *what, uint32_t index,
                        ErrorText error) {
  if (!text)
    return error.fail("%s %u: found null, wanted a text", what, index);
  size_t size = strlen(text);
  if (isValidUtf8(text, size))
    return true;
  PrintableText shown(text, size);
  return error.fail("%s %u: found \"%s\", wanted valid UTF-8", what, index,
                    shown.text);
}

static bool checkMetadata(const SafetensorsContents &contents,
                          ErrorText error) {
  if (contents.numMetadata > kMaxMetadata)
    return error.fail("found %u metadata pairs, wanted at most %u",
                      contents.numMetadata, kMaxMetadata);
  for (uint32_t i = 0; i < contents.numMetadata; ++i) {
    const char *key = nullptr, *value = nullptr;
    contents.metadata(contents.ctx, i, key, value);
    if (!checkString(key, "metadata key", i, error) ||
        !checkString(value, "metadata value", i, error))
      return false;
    for (uint32_t j = 0; j < i; ++j) {
      const char *other = nullptr;
      contents.metadata(contents.ctx, j, other, value);
      if (strcmp(key, other) == 0) {
        PrintableText shown(key, strlen(key));
        return error.fail("found metadata key \"%s\" twice, wanted unique keys",
                          shown.text);
      }
    }
  }
  return true;
}

static bool putMetadata(const SafetensorsContents &contents, HeaderText &out) {
  if (contents.numMetadata == 0)
    return true;
  if (!out.put("\"__metadata__\":{"))
    return false;
  for (uint32_t i = 0; i < contents.numMetadata; ++i) {
    const char *key = nullptr, *value = nullptr;
    contents.metadata(contents.ctx, i, key, value);
    if (!(i == 0 || out.put(",")) || !out.putString(key) || !out.put(":") ||
        !out.putString(value))
      return false;
  }
  return out.put("}");
}

/// Writes tensor `index`, whose data begins at `offset`, and moves `offset`.
static bool putTensor(const SafetensorsContents &contents, uint32_t index,
                      HeaderText &out, uint64_t &offset, ErrorText error) {
  const char *name = nullptr;
  SafetensorsDtype dtype = SafetensorsDtype::F32;
  uint32_t rank = 0;
  int64_t shape[kSafetensorsMaxRank] = {};
  contents.tensor(contents.ctx, index, name, dtype, rank, shape);
  if (!checkString(name, "tensor name", index, error))
    return false;
  PrintableText shown(name, strlen(name));
  if (strcmp(name, "__metadata__") == 0)
    return error.fail("found tensor name \"%s\", which is reserved",
                      shown.text);
  if (rank > kSafetensorsMaxRank)
    return error.fail("tensor \"%s\": found rank %u, wanted at most %u",
                      shown.text, rank, kSafetensorsMaxRank);
  uint64_t bytes, end;
  if (!safetensorsBytes(dtype, shape, rank, bytes) ||
      __builtin_add_overflow(offset, bytes, &end))
    return error.fail("tensor \"%s\": found a bad dtype or a shape of more "
                      "than 2^47 bytes, wanted at most that",
                      shown.text);
  bool ok = out.putString(name) && out.put(":{\"dtype\":\"") &&
            out.put(safetensorsDtypeName(dtype)) && out.put("\",\"shape\":[");
  for (uint32_t i = 0; ok && i < rank; ++i)
    ok = (i == 0 || out.put(",")) &&
         out.putNumber(static_cast<uint64_t>(shape[i]));
  ok = ok && out.put("],\"data_offsets\":[") && out.putNumber(offset) &&
       out.put(",") && out.putNumber(end) && out.put("]}");
  offset = end;
  return ok;
}

static bool putHeader(const SafetensorsContents &contents, HeaderText &out,
                      uint64_t &dataBytes, ErrorText error) {
  dataBytes = 0;
  if (!out.put("{") || !putMetadata(contents, out))
    return false;
  for (uint32_t i = 0; i < contents.numTensors; ++i) {
    bool first = i == 0 && contents.numMetadata == 0;
    if (!(first || out.put(",")) ||
        !putTensor(contents, i, out, dataBytes, error))
      return false;
  }
  return out.put("}");
}

bool tt::runtime::writeSafetensorsHeader(const SafetensorsContents &contents,
                                         ByteSink sink, uint64_t &dataBytes,
                                         ErrorText error) {
  HeaderText counted({}, error);
  if (!checkMetadata(contents, error) ||
      !putHeader(contents, counted, dataBytes, error))
    return false;
  uint64_t length = (counted.size() + 7) & ~uint64_t(7);
  if (length > kSafetensorsMaxHeader)
    return error.fail("found a header of %llu bytes, wanted at most %llu",
                      Number(length), Number(kSafetensorsMaxHeader));
  char first[8];
  for (int i = 0; i < 8; ++i)
    first[i] = static_cast<char>(length >> (8 * i));
  HeaderText written(sink, error);
  if (!written.put(first, sizeof first) ||
      !putHeader(contents, written, dataBytes, error))
    return false;
  uint64_t padding = length - counted.size();
  return written.put("        ", padding) && written.flush();
}
