//===- OpTableF32.cpp - The rows of the op table that compile -------------===//
#include "OpTableF32.h"

#include "mlir/Parser/Parser.h"

#include <set>

using namespace mlir;
using namespace tt::test;

/// Element types end in '>'; attributes of type f64 stay.
static std::string inF32(std::string text) {
  for (size_t at = 0; (at = text.find("f64>", at)) != std::string::npos;)
    text.replace(at, 4, "f32>");
  return text;
}

static bool hasOnlyF32(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (isa<FloatType>(tensor.getElementType()) && !tensor.getElementType().isF32())
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

std::vector<RowF32> tt::test::opTableInF32(MLIRContext &context) {
  std::vector<RowF32> rows;
  std::set<std::string> seen;
  std::vector<OpCase> table = opTable(), edges = edgeTable();
  table.insert(table.end(), edges.begin(), edges.end());
  for (const OpCase &row : table) {
    std::string text = inF32(row.text);
    if (!seen.insert(text).second)
      continue;
    RowF32 narrow{row.name, parseSourceString<ModuleOp>(text, &context), {}, row.inputs,
                  row.text};
    if (!narrow.module || !hasOnlyF32(*narrow.module))
      continue; // the row has values that f32 does not take
    narrow.function = narrow.module->lookupSymbol<func::FuncOp>("f");
    if (narrow.function)
      rows.push_back(std::move(narrow));
  }
  return rows;
}
