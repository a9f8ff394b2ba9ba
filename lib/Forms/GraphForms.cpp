//===- GraphForms.cpp - Forms of functions on values ----------------------===//
#include "FormChecks.h"

#include "tt/Forms/RandomSites.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tt;

bool tt::isKernelLevel(Operation *op) {
  return isa<KernelOp, YieldOp, CallKernelOp, StepOp, BufferOp, ViewOp, LaunchOp>(op);
}

static StringRef nameOf(Form form) {
  return form == Form::Graph     ? "graph"
         : form == Form::Adjoint ? "adjoint"
                                 : "training";
}

/// One block of tt ops, calls and a return.
static LogicalResult checkBody(func::FuncOp function, Form form) {
  StringRef name = nameOf(form);
  if (function.isExternal())
    return function.emitError() << name << " form: expected a body of @"
                                << function.getSymName();
  if (!function.getBody().hasOneBlock())
    return function.emitError() << name << " form: expected one block in @"
                                << function.getSymName() << ", found "
                                << function.getBody().getBlocks().size();
  bool ok = true;
  for (Operation &op : function.getBody().front()) {
    bool ours = isa_and_present<TTDialect>(op.getDialect()) && !isKernelLevel(&op);
    bool optimizer = isa<AdamWOp, SumSquaresOp, GlobalNormOp>(op);
    if (isa<func::CallOp, func::ReturnOp>(op) ||
        (ours && (form == Form::Training || !optimizer)))
      continue;
    op.emitOpError() << "is not allowed in " << name << " form";
    ok = false;
  }
  return success(ok);
}

/// Every argument of an entry has one role and a name of its own.
static LogicalResult checkRoles(func::FuncOp function, Form form) {
  llvm::StringSet<> names;
  bool ok = true;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    SmallVector<StringAttr> roles;
    for (StringRef key : {kParamAttr, kInputAttr, kStateAttr})
      if (auto role = function.getArgAttrOfType<StringAttr>(i, key))
        roles.push_back(role);
    Location where = function.getArgument(i).getLoc();
    if (roles.size() != 1) {
      mlir::emitError(where) << nameOf(form) << " form: expected one of tt.param, "
                             << "tt.input and tt.state on argument " << i << " of @"
                             << function.getSymName() << ", found " << roles.size();
      ok = false;
    } else if (!names.insert(roles[0].getValue()).second) {
      mlir::emitError(where) << nameOf(form) << " form: expected names of their own, "
                             << "found two arguments of @" << function.getSymName()
                             << " called " << roles[0];
      ok = false;
    }
  }
  return success(ok);
}

/// What tt.adjoint says about a backward function is so.
static LogicalResult checkAdjoint(func::FuncOp backward, DictionaryAttr pair,
                                  SymbolTable &symbols) {
  auto primalName = pair.getAs<FlatSymbolRefAttr>("primal");
  auto forwardName = pair.getAs<FlatSymbolRefAttr>("forward");
  auto active = pair.getAs<DenseI64ArrayAttr>("active");
  auto live = pair.getAs<DenseI64ArrayAttr>("live");
  auto residuals = pair.getAs<ArrayAttr>("residuals");
  if (!primalName || !forwardName || !active || !live || !residuals)
    return backward.emitError() << "adjoint form: expected primal, forward, active, "
                                   "live and residuals in tt.adjoint";
  auto primal = symbols.lookup<func::FuncOp>(primalName.getValue());
  auto forward = symbols.lookup<func::FuncOp>(forwardName.getValue());
  if (!primal || !forward)
    return backward.emitError() << "adjoint form: expected functions " << primalName
                                << " and " << forwardName;
  auto describe = [&](StringRef what, ArrayRef<Type> wanted, ArrayRef<Type> found) {
    return backward.emitError() << "adjoint form: expected " << what << " (" << wanted
                                << ") by tt.adjoint, found (" << found << ")";
  };
  SmallVector<Type> inputs, results;
  for (Attribute attr : residuals) {
    auto text = dyn_cast<StringAttr>(attr);
    auto [kind, number] = (text ? text.getValue() : StringRef()).split(':');
    unsigned index = 0;
    bool argument = kind == "argument";
    unsigned first = kind == "extra" ? primal.getNumResults() : 0;
    if ((!argument && kind != "result" && kind != "extra") ||
        number.getAsInteger(10, index) ||
        first + index >= (argument ? primal.getNumArguments() : forward.getNumResults()))
      return backward.emitError() << "adjoint form: unknown residual " << attr;
    inputs.push_back(argument ? primal.getFunctionType().getInput(index)
                              : forward.getFunctionType().getResult(first + index));
  }
  for (int64_t i : live.asArrayRef())
    if (i >= 0 && i < int64_t(primal.getNumResults()))
      inputs.push_back(primal.getFunctionType().getResult(i));
  for (int64_t i : active.asArrayRef())
    if (i >= 0 && i < int64_t(primal.getNumArguments()))
      results.push_back(primal.getFunctionType().getInput(i));
  FunctionType type = backward.getFunctionType();
  if (ArrayRef<Type>(inputs) != type.getInputs())
    return describe("arguments", inputs, type.getInputs());
  if (ArrayRef<Type>(results) != type.getResults())
    return describe("results", results, type.getResults());
  return success();
}

/// Roles of an entry's results.
static LogicalResult checkResults(func::FuncOp function) {
  auto role = [&](unsigned i, StringRef key) {
    return function.getResultAttrOfType<StringAttr>(i, key);
  };
  bool any = false, ok = true;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    any |= role(i, kUpdatesAttr) || role(i, kOutputAttr);
  if (!any)
    return success();
  llvm::StringMap<Type> targets;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef key : {kParamAttr, kStateAttr})
      if (auto name = function.getArgAttrOfType<StringAttr>(i, key))
        targets[name.getValue()] = function.getArgument(i).getType();
  llvm::StringSet<> updated;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    StringAttr target = role(i, kUpdatesAttr);
    if (!target && role(i, kOutputAttr))
      continue;
    auto fail = [&]() {
      ok = false;
      return function.emitError() << "training form: result " << i << " of @"
                                  << function.getSymName() << ": ";
    };
    if (!target) {
      fail() << "expected tt.updates or tt.output";
      continue;
    }
    auto found = targets.find(target.getValue());
    if (found == targets.end())
      fail() << "expected a parameter or state of name " << target;
    else if (found->second != function.getFunctionType().getResult(i))
      fail() << "expected " << target << " of type " << found->second << ", found "
             << function.getFunctionType().getResult(i);
    else if (!updated.insert(target.getValue()).second)
      fail() << target << " is updated twice";
  }
  return success(ok);
}

LogicalResult tt::verifyGraphForm(ModuleOp module, Form form) {
  if (failed(onlyHolds<func::FuncOp>(module, nameOf(form), "functions")))
    return failure();
  bool ok = true, pairs = false;
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(checkBody(function, form))) {
      ok = false;
      continue;
    }
    if (function.isPublic())
      ok &= succeeded(checkRoles(function, form));
    if (form == Form::Graph)
      ok &= succeeded(checkRandomSites(function));
    if (form == Form::Training && function.isPublic())
      ok &= succeeded(checkResults(function));
    auto pair = function->getAttrOfType<DictionaryAttr>("tt.adjoint");
    pairs |= bool(pair);
    if (pair)
      ok &= succeeded(checkAdjoint(function, pair, symbols));
  }
  if (form == Form::Adjoint && ok && !pairs)
    return module.emitError() << "adjoint form: expected a function with tt.adjoint";
  if (form == Form::Graph && ok && module.getOps<func::FuncOp>().empty())
    return module.emitError() << "graph form: expected a function";
  return success(ok);
}
