//===- Target.cpp - Levels ------------------------------------------------===//
#include "tt/Lowering/CPU/Target.h"
#include "tt/runtime/ModelTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include <cassert>

using namespace tt::cpu;

static const Target kTargets[TT_ISA_COUNT] = {
    {TT_ISA_V3, "_v3", "x86-64-v3", "", 256, /*gemmRows=*/6,
     /*gemmVectors=*/1, /*gemmBlockColumns=*/384, /*packStridedA=*/true,
     /*transposeSide=*/8},
    {TT_ISA_V4, "_v4", "x86-64-v4", "", 512, /*gemmRows=*/8,
     /*gemmVectors=*/3, /*gemmBlockColumns=*/384, /*packStridedA=*/false,
     /*transposeSide=*/16},
};

const Target &tt::cpu::getTarget(unsigned isa) {
  assert(isa < TT_ISA_COUNT && "unknown level");
  return kTargets[isa];
}

bool tt::cpu::hostSupports(const Target &target) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  auto hasAll = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (!features.lookup(name))
        return false;
    return true;
  };
  if (!hasAll({"avx2", "fma", "bmi", "bmi2", "lzcnt", "movbe", "f16c"}))
    return false;
  return target.isa == TT_ISA_V3 ||
         hasAll({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
}
