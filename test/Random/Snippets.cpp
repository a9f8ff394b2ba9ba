//===- Snippets.cpp - Rows of the op table as parts of programs -----------===//
#include "Snippets.h"
#include "../Numeric/OpTableF32.h"

#include "tt/IR/TTOps.h"
#include "tt/Reference/RandomInputs.h"

#include <map>

using namespace mlir;
using namespace tt;
using namespace tt::test;

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

/// What casts make of integers is multiplied and squared: larger ones leave f32.
static constexpr int64_t kMaxInteger = 12;

/// The range that random inputs of an integer argument keep to, from many draws.
static void measureRange(Snippet &snippet) {
  reference::Random random(1);
  for (int draw = 0; draw < 32; ++draw) {
    auto inputs = reference::randomInputs(snippet.function, random);
    for (auto [argument, input] : llvm::zip(snippet.arguments, inputs))
      if (!input.isFloat())
        for (int64_t x : input.ints().data) {
          argument.high = std::max(argument.high, std::min(x, kMaxInteger) + 1);
          argument.low = std::min(argument.low, x);
        }
  }
}

static std::vector<Snippet> parseSnippets(MLIRContext &context) {
  std::vector<Snippet> snippets;
  for (RowF32 &row : opTableInF32(context)) {
    Snippet snippet{row.name, std::move(row.module), row.function, {}};
    if (!llvm::hasSingleElement(snippet.module->getOps()))
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
