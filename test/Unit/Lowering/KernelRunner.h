//===- KernelRunner.h - Compiles and runs kernels in tests ------*- C++ -*-===//
#ifndef TT_TEST_UNIT_LOWERING_KERNELRUNNER_H
#define TT_TEST_UNIT_LOWERING_KERNELRUNNER_H

#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/runtime/ModelTable.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tt::cpu {

/// 64-byte aligned floats, filled with NaN until written.
class FloatBuffer {
public:
  explicit FloatBuffer(int64_t count);
  float *data() const { return floats.get(); }
  int64_t size() const { return count; }
  float &operator[](int64_t i) const { return floats.get()[i]; }

private:
  struct Free {
    void operator()(float *p) const;
  };
  int64_t count;
  std::unique_ptr<float, Free> floats;
};

/// A loaded kernel: compiled, linked by ld.lld into a temporary library.
class LoadedKernel {
public:
  /// Compiles `module` (consumed) for `target`; on failure `error()` is set.
  LoadedKernel(mlir::ModuleOp module, const Target &target,
               const EmittedKernel &kernel);
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel &) = delete;

  const std::string &error() const { return message; }
  const EmittedKernel &kernel() const { return emitted; }
  tt_kernel_fn function(size_t phase) const { return functions[phase]; }
  double compileSeconds() const { return seconds; }

  /// Runs all iterations and phases in this thread. A seed other than 0 runs
  /// the tasks of every phase in a random order.
  void run(const std::vector<void *> &operands, unsigned seed = 0) const;

private:
  EmittedKernel emitted;
  std::string message;
  void *library = nullptr;
  std::vector<tt_kernel_fn> functions;
  double seconds = 0;
};

} // namespace tt::cpu

#endif // TT_TEST_UNIT_LOWERING_KERNELRUNNER_H
