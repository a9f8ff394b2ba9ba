//===- FlattenCalls.cpp - A call tree as one straight block ---------------===//
#include "FlattenCalls.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

/// Clones `body` at the builder; returns what its terminator returns.
static LogicalResult splice(OpBuilder &builder, func::FuncOp function,
                            ValueRange arguments, SymbolTable &symbols,
                            SmallVectorImpl<func::FuncOp> &path,
                            SmallVectorImpl<Value> &results) {
  if (function.isExternal())
    return function.emitError() << "expected a body of @" << function.getSymName()
                                << ", which a step calls";
  if (llvm::is_contained(path, function))
    return function.emitError() << "@" << function.getSymName()
                                << " is part of a cycle of calls";
  path.push_back(function);
  Block &body = function.getBody().front();
  IRMapping map;
  map.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      builder.clone(op, map);
      continue;
    }
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    SmallVector<Value> operands, inner;
    for (Value operand : call.getOperands())
      operands.push_back(map.lookup(operand));
    if (failed(splice(builder, callee, operands, symbols, path, inner)))
      return failure();
    map.map(call.getResults(), inner);
  }
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(map.lookup(value));
  path.pop_back();
  return success();
}

LogicalResult tt::flattenCalls(func::FuncOp function) {
  if (function.isExternal())
    return function.emitError() << "expected a body of this entry";
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body)) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      continue;
    OpBuilder builder(call);
    SmallVector<func::FuncOp> path{function};
    SmallVector<Value> results;
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    SmallVector<Value> operands(call.getOperands());
    if (failed(splice(builder, callee, operands, symbols, path, results)))
      return failure();
    call.replaceAllUsesWith(results);
    call.erase();
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}
