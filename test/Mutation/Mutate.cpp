//===- Mutate.cpp - Wrong adjoints, made mechanically ---------------------===//
#include "Mutate.h"
#include "Operators.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::test;

/// The backward functions, in the module's order.
static std::vector<func::FuncOp> backwards(ModuleOp module) {
  std::vector<func::FuncOp> all;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(tt::kAdjointAttr))
      all.push_back(function);
  return all;
}

/// The n-th op of the n-th backward function: places survive a clone.
static Operation *opAt(ModuleOp module, size_t function, size_t number) {
  Block &block = backwards(module)[function].getBody().front();
  return &*std::next(block.begin(), number);
}

static bool verifies(ModuleOp module) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(module));
}

/// What matters for the proofs: which of an attention's gradients are wanted.
static std::string resultsRead(Operation *op) {
  auto attention = dyn_cast<tt::AttentionBwdOp>(op);
  bool isOnlyDv = attention && attention.getDq().use_empty() && attention.getDk().use_empty();
  return isOnlyDv ? ", only dv is read" : "";
}

std::vector<Mutant> tt::test::findMutants(ModuleOp module) {
  std::vector<Mutant> mutants;
  std::vector<func::FuncOp> functions = backwards(module);
  for (size_t f = 0; f < functions.size(); ++f) {
    size_t number = 0;
    for (Operation &op : functions[f].getBody().front()) {
      size_t at = number++;
      for (const Operator &change : operatorsFor(&op)) {
        Mutant mutant;
        mutant.operation = op.getName().getStringRef().str();
        mutant.change = change.name + resultsRead(&op);
        mutant.place = "@" + functions[f].getSymName().str() + " #" + std::to_string(at);
        mutant.apply = [f, at, change](ModuleOp clone) {
          change.apply(opAt(clone, f, at));
          return verifies(clone);
        };
        OwningOpRef<ModuleOp> trial = cast<ModuleOp>(module->clone());
        if (mutant.apply(*trial))
          mutants.push_back(std::move(mutant));
      }
    }
  }
  return mutants;
}

static std::string canonicalText(ModuleOp module) {
  OwningOpRef<ModuleOp> clone = cast<ModuleOp>(module->clone());
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (succeeded(passes.run(*clone)))
    (*clone)->print(stream, OpPrintingFlags().assumeVerified());
  return text;
}

bool tt::test::areEquivalent(ModuleOp a, ModuleOp b) {
  return canonicalText(a) == canonicalText(b);
}
