//===- Twin.cpp - The same graph with small sizes -------------------------===//
#include "tt/Certify/Twin.h"
#include "Resize.h"
#include "tt/Certify/DimGraph.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::certify;

static int64_t countElements(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        count += tensor.getNumElements(); // checked: at most 2^47 each
  });
  return count;
}

/// Erases what the function does not call, so that it is the only public one.
static void keepOnly(ModuleOp module, StringRef name) {
  if (name.empty())
    return;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getSymName() != name)
      function.setPrivate();
  for (bool changed = true; changed;) {
    changed = false;
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        changed = true;
      }
  }
}

/// The first diagnostic of verifying `module`, or "".
static std::string verifyTwin(ModuleOp module) {
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (!text.empty())
      return success();
    llvm::raw_string_ostream stream(text);
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn() << ": ";
    stream << "error: " << diagnostic;
    return success();
  });
  if (failed(verify(module)) && text.empty())
    text = "error: the twin does not verify";
  return text;
}

/// The first op with the largest results.
static Operation *largestOp(ModuleOp module) {
  Operation *largest = module;
  int64_t most = 0;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (tensor.getNumElements() > most) {
          most = tensor.getNumElements();
          largest = op;
        }
  });
  return largest;
}

/// Resizes `twin`; false, with the reason, if that cannot be done.
static bool shrink(ModuleOp twin, std::string &reason) {
  DimGraph graph;
  if (!graph.build(twin, reason))
    return false;
  std::vector<int64_t> sizes;
  if (!solveSmall(graph, sizes)) {
    reason = "error: no small sizes satisfy the graph's shapes";
    for (const SizeRule &rule : graph.rules())
      if (rule.kind != SizeRule::Multiple) {
        reason = errorAt(rule.op, "ties its sizes so that no small ones were found");
        break;
      }
    return false;
  }
  resize(twin, graph, sizes, /*smallBlocks=*/true);
  reason = verifyTwin(twin);
  if (reason.empty() && countElements(twin) > kLargestTwin)
    reason = errorAt(largestOp(twin), "has sizes that no smaller ones can stand for");
  return reason.empty();
}

/// Repeats as calls, by the registered pass that AD runs first.
static bool expandRepeats(ModuleOp module, std::string &error) {
  bool hasRepeat = false;
  module.walk([&](tt::RepeatOp) { hasRepeat = true; });
  PassManager passes(module.getContext());
  llvm::raw_string_ostream stream(error);
  return !hasRepeat || (succeeded(parsePassPipeline("tt-expand-repeat", passes, stream)) &&
                        succeeded(passes.run(module)));
}

OwningOpRef<ModuleOp> tt::certify::makeTwin(ModuleOp module, StringRef function,
                                            TwinReport &report, std::string &error) {
  OwningOpRef<ModuleOp> whole = cast<ModuleOp>(module->clone());
  keepOnly(*whole, function);
  if (!expandRepeats(*whole, error))
    return {};
  report.removedCalls = cutDepth(*whole);
  for (auto called : (*whole).getOps<func::FuncOp>())
    for (Block &block : called.getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op)) // what only removed calls have read
          op.erase();
  OwningOpRef<ModuleOp> twin = cast<ModuleOp>((*whole)->clone());
  report.isShrunken = shrink(*twin, report.note);
  report.elements = countElements(report.isShrunken ? *twin : *whole);
  if (report.isShrunken)
    return twin;
  if (report.elements <= kLargestTwin)
    return whole;
  error = report.note + ": the graph cannot be shrunk, and with " +
          std::to_string(report.elements) +
          " elements it is too large to be checked as it is (at most " +
          std::to_string(kLargestTwin) + ")";
  return {};
}
