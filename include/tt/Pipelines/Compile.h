//===- Compile.h - From a graph file to a model library ---------*- C++ -*-===//
//
// The one place that knows the order of the rooms.
//
//===----------------------------------------------------------------------===//
#ifndef TT_PIPELINES_COMPILE_H
#define TT_PIPELINES_COMPILE_H

#include "tt/runtime/ModelTypes.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tt {
namespace aot {
class ObjectCache;
}

/// What to build from a graph. Strings hold user input and are checked.
struct CompileOptions {
  std::string input;    // path of a .mlir file
  std::string output;   // DIR/NAME; writes NAME.so, NAME.h, NAME.json there
  std::string function; // the loss; empty: the only public function
  std::string target = "cpu"; // cpu, cpu:x86-64-v3, cpu:x86-64-v4, cpu:native
  std::string checkpoint = "none"; // none, full, sqrt
  std::string optimizer = "adamw";
  double beta1 = 0.9, beta2 = 0.95, eps = 1e-8, weightDecay = 0.1;
  double clipNorm = 1.0;       // 0: no clipping
  std::string decay = "rank2"; // rank2: parameters of rank >= 2; all; none
  std::string emit = "so";     // tt, adjoint, kernels, memory, llvm, obj, so
  unsigned maxThreads = 64;
  unsigned lossChunks = 0; // >0: a linear head and its loss run in row chunks
  bool fuse = true;    // schedule only: never changes a bit
  std::string schedule = "default"; // or alternate; never changes a bit
  bool tileAttention = true; // false: not compiled, only planned
  /// What is differentiated: params; all (float arguments, reached or not).
  std::string wrt = "params";
  bool allowUnreached = false; // parameters that the loss does not depend on
  std::string unreachedHint;   // how the tool spells that, for errors; "" if it cannot
  bool certify = false;        // check the library before it is written
  uint64_t certifySeed = 1;
  std::string version;         // of the tool, for the certificate
  bool verbose = false;
  /// Kernels that this process has compiled before, for many small compilations: symbols
  /// in the library get other names. May be null.
  aot::ObjectCache *objects = nullptr;
  /// Called with a line of text per finished stage; may be empty.
  std::function<void(const std::string &)> progress;
  /// Called for an option that has no effect on this graph: its name, without dashes,
  /// and what was found and wanted, with the place. May be empty.
  std::function<void(const std::string &option, const std::string &text)> warn;
  /// Asked before code is generated whether this library is wanted; false ends the
  /// work with the text that it gives. May be empty.
  std::function<bool(const runtime::ModelTypes &, std::string &)> acceptTypes;
  /// Asked between the parts of the work; true ends it with an error. May be
  /// empty.
  std::function<bool()> isCancelled;
};

/// The parts of the arena at its peak, in bytes, and the other regions: all that a
/// bound instance has.
struct MemoryReport {
  uint64_t parameters = 0, state = 0, gradients = 0, activations = 0,
           workspace = 0, io = 0, workerBytes = 0, peakArena = 0;
  uint64_t control = 0, controlPerWorker = 0; // what the library keeps for itself
  uint64_t selfcheckScratch = 0;              // on top, while tt_selfcheck runs
  std::vector<std::pair<std::string, uint64_t>> perEntry; // name, arena bytes
};

struct CompileResult {
  MemoryReport memory;
  std::string library, header, manifest; // paths written
  std::string text;                      // the IR, for emit=tt .. llvm
  double seconds = 0;
  unsigned numKernels = 0, numLaunches = 0;
};

/// Compiles; on failure `error` starts with file:line of the user's input,
/// what was found and what was wanted, and no output file has changed.
bool compileModel(const CompileOptions &options, CompileResult &result,
                  std::string &error);

/// What decides the numbers and the plan of a library, as names and values; the
/// manifest keeps them, so that the same module can be made again.
std::vector<std::pair<std::string, std::string>>
compileOptionTexts(const CompileOptions &options);
/// Takes one of them back; false for a name or value that is none of ours.
bool setCompileOption(CompileOptions &options, const std::string &name,
                      const std::string &value);

/// The printed form of a memory report for `threads` workers; its total is the sum of
/// the regions that tt_model_query asks for.
std::string formatMemory(const MemoryReport &report, unsigned threads);

} // namespace tt

#endif
