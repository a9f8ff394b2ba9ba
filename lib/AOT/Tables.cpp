//===- Tables.cpp - The constant tables of a library ----------------------===//
//
// Mirrors the structs of tt/runtime/ModelTable.h field by field; the static
// assertions below hold their layout.
//
//===----------------------------------------------------------------------===//
#include "tt/AOT/Library.h"
#include "tt/Lowering/CPU/Backend.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace tt::aot;
using llvm::Constant;

static_assert(sizeof(tt_phase_row) == 32 && sizeof(tt_kernel_row) == 56 &&
                  sizeof(tt_operand_row) == 16 && sizeof(tt_launch_row) == 24 &&
                  sizeof(tt_tensor_row) == 152 && sizeof(tt_entry_row) == 64 &&
                  sizeof(tt_model_desc) == 176 &&
                  sizeof(tt_selfcheck_row) == 32,
              "the tables below spell out these layouts");

namespace {
class TableWriter {
public:
  TableWriter(llvm::Module &module, const ModelPlan &plan)
      : module(module), context(module.getContext()), plan(plan),
        pointer(llvm::PointerType::get(context, 0)) {}

  void write();

private:
  Constant *i32(uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), v); }
  Constant *i64(uint64_t v) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), v); }
  Constant *f64(double v) { return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), v); }
  Constant *null() { return llvm::ConstantPointerNull::get(pointer); }

  Constant *global(Constant *value, unsigned align = 8) {
    auto *variable = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, value, "t");
    variable->setAlignment(llvm::Align(align));
    return variable;
  }
  Constant *text(const std::string &s) {
    auto [entry, isNew] = texts.try_emplace(s, nullptr);
    if (isNew)
      entry->second = global(llvm::ConstantDataArray::getString(context, s), 1);
    return entry->second;
  }
  Constant *row(llvm::ArrayRef<Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context, fields);
  }
  Constant *table(const std::vector<Constant *> &rows) {
    if (rows.empty())
      return null();
    auto *type = llvm::ArrayType::get(rows[0]->getType(), rows.size());
    return global(llvm::ConstantArray::get(type, rows));
  }
  Constant *perLevel(Constant *a, Constant *b) {
    return llvm::ConstantArray::get(llvm::ArrayType::get(a->getType(), 2), {a, b});
  }

  Constant *kernelRow(const KernelPlan &kernel);
  Constant *tensorRow(const TensorPlan &tensor);
  Constant *tensors(const std::vector<TensorPlan> &list);
  Constant *entryRow(const EntryPlan &entry);
  Constant *selfcheckRow();
  Constant *function(const tt::cpu::EmittedKernel &level, size_t phase);

  llvm::Module &module;
  llvm::LLVMContext &context;
  const ModelPlan &plan;
  llvm::PointerType *pointer;
  llvm::StringMap<Constant *> texts;
};
} // namespace

Constant *TableWriter::function(const tt::cpu::EmittedKernel &level, size_t phase) {
  if (level.phases.empty())
    return null();
  auto *i64Type = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, i64Type, i64Type, pointer, pointer}, false);
  return llvm::cast<Constant>(
      module.getOrInsertFunction(level.phases[phase].symbol, type).getCallee());
}

Constant *TableWriter::kernelRow(const KernelPlan &kernel) {
  const auto &v3 = kernel.levels[TT_ISA_V3], &v4 = kernel.levels[TT_ISA_V4];
  size_t phases = std::max(v3.phases.size(), v4.phases.size());
  // A level may need fewer phases; what it lacks runs no task.
  std::vector<Constant *> rows;
  auto at = [&](const tt::cpu::EmittedKernel &level, size_t i) -> std::pair<Constant *, uint64_t> {
    if (level.phases.empty())
      return {null(), 0};
    if (i < level.phases.size())
      return {function(level, i), level.phases[i].tasks};
    return {function(level, 0), 0};
  };
  for (size_t i = 0; i < phases; ++i) {
    auto [f3, t3] = at(v3, i);
    auto [f4, t4] = at(v4, i);
    rows.push_back(row({perLevel(f3, f4), perLevel(i64(t3), i64(t4))}));
  }
  return row({text(kernel.name), table(rows), i32(phases), i32(kernel.numOperands),
              perLevel(i64(v3.phases.empty() ? 0 : v3.repeat),
                       i64(v4.phases.empty() ? 0 : v4.repeat)),
              i64(kernel.sharedBytes), i64(kernel.workerBytes)});
}

Constant *TableWriter::tensorRow(const TensorPlan &tensor) {
  std::vector<uint64_t> shape(TT_MAX_RANK, 0);
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    shape[i] = tensor.shape[i];
  return row({text(tensor.name), i32(tensor.dtype), i32(tensor.shape.size()),
              llvm::ConstantDataArray::get(context, shape), i32(tensor.region),
              i32(tensor.init), i64(tensor.offset), i64(tensor.bytes),
              f64(tensor.initScale), null(), i64(tensor.indexLimit),
              i64(tensor.indexIgnore), f64(tensor.checkLow), f64(tensor.checkHigh)});
}

Constant *TableWriter::tensors(const std::vector<TensorPlan> &list) {
  std::vector<Constant *> rows;
  for (const TensorPlan &tensor : list)
    rows.push_back(tensorRow(tensor));
  return table(rows);
}

Constant *TableWriter::entryRow(const EntryPlan &entry) {
  std::vector<Constant *> launches, operands;
  for (const LaunchPlan &launch : entry.launches) {
    launches.push_back(row({i32(launch.kernel), i32(operands.size()),
                            i64(launch.sharedOffset),
                            launch.source.empty() ? null() : text(launch.source)}));
    for (auto [region, offset] : launch.operands)
      operands.push_back(row({i32(region), i32(0), i64(offset)}));
  }
  uint64_t numOperands = operands.size();
  return row({text(entry.name), table(launches), table(operands),
              i32(entry.launches.size()), i32(numOperands), tensors(entry.inputs),
              tensors(entry.outputs), i32(entry.inputs.size()),
              i32(entry.outputs.size()), i32(entry.needsState), i32(0)});
}

/// Null without an entry "grad".
Constant *TableWriter::selfcheckRow() {
  for (auto [i, entry] : llvm::enumerate(plan.entries)) {
    if (entry.name != "grad")
      continue;
    Constant *sums = null();
    if (!plan.projections.empty())
      sums = global(llvm::ConstantDataArray::get(context, plan.projections));
    return global(row({i32(i), i32(plan.projections.size()), i64(plan.selfcheckSeed),
                       i64(entry.arenaBytes), sums}));
  }
  return null();
}

void TableWriter::write() {
  std::vector<Constant *> kernels, entries;
  for (const KernelPlan &kernel : plan.kernels)
    kernels.push_back(kernelRow(kernel));
  for (const EntryPlan &entry : plan.entries)
    entries.push_back(entryRow(entry));
  Constant *constants = null();
  if (!plan.constants.empty())
    constants = global(llvm::ConstantDataArray::getString(
                           context,
                           llvm::StringRef(plan.constants.data(), plan.constants.size()),
                           /*AddNull=*/false),
                       64);
  Constant *model = row(
      {i64(TT_MODEL_MAGIC), i32(TT_ABI_VERSION), i32(sizeof(tt_model_desc)),
       text(plan.name), text(plan.hash), table(kernels), tensors(plan.parameters),
       tensors(plan.states), table(entries), i32(plan.kernels.size()),
       i32(plan.parameters.size()), i32(plan.states.size()), i32(plan.entries.size()),
       constants, i64(plan.constants.size()), i64(plan.parameterBytes),
       i64(plan.stateBytes), i64(plan.ioBytes), i64(plan.workerBytes),
       i64(plan.plannedBytes), i64(plan.gradientBytes), i64(plan.activationBytes),
       i64(plan.workspaceBytes), i32(plan.maxThreads), i32(plan.isaMask), selfcheckRow()});
  Constant *description = global(model);
  auto *type = llvm::FunctionType::get(pointer, false);
  auto *getter = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                        plan.name + "_model", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", getter));
  builder.CreateRet(description);
}

bool tt::aot::emitTables(const ModelPlan &plan, Object &object, std::string &error) {
  llvm::LLVMContext context;
  llvm::Module module("tables", context);
  // Data alone: any x86-64 will do.
  std::unique_ptr<llvm::TargetMachine> machine = cpu::createMachine("x86-64", "", error);
  if (!machine)
    return false;
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  TableWriter(module, plan).write();
  llvm::legacy::PassManager passes;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile)) {
    error = "internal error: no object writer for the tables";
    return false;
  }
  passes.run(module);
  object = std::move(bytes);
  return true;
}
