//===- TensorName.h - What a tensor may be called ---------------*- C++ -*-===//
#ifndef TT_IR_TENSORNAME_H
#define TT_IR_TENSORNAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ConvertUTF.h"

namespace tt {

inline constexpr llvm::StringLiteral kTensorNameText =
    "a non-empty string in UTF-8 without control characters";

/// What safetensors files keep for themselves.
inline constexpr llvm::StringLiteral kReservedTensorName = "__metadata__";

/// Names of parameters, inputs, states and outputs go to C strings, headers, JSON,
/// safetensors files, terminals and file names. A '/' is common in them; who makes a
/// file name of one replaces it.
inline bool isTensorName(llvm::StringRef name) {
  const llvm::UTF8 *begin = name.bytes_begin();
  if (name.empty() || !llvm::isLegalUTF8String(&begin, name.bytes_end()))
    return false;
  for (size_t i = 0; i < name.size(); ++i) {
    unsigned char c = name[i];
    // U+0080 to U+009F are C2 80 to C2 9F.
    bool isC1 = c == 0xc2 && static_cast<unsigned char>(name[i + 1]) < 0xa0;
    if (c < 0x20 || c == 0x7f || isC1)
      return false;
  }
  return true;
}

} // namespace tt

#endif
