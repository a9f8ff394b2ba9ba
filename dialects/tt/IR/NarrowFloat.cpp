//===- NarrowFloat.cpp - A number of an attribute in a tensor's type ------===//
#include "NarrowFloat.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string tt::numberText(const llvm::APFloat &value) {
  // What six decimals show; to_string also says "inf" and "nan".
  int exponent = value.isFiniteNonZero() ? ilogb(value) : 0;
  if (exponent > -7 && exponent < 20)
    return std::to_string(value.convertToDouble());
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value.convertToDouble());
  return text;
}

std::string tt::numberText(const llvm::APFloat &value, FloatType type) {
  std::string text = numberText(value);
  if (value.isFinite() && !isHeldBy(type, value))
    llvm::raw_string_ostream(text) << ", which '" << type << "' does not hold";
  return text;
}
