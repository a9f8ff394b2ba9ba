//===- ObjectCache.cpp - Kernels that were compiled before ----------------===//
#include "tt/AOT/ObjectCache.h"

using namespace tt::aot;

const ObjectCache::Entry *ObjectCache::find(const std::string &code) const {
  auto found = entries.find(code);
  if (found == entries.end())
    return nullptr;
  ++hits;
  return &found->second;
}

void ObjectCache::insert(const std::string &code, Entry entry) {
  uint64_t size = code.size() + entry.object.size();
  if (bytes + size > maxBytes) {
    entries.clear();
    bytes = 0;
  }
  if (entries.try_emplace(code, std::move(entry)).second)
    bytes += size;
}
