//===- CheckCompiled.h - Compiled code against the interpreter --*- C++ -*-===//
#ifndef TT_CHECK_CHECKCOMPILED_H
#define TT_CHECK_CHECKCOMPILED_H

#include "tt/Check/ErrorBound.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <map>

namespace tt {
struct CompileOptions;
namespace aot {
class ObjectCache;
}
} // namespace tt

namespace tt::check {

/// One entry's first way: what it was given, what the interpreter says (names
/// "result0" or "d_arg0" and so on), and what compiled code gave.
struct EntryValues {
  const std::map<std::string, HostTensor> &inputs; // "arg0", "cotangent0", ...
  const std::vector<Expectation> &wanted;
  const std::vector<HostTensor> &found;
};

struct CompiledCheckOptions {
  uint64_t seed = 1;
  /// One per argument; empty: random ones, see randomInputs. Floats are rounded
  /// to their type first, so that both sides see the same.
  std::vector<HostTensor> inputs;
  /// One per result that takes one (Derivatives::live); empty: random ones.
  std::vector<HostTensor> cotangents;
  bool gradients = true;
  /// Two compilations instead of all: as by default with one thread, and unfused
  /// with the other schedule, every layer checkpointed and two threads.
  bool quick = false;
  /// Called with a line of text before each way; may be empty.
  std::function<void(const std::string &)> progress;
  /// Called for values, then for gradients if there are any; may be empty.
  std::function<void(const EntryValues &)> onFirst;
  /// Called with what is about to be compiled, and how: tests plant faults there. May be
  /// empty.
  std::function<void(mlir::ModuleOp, const CompileOptions &)> onModule;
  /// For many programs: kernels that were compiled before. May be null.
  aot::ObjectCache *objects = nullptr;
};

/// One way to compile and run, and whether it gave the first way's bits.
struct CheckedWay {
  std::string name;
  bool passed = false;
  std::string note; // the first difference
};

struct CompiledReport {
  std::vector<Comparison> rows; // of the first way
  std::vector<CheckedWay> ways;
  /// What could not be checked, and why: a function without gradients, a CPU
  /// without a level.
  std::vector<std::string> notes;
  /// Why nothing could be checked.
  std::string error;

  /// False if a comparison failed, and if one of a float result had nothing but NaN.
  bool passed() const;
  std::string table() const;
};

/// Compiles the function as it is, and its gradients with respect to all float
/// arguments if it has any, in several ways: fused and not, the other schedule,
/// every checkpoint policy, every level of this CPU, 1, 2 and 4 threads. The
/// first way is held against the interpreter in f64 (ErrorBound.h), the others
/// must give its bits. The module stays as it is.
CompiledReport checkCompiled(mlir::func::FuncOp function,
                             const CompiledCheckOptions &options);

/// A folder for libraries that goes with its object.
class LibraryFolder {
public:
  LibraryFolder();
  ~LibraryFolder();
  LibraryFolder(const LibraryFolder &) = delete;
  /// A new DIR/NAME.
  std::string newName();

private:
  std::string path;
  unsigned counter = 0;
};

/// Rounds floats to the types of the function's arguments.
void roundToTypes(mlir::func::FuncOp function, std::vector<HostTensor> &inputs);

} // namespace tt::check

#endif
