//===- ModelPlan.cpp - A planned module as plain data ---------------------===//
#include "tt/AOT/ModelPlan.h"

#include "tt/IR/CheckRange.h"
#include "tt/IR/TTOps.h"
#include "tt/runtime/Sizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace tt;
using namespace tt::aot;

std::string aot::toIdentifier(StringRef base) {
  std::string name;
  for (char c : base)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name[0]))
    name.insert(name.begin(), '_');
  return name;
}

static tt_dtype dtypeOf(Type element) {
  if (element.isF64())
    return TT_F64;
  if (element.isF32())
    return TT_F32;
  if (element.isBF16())
    return TT_BF16;
  if (element.isF16())
    return TT_F16;
  switch (element.getIntOrFloatBitWidth()) {
  case 64:
    return TT_I64;
  case 32:
    return TT_I32;
  case 8:
    return TT_I8;
  default:
    return TT_I1;
  }
}

static uint32_t regionOf(MemoryRegion region) {
  switch (region) {
  case MemoryRegion::Parameters:
    return TT_REGION_PARAMETERS;
  case MemoryRegion::State:
    return TT_REGION_STATE;
  case MemoryRegion::Arena:
    return TT_REGION_ARENA;
  case MemoryRegion::IO:
    return TT_REGION_IO;
  case MemoryRegion::Constant:
    return TT_REGION_CONSTANT;
  }
  return TT_REGION_ARENA;
}

static TensorPlan tensorOfBuffer(BufferOp buffer) {
  TensorPlan tensor;
  tensor.name = buffer.getName()->str();
  auto type = cast<RankedTensorType>(
      buffer->getAttrOfType<TypeAttr>("tensor").getValue());
  tensor.dtype = dtypeOf(type.getElementType());
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  tensor.region = regionOf(buffer.getRegion());
  tensor.offset = *buffer.getOffset();
  tensor.bytes = buffer.getBytes();
  auto role = buffer->getAttrOfType<DictionaryAttr>("role");
  if (!role)
    return tensor;
  if (auto limit = role.getAs<IntegerAttr>(kIndexLimitAttr))
    tensor.indexLimit = limit.getInt();
  if (auto ignore = role.getAs<IntegerAttr>(kIndexIgnoreAttr))
    tensor.indexIgnore = ignore.getInt();
  if (auto range = readCheckRange(role.get(kCheckRangeAttr))) {
    tensor.checkLow = range->low;
    tensor.checkHigh = range->high;
  }
  if (auto init = role.getAs<StringAttr>(kInitAttr)) {
    StringRef text = init.getValue();
    if (text == "one")
      tensor.init = TT_INIT_ONE;
    else if (text.consume_front("normal:"))
      tensor.init = TT_INIT_NORMAL;
    else if (text.consume_front("uniform:"))
      tensor.init = TT_INIT_UNIFORM;
    if (tensor.init == TT_INIT_NORMAL || tensor.init == TT_INIT_UNIFORM)
      (void)text.getAsDouble(tensor.initScale);
  }
  return tensor;
}

/// "file:line" of the first file location inside `loc`.
static std::string sourceOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  // Without the folder: where a graph lies must not change its library.
  return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
          Twine(file.getLine()))
      .str();
}

static LogicalResult readStep(StepOp step, const llvm::StringMap<uint32_t> &kernels,
                              EntryPlan &entry) {
  entry.name = step.getSymName().str();
  if (auto bytes = step->getAttrOfType<IntegerAttr>("arena_bytes"))
    entry.arenaBytes = bytes.getInt();
  llvm::StringMap<TensorPlan> inputs;
  for (BufferOp buffer : step.getBody().getOps<BufferOp>()) {
    if (!buffer.getOffset())
      return step.emitError() << "expected a planned step (tt-plan-memory)";
    if (buffer.getRegion() == MemoryRegion::IO)
      inputs[*buffer.getName()] = tensorOfBuffer(buffer);
    entry.needsState |= buffer.getRegion() == MemoryRegion::State;
  }
  for (auto name : step.getInputs().getAsRange<StringAttr>())
    entry.inputs.push_back(inputs.lookup(name.getValue()));

  auto addressOf = [](Value value) {
    auto view = value.getDefiningOp<ViewOp>();
    auto root = view.getRoot().getDefiningOp<BufferOp>();
    return std::make_pair(regionOf(root.getRegion()),
                          uint64_t(*root.getOffset() + view.getByteOffset()));
  };
  for (LaunchOp launch : step.getBody().getOps<LaunchOp>()) {
    LaunchPlan row;
    row.kernel = kernels.lookup(launch.getKernel());
    for (Value view : launch.getReads())
      row.operands.push_back(addressOf(view));
    for (Value view : launch.getWrites())
      row.operands.push_back(addressOf(view));
    if (Value workspace = launch.getWorkspace())
      row.sharedOffset = *workspace.getDefiningOp<BufferOp>().getOffset();
    row.source = sourceOf(launch.getLoc());
    entry.launches.push_back(std::move(row));
  }
  auto yielded = step.getBody().front().getTerminator()->getOperands();
  for (auto [name, value] : llvm::zip(step.getOutputs().getAsRange<StringAttr>(), yielded)) {
    auto type = cast<MemRefType>(value.getType());
    TensorPlan tensor;
    tensor.name = name.getValue().str();
    tensor.dtype = dtypeOf(type.getElementType());
    tensor.shape.assign(type.getShape().begin(), type.getShape().end());
    std::tie(tensor.region, tensor.offset) = addressOf(value);
    tensor.bytes =
        type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8); // checked: at most 2^47
    entry.outputs.push_back(tensor);
  }
  return success();
}

/// Constants lie in the library; x86-64's small code model reaches 2 GiB.
static constexpr uint64_t kMaxConstants = uint64_t(1) << 30;

static LogicalResult appendConstant(BufferOp buffer, std::vector<char> &constants) {
  auto value = cast<DenseElementsAttr>(buffer.getValueAttr());
  uint64_t begin = *buffer.getOffset(), bytes = buffer.getBytes();
  if (bytes > kMaxConstants || begin > kMaxConstants - bytes)
    return buffer.emitError() << "expected constants of at most 2^30 bytes together, but got "
                              << value.getType() << " after " << begin
                              << " bytes: make it an input, or broadcast a smaller one";
  if (constants.size() < begin + bytes)
    constants.resize((begin + bytes + 63) / 64 * 64);
  char *to = constants.data() + begin;
  if (value.getElementType().isInteger(1)) {
    for (auto [i, bit] : llvm::enumerate(value.getValues<bool>()))
      to[i] = bit;
    return success();
  }
  ArrayRef<char> raw = value.getRawData();
  if (!value.isSplat()) {
    std::memcpy(to, raw.data(), bytes);
    return success();
  }
  for (uint64_t i = 0; i < bytes; i += raw.size())
    std::memcpy(to + i, raw.data(), raw.size());
  return success();
}

LogicalResult aot::readModelPlan(ModuleOp module, std::vector<KernelPlan> kernels,
                                 ModelPlan &plan) {
  llvm::StringMap<uint32_t> indexOf;
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    indexOf[kernel.name] = i;
    plan.workerBytes = std::max(plan.workerBytes, (kernel.workerBytes + 63) / 64 * 64);
  }
  plan.kernels = std::move(kernels);

  llvm::StringMap<bool> seen;
  for (StepOp step : module.getOps<StepOp>()) {
    EntryPlan entry;
    if (failed(readStep(step, indexOf, entry)))
      return failure();
    plan.entries.push_back(std::move(entry));
    for (BufferOp buffer : step.getBody().getOps<BufferOp>()) {
      if (buffer.getRegion() == MemoryRegion::Constant &&
          failed(appendConstant(buffer, plan.constants)))
        return failure();
      bool parameter = buffer.getRegion() == MemoryRegion::Parameters;
      if (!parameter && buffer.getRegion() != MemoryRegion::State)
        continue;
      if (seen.try_emplace(*buffer.getName(), true).second)
        (parameter ? plan.parameters : plan.states).push_back(tensorOfBuffer(buffer));
    }
  }
  auto byOffset = [](const TensorPlan &a, const TensorPlan &b) {
    return a.offset < b.offset;
  };
  llvm::sort(plan.parameters, byOffset);
  llvm::sort(plan.states, byOffset);

  auto memory = module->getAttrOfType<DictionaryAttr>("tt.memory");
  if (!memory)
    return module.emitError() << "expected a planned module (tt-plan-memory)";
  auto bytes = [&](StringRef name) -> uint64_t {
    return memory.getAs<IntegerAttr>(name).getInt();
  };
  plan.parameterBytes = bytes("parameters");
  plan.stateBytes = bytes("state");
  plan.ioBytes = bytes("io");
  plan.plannedBytes = bytes("arena");
  plan.gradientBytes = bytes("gradients");
  plan.activationBytes = bytes("activations");
  plan.workspaceBytes = bytes("workspace");

  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, OpPrintingFlags().useLocalScope());
  llvm::SHA256 sha;
  sha.update(text);
  plan.hash = llvm::toHex(sha.final(), /*LowerCase=*/true);
  return success();
}

ControlBytes aot::controlBytes(const ModelPlan &plan) {
  uint64_t numOperands = 0; // checked: they are in memory
  for (const EntryPlan &entry : plan.entries)
    for (const LaunchPlan &launch : entry.launches)
      numOperands += launch.operands.size();
  auto bytes = [&](uint64_t threads) {
    return runtime::instanceBytes(plan.entries.size(), numOperands, threads);
  };
  return {bytes(0), bytes(1) - bytes(0)};
}

uint64_t aot::selfcheckScratchBytes(const ModelPlan &plan) {
  for (const EntryPlan &entry : plan.entries)
    if (entry.name == "grad")
      return runtime::selfcheckScratchBytes(entry.arenaBytes, plan.plannedBytes,
                                            plan.parameterBytes);
  return 0;
}
