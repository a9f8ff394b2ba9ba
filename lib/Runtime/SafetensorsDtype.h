// What the safetensors reader and writer share.
#ifndef TT_RUNTIME_SAFETENSORSDTYPE_H
#define TT_RUNTIME_SAFETENSORSDTYPE_H

#include "tt/runtime/Safetensors.h"

namespace tt::runtime {

/// False if no such type is known.
bool findSafetensorsDtype(JsonText name, SafetensorsDtype &dtype);

/// The checked byte size of a tensor. False: a dimension or the size is past
/// its limit, or negative.
bool safetensorsBytes(SafetensorsDtype dtype, const int64_t *shape,
                      uint32_t rank, uint64_t &bytes);

} // namespace tt::runtime
#endif
