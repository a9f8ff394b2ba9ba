// Reading a checkpoint's float types as f32 or f64.
#ifndef TT_LIB_FRONTEND_WIDENFLOATS_H
#define TT_LIB_FRONTEND_WIDENFLOATS_H

#include "tt/runtime/Safetensors.h"

#include <cstdint>
#include <vector>

namespace tt::frontend {

/// True if each value of `from` is one of f32 (or f64).
bool widensTo(runtime::SafetensorsDtype from, bool toF64);

/// Replaces raw values of type `from` by f32 (or f64) ones, exactly. Returns
/// the number of values that are not finite.
uint64_t widenFloats(std::vector<char> &raw, runtime::SafetensorsDtype from,
                     bool toF64);

} // namespace tt::frontend
#endif
