//===- FaultyRule.cpp - The op whose rule is wrong ------------------------===//
//
// Each op of a twin alone, at the values that it met there, with the operands that
// it reads and the results that are read: the first whose derivatives fail their
// checks is what makes those of the twin fail.
//
//===----------------------------------------------------------------------===//
#include "FaultyRule.h"
#include "tt/Certify/Twin.h"

#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTOps.h"
#include "tt/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using reference::AnyTensor;
using reference::GradientCheckRow;
using reference::Values;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

static bool isFinite(const AnyTensor<double> &tensor) {
  return !tensor.isFloat() ||
         llvm::all_of(tensor.floats().data, [](double x) { return std::isfinite(x); });
}

/// True if the op has a rule, or parts that have one, for some operand of it.
static bool hasDerivative(Operation *op) {
  if (llvm::none_of(op->getResults(), [](Value v) { return isFloat(v) && !v.use_empty(); }))
    return false;
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule && !isa<DecomposableOpInterface>(op))
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isFloat(operand.get()) && !(rule && rule.isCutAt(operand.getOperandNumber())))
      return true;
  return false;
}

namespace {

/// One op in a function of its own.
struct Alone {
  OwningOpRef<ModuleOp> module;
  Values inputs;
  std::vector<unsigned> operands; // of each argument
};

class Search {
public:
  Search(ModuleOp twin, func::FuncOp function,
         const reference::GradientCheckOptions &options)
      : twin(twin), function(function), options(options) {}

  RuleFault run(const Values &inputs);

private:
  void visit(func::FuncOp function);
  void check(Operation *op);
  bool check(Operation *op, Alone &alone, const std::string &wrt);
  const AnyTensor<double> &valueOf(Value value);
  Alone isolate(Operation *op, bool allResults);

  ModuleOp twin;
  func::FuncOp function;
  const reference::GradientCheckOptions &options;
  llvm::DenseMap<Value, AnyTensor<double>> values; // of the first call of a function
  llvm::DenseSet<Operation *> visited;
  RuleFault fault;
};

} // namespace

/// A function that is called as the twin's, so that a pipeline finds it, with one
/// argument per operand. Constants stay: rules may look at them.
Alone Search::isolate(Operation *op, bool allResults) {
  Alone alone;
  alone.module = ModuleOp::create(op->getLoc());
  OpBuilder builder(alone.module->getBodyRegion());
  if (isa<CustomVjpOp>(op)) // and what it calls
    for (auto other : twin.getOps<func::FuncOp>())
      if (other != function)
        cast<func::FuncOp>(builder.clone(*other)).setPrivate();
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get().getDefiningOp<ConstantOp>())
      continue;
    alone.operands.push_back(operand.getOperandNumber());
    alone.inputs.push_back(valueOf(operand.get()));
    types.push_back(operand.get().getType());
  }
  auto wrapper = func::FuncOp::create(builder, op->getLoc(), function.getSymName(),
                                      builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(wrapper.addEntryBlock());
  Operation *clone = op->clone();
  for (auto [i, operand] : llvm::enumerate(alone.operands))
    clone->setOperand(operand, wrapper.getArgument(i));
  for (OpOperand &operand : clone->getOpOperands())
    if (auto constant = operand.get().getDefiningOp<ConstantOp>())
      operand.set(builder.clone(*constant)->getResult(0));
  builder.insert(clone);
  SmallVector<Value> results;
  for (auto [own, result] : llvm::zip_equal(op->getResults(), clone->getResults()))
    if (allResults || !own.use_empty())
      results.push_back(result);
  func::ReturnOp::create(builder, op->getLoc(), results);
  wrapper.setFunctionType(builder.getFunctionType(types, ValueRange(results).getTypes()));
  return alone;
}

/// What the run has shown. Identities do not show theirs, so they are run again.
const AnyTensor<double> &Search::valueOf(Value value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  auto result = cast<OpResult>(value);
  Alone alone = isolate(result.getOwner(), /*allResults=*/true);
  auto outcome = reference::Interpreter<double>(*alone.module)
                     .run(function.getSymName(), alone.inputs);
  AnyTensor<double> &kept = values[value];
  if (outcome.succeeded())
    kept = std::move(outcome.results[result.getResultNumber()]);
  return kept;
}

/// False, with the fault, if a check of `alone` fails.
bool Search::check(Operation *op, Alone &alone, const std::string &wrt) {
  reference::GradientCheckOptions how = options;
  how.wrt = wrt;
  how.inputs = alone.inputs;
  reference::GradientReport report = reference::checkGradient(*alone.module, how);
  if (!report.error.empty()) {
    ++fault.notChecked;
    return true;
  }
  const GradientCheckRow *failed = nullptr;
  for (const GradientCheckRow &row : report.rows) {
    if (row.passed || row.check == "reached")
      continue;
    // The dot test asks both rules; where it fails alone it is the forward one.
    if (!failed || (failed->check == "dot" && row.check != "dot"))
      failed = &row;
  }
  if (!failed)
    return true;
  fault.op = op->getName().getStringRef().str();
  fault.place = sourcePlace(op->getLoc());
  bool isForwardMode = failed->check == "dot" || failed->direction == "tangent";
  fault.rule = isForwardMode ? "forward" : "reverse";
  fault.check = failed->check;
  fault.operand = failed->argument < 0 ? -1 : int64_t(alone.operands[failed->argument]);
  fault.value = failed->value;
  fault.bound = failed->bound;
  fault.isLowerBound = failed->isLowerBound;
  return false;
}

/// All operands that take a derivative, then each: rules emit what is asked for.
void Search::check(Operation *op) {
  Alone alone = isolate(op, /*allResults=*/false);
  auto outcome = reference::Interpreter<double>(*alone.module)
                     .run(function.getSymName(), alone.inputs);
  if (!outcome.succeeded() || !llvm::all_of(alone.inputs, isFinite) ||
      !llvm::all_of(outcome.results, isFinite)) {
    ++fault.notChecked;
    return;
  }
  std::vector<std::string> wrts;
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  for (auto [i, operand] : llvm::enumerate(alone.operands))
    if (isFloat(op->getOperand(operand)) && !(rule && rule.isCutAt(operand)))
      wrts.push_back(std::to_string(i));
  if (wrts.size() > 1)
    wrts.insert(wrts.begin(), "all");
  for (const std::string &wrt : wrts)
    if (!check(op, alone, wrt))
      return;
}

/// In the order of a run; each function where it is called first.
void Search::visit(func::FuncOp function) {
  if (!visited.insert(function).second)
    return;
  for (Operation &op : function.getBody().front()) {
    if (fault.isFound())
      return;
    if (auto call = dyn_cast<func::CallOp>(&op)) {
      if (auto callee = twin.lookupSymbol<func::FuncOp>(call.getCallee()))
        visit(callee);
    } else if (hasDerivative(&op)) {
      check(&op);
    }
  }
}

RuleFault Search::run(const Values &inputs) {
  reference::Options watched;
  watched.onValue = [&](Value value, AnyTensor<double> &tensor) {
    values.try_emplace(value, tensor);
  };
  if (reference::Interpreter<double>(twin, watched)
          .run(function.getSymName(), inputs)
          .succeeded())
    visit(function);
  return fault;
}

RuleFault tt::certify::findFaultyRule(ModuleOp twin, func::FuncOp function,
                                      const reference::GradientCheckOptions &options) {
  ScopedDiagnosticHandler quiet(twin.getContext(), [](Diagnostic &) { return success(); });
  reference::Random random(options.seed); // as the gradient check draws its inputs
  return Search(twin, function, options).run(reference::randomInputs(function, random));
}
