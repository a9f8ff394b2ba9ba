//===- KernelHarness.cpp - Runs tt.kernel text in tests -------------------===//
#include "KernelHarness.h"
#include "KernelRunner.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace tt::cpu;

static constexpr size_t kCanary = 256;
static constexpr uint8_t kCanaryByte = 0xa5;

OperandBuffer::OperandBuffer(size_t bytes, uint8_t fill)
    : size(bytes), storage(bytes + 2 * kCanary + kAlignment, kCanaryByte) {
  std::memset(data(), fill, size);
}

OperandBuffer &OperandBuffer::operator=(const OperandBuffer &other) {
  if (this != &other) {
    size = other.size;
    storage.assign(size + 2 * kCanary + kAlignment, kCanaryByte);
    std::memcpy(data(), other.data(), size);
  }
  return *this;
}

void *OperandBuffer::data() const {
  uintptr_t start = reinterpret_cast<uintptr_t>(storage.data()) + kCanary;
  return reinterpret_cast<void *>((start + kAlignment - 1) & -kAlignment);
}

bool OperandBuffer::isIntact() const {
  const uint8_t *first = static_cast<const uint8_t *>(data());
  for (const uint8_t &byte : storage)
    if ((&byte < first || &byte >= first + size) && byte != kCanaryByte)
      return false;
  return true;
}

KernelTest::KernelTest() {
  DialectRegistry registry;
  registerKernelDialects(registry);
  registry.insert<TTDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
}

static OwningOpRef<ModuleOp> parse(MLIRContext &context,
                                   const std::string &text) {
  return parseSourceString<ModuleOp>(text, ParserConfig(&context));
}

static tt::KernelOp onlyKernel(ModuleOp module) {
  auto kernels = module.getOps<tt::KernelOp>();
  return kernels.empty() ? tt::KernelOp() : *kernels.begin();
}

/// Bytes that a result spans.
static size_t resultBytes(tt::KernelOp kernel, unsigned i) {
  auto type = cast<RankedTensorType>(kernel.getResultTypes()[i]);
  int64_t extent = type.getNumElements();
  if (auto strides = kernel.getResultAttrOfType<DenseI64ArrayAttr>(
          i, tt::kStridesAttr)) {
    extent = 1;
    for (auto [size, stride] :
         llvm::zip_equal(type.getShape(), strides.asArrayRef()))
      extent += (size - 1) * stride;
  }
  return extent * ((type.getElementTypeBitWidth() + 7) / 8);
}

std::unique_ptr<LoadedKernel> KernelTest::load(tt::KernelOp kernel, const Target &target) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(kernel.getContext())));
  EmittedKernel emitted;
  if (failed(emitKernel(kernel, target, "", *module, emitted))) {
    ADD_FAILURE() << "the kernel was refused";
    return nullptr;
  }
  auto loaded = std::make_unique<LoadedKernel>(*module, target, emitted);
  if (loaded->error().empty())
    return loaded;
  ADD_FAILURE() << loaded->error();
  return nullptr;
}

std::unique_ptr<LoadedKernel> KernelTest::load(const std::string &text,
                                               const Target &target) {
  OwningOpRef<ModuleOp> source = parse(context, text);
  tt::KernelOp kernel = source ? onlyKernel(*source) : tt::KernelOp();
  if (kernel)
    return load(kernel, target);
  ADD_FAILURE() << "bad kernel text";
  return nullptr;
}

std::vector<OperandBuffer>
KernelTest::run(const std::string &text, std::vector<OperandBuffer> arguments) {
  OwningOpRef<ModuleOp> source = parse(context, text);
  tt::KernelOp kernel = source ? onlyKernel(*source) : tt::KernelOp();
  if (!kernel || kernel.getNumArguments() != arguments.size()) {
    ADD_FAILURE() << "bad kernel text or number of arguments";
    return {};
  }
  SmallVector<InPlacePair> pairs = getInPlacePairs(kernel);
  inPlacePairs = pairs.size();
  std::vector<OperandBuffer> fresh, first;
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    fresh.emplace_back(resultBytes(kernel, i));

  for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
    const Target &target = getTarget(isa);
    std::unique_ptr<LoadedKernel> loaded = load(kernel, target);
    if (!loaded)
      return {};
    if (!hostSupports(target))
      continue;
    for (unsigned variant = 0; variant < 3 + pairs.size(); ++variant) {
      std::vector<OperandBuffer> inputs = arguments, outputs = fresh;
      std::vector<void *> operands;
      for (OperandBuffer &buffer : inputs)
        operands.push_back(buffer.data());
      for (OperandBuffer &buffer : outputs)
        operands.push_back(buffer.data());
      int aliased = int(variant) - 3;
      if (aliased >= 0) {
        InPlacePair pair = pairs[aliased];
        operands[inputs.size() + pair.result] = inputs[pair.argument].data();
      }
      loaded->run(operands, variant % 3);
      for (const auto *list : {&inputs, &outputs})
        for (const OperandBuffer &buffer : *list)
          EXPECT_TRUE(buffer.isIntact()) << "an operand's bounds are crossed";
      if (aliased >= 0)
        outputs[pairs[aliased].result] = inputs[pairs[aliased].argument];
      if (first.empty())
        first = outputs;
      for (size_t i = 0; i < outputs.size(); ++i) {
        // Gaps of a strided argument differ from those of a fresh result.
        bool gaps =
            aliased >= 0 && kernel.getResultAttr(i, tt::kStridesAttr);
        EXPECT_TRUE(gaps || outputs[i] == first[i])
            << target.suffix.str() << " variant " << variant << " result " << i
            << " differs";
      }
      for (size_t i = 0; i < inputs.size(); ++i)
        if (aliased < 0 || pairs[aliased].argument != i)
          EXPECT_TRUE(inputs[i] == arguments[i]) << "argument " << i;
    }
  }
  return first;
}

std::string KernelTest::refusal(const std::string &text) {
  OwningOpRef<ModuleOp> source = parse(context, text);
  tt::KernelOp kernel = source ? onlyKernel(*source) : tt::KernelOp();
  if (!kernel)
    return "bad kernel text";
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  EmittedKernel emitted;
  if (succeeded(emitKernel(kernel, getTarget(0), "", *module, emitted)))
    return "";
  return message;
}

std::vector<float> KernelTest::random(int64_t count, unsigned seed,
                                      float scale) {
  std::mt19937 generator(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = scale * float(int32_t(generator())) * 0x1p-31f;
  return values;
}

OperandBuffer KernelTest::ids(int64_t count, int64_t limit, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<int32_t> values(count);
  for (int32_t &value : values)
    value = int32_t(generator() % uint32_t(limit));
  return OperandBuffer::of(values);
}

void tt::cpu::expectNear(double got, double want, double tolerance,
                         int64_t at) {
  if (std::isnan(want) ? std::isnan(got)
                       : got == want || std::fabs(got - want) <=
                                            tolerance *
                                                std::max(1.0, std::fabs(want)))
    return;
  ADD_FAILURE() << "element " << at << ": expected " << want << ", but got "
                << got;
}
