//===- Decompose.cpp - --tt-decompose -------------------------------------===//
#include "tt/AD/Decompose.h"

#include "tt/AD/Activity.h"
#include "tt/AD/Passes.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/StringSet.h"

namespace tt {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

using IsChosen = llvm::function_ref<bool(Operation *)>;

/// Replaces `op`, which is erased, and in turn the chosen ops of what comes out.
static LogicalResult replace(DecomposableOpInterface rule, IsChosen isChosen,
                             unsigned &count) {
  Operation *op = rule;
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  SmallVector<Value> values(op->getNumResults());
  if (failed(rule.buildDecomposition(builder, values)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    assert((value ? value.getType() == result.getType() : result.use_empty()) &&
           "a decomposition gives each result that is read, in its type");
    if (value)
      result.replaceAllUsesWith(value);
  }
  SmallVector<Operation *> emitted;
  Operation *first = before ? before->getNextNode() : &op->getBlock()->front();
  for (Operation *next = first; next != op; next = next->getNextNode())
    emitted.push_back(next);
  op->erase();
  ++count;
  for (Operation *&inner : llvm::reverse(emitted))
    if (isOpTriviallyDead(inner)) {
      inner->erase();
      inner = nullptr;
    }
  for (Operation *inner : emitted)
    if (auto nested = dyn_cast_if_present<DecomposableOpInterface>(inner))
      if (isChosen(inner) && failed(replace(nested, isChosen, count)))
        return failure();
  return success();
}

LogicalResult tt::decomposeOps(func::FuncOp function, IsChosen isChosen,
                               unsigned &count) {
  SmallVector<DecomposableOpInterface> chosen;
  function.walk([&](DecomposableOpInterface op) {
    if (isChosen(op))
      chosen.push_back(op);
  });
  for (DecomposableOpInterface op : chosen)
    if (failed(replace(op, isChosen, count)))
      return failure();
  return success();
}

LogicalResult tt::decomposeForDerivatives(func::FuncOp entry,
                                          const llvm::BitVector &active) {
  auto module = entry->getParentOfType<ModuleOp>();
  ActivityAnalysis activity(module);
  activity.get(entry, active, llvm::BitVector(entry.getNumResults(), true));
  SmallVector<DecomposableOpInterface> reached;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](DecomposableOpInterface op) {
      bool isReached = llvm::any_of(op->getOperands(), [&](Value operand) {
        return activity.isVaried(operand);
      });
      if (isReached && !isa<DifferentiableOpInterface>(op.getOperation()))
        reached.push_back(op);
    });
  // Activity is not asked again: the ops that it knows are being erased.
  auto lacksRules = [](Operation *op) { return !isa<DifferentiableOpInterface>(op); };
  unsigned count = 0;
  for (DecomposableOpInterface op : reached)
    if (failed(replace(op, lacksRules, count)))
      return failure();
  return success();
}

namespace {
struct DecomposePass final : tt::impl::DecomposePassBase<DecomposePass> {
  using DecomposePassBase::DecomposePassBase;

  /// Puts the full names of `ops` into `names`; fails for one that cannot be
  /// decomposed.
  LogicalResult readNames(llvm::StringSet<> &names) {
    for (StringRef text : ops) {
      std::string name = (text.starts_with("tt.") ? text : "tt." + text).str();
      std::optional<RegisteredOperationName> op =
          RegisteredOperationName::lookup(name, &getContext());
      if (!op || !op->hasInterface<DecomposableOpInterface>())
        return getOperation().emitError()
               << "expected ops to be names of ops with a decomposition, but got '"
               << text << "'";
      names.insert(name);
    }
    return success();
  }

  void runOnOperation() override {
    llvm::StringSet<> names;
    if (failed(readNames(names)))
      return signalPassFailure();
    auto isChosen = [&](Operation *op) {
      if (adjoints && isa<DifferentiableOpInterface>(op))
        return false;
      return names.empty() || names.contains(op->getName().getStringRef());
    };
    unsigned count = 0;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(decomposeOps(function, isChosen, count)))
        return signalPassFailure();
    numDecomposed += count;
  }
};
} // namespace
