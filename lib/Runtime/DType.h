//===- DType.h - Sizes and names of element types ---------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_DTYPE_H
#define TT_LIB_RUNTIME_DTYPE_H

#include "tt/runtime/tt.h"

namespace tt::runtime {

constexpr uint32_t kNumDtypes = 8;

/// Bytes of one element; 0 for a number that is no tt_dtype.
inline uint64_t dtypeBytes(uint32_t dtype) {
  constexpr uint8_t bytes[kNumDtypes] = {8, 4, 2, 2, 8, 4, 1, 1};
  return dtype < kNumDtypes ? bytes[dtype] : 0;
}

inline bool isFloatDtype(uint32_t dtype) { return dtype <= TT_F16; }

inline const char *dtypeName(uint32_t dtype) {
  constexpr const char *names[kNumDtypes] = {"f64", "f32", "bf16", "f16",
                                             "i64", "i32", "i8",   "i1"};
  return dtype < kNumDtypes ? names[dtype] : "no dtype";
}

} // namespace tt::runtime

#endif
