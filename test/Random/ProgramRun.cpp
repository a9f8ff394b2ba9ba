//===- ProgramRun.cpp - Programs through every check ----------------------===//
#include "ProgramRun.h"
#include "Shrink.h"

#include "mlir/IR/Verifier.h"

#include <fmt/format.h>
#include <fstream>

using namespace mlir;
using namespace tt::test;

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text + "\n";
}

Verdict tt::test::checkProgram(ModuleOp module, uint64_t seed, const RunOptions &options,
                               tt::aot::ObjectCache *objects) {
  if (failed(verify(module)))
    return {Verdict::Failed, "verify", "the program does not verify"};
  Verdict verdict = checkDerivatives(module, seed, options.fault);
  if (verdict.kind == Verdict::Passed)
    verdict = checkMetamorphic(module, seed, options.fault);
  if (verdict.kind == Verdict::Passed && options.compile)
    verdict = checkCompiledProgram(module, seed, options.fault, objects);
  return verdict;
}

void ProgramRun::report(ModuleOp module, uint64_t seed, const Verdict &verdict) {
  out << fmt::format("// seed {}: {} failed: {}\n// shrinking\n", seed, verdict.check,
                     verdict.text);
  out.flush();
  auto fails = [&](ModuleOp candidate) {
    Verdict other = checkProgram(candidate, seed, options, &objects);
    return other.kind == Verdict::Failed && other.check == verdict.check;
  };
  // Compiling takes long.
  auto small = shrink(module, fails, verdict.check.rfind("compile", 0) == 0 ? 120 : 600);
  std::string text =
      fmt::format("// seed {}: {} failed\n// {} of {} ops are left\n{}", seed, verdict.check,
                  countOps(*small), countOps(module), printed(*small));
  out << text;
  if (!options.save.empty())
    save(seed, text);
}

void ProgramRun::save(uint64_t seed, const std::string &text) {
  std::string path = fmt::format("{}/random_{}.mlir", options.save, seed);
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) {
    couldNotSave = true;
    out << fmt::format("error: cannot write {}\n", path);
  }
}

void ProgramRun::count(const Verdict &verdict) {
  if (verdict.kind == Verdict::Passed)
    ++passes;
  else if (verdict.kind == Verdict::Discarded)
    ++reasons[verdict.text];
  else
    ++failed;
}

void ProgramRun::one(const ProgramGenerator &generator, uint64_t seed) {
  auto module = generator.generate(seed);
  if (options.print)
    out << fmt::format("// seed {}\n{}", seed, printed(*module));
  Verdict verdict = checkProgram(*module, seed, options, &objects);
  count(verdict);
  if (verdict.kind == Verdict::Failed)
    report(*module, seed, verdict);
}

void ProgramRun::generate(const ProgramGenerator &generator) {
  for (uint64_t i = 0; i < options.count; ++i)
    if (!options.maxFailures || failed < options.maxFailures)
      one(generator, options.seed + i);
}

void ProgramRun::check(ModuleOp module) {
  Verdict verdict = checkProgram(module, options.seed, options, &objects);
  count(verdict);
  if (verdict.kind == Verdict::Failed)
    out << fmt::format("// seed {}: {} failed: {}\n", options.seed, verdict.check,
                       verdict.text);
}

unsigned ProgramRun::numDiscarded() const {
  unsigned sum = 0;
  for (const auto &[reason, number] : reasons)
    sum += number;
  return sum;
}

void ProgramRun::summarize() {
  std::string text;
  for (const auto &[reason, number] : reasons)
    text += fmt::format("{} {} {}", text.empty() ? "discarded:" : ",", number, reason);
  if (!text.empty())
    out << text << "\n";
  out << fmt::format("{} passed, {} failed, {} discarded\n", passes, failed, numDiscarded());
}

/// Programs that say nothing are the exception, or nothing was tested.
bool ProgramRun::passed() const {
  unsigned all = passes + failed + numDiscarded();
  auto marginal = reasons.find(kCloseToBound);
  unsigned numMarginal = marginal == reasons.end() ? 0 : marginal->second;
  return !failed && !couldNotSave && numDiscarded() <= all / 4 + 1 &&
         numMarginal <= all / 100 + 1;
}

std::optional<uint64_t> tt::test::savedSeed(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  llvm::StringRef rest = line;
  uint64_t seed;
  if (!rest.consume_front("// seed ") || rest.consumeInteger(10, seed))
    return std::nullopt;
  return seed;
}
