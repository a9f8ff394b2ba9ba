//===- Cpu.h - Which kernels this CPU can run -------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_CPU_H
#define TT_LIB_RUNTIME_CPU_H

#include "tt/runtime/ModelTable.h"

namespace tt::runtime {

/// Bit TT_ISA_*: CPU and operating system support that level.
uint32_t cpuIsaMask();

/// The level to run: the best one in both masks, or the `requested` one (the
/// isa_level of tt_bind_options). Sets the error text if there is none.
tt_status chooseIsa(uint32_t libraryMask, uint32_t cpuMask, uint32_t requested,
                    uint32_t &level);

} // namespace tt::runtime

#endif
