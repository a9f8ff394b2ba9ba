//===- Mutate.cpp - Wrong code, made mechanically -------------------------===//
#include "Mutate.h"
#include "FoldConstants.h"
#include "Operators.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::test;

/// What is changed of a module, in its order.
static std::vector<Operation *> bodiesOf(ModuleOp module, Kind kind) {
  std::vector<Operation *> all;
  for (Operation &op : module.getBody()->getOperations()) {
    bool isWanted = kind == Kind::Adjoint   ? op.hasAttr(tt::kAdjointAttr)
                    : kind == Kind::Tangent ? op.hasAttr(tt::kTangentAttr)
                                            : !op.getRegion(0).getOps<scf::ForOp>().empty();
    if (isWanted)
      all.push_back(&op);
  }
  return all;
}

/// The ops inside, those of loops too: their numbers survive a clone.
static std::vector<Operation *> opsOf(Operation *body) {
  std::vector<Operation *> all;
  body->getRegion(0).walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  return all;
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

std::vector<Mutant> tt::test::findMutants(ModuleOp module, Kind kind) {
  std::vector<Mutant> mutants;
  for (auto [f, body] : llvm::enumerate(bodiesOf(module, kind)))
    for (auto [number, op] : llvm::enumerate(opsOf(body)))
      for (const Operator &change : operatorsFor(op)) {
        Mutant mutant;
        mutant.kind = kind;
        mutant.body = f;
        mutant.number = number;
        mutant.operation = op->getName().getStringRef().str();
        mutant.change = change.name + resultsRead(op);
        mutant.place = "@" + SymbolTable::getSymbolName(body).getValue().str() + " #" +
                       std::to_string(number);
        mutant.apply = [=, f = f, number = number](ModuleOp clone) {
          change.apply(opsOf(bodiesOf(clone, kind)[f])[number]);
          return verifies(clone);
        };
        OwningOpRef<ModuleOp> trial = cast<ModuleOp>(module->clone());
        if (mutant.apply(*trial))
          mutants.push_back(std::move(mutant));
      }
  return mutants;
}

Operation *tt::test::opOf(ModuleOp module, const Mutant &mutant) {
  return opsOf(bodiesOf(module, mutant.kind)[mutant.body])[mutant.number];
}

static std::string canonicalText(ModuleOp module) {
  OwningOpRef<ModuleOp> clone = cast<ModuleOp>(module->clone());
  foldConstants(*clone);
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
