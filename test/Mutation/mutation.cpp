//===- mutation.cpp - The certificate against wrong code ------------------===//
//
// Changes what the compiler has emitted for each program in one place at a time and
// asks one part of the certificate, and nothing else, whether it is right: the
// gradient part for adjoints and tangent functions, the kernels' part for the tile
// loops of attention. Each mutant must fail it, or be proven to compute the same.
//
//===----------------------------------------------------------------------===//
#include "../Numeric/OpTable.h"
#include "../Numeric/Program.h"
#include "Equivalents.h"
#include "Subject.h"

#include "tt/AD/Passes.h"
#include "tt/Certify/Certificate.h"
#include "tt/Certify/Twin.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>

using namespace tt;
using namespace tt::test;

namespace {

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
  bool addTiles();
  void findJobs(const std::string &only);
  void select(size_t count);
  bool runAll(bool isVerbose);

private:
  bool add(std::unique_ptr<Subject> subject);
  void judge(const Job &job, bool isVerbose);

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<std::unique_ptr<Subject>> subjects;
  std::vector<Job> jobs;
  std::map<std::string, Tally> tallies; // by kind and operation

public:
  Run() {
    registerADPasses();
    context.loadDialect<TTDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  }
};

} // namespace

static const char *nameOf(Kind kind) {
  return kind == Kind::Adjoint ? "adjoint" : kind == Kind::Tangent ? "tangent" : "tiles";
}

/// The unchanged code must pass.
bool Run::add(std::unique_ptr<Subject> subject) {
  if (std::string wrong = subject->prepare(); !wrong.empty()) {
    fmt::print("{}: not checked: the unchanged program does not pass: {}\n", subject->name,
               wrong);
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

/// The same of forward mode: attention that sees one key has p = 1, and what comes from
/// its score is 0 whatever that is multiplied with.
static bool hasOneKey(llvm::StringRef name) {
  return name.starts_with("attention_2_2_1_1x1_2");
}

bool Run::addPrograms(const std::string &only) {
  bool all = true;
  for (OpCase &row : opTable()) {
    if (only.empty() ? isDegenerate(row.name) : row.name != only)
      continue;
    auto module = mlir::parseSourceString<mlir::ModuleOp>(row.text, &context);
    all &= module && add(std::make_unique<GradientSubject>(row.name, row.wrt, "f",
                                                           std::move(module), row.inputs));
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
  return add(std::make_unique<GradientSubject>(path.substr(path.rfind('/') + 1), "params",
                                               "", std::move(twin),
                                               std::vector<reference::AnyTensor<double>>()));
}

bool Run::addTiles() {
  bool all = true;
  for (std::unique_ptr<Subject> &subject : tileSubjects(context))
    all &= add(std::move(subject));
  return all;
}

/// `only`: the name of a kind, or "".
void Run::findJobs(const std::string &only) {
  for (size_t i = 0; i < subjects.size(); ++i)
    for (Kind kind : {Kind::Adjoint, Kind::Tangent, Kind::Tiles}) {
      if (kind == Kind::Tangent && hasOneKey(subjects[i]->name))
        continue;
      if (mlir::ModuleOp emitted = only.empty() || only == nameOf(kind)
                                       ? subjects[i]->emitted(kind)
                                       : mlir::ModuleOp())
        for (Mutant &mutant : findMutants(emitted, kind))
          jobs.push_back({i, std::move(mutant)});
    }
}

/// The same ones every time, spread over all programs: so many adjoints, and a third as
/// many of each other kind.
void Run::select(size_t count) {
  if (count == 0)
    return;
  std::map<Kind, std::vector<Job>> byKind;
  for (Job &job : jobs)
    byKind[job.mutant.kind].push_back(std::move(job));
  jobs.clear();
  for (auto &[kind, all] : byKind) {
    size_t wanted = std::min(kind == Kind::Adjoint ? count : (count + 2) / 3, all.size());
    for (size_t i = 0; i < wanted; ++i)
      jobs.push_back(std::move(all[i * all.size() / wanted]));
  }
}

void Run::judge(const Job &job, bool isVerbose) {
  Subject &subject = *subjects[job.subject];
  const Mutant &mutant = job.mutant;
  const char *kind = nameOf(mutant.kind);
  Tally &tally = tallies[fmt::format("{} {}", kind, mutant.operation)];
  std::string line = fmt::format("{} {} {} {}: {}", subject.name, kind, mutant.place,
                                 mutant.operation, mutant.change);
  if (!subject.survives(mutant)) {
    ++tally.killed;
    if (isVerbose)
      fmt::print("killed     {}\n", line);
    return;
  }
  mlir::ModuleOp emitted = subject.emitted(mutant.kind);
  mlir::OwningOpRef<mlir::ModuleOp> mutated =
      mlir::cast<mlir::ModuleOp>(emitted->clone());
  mutant.apply(*mutated);
  if (areEquivalent(emitted, *mutated)) {
    ++tally.equalText;
    fmt::print("equivalent {} (equal after canonicalisation)\n", line);
  } else if (!subject.runs(mutant)) {
    ++tally.proven;
    fmt::print("equivalent {} (a loop of no trip at this size)\n", line);
  } else if (const char *reason = equivalenceReason(subject.name, mutant)) {
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
  fmt::print("{:<32} {:>7} {:>7} {:>7} {:>9}\n", "operation", "killed", "equal", "proven",
             "survived");
  for (const auto &[operation, tally] : tallies) {
    fmt::print("{:<32} {:>7} {:>7} {:>7} {:>9}\n", operation, tally.killed, tally.equalText,
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
  CLI::App app("Kills mutants of emitted code with the certificate's checks.");
  std::vector<std::string> models;
  std::string only, kind;
  size_t count = 0;
  bool isVerbose = false, onlyModels = false;
  app.add_option("--model", models, "A graph whose twin is mutated as well");
  app.add_option("--program", only, "One row of the op table");
  app.add_option("--select", count, "So many adjoints, a third of each other kind; 0: all");
  app.add_flag("--only-models", onlyModels, "No rows of the op table");
  app.add_option("--kind", kind, "Only these: adjoint, tangent, tiles")
      ->check(CLI::IsMember({"adjoint", "tangent", "tiles"}));
  app.add_flag("--verbose", isVerbose, "A line per killed mutant");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Run run;
  bool done = onlyModels || kind == "tiles" || run.addPrograms(only);
  if (only.empty() && !onlyModels && kind != "adjoint" && kind != "tangent")
    done &= run.addTiles();
  for (const std::string &model : models)
    done &= run.addModel(model);
  run.findJobs(kind);
  run.select(count);
  return run.runAll(isVerbose) && done ? 0 : 1;
}
