// Any bytes as a .npy file: what is accepted has as many bytes as its shape says.
#include "tt/Support/NpyFile.h"

#include <cstdlib>

using namespace tt::support;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  std::string_view file(reinterpret_cast<const char *>(bytes), size);
  NpyArray array;
  std::string error;
  bool isGood = parseNpy(file, "x.npy", array, error);
  if (isGood != error.empty())
    abort();
  if (!isGood)
    return 0;
  uint64_t product = tt::runtime::safetensorsDtypeBytes(array.dtype);
  for (int64_t dimension : array.shape)
    if (dimension < 0 || __builtin_mul_overflow(product, uint64_t(dimension), &product))
      abort();
  if (product != array.bytes.size() || product > size)
    abort();
  return 0;
}
