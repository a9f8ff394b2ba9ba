//===- NearestName.h - What a misspelt name was meant to be -----*- C++ -*-===//
#ifndef TT_IR_NEARESTNAME_H
#define TT_IR_NEARESTNAME_H

#include "tt/Support/NearestName.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace tt {

/// ", did you mean 'NAME'?" or "", for the strings of MLIR.
inline std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known) {
  return support::didYouMean(name, known);
}

} // namespace tt

#endif
