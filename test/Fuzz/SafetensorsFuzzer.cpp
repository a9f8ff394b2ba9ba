// Any bytes as a safetensors file: what is accepted tiles the file's data.
#include "tt/runtime/Safetensors.h"

#include <cstdlib>
#include <memory>

using namespace tt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  uint64_t needed = SafetensorsReader::scratchBytes(bytes, size);
  std::unique_ptr<char[]> scratch(new char[needed]);
  char message[256] = "";
  SafetensorsReader reader;
  if (!reader.openBuffer(bytes, size, scratch.get(), needed,
                         {message, sizeof message}, /*foreignDtypes=*/true)) {
    if (message[0] == 0)
      abort();
    return 0;
  }
  uint64_t next = 0;
  for (uint32_t i = 0; i < reader.count(); ++i) {
    SafetensorsTensor tensor = reader.at(i);
    if (i > 0 && tensor.offset != next)
      abort();
    next = tensor.offset + tensor.bytes;
    uint64_t product = safetensorsDtypeBytes(tensor.dtype);
    for (uint32_t j = 0; j < tensor.rank; ++j)
      if (__builtin_mul_overflow(product, uint64_t(tensor.shape[j]), &product))
        abort();
    if (product != tensor.bytes)
      abort();
  }
  if (reader.count() > 0 && next != size)
    abort();
  uint64_t cursor = 0;
  JsonText key, value;
  uint32_t pairs = 0;
  while (reader.nextMetadata(cursor, key, value))
    ++pairs;
  if (pairs != reader.metadataCount())
    abort();
  SafetensorsTensor tensor;
  reader.find("w", tensor);
  return 0;
}
