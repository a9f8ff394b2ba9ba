//===- Load.cpp - Reading checkpoints -------------------------------------===//
//
// Three passes: the header (names, types, shapes of all tensors), the checksum
// over the whole file, the copy. Only the last one writes.
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "Checksum.h"
#include "Error.h"

#include "tt/runtime/Safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::runtime;

namespace {

/// Memory for a file's header: the arena, whose contents mean nothing between
/// calls, or, if that is too small (a huge header over a tiny model), a
/// mapping for the time of the load.
class HeaderMemory {
public:
  HeaderMemory(const tt_instance &instance, uint64_t bytes)
      : start(instance.arena), mapped(0) {
    if (start && bytes <= instance.arenaBytes)
      return;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start = memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
    mapped = start ? bytes : 0;
  }
  ~HeaderMemory() {
    if (mapped)
      munmap(start, mapped);
  }
  HeaderMemory(const HeaderMemory &) = delete;
  HeaderMemory &operator=(const HeaderMemory &) = delete;

  char *data() const { return start; }

private:
  char *start;
  uint64_t mapped;
};

/// A file descriptor for a scope.
class OpenFile {
public:
  // Non-blocking: a pipe must be refused, not waited for.
  explicit OpenFile(const char *path)
      : fd(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (fd >= 0)
      close(fd);
  }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  const int fd;
};

/// "f32[2, 3]" for an error text.
struct TypeText {
  char text[224];
  TypeText(const char *dtype, uint32_t rank, const int64_t *shape) {
    int used = snprintf(text, sizeof(text), "%s[", dtype);
    for (uint32_t i = 0; i < rank; ++i)
      used += snprintf(text + used, sizeof(text) - used, i ? ", %lld" : "%lld",
                       (long long)shape[i]);
    snprintf(text + used, sizeof(text) - used, "]");
  }
};

/// One load.
class CheckpointLoader {
public:
  CheckpointLoader(const tt_instance &instance, bool withState, int fd)
      : rows(instance, withState), fd(fd) {}

  tt_status open(char *memory, uint64_t bytes);
  tt_status checkTensors() const;
  tt_status checkChecksum(char *scratch) const;
  tt_status copy() const;

private:
  void addMetadata(Checksum &sum, char *scratch) const;

  CheckpointRows rows;
  int fd;
  SafetensorsReader reader;
};

} // namespace

tt_status CheckpointLoader::open(char *memory, uint64_t bytes) {
  char text[512] = "";
  // Other tensors are none of our business, of whatever type.
  if (!reader.openFd(fd, memory, bytes, {text, sizeof(text)},
                     /*foreignDtypes=*/true))
    return fail(TT_ERR_FORMAT, "%s", text);
  return TT_OK;
}

tt_status CheckpointLoader::checkTensors() const {
  for (uint32_t i = 0; i < rows.count(); ++i) {
    const tt_tensor_row &row = rows.row(i);
    SafetensorsTensor found;
    if (!reader.find(row.name, found))
      return fail(TT_ERR_FORMAT, "expected tensor '%s', but it is not there",
                  row.name);
    if (static_cast<uint32_t>(found.dtype) != row.dtype ||
        found.rank != row.rank || found.bytes != row.bytes ||
        memcmp(found.shape, row.shape, row.rank * sizeof(row.shape[0])) != 0) {
      TypeText wanted(safetensorsDtypeName(SafetensorsDtype(row.dtype)),
                      row.rank, row.shape);
      TypeText got(safetensorsDtypeName(found.dtype), found.rank, found.shape);
      return fail(TT_ERR_FORMAT, "expected tensor '%s' of %s, but got %s",
                  row.name, wanted.text, got.text);
    }
  }
  return TT_OK;
}

void CheckpointLoader::addMetadata(Checksum &sum, char *scratch) const {
  auto addString = [&](JsonText text) {
    // Decoding never makes a string longer, and both have been in the header,
    // so there is room for the NUL too.
    size_t size = jsonDecode(text, scratch, text.size);
    scratch[size] = 0;
    sum.add(scratch, size + 1);
  };
  JsonText key, value;
  for (uint64_t cursor = 0; reader.nextMetadata(cursor, key, value);) {
    if (jsonEquals(key, kChecksumKey))
      continue;
    addString(key);
    addString(value);
  }
}

tt_status CheckpointLoader::checkChecksum(char *scratch) const {
  JsonText wanted, hash;
  if (!reader.findMetadata(kChecksumKey, wanted)) {
    if (reader.findMetadata(kHashKey, hash))
      return fail(TT_ERR_FORMAT, "the file has '%s' but no '%s': it is damaged",
                  kHashKey, kChecksumKey);
    return TT_OK; // not written by tt_save
  }
  Checksum sum;
  addMetadata(sum, scratch);
  char buffer[1 << 16];
  char text[512] = "";
  for (uint32_t i = 0; i < reader.count(); ++i) {
    SafetensorsTensor tensor = reader.at(i);
    for (uint64_t at = 0; at < tensor.bytes; at += sizeof(buffer)) {
      uint64_t bytes = tensor.bytes - at;
      if (bytes > sizeof(buffer))
        bytes = sizeof(buffer);
      if (!reader.readSlice(fd, tensor, at, bytes, buffer,
                            {text, sizeof(text)}))
        return fail(TT_ERR_IO, "%s", text);
      sum.add(buffer, bytes);
    }
  }
  ChecksumText found(sum.value());
  if (!jsonEquals(wanted, found.text))
    return fail(TT_ERR_FORMAT,
                "the file is damaged: its contents do not match its checksum");
  return TT_OK;
}

tt_status CheckpointLoader::copy() const {
  char text[512] = "";
  for (uint32_t i = 0; i < rows.count(); ++i) {
    SafetensorsTensor tensor;
    reader.find(rows.row(i).name, tensor); // it is there, see checkTensors
    if (!reader.read(fd, tensor, rows.data(i), {text, sizeof(text)}))
      return fail(TT_ERR_IO, "%s; the values are partly loaded now", text);
  }
  return TT_OK;
}

static tt_status loadFrom(const tt_instance &instance, int fd, bool withState) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    return fail(TT_ERR_IO, "fstat failed: %s", ErrnoText(errno).text);
  if (!S_ISREG(status.st_mode))
    return fail(TT_ERR_FORMAT, "expected a regular file, but got %s",
                fileKind(status.st_mode));
  char text[512] = "";
  uint64_t bytes;
  if (!SafetensorsReader::memoryBytes(fd, bytes, {text, sizeof(text)}))
    return fail(TT_ERR_FORMAT, "%s", text);
  // The second half is for decoding strings of the first.
  HeaderMemory memory(instance, 2 * bytes);
  if (!memory.data())
    return fail(TT_ERR_MEMORY,
                "the system has no %llu bytes for the file's header",
                (unsigned long long)(2 * bytes));
  CheckpointLoader loader(instance, withState, fd);
  if (tt_status status = loader.open(memory.data(), bytes))
    return status;
  if (tt_status status = loader.checkTensors())
    return status;
  if (tt_status status = loader.checkChecksum(memory.data() + bytes))
    return status;
  return loader.copy();
}

extern "C" tt_status tt_load(tt_instance *instance, const char *path,
                             int withState) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  if (!path)
    return fail(TT_ERR_ARGUMENT, "expected a path, but got NULL");
  if (tt_status status = checkHasState(*instance, withState))
    return status;
  OpenFile file(path);
  if (file.fd < 0) {
    ErrnoText reason(errno);
    return fail(TT_ERR_IO, "cannot open '%s': %s", path, reason.text);
  }
  tt_status status = loadFrom(*instance, file.fd, withState != 0);
  if (status != TT_OK) {
    char text[512];
    snprintf(text, sizeof(text), "%s", tt_last_error());
    return fail(status, "'%s': %s", path, text);
  }
  return TT_OK;
}
