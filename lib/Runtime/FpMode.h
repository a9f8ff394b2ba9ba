//===- FpMode.h - The floating-point mode of kernels ------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_FPMODE_H
#define TT_LIB_RUNTIME_FPMODE_H

#include <xmmintrin.h>

namespace tt::runtime {

/// Round to nearest, denormals kept, exceptions masked.
constexpr unsigned kDefaultMxcsr = 0x1F80;

/// The default mode for a scope, then the caller's again. A host built with
/// -ffast-math flushes denormals on its own threads only, so without this the
/// bits of a result would depend on which thread ran a task.
class DefaultFpMode {
public:
  DefaultFpMode() : saved(_mm_getcsr()) { _mm_setcsr(kDefaultMxcsr); }
  ~DefaultFpMode() { _mm_setcsr(saved); }
  DefaultFpMode(const DefaultFpMode &) = delete;
  DefaultFpMode &operator=(const DefaultFpMode &) = delete;

private:
  unsigned saved;
};

} // namespace tt::runtime

#endif
