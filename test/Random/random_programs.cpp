//===- random_programs.cpp - Random programs through every check ----------===//
//
// tt-random-programs --count=N --seed=S [--compile] [--print]: N programs from
// seed S on; with --fresh from the time. A failure prints the seed and a shrunk
// program, and is written to --save=FOLDER.
// The last line is "N passed, M failed, K discarded".
//
//===----------------------------------------------------------------------===//
#include "ProgramCheck.h"
#include "ProgramGenerator.h"
#include "Shrink.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTDialect.h"
#include "tt/Pipelines/LoadModule.h"

#include "mlir/IR/Verifier.h"

#include <CLI/CLI.hpp>
#include <ctime>
#include <fmt/format.h>
#include <fstream>

using namespace tt::test;

namespace {

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text + "\n";
}

struct Run {
  uint64_t count = 200, seed = 1;
  bool print = false, compile = false;
  std::string save;
  unsigned passed = 0, failed = 0, discarded = 0;

  void one(const ProgramGenerator &generator, uint64_t seed);
  void report(mlir::ModuleOp module, uint64_t seed, const Verdict &verdict);
};

Verdict check(mlir::ModuleOp module, uint64_t seed, bool compile) {
  Verdict verdict = checkDerivatives(module, seed);
  if (verdict.kind == Verdict::Passed)
    verdict = checkMetamorphic(module, seed);
  if (verdict.kind == Verdict::Passed && compile)
    verdict = checkCompiledProgram(module, seed);
  return verdict;
}

void Run::report(mlir::ModuleOp module, uint64_t seed, const Verdict &verdict) {
  fmt::print("// seed {}: {} failed: {}\n// shrinking\n", seed, verdict.check, verdict.text);
  std::fflush(stdout);
  auto fails = [&](mlir::ModuleOp candidate) {
    Verdict other = check(candidate, seed, compile);
    return other.kind == Verdict::Failed && other.check == verdict.check;
  };
  // Compiling takes a second each time.
  auto small = shrink(module, fails, verdict.check.rfind("compile", 0) == 0 ? 120 : 600);
  std::string text = fmt::format("// seed {}: {} failed\n// {} of {} ops are left\n{}", seed,
                                 verdict.check, countOps(*small), countOps(module),
                                 printed(*small));
  fmt::print("{}", text);
  if (!save.empty())
    std::ofstream(fmt::format("{}/random_{}.mlir", save, seed)) << text;
}

void Run::one(const ProgramGenerator &generator, uint64_t seed) {
  auto module = generator.generate(seed);
  if (print)
    fmt::print("// seed {}\n{}", seed, printed(*module));
  Verdict verdict;
  if (mlir::failed(mlir::verify(*module)))
    verdict = {Verdict::Failed, "generator", "the program does not verify"};
  else
    verdict = check(*module, seed, compile);
  if (verdict.kind == Verdict::Passed)
    ++passed;
  else if (verdict.kind == Verdict::Discarded)
    ++discarded;
  else {
    ++failed;
    report(*module, seed, verdict);
  }
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Random tt programs through every check");
  Run run;
  app.add_option("--count", run.count, "programs");
  app.add_option("--seed", run.seed, "of the first program; the others follow");
  bool fresh = false;
  app.add_flag("--fresh", fresh, "seeds from the time");
  app.add_flag("--compile", run.compile, "compile every program too");
  app.add_flag("--print", run.print, "print every program");
  app.add_option("--save", run.save, "folder for failing programs");
  CLI11_PARSE(app, argc, argv);
  if (fresh)
    run.seed = uint64_t(time(nullptr)) << 16;
  tt::registerADPasses();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadGraphDialects(context);
  ProgramGenerator generator(context);
  for (uint64_t i = 0; i < run.count; ++i)
    run.one(generator, run.seed + i);
  fmt::print("{} parts from the op table\n{} passed, {} failed, {} discarded\n",
             generator.numSnippets(), run.passed, run.failed, run.discarded);
  // Programs that say nothing are the exception, or nothing was tested.
  return run.failed || run.discarded > run.count / 4 + 1 ? 1 : 0;
}
