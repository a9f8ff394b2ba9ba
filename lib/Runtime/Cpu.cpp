//===- Cpu.cpp - Which kernels this CPU can run ---------------------------===//
//
// The levels are those of the x86-64 psABI. The CPU's bits are not enough: the
// operating system must also save the wide registers (XCR0).
//
//===----------------------------------------------------------------------===//

#include "Cpu.h"

#include "Error.h"

#include <cpuid.h>

using namespace tt::runtime;

namespace {

constexpr bool hasAll(uint64_t value, uint64_t bits) {
  return (value & bits) == bits;
}

uint64_t readXcr0() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

} // namespace

uint32_t tt::runtime::cpuIsaMask() {
  // SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX,
  // F16C
  constexpr uint32_t v3Leaf1Ecx =
      bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE41 | bit_SSE42 |
      bit_MOVBE | bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C;
  constexpr uint32_t v3Leaf7Ebx = bit_BMI | bit_AVX2 | bit_BMI2;
  constexpr uint32_t v3LeafExtEcx = bit_LAHF_LM | bit_LZCNT;
  constexpr uint32_t v4Leaf7Ebx =
      bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  constexpr uint64_t avxState = 0x06;    // XMM, YMM
  constexpr uint64_t avx512State = 0xe6; // + opmask, ZMM low and high

  uint32_t eax, ebx1, ecx1, edx, ebx7, ecx7, ebxExt, ecxExt;
  if (!__get_cpuid(1, &eax, &ebx1, &ecx1, &edx) ||
      !__get_cpuid_count(7, 0, &eax, &ebx7, &ecx7, &edx) ||
      !__get_cpuid(0x80000001, &eax, &ebxExt, &ecxExt, &edx))
    return 0;
  if (!hasAll(ecx1, v3Leaf1Ecx) || !hasAll(ebx7, v3Leaf7Ebx) ||
      !hasAll(ecxExt, v3LeafExtEcx))
    return 0;
  uint64_t xcr0 = readXcr0(); // OSXSAVE is set: the instruction exists
  if (!hasAll(xcr0, avxState))
    return 0;
  uint32_t mask = 1u << TT_ISA_V3;
  if (hasAll(ebx7, v4Leaf7Ebx) && hasAll(xcr0, avx512State))
    mask |= 1u << TT_ISA_V4;
  return mask;
}

tt_status tt::runtime::chooseIsa(uint32_t libraryMask, uint32_t cpuMask,
                                 uint32_t requested, uint32_t &level) {
  if (requested != 0 && requested != 3 && requested != 4)
    return fail(TT_ERR_ARGUMENT, "expected isa_level 0, 3 or 4, but got %u",
                requested);
  if (requested != 0) {
    uint32_t wanted = requested == 4 ? TT_ISA_V4 : TT_ISA_V3;
    if (!(libraryMask >> wanted & 1))
      return fail(TT_ERR_ARGUMENT,
                  "isa_level %u was asked for, but the library has no kernels "
                  "for x86-64-v%u",
                  requested, requested);
    if (!(cpuMask >> wanted & 1))
      return fail(TT_ERR_CPU,
                  "isa_level %u was asked for, but this CPU or its operating "
                  "system lacks x86-64-v%u",
                  requested, requested);
    level = wanted;
    return TT_OK;
  }
  for (uint32_t candidate = TT_ISA_COUNT; candidate-- > 0;)
    if (libraryMask & cpuMask & 1u << candidate) {
      level = candidate;
      return TT_OK;
    }
  return fail(TT_ERR_CPU,
              "the library has kernels for %s, but this CPU or its operating "
              "system has %s",
              libraryMask >> TT_ISA_V3 & 1   ? "x86-64-v3 and up"
              : libraryMask >> TT_ISA_V4 & 1 ? "x86-64-v4"
                                             : "no known level",
              cpuMask == 0 ? "not even x86-64-v3" : "x86-64-v3 only");
}
