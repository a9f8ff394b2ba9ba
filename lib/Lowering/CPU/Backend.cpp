//===- Backend.cpp - LLVM in process --------------------------------------===//
#include "tt/Lowering/CPU/Backend.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>
#include <mutex>

using namespace tt::cpu;
using mlir::LogicalResult;

static constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

std::unique_ptr<llvm::TargetMachine> tt::cpu::createMachine(llvm::StringRef cpu,
                                                            llvm::StringRef features,
                                                            std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  llvm::Triple triple(kTriple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // FMA only where emitted
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}

static void setTargetAttributes(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width",
                       std::to_string(target.preferVectorBits));
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("no-builtins"); // copies stay loops, not memcpy
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// The first symbol that an object expects from elsewhere, or "".
static std::string findUndefinedSymbol(llvm::ArrayRef<char> object) {
  llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()),
                               "kernels");
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return llvm::toString(file.takeError());
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return llvm::toString(flags.takeError());
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) ||
        (*flags & llvm::object::SymbolRef::SF_FormatSpecific))
      continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    return name ? name->str() : llvm::toString(name.takeError());
  }
  return "";
}

LogicalResult tt::cpu::compileToObject(mlir::ModuleOp module,
                                       const Target &target,
                                       llvm::SmallVectorImpl<char> &object,
                                       std::string &error) {
  if (mlir::failed(lowerToLLVMDialect(module, error)))
    return mlir::failure();

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "kernels");
  if (!translated) {
    error = "internal error: translation of a kernel to LLVM IR failed";
    return mlir::failure();
  }
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target.cpu, target.features, error);
  if (!machine)
    return mlir::failure();
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  translated->setPICLevel(llvm::PICLevel::BigPIC);
  setTargetAttributes(*translated, target);

  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (llvm::verifyModule(*translated, &brokenStream)) {
    error = "internal error: invalid LLVM IR: " + broken;
    return mlir::failure();
  }
  optimize(*translated, *machine);

  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emitter;
  if (machine->addPassesToEmitFile(emitter, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile)) {
    error = "internal error: this LLVM cannot emit x86-64 objects";
    return mlir::failure();
  }
  emitter.run(*translated);
  // Code generation may have made calls of its own, to libm for instance.
  std::string missing = findUndefinedSymbol(object);
  if (!missing.empty()) {
    error = "internal error: a kernel calls '" + missing + "'";
    return mlir::failure();
  }
  return mlir::success();
}
