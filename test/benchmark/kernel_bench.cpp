//===- kernel_bench.cpp - Times the kernels of a file ---------------------===//
//
// kernel_bench FILE.mlir [v3|v4] [rounds]: runs every tt.kernel of the file on
// one thread and prints the best time on a CPU. Integer arguments hold numbers below
// their `tt.index_limit`.
//
//===----------------------------------------------------------------------===//
#include "KernelRunner.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <random>

using namespace mlir;
using namespace tt::cpu;

static FloatBuffer makeOperand(Type type, Attribute limit, unsigned seed) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t count = tensor.getNumElements();
  int64_t width = (tensor.getElementTypeBitWidth() + 7) / 8;
  FloatBuffer buffer((count * width + 3) / 4);
  std::mt19937 random(seed);
  if (tensor.getElementType().isF32()) {
    for (int64_t i = 0; i < count; ++i)
      buffer[i] = float(int32_t(random())) * 0x1p-31f;
    return buffer;
  }
  int64_t bound = limit ? cast<IntegerAttr>(limit).getInt() : 1;
  for (int64_t i = 0; i < count; ++i)
    if (tensor.getElementType().isInteger(32))
      reinterpret_cast<int32_t *>(buffer.data())[i] = int32_t(random() % bound);
    else if (tensor.getElementType().isInteger(64))
      reinterpret_cast<int64_t *>(buffer.data())[i] = 1;
  return buffer;
}

/// Time of this thread on a CPU: the machine may be shared.
static double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

static void time(tt::KernelOp kernel, const Target &target, int rounds) {
  OwningOpRef<ModuleOp> module(
      ModuleOp::create(UnknownLoc::get(kernel.getContext())));
  EmittedKernel emitted;
  if (failed(emitKernel(kernel, target, "", *module, emitted)))
    return;
  LoadedKernel loaded(*module, target, emitted);
  if (!loaded.error().empty()) {
    llvm::errs() << kernel.getSymName() << ": " << loaded.error() << "\n";
    return;
  }
  std::vector<FloatBuffer> buffers;
  std::vector<void *> operands;
  int64_t bytes = 0;
  unsigned argument = 0;
  for (Type type : llvm::concat<const Type>(kernel.getArgumentTypes(),
                                            kernel.getResultTypes())) {
    Attribute limit;
    if (argument < kernel.getNumArguments())
      limit = kernel.getArgAttr(argument, tt::kIndexLimitAttr);
    buffers.push_back(makeOperand(type, limit, ++argument));
    operands.push_back(buffers.back().data());
    bytes += buffers.back().size() * 4;
  }
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    double start = threadSeconds();
    loaded.run(operands);
    best = std::min(best, threadSeconds() - start);
  }
  llvm::outs() << llvm::format("%-24s %9.1f us %7.1f GB/s  compile %.2f s\n",
                               kernel.getSymName().str().c_str(), best * 1e6,
                               double(bytes) / best * 1e-9,
                               loaded.compileSeconds());
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerKernelDialects(registry);
  registry.insert<tt::TTDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
  if (argc < 2)
    return 1;
  bool v3 = argc > 2 && llvm::StringRef(argv[2]) == "v3";
  const Target &target = getTarget(v3 ? TT_ISA_V3 : TT_ISA_V4);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(argv[1], ParserConfig(&context));
  if (!module)
    return 1;
  for (auto kernel : module->getOps<tt::KernelOp>())
    time(kernel, target, argc > 3 ? std::atoi(argv[3]) : 20);
  return 0;
}
