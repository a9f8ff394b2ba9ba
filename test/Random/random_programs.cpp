//===- random_programs.cpp - Random programs through every check ----------===//
//
// tt-random-programs --count=N --seed=S [--compile] [--print]: N programs from
// seed S on; with --fresh from the time. A failure prints the seed and a shrunk
// program, which goes to --save=FOLDER, too; --file=FOLDER/random_S.mlir checks it
// again. --plant=reverse:tt.gelu puts a fault in, to see that it is found.
// The last line is "N passed, M failed, K discarded".
//
//===----------------------------------------------------------------------===//
#include "ProgramRun.h"

#include "tt/AD/Passes.h"
#include "tt/Pipelines/LoadModule.h"

#include <CLI/CLI.hpp>
#include <ctime>
#include <fmt/format.h>

using namespace tt::test;

namespace {
struct CommandLine {
  RunOptions options;
  std::string file, fault;
  bool fresh = false;
};
} // namespace

static void addOptions(CLI::App &app, CommandLine &line) {
  RunOptions &options = line.options;
  auto *count = app.add_option("--count", options.count, "programs");
  auto *seed = app.add_option("--seed", options.seed,
                              "of the first program; the others follow. Of --file: default "
                              "that in its first line, // seed N");
  auto *fresh = app.add_flag("--fresh", line.fresh, "seeds from the time")->excludes(seed);
  app.add_flag("--compile", options.compile, "compile every program too");
  auto *print = app.add_flag("--print", options.print, "print every program");
  auto *save = app.add_option("--save", options.save, "folder for failing programs")
                   ->check(CLI::ExistingDirectory);
  app.add_option("--max-failures", options.maxFailures, "end after so many (0: do not)");
  app.add_option("--file", line.file, "check this program again")
      ->excludes(count, fresh, print, save);
  app.add_option("--plant", line.fault,
                 "a fault to find: reverse:OP, offset:OP, forward:OP, compiled:OP, "
                 "second-way:OP");
}

static int fail(const std::string &text) {
  fmt::print(stderr, "tt-random-programs: error: {}\n", text);
  return 1;
}

static bool readFault(mlir::MLIRContext &context, CommandLine &line, std::string &error) {
  auto fault = PlantedFault::parse(line.fault, error);
  if (!fault)
    return false;
  line.options.fault = *fault;
  if (mlir::RegisteredOperationName::lookup(fault->opName(), &context))
    return true;
  error = "found " + fault->opName() + ", wanted an op of the dialect";
  return false;
}

static int checkFile(mlir::MLIRContext &context, CommandLine &line, bool hasSeed) {
  std::string error;
  auto module = tt::loadModule(context, line.file, error);
  if (!module)
    return fail(error);
  if (!module->lookupSymbol("loss"))
    return fail(line.file + ": found no function @loss, wanted one");
  std::optional<uint64_t> seed = savedSeed(line.file);
  if (!hasSeed && !seed)
    return fail(line.file + ": found no first line \"// seed N\", wanted it or --seed");
  if (!hasSeed)
    line.options.seed = *seed;
  ProgramRun run(line.options, llvm::outs());
  run.check(*module);
  run.summarize();
  return run.passed() ? 0 : 1;
}

static int generate(mlir::MLIRContext &context, const RunOptions &options) {
  ProgramGenerator generator(context);
  ProgramRun run(options, llvm::outs());
  run.generate(generator);
  llvm::outs() << fmt::format("{} parts from the op table\n", generator.numSnippets());
  run.summarize();
  return run.passed() ? 0 : 1;
}

int main(int argc, char **argv) {
  CLI::App app("Random tt programs through every check");
  CommandLine line;
  addOptions(app, line);
  CLI11_PARSE(app, argc, argv);
  if (line.fresh)
    line.options.seed = uint64_t(time(nullptr)) << 16;
  tt::registerADPasses();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadGraphDialects(context);
  std::string error;
  if (!line.fault.empty() && !readFault(context, line, error))
    return fail("--plant: " + error);
  return line.file.empty() ? generate(context, line.options)
                           : checkFile(context, line, app.count("--seed") > 0);
}
