//===- CallTree.cpp - What AD demands of a call tree ----------------------===//
#include "tt/AD/Adjoint.h"

#include "tt/IR/TTOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

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

namespace {

/// Most functions in a row of calls: passes and the interpreter recurse from each to
/// the next.
constexpr size_t kMaxDepth = 200;

class CallTree {
public:
  explicit CallTree(ModuleOp module) : symbols(module) {}

  LogicalResult check(func::FuncOp function);

private:
  LogicalResult visit(func::FuncOp function);
  LogicalResult visitCallee(Operation *op);

  SymbolTable symbols;
  SmallVector<func::FuncOp> path;
  SmallVector<func::FuncOp> rules; // of custom calls, to visit
  /// Functions that were visited, and the longest row of calls from each on.
  llvm::StringMap<size_t> heights;
};

} // namespace

/// A custom rule does not run inside the call that it belongs to, so it starts a
/// path of its own.
LogicalResult CallTree::check(func::FuncOp function) {
  rules.push_back(function);
  while (!rules.empty()) {
    path.clear();
    if (failed(visit(rules.pop_back_val())))
      return failure();
  }
  return success();
}

LogicalResult CallTree::visitCallee(Operation *op) {
  StringRef name = calleeOf(op);
  auto callee = symbols.lookup<func::FuncOp>(name);
  if (!callee)
    return op->emitOpError() << "expected a function of name @" << name;
  if (llvm::is_contained(path, callee))
    return op->emitOpError() << "closes a cycle of calls through @"
                             << callee.getSymName()
                             << ": write the repetition with tt.repeat, or as calls of "
                                "other functions in a row";
  // Where no room is left the callee is not visited: this recurses as well.
  if (path.size() < kMaxDepth && failed(visit(callee)))
    return failure();
  if (path.size() + heights.lookup(name) > kMaxDepth || path.size() == kMaxDepth)
    return op->emitOpError() << "expected calls of at most " << kMaxDepth
                             << " functions in a row, but @" << name
                             << " is one more";
  return success();
}

/// True unless the op does nothing but compute its results; what calls do is asked of
/// their callees.
static bool hasEffect(Operation *op) {
  return !isa<func::CallOp, DifferentiableOpInterface, DecomposableOpInterface>(op) &&
         !isMemoryEffectFree(op);
}

LogicalResult CallTree::visit(func::FuncOp function) {
  if (heights.contains(function.getSymName()))
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
  size_t height = 1;
  for (Operation &op : function.getBody().front()) {
    auto custom = dyn_cast<CustomVjpOp>(op);
    if (custom && !custom.getVjpAttr())
      return op.emitOpError() << "must have its rule as a function before it can be "
                                 "differentiated: run --tt-outline-rules first";
    if (!custom && op.getNumRegions() != 0)
      return op.emitOpError() << "has a region: control flow cannot be "
                                 "differentiated, use tt.select";
    if (isa<RepeatOp>(op))
      return op.emitOpError() << "must become calls before it can be "
                                 "differentiated: run --tt-expand-repeat first";
    if (hasEffect(&op))
      return op.emitOpError()
             << "has effects besides its results, or may have, and no derivative rule: "
                "derivatives repeat, move and leave out ops; do it in a function that @"
             << function.getSymName() << " does not call, on what that returns";
    if (custom)
      for (FlatSymbolRefAttr rule : {custom.getVjpAttr(), custom.getJvpAttr()})
        if (rule) // its type has been verified
          rules.push_back(symbols.lookup<func::FuncOp>(rule.getValue()));
    StringRef callee = calleeOf(&op);
    if (callee.empty())
      continue;
    if (failed(visitCallee(&op)))
      return failure();
    height = std::max(height, 1 + heights.lookup(callee));
  }
  path.pop_back();
  heights[function.getSymName()] = height;
  return success();
}

LogicalResult tt::checkCallTree(func::FuncOp function) {
  return CallTree(function->getParentOfType<ModuleOp>()).check(function);
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
