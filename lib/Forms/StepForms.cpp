//===- StepForms.cpp - The flat step, before and after its plan -----------===//
#include "FormChecks.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tt;

static bool sameShape(Type tensor, Type memref) {
  auto a = cast<RankedTensorType>(tensor);
  auto b = cast<MemRefType>(memref);
  return a.getShape() == b.getShape() && a.getElementType() == b.getElementType();
}

static LogicalResult checkOperands(LaunchOp launch, StringRef what, TypeRange wanted,
                                   OperandRange found) {
  bool same = wanted.size() == found.size();
  for (size_t i = 0; same && i < wanted.size(); ++i)
    same = sameShape(wanted[i], found[i].getType());
  if (same)
    return success();
  return launch.emitOpError() << "expected " << what << " of the kernel's types ("
                              << wanted << "), found (" << found.getTypes() << ")";
}

static LogicalResult checkLaunch(LaunchOp launch, SymbolTable &symbols) {
  auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
  if (!kernel)
    return launch.emitOpError() << "expected a tt.kernel of name @"
                                << launch.getKernel();
  bool ok = succeeded(checkOperands(launch, "reads", TypeRange(kernel.getArgumentTypes()),
                                    launch.getReads())) &&
            succeeded(checkOperands(launch, "writes", TypeRange(kernel.getResultTypes()),
                                    launch.getWrites()));
  return success(ok);
}

/// Inputs are io buffers and outputs are yielded, one each.
static LogicalResult checkBorder(StepOp step) {
  llvm::StringSet<> io;
  for (BufferOp buffer : step.getBody().getOps<BufferOp>())
    if (buffer.getRegion() == MemoryRegion::IO && !io.insert(*buffer.getName()).second)
      return buffer.emitOpError() << "is a second io buffer of the name '"
                                  << *buffer.getName() << "'";
  for (Attribute name : step.getInputs())
    if (!io.contains(cast<StringAttr>(name).getValue()))
      return step.emitOpError() << "expected an io buffer for input " << name;
  Operation &last = step.getBody().front().back();
  if (last.getNumOperands() != step.getOutputs().size())
    return step.emitOpError() << "expected " << step.getOutputs().size()
                              << " yielded views for its outputs, found "
                              << last.getNumOperands();
  return success();
}

LogicalResult tt::verifyStepForm(ModuleOp module) {
  if (failed(onlyHolds<StepOp, KernelOp>(module, "step", "steps and kernels")))
    return failure();
  bool ok = true;
  SymbolTable symbols(module);
  llvm::StringSet<> launched;
  for (auto step : module.getOps<StepOp>()) {
    bool fine = true;
    Block &body = step.getBody().front();
    for (Operation &op : body) {
      if (auto launch = dyn_cast<LaunchOp>(op)) {
        launched.insert(launch.getKernel());
        fine &= succeeded(checkLaunch(launch, symbols));
      } else if (!isa<BufferOp, ViewOp, YieldOp>(op)) {
        op.emitOpError() << "is not allowed in a step";
        fine = false;
      }
    }
    if (body.empty() || !isa<YieldOp>(body.back())) {
      step.emitOpError() << "expected tt.yield at the end";
      fine = false;
    }
    ok &= fine && succeeded(checkBorder(step));
  }
  if (module.getOps<StepOp>().empty())
    return module.emitError() << "step form: expected a tt.step";
  for (auto kernel : module.getOps<KernelOp>())
    if (!launched.contains(kernel.getSymName())) {
      kernel.emitOpError() << "is launched by no step";
      ok = false;
    }
  return success(ok);
}

/// The size of a buffer's region, by tt.memory and the step's arena_bytes.
static std::optional<int64_t> regionBytes(StepOp step, DictionaryAttr memory,
                                          MemoryRegion region) {
  IntegerAttr bytes;
  if (region == MemoryRegion::Arena)
    bytes = step->getAttrOfType<IntegerAttr>("arena_bytes");
  else
    bytes = memory.getAs<IntegerAttr>(region == MemoryRegion::Constant
                                          ? StringRef("constants")
                                          : stringifyMemoryRegion(region));
  if (!bytes)
    return std::nullopt;
  return bytes.getInt();
}

LogicalResult tt::verifyPlannedForm(ModuleOp module) {
  if (failed(verifyStepForm(module)))
    return failure();
  auto memory = module->getAttrOfType<DictionaryAttr>("tt.memory");
  if (!memory)
    return module.emitError() << "planned form: expected tt.memory on the module";
  bool ok = true;
  SymbolTable symbols(module);
  for (auto step : module.getOps<StepOp>()) {
    for (BufferOp buffer : step.getBody().getOps<BufferOp>()) {
      if (!buffer.getOffset()) {
        if (buffer->use_empty() && buffer.getRegion() == MemoryRegion::Arena)
          continue;
        buffer.emitOpError() << "planned form: expected an offset";
        ok = false;
        continue;
      }
      std::optional<int64_t> size = regionBytes(step, memory, buffer.getRegion());
      int64_t offset = *buffer.getOffset(), bytes = buffer.getBytes();
      if (size && bytes <= *size && offset <= *size - bytes)
        continue;
      InFlightDiagnostic diag = buffer.emitOpError()
                                << "planned form: expected to end inside "
                                << stringifyMemoryRegion(buffer.getRegion()) << " of ";
      if (size)
        diag << *size << " bytes";
      else
        diag << "unknown size";
      diag << ", but it takes " << bytes << " bytes at " << offset;
      ok = false;
    }
    for (LaunchOp launch : step.getBody().getOps<LaunchOp>()) {
      auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
      auto bytes = kernel->getAttrOfType<IntegerAttr>("workspace_bytes");
      bool wanted = bytes && bytes.getInt() > 0;
      if (wanted == bool(launch.getWorkspace()))
        continue;
      launch.emitOpError() << "planned form: expected "
                           << (wanted ? "a workspace" : "no workspace") << " for @"
                           << kernel.getSymName();
      ok = false;
    }
  }
  return success(ok);
}
