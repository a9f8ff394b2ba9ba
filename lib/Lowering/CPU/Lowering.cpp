//===- Lowering.cpp - Kernel modules to the LLVM dialect ------------------===//
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/VectorMath.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::cpu;

void tt::cpu::registerKernelDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

static void buildPipeline(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createConvertVectorToSCFPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// The name of the first op that is not of the LLVM dialect, or "".
static std::string findForeignOp(ModuleOp module) {
  std::string found;
  module.walk([&](Operation *op) {
    if (op == module.getOperation() ||
        isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    found = op->getName().getStringRef().str();
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult tt::cpu::lowerToLLVMDialect(ModuleOp module, std::string &error) {
  MLIRContext *context = module.getContext();
  std::string messages;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      llvm::raw_string_ostream stream(messages);
      stream << (messages.empty() ? "" : "; ") << diagnostic;
    }
    return success();
  });
  auto fail = [&](const llvm::Twine &what) {
    error =
        ("internal error: " + what + (messages.empty() ? "" : ": " + messages))
            .str();
    return failure();
  };

  RewritePatternSet patterns(context);
  populateMathExpansionPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return fail("math expansion of a kernel did not end");

  PassManager manager(context);
  buildPipeline(manager);
  if (failed(manager.run(module)))
    return fail("kernel lowering failed");
  // Some conversions print an error and still succeed, or leave ops behind.
  std::string foreign = findForeignOp(module);
  if (!foreign.empty())
    return fail("'" + foreign + "' is left after kernel lowering");
  if (!messages.empty())
    return fail("kernel lowering reported errors");
  return success();
}
