//===- Shrink.cpp - Makes a failing program small -------------------------===//
//
// A step is a function of (module, n): it makes its n-th possible change, or says
// that there are no more. Every step works on a fresh copy, so that a change that
// hides the fault is simply dropped.
//
//===----------------------------------------------------------------------===//
#include "Shrink.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

static void eraseDeadOps(ModuleOp module) {
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
}

/// Arguments of the entry that nothing reads go.
static void eraseUnusedArguments(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    llvm::BitVector unused(function.getNumArguments());
    for (BlockArgument argument : function.getArguments())
      unused[argument.getArgNumber()] = argument.use_empty();
    if (failed(function.eraseArguments(unused)))
      return;
  }
}

static SmallVector<Operation *> opsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    for (Operation &op : function.getBody().front().without_terminator())
      ops.push_back(&op);
  return ops;
}

unsigned tt::test::countOps(ModuleOp module) { return opsOf(module).size(); }

/// A value is replaced by one of its op's operands, by an argument of its
/// function, or by zero, if the types agree.
static bool replaceByOther(ModuleOp module, unsigned n) {
  SmallVector<Operation *> ops = opsOf(module);
  for (Operation *op : llvm::reverse(ops))
    for (Value result : op->getResults()) {
      if (result.use_empty() || isa<ConstantOp>(op))
        continue;
      SmallVector<Value> others;
      for (Value operand : op->getOperands())
        if (operand.getType() == result.getType())
          others.push_back(operand);
      for (Value argument : op->getBlock()->getArguments())
        if (argument.getType() == result.getType() && !llvm::is_contained(others, argument))
          others.push_back(argument);
      if (n > others.size()) {
        n -= others.size() + 1;
        continue;
      }
      OpBuilder builder(op);
      result.replaceAllUsesWith(n < others.size()
                                    ? others[n]
                                    : Emit(builder, op->getLoc()).splat(result.getType(), 0));
      return true;
    }
  return false;
}

/// A value that only ops make becomes a new argument of the entry.
static bool replaceByArgument(ModuleOp module, unsigned n) {
  SmallVector<Operation *> ops = opsOf(module);
  for (Operation *op : llvm::reverse(ops)) {
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function.isPublic() || isa<ConstantOp>(op))
      continue;
    for (Value result : op->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      if (result.use_empty() || !type.getElementType().isF32())
        continue;
      if (n-- > 0)
        continue;
      Builder b(module.getContext());
      unsigned index = function.getNumArguments();
      std::string name = "s" + std::to_string(index) + "_" + std::to_string(countOps(module));
      auto attrs = b.getDictionaryAttr({b.getNamedAttr("tt.param", b.getStringAttr(name)),
                                        b.getNamedAttr("tt.init", b.getStringAttr("normal:0.5"))});
      if (failed(function.insertArgument(index, type, attrs, op->getLoc())))
        return false;
      result.replaceAllUsesWith(function.getArgument(index));
      return true;
    }
  }
  return false;
}

static bool inlineCall(ModuleOp module, unsigned n) {
  for (Operation *op : opsOf(module)) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || n-- > 0)
      continue;
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    IRMapping map;
    map.map(callee.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &inner : callee.getBody().front().without_terminator())
      builder.clone(inner, map);
    Operation *terminator = callee.getBody().front().getTerminator();
    for (auto [from, to] : llvm::zip(call.getResults(), terminator->getOperands()))
      from.replaceAllUsesWith(map.lookup(to));
    call.erase();
    return true;
  }
  return false;
}

OwningOpRef<ModuleOp>
tt::test::shrink(ModuleOp module, const std::function<bool(ModuleOp)> &fails, int limit) {
  OwningOpRef<ModuleOp> best = cast<ModuleOp>(module->clone());
  bool (*const steps[])(ModuleOp, unsigned) = {replaceByOther, inlineCall, replaceByArgument};
  bool changed = true;
  while (changed && limit > 0) {
    changed = false;
    for (auto *step : steps)
      for (unsigned n = 0; limit > 0; ++n) {
        OwningOpRef<ModuleOp> candidate = cast<ModuleOp>((*best)->clone());
        if (!step(*candidate, n))
          break;
        eraseDeadOps(*candidate);
        eraseUnusedArguments(*candidate);
        // Every step must make progress, or shrinking would not end.
        bool isSmaller = step == inlineCall || countOps(*candidate) < countOps(*best);
        if (!isSmaller || failed(verify(*candidate)))
          continue;
        --limit;
        if (!fails(*candidate))
          continue;
        best = std::move(candidate);
        changed = true;
        --n; // the same place holds the next change
      }
  }
  return best;
}
