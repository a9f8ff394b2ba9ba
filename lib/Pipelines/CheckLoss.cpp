//===- CheckLoss.cpp - Which function trains, and what it returns ---------===//
#include "Stages.h"

#include "tt/IR/TTOps.h"
#include "tt/Training/LossResult.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tt;

/// What a library makes of the loss, by the names of its entries.
static constexpr StringLiteral kEntries[] = {"train_step", "grad", "eval", "logits"};

static SmallVector<func::FuncOp> publicFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      functions.push_back(function);
  return functions;
}

static bool isScalarFloat(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getRank() == 0 && isa<FloatType>(tensor.getElementType());
}

static bool hasLoss(func::FuncOp function) {
  std::optional<unsigned> loss = lossResult(function);
  return loss && isScalarFloat(function.getResultTypes()[*loss]);
}

/// The named function, or the only public one; null where tt-autodiff says that
/// there is none.
static FailureOr<func::FuncOp> findLoss(ModuleOp module, StringRef name) {
  if (!name.empty())
    return module.lookupSymbol<func::FuncOp>(name);
  SmallVector<func::FuncOp> functions = publicFunctions(module);
  if (functions.size() < 2)
    return functions.empty() ? func::FuncOp() : functions.front();
  std::string names = llvm::join(
      llvm::map_range(functions, [](func::FuncOp f) { return "@" + f.getSymName().str(); }),
      ", ");
  return functions[1].emitError()
         << "expected one public function or the loss's name (--function), but got " << names;
}

/// The names that metrics must not have, as the entries use them.
static bool isTakenName(StringRef name) {
  return llvm::is_contained(kStepOutputs, name) || name.starts_with("grad:");
}

/// Every result but the loss is a metric, under a name of its own.
static LogicalResult checkMetrics(func::FuncOp function, unsigned loss) {
  llvm::StringMap<unsigned> names;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto refuse = [&]() -> InFlightDiagnostic {
      return function.emitError()
             << "result " << i << " of @" << function.getSymName() << ": expected ";
    };
    auto name = function.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    if (i == loss && name && name.getValue() != "loss")
      return refuse() << kOutputAttr << " to be \"loss\", as it is the one to train on, but got "
                      << name;
    if (i == loss)
      continue;
    if (!name)
      return refuse() << kOutputAttr << " to name it, as it is not the loss";
    if (isTakenName(name))
      return refuse() << "a name that no entry of the library gives, but got " << name;
    auto [other, isNew] = names.try_emplace(name.getValue(), i);
    if (!isNew || name.getValue() == "loss")
      return refuse() << "a name of its own, but got " << name << " of result "
                      << (isNew ? loss : other->second) << ", too";
  }
  return success();
}

/// A library makes the updates itself, from the gradients of the one loss.
static LogicalResult checkResults(ModuleOp module, func::FuncOp loss) {
  for (unsigned i = 0; i < loss.getNumResults(); ++i)
    if (auto name = loss.getResultAttrOfType<StringAttr>(i, kUpdatesAttr))
      return loss.emitError() << "expected no " << kUpdatesAttr << " in @" << loss.getSymName()
                              << ", which is the loss to train on, but result " << i
                              << " updates " << name
                              << ": the training step makes its own updates";
  for (BlockArgument argument : loss.getArguments())
    if (auto name = loss.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kStateAttr))
      return emitError(argument.getLoc())
             << "expected no " << kStateAttr << " in @" << loss.getSymName()
             << ", as a training step keeps the optimizer's alone, but argument "
             << argument.getArgNumber() << " is " << name
             << ": make it " << kInputAttr << ", or " << kParamAttr << " with " << kFrozenAttr;
  if (hasLoss(loss))
    return checkMetrics(loss, *lossResult(loss));
  InFlightDiagnostic diagnostic =
      loss.emitError() << "expected one scalar float result to train on, but @"
                       << loss.getSymName() << " returns (" << loss.getResultTypes() << ")";
  for (func::FuncOp other : publicFunctions(module))
    if (hasLoss(other))
      return diagnostic << ": @" << other.getSymName() << " has one";
  if (!lossResult(loss) && llvm::any_of(loss.getResultTypes(), isScalarFloat))
    return diagnostic << ": name the one to train on, {" << kOutputAttr
                      << " = \"loss\"}; the others are metrics";
  return diagnostic << ": reduce it to a scalar";
}

LogicalResult tt::checkLoss(ModuleOp module, StringRef name, bool isTrained) {
  FailureOr<func::FuncOp> loss = findLoss(module, name);
  if (failed(loss))
    return failure();
  if (!*loss || loss->isExternal())
    return success();
  if (!isTrained) { // of any function the adjoint; of a loss that of the loss
    if (hasLoss(*loss))
      detachMetrics(*loss);
    return success();
  }
  if (loss->isPrivate())
    return loss->emitError() << "expected a public function to train on, but @"
                             << loss->getSymName() << " is private";
  if (failed(checkResults(module, *loss)))
    return failure();
  detachMetrics(*loss);
  for (StringRef entry : kEntries)
    if (Operation *taken = module.lookupSymbol(entry)) {
      InFlightDiagnostic diagnostic =
          taken->emitError() << "expected no function @" << entry
                             << ": a library has an entry of this name, made from @"
                             << loss->getSymName();
      return entry == "logits" ? diagnostic << " (tt-import without --logits leaves it out)"
                               : diagnostic;
    }
  return success();
}
