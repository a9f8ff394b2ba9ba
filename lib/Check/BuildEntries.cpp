//===- BuildEntries.cpp - Any function as entries of a library ------------===//
#include "BuildEntries.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tt;
using namespace tt::check;

/// The function and everything it calls, in the module's order.
static OwningOpRef<ModuleOp> copyCallTree(func::FuncOp function, std::string &error) {
  auto source = function->getParentOfType<ModuleOp>();
  SymbolTable symbols(source);
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getAttrs())
        if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute.getValue()))
          if (Operation *callee = symbols.lookup(symbol.getValue()))
            reached.insert(callee);
    });
  OwningOpRef<ModuleOp> copy(ModuleOp::create(source.getLoc()));
  for (Operation &op : *source.getBody()) {
    if (!reached.contains(&op))
      continue;
    if (auto name = SymbolTable::getSymbolName(&op);
        name == kValuesEntry || name == kGradientsEntry) {
      error = "expected no function of the name @" + name.str();
      return nullptr;
    }
    Operation *clone = op.clone();
    SymbolTable::setSymbolVisibility(clone, &op == function.getOperation()
                                                ? SymbolTable::Visibility::Public
                                                : SymbolTable::Visibility::Private);
    copy->push_back(clone);
  }
  return copy;
}

namespace {
/// A public function that gets its arguments and results one by one.
struct EntryFunction {
  OpBuilder builder;
  func::FuncOp function;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> roles;

  EntryFunction(ModuleOp module, Location loc, StringRef name)
      : builder(module.getContext()) {
    builder.setInsertionPointToEnd(module.getBody());
    function = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
  }
  DictionaryAttr role(StringRef key, const std::string &name) {
    return builder.getDictionaryAttr(
        builder.getNamedAttr(key, builder.getStringAttr(name)));
  }
  Value input(Type type, Location loc, const std::string &name) {
    unsigned index = function.getNumArguments();
    (void)function.insertArgument(index, type, role(kInputAttr, name), loc);
    return function.getArgument(index);
  }
  void output(Value value, const std::string &name) {
    results.push_back(value);
    roles.push_back(role(kOutputAttr, name));
  }
  void finish() {
    func::ReturnOp::create(builder, function.getLoc(), results);
    SmallVector<Type> types(ValueRange(results).getTypes());
    function.setFunctionType(
        builder.getFunctionType(function.getFunctionType().getInputs(), types));
    function.setAllResultAttrs(roles);
  }
};
} // namespace

/// The function's arguments, with the bounds of those that are indices.
static SmallVector<Value> copyArguments(EntryFunction &entry, func::FuncOp function) {
  SmallVector<Value> arguments;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    arguments.push_back(
        entry.input(argument.getType(), argument.getLoc(), "arg" + std::to_string(i)));
    for (StringRef bound : {kIndexLimitAttr, kIndexIgnoreAttr})
      if (Attribute value = function.getArgAttr(i, bound))
        entry.function.setArgAttr(entry.function.getNumArguments() - 1, bound, value);
  }
  return arguments;
}

OwningOpRef<ModuleOp> tt::check::buildValuesEntry(func::FuncOp source, std::string &error) {
  OwningOpRef<ModuleOp> module = copyCallTree(source, error);
  if (!module)
    return nullptr;
  auto function = module->lookupSymbol<func::FuncOp>(source.getSymName());
  function.setPrivate();
  EntryFunction entry(*module, function.getLoc(), kValuesEntry);
  SmallVector<Value> arguments = copyArguments(entry, function);
  auto call = func::CallOp::create(entry.builder, function.getLoc(), function, arguments);
  for (auto [i, value] : llvm::enumerate(call.getResults()))
    entry.output(value, "result" + std::to_string(i));
  entry.finish();
  return module;
}

OwningOpRef<ModuleOp> tt::check::buildGradientsEntry(func::FuncOp source,
                                                     CompileOptions options,
                                                     std::string &error) {
  OwningOpRef<ModuleOp> module = copyCallTree(source, error);
  if (!module)
    return nullptr;
  options.function = source.getSymName().str();
  options.wrt = "all";
  if (!differentiate(*module, options, error))
    return nullptr;
  std::optional<AdjointPair> pair;
  for (auto candidate : module->getOps<func::FuncOp>())
    if (std::optional<AdjointPair> found = readAdjoint(candidate);
        found && found->primal.getSymName() == options.function)
      pair = found;
  if (!pair || pair->active.none()) {
    error = "no argument of @" + options.function + " reaches a result";
    return nullptr;
  }
  Location loc = pair->primal.getLoc();
  EntryFunction entry(*module, loc, kGradientsEntry);
  SmallVector<Value> arguments = copyArguments(entry, pair->primal), operands;
  auto forward = func::CallOp::create(entry.builder, loc, pair->forward, arguments);
  for (ResidualSource from : pair->residuals) {
    unsigned first = from.kind == ResidualSource::Extra ? pair->primal.getNumResults() : 0;
    operands.push_back(from.kind == ResidualSource::Argument
                           ? arguments[from.index]
                           : forward.getResult(first + from.index));
  }
  for (unsigned i : pair->live.set_bits())
    operands.push_back(entry.input(pair->primal.getFunctionType().getResult(i), loc,
                                   "cotangent" + std::to_string(i)));
  auto backward = func::CallOp::create(entry.builder, loc, pair->backward, operands);
  for (auto [i, value] : llvm::zip(pair->active.set_bits(), backward.getResults()))
    entry.output(value, "d_arg" + std::to_string(i));
  entry.finish();
  pair->primal.setPrivate();
  return module;
}
