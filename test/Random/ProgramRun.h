//===- ProgramRun.h - Programs through every check --------------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMRUN_H
#define TT_TEST_RANDOM_PROGRAMRUN_H

#include "PlantedFault.h"
#include "ProgramCheck.h"
#include "ProgramGenerator.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace tt::test {

struct RunOptions {
  uint64_t count = 200, seed = 1;
  bool print = false, compile = false;
  std::string save;         // folder for failing programs; may be empty
  unsigned maxFailures = 0; // the run ends there; 0: it does not
  PlantedFault fault;
};

/// All checks of one program, up to the first that does not pass. `objects` may be null.
Verdict checkProgram(mlir::ModuleOp module, uint64_t seed, const RunOptions &options,
                     aot::ObjectCache *objects);

/// Programs one after the other, what is said about them, and how many there were.
class ProgramRun {
public:
  ProgramRun(const RunOptions &options, llvm::raw_ostream &out)
      : options(options), out(out) {}

  /// Programs of the generator, from options.seed on.
  void generate(const ProgramGenerator &generator);
  /// One program that is there already. A failure is not shrunk.
  void check(mlir::ModuleOp module);
  /// Counts a program that was checked.
  void count(const Verdict &verdict);
  /// The last lines: discards by reason, and "N passed, M failed, K discarded".
  void summarize();
  /// False if a program failed, if a file could not be written, or if so many programs
  /// said nothing that the run says nothing.
  bool passed() const;

  unsigned numFailed() const { return failed; }
  const std::map<std::string, unsigned> &discarded() const { return reasons; }

private:
  void one(const ProgramGenerator &generator, uint64_t seed);
  void report(mlir::ModuleOp module, uint64_t seed, const Verdict &verdict);
  void save(uint64_t seed, const std::string &text);
  unsigned numDiscarded() const;

  const RunOptions &options;
  llvm::raw_ostream &out;
  aot::ObjectCache objects;
  unsigned passes = 0, failed = 0;
  std::map<std::string, unsigned> reasons; // of discards
  bool couldNotSave = false;
};

/// The seed in the first line of a saved failure, "// seed N: ..."; nothing without one.
std::optional<uint64_t> savedSeed(const std::string &path);

} // namespace tt::test

#endif
