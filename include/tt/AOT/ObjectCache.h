//===- ObjectCache.h - Kernels that were compiled before --------*- C++ -*-===//
#ifndef TT_AOT_OBJECTCACHE_H
#define TT_AOT_OBJECTCACHE_H

#include "tt/Lowering/CPU/KernelShell.h"

#include <string>
#include <unordered_map>

namespace tt::aot {

/// Bytes of an ELF object.
using Object = llvm::SmallVector<char, 0>;

/// Objects by the code that was emitted for them, for many compilations in one
/// process. Same code, same object, so nothing is compiled twice; symbols have names of
/// the cache's own. Not for two compilations at once.
class ObjectCache {
public:
  /// Forgets everything when its objects exceed `maxBytes`.
  explicit ObjectCache(uint64_t maxBytes = uint64_t(256) << 20) : maxBytes(maxBytes) {}

  struct Entry {
    cpu::EmittedKernel emitted;
    Object object;
  };
  /// Null if there is none. Valid until the next insert.
  const Entry *find(const std::string &code) const;
  void insert(const std::string &code, Entry entry);

  /// A name that no other kernel of this process has.
  std::string newName() { return "kernel_" + std::to_string(++numNames); }
  uint64_t numHits() const { return hits; }
  uint64_t numEntries() const { return entries.size(); }

private:
  std::unordered_map<std::string, Entry> entries;
  uint64_t maxBytes, bytes = 0, numNames = 0;
  mutable uint64_t hits = 0;
};

} // namespace tt::aot

#endif
