//===- Save.cpp - Writing checkpoints -------------------------------------===//
//
// Needs no memory but the stack: the header is asked for row by row, the data
// is written from where it lies.
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "Checksum.h"
#include "Error.h"

#include "tt/runtime/AtomicFile.h"

#include <string.h>

using namespace tt::runtime;

tt_status tt::runtime::checkHasState(const tt_instance &instance,
                                     int withState) {
  if (withState && instance.model->state_bytes &&
      !instance.roots[TT_REGION_STATE])
    return fail(TT_ERR_STATE, "the instance was bound without optimizer state");
  return TT_OK;
}

namespace {

/// Pairs that we add: `format`, which transformers asks for, the model's hash,
/// the checksum of everything before it.
constexpr const char *kOurKeys[] = {"format", kHashKey, kChecksumKey};
constexpr uint32_t kNumOurs = 3;
/// Keys of the caller's metadata; the file's 1024 less ours.
constexpr uint32_t kMaxMetadata = 1024 - kNumOurs;

/// One save. Tensors go by falling element size, in table order within a size:
/// that keeps all data aligned in the file.
class CheckpointWriter {
public:
  CheckpointWriter(const tt_instance &instance, bool withState,
                   const char *const *metadata, uint32_t numMetadata)
      : hash(instance.model->hash), rows(instance, withState),
        metadata(metadata), numMetadata(numMetadata) {}

  tt_status checkMetadata() const;
  bool write(const char *path, ErrorText error);

private:
  uint32_t rowAt(uint32_t fileIndex);
  uint64_t checksum();
  const char *key(uint32_t pair) const;
  const char *value(uint32_t pair) const;

  static void tensor(void *ctx, uint32_t index, const char *&name,
                     SafetensorsDtype &dtype, uint32_t &rank, int64_t *shape);
  static void pair(void *ctx, uint32_t index, const char *&key,
                   const char *&value);

  const char *hash;
  CheckpointRows rows;
  const char *const *metadata;
  uint32_t numMetadata;
  ChecksumText sum{0};
  // Of the last tensor asked for; they are asked for in order.
  uint32_t cursorIndex = 0;
  uint64_t cursor = 0; // over element sizes x rows
  bool hasCursor = false;
};

} // namespace

/// Pairs of the file: the caller's, then ours.
const char *CheckpointWriter::key(uint32_t pair) const {
  if (pair < numMetadata)
    return metadata[2 * pair];
  return kOurKeys[pair - numMetadata];
}

const char *CheckpointWriter::value(uint32_t pair) const {
  if (pair < numMetadata)
    return metadata[2 * pair + 1];
  const char *const ours[kNumOurs] = {"pt", hash, sum.text};
  return ours[pair - numMetadata];
}

tt_status CheckpointWriter::checkMetadata() const {
  if (numMetadata > kMaxMetadata)
    return fail(TT_ERR_ARGUMENT,
                "expected at most %u metadata pairs, but got "
                "%u",
                kMaxMetadata, numMetadata);
  if (numMetadata && !metadata)
    return fail(TT_ERR_ARGUMENT, "expected %u metadata pairs, but got NULL",
                numMetadata);
  for (uint32_t i = 0; i < 2 * numMetadata; ++i) {
    if (!metadata[i])
      return fail(TT_ERR_ARGUMENT, "metadata pair %u has no %s", i / 2,
                  i % 2 ? "value" : "key");
    if (!isValidUtf8(metadata[i], strlen(metadata[i])))
      return fail(TT_ERR_ARGUMENT, "the %s of metadata pair %u is not UTF-8",
                  i % 2 ? "value" : "key", i / 2);
  }
  for (uint32_t i = 0; i < numMetadata; ++i)
    for (uint32_t j = i + 1; j < numMetadata + kNumOurs; ++j)
      if (strcmp(key(i), key(j)) == 0)
        return fail(TT_ERR_ARGUMENT, "metadata key '%s' %s", key(i),
                    j < numMetadata ? "is given twice" : "is reserved");
  return TT_OK;
}

uint32_t CheckpointWriter::rowAt(uint32_t fileIndex) {
  uint32_t count = rows.count();
  auto isNext = [&] {
    return dtypeBytes(rows.row(cursor % count).dtype) == 8u >> cursor / count;
  };
  if (!hasCursor || fileIndex < cursorIndex) {
    hasCursor = true;
    cursorIndex = 0;
    for (cursor = 0; !isNext();)
      ++cursor;
  }
  for (; cursorIndex < fileIndex; ++cursorIndex)
    do
      ++cursor;
    while (!isNext());
  return cursor % count;
}

void CheckpointWriter::tensor(void *ctx, uint32_t index, const char *&name,
                              SafetensorsDtype &dtype, uint32_t &rank,
                              int64_t *shape) {
  auto &writer = *static_cast<CheckpointWriter *>(ctx);
  const tt_tensor_row &row = writer.rows.row(writer.rowAt(index));
  name = row.name;
  dtype = static_cast<SafetensorsDtype>(row.dtype); // numbered alike
  rank = row.rank;
  memcpy(shape, row.shape, row.rank * sizeof(shape[0]));
}

void CheckpointWriter::pair(void *ctx, uint32_t index, const char *&key,
                            const char *&value) {
  auto &writer = *static_cast<CheckpointWriter *>(ctx);
  key = writer.key(index);
  value = writer.value(index);
}

uint64_t CheckpointWriter::checksum() {
  Checksum sum;
  for (uint32_t i = 0; i < numMetadata + kNumOurs - 1; ++i) {
    sum.add(key(i), strlen(key(i)) + 1);
    sum.add(value(i), strlen(value(i)) + 1);
  }
  for (uint32_t i = 0; i < rows.count(); ++i) {
    uint32_t row = rowAt(i);
    sum.add(rows.data(row), rows.row(row).bytes);
  }
  return sum.value();
}

bool CheckpointWriter::write(const char *path, ErrorText error) {
  sum = ChecksumText(checksum());
  SafetensorsContents contents;
  contents.ctx = this;
  contents.numTensors = rows.count();
  contents.tensor = tensor;
  contents.numMetadata = numMetadata + kNumOurs;
  contents.metadata = pair;
  AtomicFile file;
  uint64_t dataBytes;
  if (!file.open(path, error) ||
      !writeSafetensorsHeader(contents, file.sink(), dataBytes, error))
    return false;
  for (uint32_t i = 0; i < rows.count(); ++i) {
    uint32_t row = rowAt(i);
    if (!file.write(rows.data(row), rows.row(row).bytes, error))
      return false;
  }
  return file.commit(error);
}

extern "C" tt_status tt_save(tt_instance *instance, const char *path,
                             int withState, const char *const *metadata,
                             uint32_t numMetadata) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  if (!path)
    return fail(TT_ERR_ARGUMENT, "expected a path, but got NULL");
  if (tt_status status = checkHasState(*instance, withState))
    return status;
  CheckpointWriter writer(*instance, withState != 0, metadata, numMetadata);
  if (tt_status status = writer.checkMetadata())
    return status;
  char text[512] = "";
  if (!writer.write(path, {text, sizeof(text)}))
    return fail(TT_ERR_IO, "%s", text);
  return TT_OK;
}
