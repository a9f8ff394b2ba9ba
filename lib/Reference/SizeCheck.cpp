//===- SizeCheck.cpp - What the interpreter can hold ----------------------===//
#include "tt/Reference/SizeCheck.h"

#include "Frame.h"
#include "tt/Support/HostMemory.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;
using support::CheckedSize;

std::string tt::reference::checkSizes(FunctionOpInterface function, int64_t maxElements) {
  CheckedSize bytes;
  auto types = llvm::to_vector(function.getArgumentTypes());
  llvm::append_range(types, function.getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      continue; // refused by the interpreter itself
    CheckedSize count = CheckedSize::product(tensor.getShape());
    bytes += count * CheckedSize(int64_t(sizeof(double)));
    if (count.isAtMost(maxElements))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "expected at most " << maxElements
                                   << " elements in the interpreter, but got " << type;
    return errorAt(function, text);
  }
  std::string error;
  if (!support::checkHostMemory(bytes, "arguments and results in f64", error))
    return errorAt(function, StringRef(error).drop_front(strlen("error: ")));
  return "";
}
