//===- Futex.h - Sleeping on a word of memory -------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_FUTEX_H
#define TT_LIB_RUNTIME_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tt::runtime {

/// Sleeps while *word == expected. May return early; callers look again.
inline void futexWait(uint32_t *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

inline void futexWake(uint32_t *word, uint32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace tt::runtime

#endif
