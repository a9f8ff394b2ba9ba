//===- Sizes.h - Memory that a library wants besides its plan ---*- C++ -*-===//
//
// What the planner does not see: the instance's own bytes (tt_sizes.instance_bytes)
// and the scratch of tt_selfcheck. The runtime asks these functions when it binds, the
// compiler when it prints, so the two cannot differ.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_SIZES_H
#define TT_RUNTIME_SIZES_H

#include <stdint.h>

namespace tt::runtime {

/// Bytes of an instance for `threads` threads of a model with `numEntries` entries
/// whose launches have `numOperands` operands in all; 0 if that does not fit in 64 bits.
/// Linear in `threads`.
uint64_t instanceBytes(uint64_t numEntries, uint64_t numOperands, uint64_t threads);

/// Bytes of scratch that tt_selfcheck asks of its caller: 0 where the arena of
/// `plannedBytes` has room for the parameters behind what `grad` uses of it.
uint64_t selfcheckScratchBytes(uint64_t gradArenaBytes, uint64_t plannedBytes,
                               uint64_t parameterBytes);

} // namespace tt::runtime

#endif
