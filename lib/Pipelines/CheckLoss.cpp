//===- CheckLoss.cpp - Which function trains, and what it returns ---------===//
#include "Stages.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/StringExtras.h"

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

static bool isLoss(func::FuncOp function) {
  if (function.getNumResults() != 1)
    return false;
  auto tensor = cast<RankedTensorType>(function.getResultTypes()[0]);
  return tensor.getRank() == 0 && isa<FloatType>(tensor.getElementType());
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

/// A library makes the updates itself, from the gradients of the one result.
static LogicalResult checkResults(ModuleOp module, func::FuncOp loss) {
  for (unsigned i = 0; i < loss.getNumResults(); ++i)
    if (auto name = loss.getResultAttrOfType<StringAttr>(i, kUpdatesAttr))
      return loss.emitError() << "expected no " << kUpdatesAttr << " in @" << loss.getSymName()
                              << ", which is the loss to train on, but result " << i
                              << " updates " << name
                              << ": the training step makes its own updates";
  if (isLoss(loss))
    return success();
  InFlightDiagnostic diagnostic =
      loss.emitError() << "expected one scalar float result to train on, but @"
                       << loss.getSymName() << " returns (" << loss.getResultTypes() << ")";
  for (func::FuncOp other : publicFunctions(module))
    if (isLoss(other))
      return diagnostic << ": @" << other.getSymName() << " has one";
  return diagnostic << ": reduce it to a scalar";
}

LogicalResult tt::checkLoss(ModuleOp module, StringRef name, bool isTrained) {
  FailureOr<func::FuncOp> loss = findLoss(module, name);
  if (failed(loss))
    return failure();
  if (!*loss || loss->isExternal() || !isTrained)
    return success();
  if (failed(checkResults(module, *loss)))
    return failure();
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
