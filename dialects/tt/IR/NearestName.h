//===- NearestName.h - What a misspelt name was meant to be -----*- C++ -*-===//
#ifndef TT_IR_NEARESTNAME_H
#define TT_IR_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <string>

namespace tt {

/// ", did you mean 'NAME'?" for the known name that differs in the fewest letters,
/// if those are at most a third of its letters; else "".
inline std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef nearest;
  unsigned least = ~0u;
  for (llvm::StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate);
    if (distance < least && distance <= std::max<size_t>(1, candidate.size() / 3)) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest.empty() ? "" : (", did you mean '" + nearest + "'?").str();
}

} // namespace tt

#endif
