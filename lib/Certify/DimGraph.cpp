//===- DimGraph.cpp - Which dimensions of a graph are one size ------------===//
#include "tt/Certify/DimGraph.h"

#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace tt::certify;

std::string tt::certify::errorAt(Operation *op, const Twine &message) {
  std::string text = tt::sourcePlace(op->getLoc());
  llvm::raw_string_ostream stream(text);
  stream << (text.empty() ? "" : ": ") << "error: '" << op->getName() << "' op " << message;
  return text;
}

DimGraph::Dim DimGraph::find(Dim dim) const {
  while (parents[dim] != dim)
    dim = parents[dim];
  return dim;
}

DimGraph::Dim DimGraph::add(int64_t size) {
  parents.push_back(count());
  sizes.push_back(size);
  wanted.push_back(0);
  fixed.push_back(size <= 1); // a size of 1 means something: it broadcasts
  samplings.push_back(Sampling::Any);
  return count() - 1;
}

DimGraph::Dim DimGraph::constant(int64_t size) {
  Dim dim = add(size);
  fix(dim);
  return dim;
}

void DimGraph::unify(Dim a, Dim b) {
  a = find(a), b = find(b);
  if (a == b)
    return;
  if (sizes[a] != sizes[b]) { // a rule that does not know this form of its op
    hasConflict = true;
    return;
  }
  if (b < a)
    std::swap(a, b); // the first keeps its number: the order is the program's
  parents[b] = a;
  fixed[a] = fixed[a] || fixed[b];
  wanted[a] = std::max(wanted[a], wanted[b]);
  samplings[a] = std::max(samplings[a], samplings[b]);
}

void DimGraph::want(Dim dim, int64_t size) {
  wanted[find(dim)] = std::max(wanted[find(dim)], size);
}

void DimGraph::limitSampling(Dim dim, Sampling sampling) {
  dim = find(dim);
  samplings[dim] = std::max(samplings[dim], sampling);
}

ArrayRef<DimGraph::Dim> DimGraph::dims(Value value) {
  auto [it, isNew] = valueDims.try_emplace(value);
  if (isNew)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t size : type.getShape())
        it->second.push_back(add(size));
  return it->second;
}

DimGraph::Dim &DimGraph::attribute(Operation *op, StringRef name) {
  return attributes[{op, name.str()}];
}

/// Numbers the dimensions in program order, so that a solution does not depend
/// on addresses.
void DimGraph::addFunction(Operation *function) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          (void)dims(argument);
    for (Value result : op->getResults())
      (void)dims(result);
  });
  // A key has two words, whether something draws from it or not.
  function->walk([&](func::FuncOp entry) {
    for (BlockArgument argument : entry.getArguments())
      if (auto name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tt::kInputAttr);
          name && name.getValue() == "key")
        for (Dim dim : dims(argument))
          fix(dim);
  });
}

bool DimGraph::build(Operation *root, std::string &error) {
  addFunction(root);
  bool isGood = true;
  root->walk([&](Operation *op) {
    if (op == root || isa<ModuleOp, func::FuncOp, tt::KernelOp>(op))
      return WalkResult::advance();
    isGood = addOpRules(op, *this, error);
    if (isGood && hasConflict) {
      error = errorAt(op, "has no rule for other sizes in this form");
      isGood = false;
    }
    return isGood ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isGood;
}
