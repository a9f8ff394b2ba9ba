//===- DepthCut.cpp - Fewer layers in a twin ------------------------------===//
//
// Layers that run the same function are checked once; a second one shows what
// goes wrong only between two of them. A chain is x1 = f(x0, ..),
// x2 = f(x1, ..): leaving out a call means to use its operand for its result.
//
//===----------------------------------------------------------------------===//
#include "tt/Certify/Twin.h"

#include "tt/IR/TTDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt::certify;

/// True for arguments that take no gradient, which AD treats apart.
static bool isFrozen(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && function.getArgAttr(argument.getArgNumber(), tt::kFrozenAttr);
}

/// Same callee, same operands frozen: the same adjoint.
static bool sameKind(func::CallOp a, func::CallOp b) {
  if (a.getCallee() != b.getCallee())
    return false;
  for (auto [x, y] : llvm::zip(a.getOperands(), b.getOperands()))
    if (isFrozen(x) != isFrozen(y))
      return false;
  return true;
}

/// The call of the same kind whose result `call` takes and could hand on.
static func::CallOp previousOf(func::CallOp call, Value &carried) {
  if (call.getNumResults() != 1)
    return {};
  for (Value operand : call.getOperands()) {
    auto previous = operand.getDefiningOp<func::CallOp>();
    if (!previous || operand.getType() != call.getResult(0).getType() ||
        !sameKind(previous, call))
      continue;
    carried = operand;
    return previous;
  }
  return {};
}

static unsigned cutFunction(func::FuncOp function) {
  unsigned removed = 0;
  SmallVector<func::CallOp> calls(function.getBody().front().getOps<func::CallOp>());
  for (func::CallOp call : calls) {
    Value carried, first;
    func::CallOp previous = previousOf(call, carried);
    if (!previous || !previousOf(previous, first))
      continue; // the first or the second of its chain
    call.getResult(0).replaceAllUsesWith(carried);
    call.erase();
    ++removed;
  }
  return removed;
}

/// Erases the arguments that only removed calls have read.
static void eraseUnread(func::FuncOp function, const llvm::BitVector &wereRead) {
  llvm::BitVector unread(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (wereRead.test(argument.getArgNumber()) && argument.use_empty())
      unread.set(argument.getArgNumber());
  if (unread.any() && function.isPublic())
    (void)function.eraseArguments(unread);
}

unsigned tt::certify::cutDepth(ModuleOp module) {
  unsigned removed = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    llvm::BitVector wereRead(function.getNumArguments());
    for (BlockArgument argument : function.getArguments())
      wereRead[argument.getArgNumber()] = !argument.use_empty();
    unsigned here = cutFunction(function);
    if (here)
      eraseUnread(function, wereRead);
    removed += here;
  }
  return removed;
}
