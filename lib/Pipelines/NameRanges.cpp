//===- NameRanges.cpp - What values a self-check needs --------------------===//
//
// The library's self-check has no graph to look at. What the readers of an argument
// need, a positive number for a logarithm, is written on it as `check.range`.
//
//===----------------------------------------------------------------------===//
#include "Stages.h"
#include "tt/IR/CheckRange.h"
#include "tt/Reference/RandomInputs.h"

using namespace mlir;
using namespace tt;

void tt::nameRanges(ModuleOp module, StringRef name) {
  Builder b(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isEntry = name.empty() ? function.isPublic() : function.getSymName() == name;
    if (!isEntry || function.isExternal())
      continue;
    for (BlockArgument argument : function.getArguments()) {
      unsigned i = argument.getArgNumber();
      auto type = cast<RankedTensorType>(argument.getType());
      reference::InputRange range = reference::inputRange(function, i);
      if (!isa<FloatType>(type.getElementType()) || range.hasRandomSign ||
          function.getArgAttr(i, kCheckRangeAttr))
        continue;
      function.setArgAttr(i, kCheckRangeAttr, b.getF64ArrayAttr({range.low, range.high}));
    }
  }
}
