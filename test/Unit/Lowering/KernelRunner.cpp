//===- KernelRunner.cpp - Compiles and runs kernels in tests --------------===//
#include "KernelRunner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <random>

using namespace tt::cpu;

FloatBuffer::FloatBuffer(int64_t count) : count(count) {
  size_t bytes = alignBytes(std::max<int64_t>(count, 1) * sizeof(float));
  floats.reset(static_cast<float *>(std::aligned_alloc(kAlignment, bytes)));
  std::memset(floats.get(), 0xff, bytes);
}

void FloatBuffer::Free::operator()(float *p) const { std::free(p); }

static std::string linkObject(llvm::ArrayRef<char> object, std::string &error) {
  llvm::SmallString<128> objectPath, libraryPath;
  int fd = -1;
  if (llvm::sys::fs::createTemporaryFile("kernel", "o", fd, objectPath) ||
      llvm::sys::fs::createTemporaryFile("kernel", "so", libraryPath)) {
    error = "no temporary file";
    return "";
  }
  {
    llvm::raw_fd_ostream stream(fd, /*shouldClose=*/true);
    stream.write(object.data(), object.size());
  }
  llvm::ErrorOr<std::string> linker = llvm::sys::findProgramByName("ld.lld");
  if (!linker)
    linker = llvm::sys::findProgramByName("ld.lld-22");
  if (!linker) {
    error = "ld.lld is not installed";
    return "";
  }
  int rc =
      llvm::sys::ExecuteAndWait(*linker,
                                {*linker, "-shared", "--no-undefined", "-o",
                                 libraryPath.str(), objectPath.str()},
                                std::nullopt, {}, 0, 0, &error);
  llvm::sys::fs::remove(objectPath);
  if (rc != 0) {
    error = "ld.lld failed: " + error;
    return "";
  }
  return std::string(libraryPath);
}

LoadedKernel::LoadedKernel(mlir::ModuleOp module, const Target &target,
                           const EmittedKernel &kernel)
    : emitted(kernel) {
  auto start = std::chrono::steady_clock::now();
  llvm::SmallVector<char> object;
  if (mlir::failed(compileToObject(module, target, object, message)))
    return;
  seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::string path = linkObject(object, message);
  if (path.empty())
    return;
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (const char *keep = std::getenv("TT_KEEP_KERNELS"))
    llvm::sys::fs::copy_file(path, keep);
  llvm::sys::fs::remove(path);
  if (!library) {
    message = dlerror();
    return;
  }
  for (const EmittedPhase &phase : emitted.phases) {
    void *symbol = dlsym(library, phase.symbol.c_str());
    if (!symbol)
      message = "no symbol " + phase.symbol;
    functions.push_back(reinterpret_cast<tt_kernel_fn>(symbol));
  }
}

LoadedKernel::~LoadedKernel() {
  if (library)
    dlclose(library);
}

void LoadedKernel::run(const std::vector<void *> &operands,
                       unsigned seed) const {
  FloatBuffer shared(emitted.sharedBytes / sizeof(float) + 1);
  FloatBuffer worker(emitted.workerBytes / sizeof(float) + 1);
  std::mt19937 random(seed);
  for (int64_t iteration = 0; iteration < emitted.repeat; ++iteration)
    for (size_t phase = 0; phase < functions.size(); ++phase) {
      std::vector<int64_t> tasks(emitted.phases[phase].tasks);
      std::iota(tasks.begin(), tasks.end(), 0);
      if (seed)
        std::shuffle(tasks.begin(), tasks.end(), random);
      for (int64_t task : tasks)
        functions[phase](reinterpret_cast<char *const *>(operands.data()), task,
                         iteration, reinterpret_cast<char *>(shared.data()),
                         reinterpret_cast<char *>(worker.data()));
    }
}
