//===- CallTree.cpp - What AD demands of a call tree ----------------------===//
#include "tt/AD/Adjoint.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tt;

/// The function that `op` calls, or "".
static StringRef calleeOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  if (auto custom = dyn_cast<CustomVjpOp>(op))
    return custom.getCallee();
  return "";
}

static LogicalResult visit(func::FuncOp function, SymbolTable &symbols,
                           SmallVectorImpl<func::FuncOp> &path,
                           llvm::StringSet<> &done) {
  if (done.contains(function.getSymName()))
    return success();
  if (function.isExternal())
    return function.emitError() << "expected a definition of @"
                                << function.getSymName() << " to differentiate";
  if (!function.getBody().hasOneBlock())
    return function.getBody().front().getTerminator()->emitOpError()
           << "branches: expected @" << function.getSymName()
           << " to have one block, since data-dependent control flow cannot be "
              "differentiated; use tt.select";
  path.push_back(function);
  for (Operation &op : function.getBody().front()) {
    if (op.getNumRegions() != 0)
      return op.emitOpError() << "has a region: control flow cannot be "
                                 "differentiated, use tt.select";
    if (isa<RepeatOp>(op))
      return op.emitOpError() << "must become calls before it can be "
                                 "differentiated: run --tt-expand-repeat first";
    StringRef name = calleeOf(&op);
    if (name.empty())
      continue;
    auto callee = symbols.lookup<func::FuncOp>(name);
    if (!callee)
      return op.emitOpError() << "expected a function of name @" << name;
    if (llvm::is_contained(path, callee))
      return op.emitOpError() << "closes a cycle of calls through @"
                              << callee.getSymName();
    if (failed(visit(callee, symbols, path, done)))
      return failure();
  }
  path.pop_back();
  done.insert(function.getSymName());
  return success();
}

LogicalResult tt::checkCallTree(func::FuncOp function) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  SmallVector<func::FuncOp> path;
  llvm::StringSet<> done;
  return visit(function, symbols, path, done);
}

std::string tt::freshSymbol(ModuleOp module, const Twine &base) {
  std::string name = base.str();
  for (unsigned i = 1; module.lookupSymbol(name); ++i)
    name = (base + "_" + Twine(i)).str();
  return name;
}

std::optional<AdjointPair> tt::readAdjoint(func::FuncOp backward) {
  auto dict = backward->getAttrOfType<DictionaryAttr>(kAdjointAttr);
  if (!dict)
    return std::nullopt;
  auto module = backward->getParentOfType<ModuleOp>();
  auto primalName = dict.getAs<FlatSymbolRefAttr>("primal");
  auto forwardName = dict.getAs<FlatSymbolRefAttr>("forward");
  auto active = dict.getAs<DenseI64ArrayAttr>("active");
  auto live = dict.getAs<DenseI64ArrayAttr>("live");
  auto residuals = dict.getAs<ArrayAttr>("residuals");
  if (!primalName || !forwardName || !active || !live || !residuals)
    return std::nullopt;
  AdjointPair pair;
  pair.primal = module.lookupSymbol<func::FuncOp>(primalName.getValue());
  pair.forward = module.lookupSymbol<func::FuncOp>(forwardName.getValue());
  pair.backward = backward;
  if (!pair.primal || !pair.forward)
    return std::nullopt;
  pair.active.resize(pair.primal.getNumArguments());
  pair.live.resize(pair.primal.getNumResults());
  for (int64_t i : active.asArrayRef())
    pair.active.set(i);
  for (int64_t i : live.asArrayRef())
    pair.live.set(i);
  for (Attribute attr : residuals) {
    auto [kind, index] = cast<StringAttr>(attr).getValue().split(':');
    unsigned number = 0;
    if (index.getAsInteger(10, number))
      return std::nullopt;
    pair.residuals.push_back({kind == "argument" ? ResidualSource::Argument
                              : kind == "result" ? ResidualSource::Result
                                                 : ResidualSource::Extra,
                              number});
  }
  pair.numExtra = pair.forward.getNumResults() - pair.primal.getNumResults();
  return pair;
}
