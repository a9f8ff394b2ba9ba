//===- Snippets.cpp - Rows of the op table as parts of programs -----------===//
#include "Snippets.h"
#include "../Numeric/OpTable.h"

#include "tt/IR/TTOps.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Parser/Parser.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tt;
using namespace tt::test;

/// The op table is written in f64, which the compiled path does not train in.
/// Element types end in '>'; attributes of type f64 stay.
static std::string inF32(std::string text) {
  for (size_t at = 0; (at = text.find("f64>", at)) != std::string::npos;)
    text.replace(at, 4, "f32>");
  return text;
}

static bool hasOnlyF32(func::FuncOp function) {
  WalkResult walk = function.walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (isa<FloatType>(tensor.getElementType()) && !tensor.getElementType().isF32())
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// Denominators must keep away from 0 and roots and logarithms from negative
/// numbers: all of them ask for positive values.
static bool wantsPositive(BlockArgument argument) {
  for (OpOperand &use : argument.getUses()) {
    Operation *op = use.getOwner();
    if (isa<ReciprocalOp, PowOp>(op) || (isa<DivOp>(op) && use.getOperandNumber() == 1))
      return true;
  }
  return reference::wantsPositive(argument);
}

/// Weights of a loss, slopes of attention: no derivative goes to them by definition,
/// which differences of the program would not know.
static bool isCut(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    auto rule = dyn_cast<DifferentiableOpInterface>(use.getOwner());
    return rule && rule.isCutAt(use.getOperandNumber());
  });
}

/// The range that random inputs of an integer argument keep to, from many draws.
static void measureRange(Snippet &snippet) {
  reference::Random random(1);
  for (int draw = 0; draw < 32; ++draw) {
    auto inputs = reference::randomInputs(snippet.function, random);
    for (auto [argument, input] : llvm::zip(snippet.arguments, inputs))
      if (!input.isFloat())
        for (int64_t x : input.ints().data) {
          argument.high = std::max(argument.high, x + 1);
          argument.low = std::min(argument.low, x);
        }
  }
}

static std::vector<Snippet> parseSnippets(MLIRContext &context) {
  std::vector<Snippet> snippets;
  std::set<std::string> seen;
  for (const OpCase &row : opTable()) {
    std::string text = inF32(row.text);
    if (!seen.insert(text).second)
      continue;
    Snippet snippet{row.name, parseSourceString<ModuleOp>(text, &context), {}, {}};
    if (!snippet.module)
      continue; // the row has values that f32 does not take
    snippet.function = snippet.module->lookupSymbol<func::FuncOp>("f");
    if (!snippet.function || !llvm::hasSingleElement(snippet.module->getOps()) ||
        !hasOnlyF32(snippet.function))
      continue;
    for (BlockArgument argument : snippet.function.getArguments())
      snippet.arguments.push_back({0, 1, wantsPositive(argument), isCut(argument)});
    measureRange(snippet);
    snippets.push_back(std::move(snippet));
  }
  return snippets;
}

SnippetChoice::SnippetChoice(MLIRContext &context) : snippets(parseSnippets(context)) {
  std::map<StringRef, size_t> places;
  for (auto [i, snippet] : llvm::enumerate(snippets)) {
    StringRef op = snippet.function.getBody().front().front().getName().getStringRef();
    auto [place, isNew] = places.try_emplace(op, byOp.size());
    if (isNew)
      byOp.emplace_back();
    byOp[place->second].push_back(i);
  }
}

const Snippet &SnippetChoice::any(reference::Random &random) const {
  const std::vector<size_t> &rows = byOp[size_t(random.integer(0, int64_t(byOp.size())))];
  return snippets[rows[size_t(random.integer(0, int64_t(rows.size())))]];
}
