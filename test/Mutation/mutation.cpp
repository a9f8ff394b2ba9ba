//===- mutation.cpp - The certificate against wrong adjoints --------------===//
//
// Changes the adjoint of each program in one place at a time and asks the
// certificate's gradient checks, and nothing else, whether it is right. Each
// mutant must fail them, or be proven to compute the same.
//
//===----------------------------------------------------------------------===//
#include "../Numeric/OpTable.h"
#include "../Numeric/Program.h"
#include "Equivalents.h"
#include "Mutate.h"

#include "tt/AD/Passes.h"
#include "tt/Certify/Certificate.h"
#include "tt/Certify/Twin.h"
#include "tt/IR/TTOps.h"
#include "tt/Reference/GradientCheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>

using namespace tt;
using namespace tt::test;

namespace {

struct Subject {
  std::string name, wrt, function;
  mlir::OwningOpRef<mlir::ModuleOp> module, pair; // pair: as AD leaves it
  std::vector<reference::AnyTensor<double>> inputs;
};

struct Job {
  size_t subject;
  Mutant mutant;
};

struct Tally {
  int killed = 0, equalText = 0, proven = 0, survived = 0;
};

class Run {
public:
  bool addPrograms(const std::string &only);
  bool addModel(const std::string &path);
  void findJobs();
  void select(size_t count);
  bool runAll(bool isVerbose);

private:
  bool add(Subject subject);
  bool survives(const Subject &subject, const Mutant &mutant);
  void judge(const Job &job, bool isVerbose);

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<Subject> subjects;
  std::vector<Job> jobs;
  std::map<std::string, Tally> tallies; // by operation

public:
  Run() {
    registerADPasses();
    context.loadDialect<TTDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  }
};

} // namespace

/// Rows of the op table may hold an argument whose gradient is 0.
static bool passes(const reference::GradientReport &report) {
  return report.error.empty() &&
         llvm::all_of(report.rows, [](const reference::GradientCheckRow &row) {
           return row.passed || (row.check == "reached" && row.value == 0);
         });
}

/// What checkTwinGradients of the certificate asks, up to the first failure; the
/// first point is that of the row, if it has one.
static reference::GradientReport check(const Subject &subject,
                                       const reference::Derivatives::Hook &hook) {
  reference::GradientReport report;
  for (int draw = 0; draw < certify::kDraws; ++draw) {
    reference::GradientCheckOptions options =
        certify::gradientOptions(subject.function, 1, draw);
    options.wrt = subject.wrt;
    options.stopAtFailure = true;
    options.onPair = hook;
    if (draw == 0)
      options.inputs = subject.inputs;
    report = reference::checkGradient(*subject.module, options);
    if (!passes(report))
      break;
  }
  return report;
}

/// Keeps the pair as AD leaves it; the unchanged program must pass.
bool Run::add(Subject subject) {
  reference::GradientReport report =
      check(subject, [&](mlir::ModuleOp pair, std::string &) {
        subject.pair = mlir::cast<mlir::ModuleOp>(pair->clone());
        return true;
      });
  if (!passes(report)) {
    fmt::print("{}: not checked: the unchanged program does not pass: {}\n{}", subject.name,
               report.error, report.error.empty() ? report.table() : "");
    return false;
  }
  subjects.push_back(std::move(subject));
  return true;
}

/// Rows whose gradients are 0 whatever the adjoint multiplies them with, so that
/// their mutants compute the same: a softmax of one score, an index outside its
/// table, a loss of one row.
static bool isDegenerate(llvm::StringRef name) {
  return name == "softmax_1" || name == "log_softmax_1" || name.starts_with("attention_single") ||
         name == "take_outside" ||
         (name.starts_with("cross_entropy") && name.ends_with("_"));
}

bool Run::addPrograms(const std::string &only) {
  bool all = true;
  for (OpCase &row : opTable()) {
    if (only.empty() ? isDegenerate(row.name) : row.name != only)
      continue;
    Subject subject{row.name, row.wrt, "f",
                    mlir::parseSourceString<mlir::ModuleOp>(row.text, &context), {},
                    row.inputs};
    all &= subject.module && add(std::move(subject));
  }
  return all;
}

bool Run::addModel(const std::string &path) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  certify::TwinReport report;
  std::string error;
  auto twin = module ? certify::makeTwin(*module, "", report, error)
                     : mlir::OwningOpRef<mlir::ModuleOp>();
  if (!twin) {
    fmt::print("{}: {}\n", path, error);
    return false;
  }
  certify::toF64(*twin);
  Subject subject{path.substr(path.rfind('/') + 1), "params", "", std::move(twin), {}, {}};
  return add(std::move(subject));
}

void Run::findJobs() {
  for (size_t i = 0; i < subjects.size(); ++i)
    for (Mutant &mutant : findMutants(*subjects[i].pair))
      jobs.push_back({i, std::move(mutant)});
}

/// The same ones every time, spread over all programs.
void Run::select(size_t count) {
  if (count == 0 || count >= jobs.size())
    return;
  std::vector<Job> chosen;
  for (size_t i = 0; i < count; ++i)
    chosen.push_back(jobs[i * jobs.size() / count]);
  jobs = std::move(chosen);
}

bool Run::survives(const Subject &subject, const Mutant &mutant) {
  return passes(check(subject, [&](mlir::ModuleOp pair, std::string &) {
    return mutant.apply(pair);
  }));
}

void Run::judge(const Job &job, bool isVerbose) {
  const Subject &subject = subjects[job.subject];
  Tally &tally = tallies[job.mutant.operation];
  std::string line = fmt::format("{} {} {}: {}", subject.name, job.mutant.place,
                                 job.mutant.operation, job.mutant.change);
  if (!survives(subject, job.mutant)) {
    ++tally.killed;
    if (isVerbose)
      fmt::print("killed     {}\n", line);
    return;
  }
  mlir::OwningOpRef<mlir::ModuleOp> mutated =
      mlir::cast<mlir::ModuleOp>((*subject.pair)->clone());
  job.mutant.apply(*mutated);
  if (areEquivalent(*subject.pair, *mutated)) {
    ++tally.equalText;
    fmt::print("equivalent {} (equal after canonicalisation)\n", line);
  } else if (const char *reason = equivalenceReason(subject.name, job.mutant)) {
    ++tally.proven;
    fmt::print("equivalent {} ({})\n", line, reason);
  } else {
    ++tally.survived;
    fmt::print("SURVIVED   {}\n", line);
  }
}

bool Run::runAll(bool isVerbose) {
  auto start = std::chrono::steady_clock::now();
  for (const Job &job : jobs)
    judge(job, isVerbose);
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Tally all;
  fmt::print("{:<24} {:>7} {:>7} {:>7} {:>9}\n", "operation", "killed", "equal", "proven",
             "survived");
  for (const auto &[operation, tally] : tallies) {
    fmt::print("{:<24} {:>7} {:>7} {:>7} {:>9}\n", operation, tally.killed, tally.equalText,
               tally.proven, tally.survived);
    all.killed += tally.killed;
    all.equalText += tally.equalText;
    all.proven += tally.proven;
    all.survived += tally.survived;
  }
  int counted = all.killed + all.survived;
  fmt::print("{} mutants of {} programs: {} killed, {} equivalent ({} by equal text, {} by "
             "proof), {} survived; kill rate {:.2f} % in {:.0f} s\n",
             jobs.size(), subjects.size(), all.killed, all.equalText + all.proven,
             all.equalText, all.proven, all.survived,
             counted ? 100.0 * all.killed / counted : 0.0, seconds);
  return counted > 0 && all.survived == 0;
}

int main(int argc, char **argv) {
  CLI::App app("Kills mutants of adjoints with the certificate's checks.");
  std::vector<std::string> models;
  std::string only;
  size_t count = 0;
  bool isVerbose = false, onlyModels = false;
  app.add_option("--model", models, "A graph whose twin is mutated as well");
  app.add_option("--program", only, "One row of the op table");
  app.add_option("--select", count, "So many, spread evenly; 0: all");
  app.add_flag("--only-models", onlyModels, "No rows of the op table");
  app.add_flag("--verbose", isVerbose, "A line per killed mutant");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  Run run;
  bool done = onlyModels || run.addPrograms(only);
  for (const std::string &model : models)
    done &= run.addModel(model);
  run.findJobs();
  run.select(count);
  return run.runAll(isVerbose) && done ? 0 : 1;
}
