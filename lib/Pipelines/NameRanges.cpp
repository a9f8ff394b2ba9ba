//===- NameRanges.cpp - What values a self-check needs --------------------===//
//
// The library's self-check has no graph to look at. What the readers of an argument
// need, a positive number for a logarithm, is written on it as `check.range`.
//
//===----------------------------------------------------------------------===//
#include "Stages.h"
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
      if (!isa<FloatType>(type.getElementType()) || function.getArgAttr(i, kCheckRange) ||
          !reference::wantsPositive(argument))
        continue;
      reference::InputRange range = reference::inputRange(function, i);
      function.setArgAttr(i, kCheckRange, b.getF64ArrayAttr({range.low, range.high}));
    }
  }
}
