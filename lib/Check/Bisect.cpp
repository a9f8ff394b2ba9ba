//===- Bisect.cpp - The first launch of a recorded call that errs ---------===//
#include "tt/Check/Bisect.h"
#include "MinimalProgram.h"
#include "StepWalk.h"

#include "tt/Check/CheckCompiled.h"
#include "tt/IR/SourcePlace.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/Pipelines/CompileEntries.h"
#include "tt/Support/Escape.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tt;
using namespace tt::check;

namespace {
class Bisection {
public:
  Bisection(const StepRecord &record, const tt_model_desc *model,
            const BisectOptions &options, BisectReport &report)
      : record(record), model(model), options(options), report(report) {}

  void run();

private:
  bool prepare();
  bool checkRecordedInputs();
  void checkLaunch(StepWalk &walk, unsigned number, LaunchOp launch);
  void locate(KernelOp kernel, const std::vector<HostTensor> &inputs, bool isFinite);
  void locateNonFinite(const KernelValues &values);
  void locateInaccurate(KernelOp kernel, const KernelValues &values);
  void write(MinimalProgram program);
  void compareOutputs(const StepWalk &walk);
  void fail(const std::string &text) {
    if (report.error.empty())
      report.error = text;
  }

  const StepRecord &record;
  const tt_model_desc *model;
  const BisectOptions &options;
  BisectReport &report;
  MLIRContext context;
  StepPlan plan;
  StepOp step;
  uint32_t entry = 0, level = 0;
};
} // namespace

/// The first element that is no finite number; -1 if all are, or for integers.
static int64_t firstNonFinite(const HostTensor &value) {
  if (value.isFloat())
    for (int64_t i = 0; i < value.floats().size(); ++i)
      if (!std::isfinite(value.floats()[i]))
        return i;
  return -1;
}

static std::string describe(const HostTensor &value, int64_t element) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%g", value.floats()[element]) << " at "
      << positionText(value.shape(), element);
  return text;
}

bool Bisection::prepare() {
  CompileOptions compile;
  for (const auto &[name, value] : record.options)
    if (!setCompileOption(compile, name, value)) {
      fail("error: expected the record's option " + name + " to be one of ours, but got \"" +
           value + "\"");
      return false;
    }
  compile.input = options.graph;
  std::string error;
  if (model->hash != record.hash) {
    fail("error: expected the library of the record, " + record.hash + ", but got " +
         model->hash);
    return false;
  }
  if (!planModel(context, compile, plan, error)) {
    fail(error);
    return false;
  }
  if (plan.hash != record.hash) {
    fail(options.graph + ": error: expected the graph of the record's library, " +
         record.hash + ", but got one that compiles to " + plan.hash);
    return false;
  }
  step = plan.module->lookupSymbol<StepOp>(record.entry);
  for (entry = 0; entry < model->num_entries; ++entry)
    if (record.entry == model->entries[entry].name)
      break;
  if (!step || entry == model->num_entries) {
    fail("error: expected an entry of the name " + record.entry);
    return false;
  }
  bool hasV4 = (model->isa_mask & (1u << TT_ISA_V4)) && record.level != "3";
  level = hasV4 && cpu::hostSupports(cpu::getTarget(TT_ISA_V4)) ? TT_ISA_V4 : TT_ISA_V3;
  if ((model->isa_mask & (1u << level)) && (record.level != "4" || level == TT_ISA_V4))
    return true;
  fail("error: expected a library and a CPU with the record's level");
  return false;
}

/// What is not finite from the start is nobody's fault here.
bool Bisection::checkRecordedInputs() {
  const std::pair<const char *, const std::vector<NamedTensor> *> lists[] = {
      {"parameter", &record.parameters}, {"state", &record.states}, {"input", &record.inputs}};
  for (auto [kind, list] : lists)
    for (const NamedTensor &tensor : *list) {
      HostTensor value = decode(tensor.value);
      int64_t element = firstNonFinite(value);
      if (element < 0)
        continue;
      report.finding.emplace();
      report.finding->what = std::string(kind) + " " + tensor.name +
                             " is not finite before the call: " + describe(value, element);
      return false;
    }
  return true;
}

void Bisection::run() {
  if (!prepare() || !checkRecordedInputs())
    return;
  StepWalk walk(model, entry, level);
  std::string error;
  if (!walk.start(record, error))
    return fail(error);
  auto launches = llvm::to_vector(step.getBody().getOps<LaunchOp>());
  if (launches.size() != walk.numLaunches())
    return fail("error: expected " + std::to_string(launches.size()) +
                " launches in the library, but got " + std::to_string(walk.numLaunches()));
  for (auto [number, launch] : llvm::enumerate(launches)) {
    if (options.progress)
      options.progress("launch " + std::to_string(number + 1) + "/" +
                       std::to_string(launches.size()) + " " + launch.getKernel().str());
    checkLaunch(walk, number, launch);
    if (report.finding || !report.error.empty())
      return;
    ++report.numLaunches;
  }
  compareOutputs(walk);
}

/// A query that sees no key has lse -inf: the one infinity that is right.
static bool isEmptyRow(KernelOp kernel, const HostTensor &found, const HostTensor &wanted) {
  if (kernel.getAnchor() != "attention")
    return false;
  for (int64_t i = 0; i < found.floats().size(); ++i)
    if (!std::isfinite(found.floats()[i]) &&
        !(found.floats()[i] == -INFINITY && wanted.floats()[i] == -INFINITY))
      return false;
  return true;
}

void Bisection::checkLaunch(StepWalk &walk, unsigned number, LaunchOp launch) {
  auto kernel = plan.untiled->lookupSymbol<KernelOp>(launch.getKernel());
  if (!kernel)
    return fail("internal error: no kernel @" + launch.getKernel().str());
  std::vector<HostTensor> inputs;
  for (auto [i, view] : llvm::enumerate(launch.getReads()))
    inputs.push_back(walk.operand(number, i, cast<MemRefType>(view.getType())));
  walk.run(number); // may write over its inputs

  std::vector<Expectation> expected;
  std::string error;
  if (!expect(*plan.untiled, launch.getKernel(), inputs, number, expected, error,
              reference::Mode::Typed))
    return fail(error);
  for (auto [i, view] : llvm::enumerate(launch.getWrites())) {
    HostTensor found =
        walk.operand(number, inputs.size() + i, cast<MemRefType>(view.getType()));
    std::string what = "result " + std::to_string(i);
    int64_t element = firstNonFinite(found);
    bool isFinite = element < 0 || isEmptyRow(kernel, found, expected[i].wanted);
    Comparison comparison = compare(expected[i], found);
    if (isFinite && comparison.passed)
      continue;
    if (!isFinite) {
      what += " is not finite: " + describe(found, element);
      if (comparison.passed)
        what += ", and so says the interpreter";
    } else {
      llvm::raw_string_ostream(what)
          << " leaves its bound: error " << llvm::format("%.2e", comparison.error)
          << ", bound " << llvm::format("%.2e", comparison.bound) << "; at "
          << positionText(found.shape(), comparison.worst) << " found "
          << llvm::format("%.9g", comparison.found) << ", wanted "
          << llvm::format("%.9g", comparison.wanted);
    }
    report.finding.emplace();
    report.finding->launch = number;
    report.finding->kernel = launch.getKernel().str();
    report.finding->what = what;
    return locate(kernel, inputs, isFinite || !comparison.passed);
  }
}

/// Finds the op inside the kernel. `isInaccurate`: the interpreter disagrees.
void Bisection::locate(KernelOp kernel, const std::vector<HostTensor> &inputs,
                       bool isInaccurate) {
  KernelValues values = evaluateKernel(kernel, inputs);
  if (isInaccurate)
    locateInaccurate(kernel, values);
  else
    locateNonFinite(values);
  if (!report.finding->op.empty())
    return;
  // No op shows it by itself: the kernel as a whole is the program, named after
  // its anchor.
  Operation *anchor = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!anchor || (isa<ScalarOpInterface>(anchor) && !isa<ScalarOpInterface>(op)))
      anchor = &op;
  report.finding->op = anchor ? anchor->getName().getStringRef().str() : "a copy";
  report.finding->place = sourcePlace(anchor ? anchor->getLoc() : kernel.getLoc());
  report.finding->scope = "no op of the kernel shows it when compiled by itself: the fault "
                          "is in their fusion, or in this library";
  write(wholeKernel(kernel, inputs));
}

void Bisection::locateNonFinite(const KernelValues &values) {
  for (const auto &[value, tensor] : values) {
    Operation *op = value.getDefiningOp();
    if (!op || firstNonFinite(tensor) < 0 || isa<tt::ConstantOp>(op))
      continue;
    report.finding->op = op->getName().getStringRef().str();
    report.finding->place = sourcePlace(op->getLoc());
    report.finding->scope = "its operands are finite";
    return write(singleOp(op, values));
  }
}

/// Compiles op by op on the kernel's values and takes the first that fails.
void Bisection::locateInaccurate(KernelOp kernel, const KernelValues &values) {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<tt::ConstantOp>(op))
      continue;
    MinimalProgram program = singleOp(&op, values);
    CompiledCheckOptions how;
    how.inputs = program.inputs;
    how.gradients = false;
    CompiledReport checked = checkCompiled(program.function, how);
    if (!checked.error.empty() || checked.passed())
      continue; // what cannot stand alone is not the one
    report.finding->op = op.getName().getStringRef().str();
    report.finding->place = sourcePlace(op.getLoc());
    report.finding->scope = "it shows the fault when compiled by itself";
    return write(std::move(program));
  }
}

void Bisection::write(MinimalProgram program) {
  if (options.output.empty())
    return;
  Finding &finding = *report.finding;
  finding.program = options.output + ".mlir";
  finding.inputs = options.output + ".safetensors";
  std::string comment;
  // Names and paths must not end a line of it.
  auto safe = [](const std::string &text) { return support::escapeTerminal(text); };
  std::string file = safe(finding.program), inputs = safe(finding.inputs);
  llvm::raw_string_ostream(comment)
      << "// Found by tt-check --bisect: " << finding.op << ", " << safe(finding.place)
      << "\n// in launch " << finding.launch << " of @" << safe(record.entry) << ", kernel @"
      << safe(finding.kernel) << ".\n// " << safe(finding.what)
      << "\n// Run it:   tt-run --reference " << file << " --inputs=" << inputs
      << "\n// Check it: tt-check " << file << " --compiled --no-gradients --inputs=" << inputs
      << "\n";
  std::string error;
  if (!writeProgram(program, options.output, comment, error))
    fail("error: " + error);
}

void Bisection::compareOutputs(const StepWalk &walk) {
  for (const NamedTensor &now : walk.outputs())
    for (const NamedTensor &then : record.outputs) {
      if (now.name != then.name || now.value.bytes.size() != then.value.bytes.size())
        continue;
      const std::vector<char> &a = now.value.bytes, &b = then.value.bytes;
      if (std::memcmp(a.data(), b.data(), a.size()) == 0)
        continue;
      size_t at = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
      size_t element = at / runtime::safetensorsDtypeBytes(now.value.dtype);
      if (report.replayDifference.empty())
        report.replayDifference = "output " + now.name + " at " +
                                  positionText(now.value.shape, element);
    }
}

BisectReport tt::check::bisect(const StepRecord &record, const tt_model_desc *model,
                               const BisectOptions &options) {
  BisectReport report;
  Bisection(record, model, options, report).run();
  return report;
}

std::string BisectReport::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!finding) {
    out << numLaunches << " launches replayed: every result is finite and within its bound\n";
    if (!replayDifference.empty())
      out << "but the replay differs from the record: " << replayDifference << "\n";
    return text;
  }
  if (finding->kernel.empty()) {
    out << finding->what << "\n";
    return text;
  }
  out << (finding->place.empty() ? "" : finding->place + ": ") << finding->op << "\n"
      << "  launch " << finding->launch << ", kernel @" << finding->kernel << ": "
      << finding->what << "\n  " << finding->scope << "\n";
  if (!finding->program.empty())
    out << "  wrote " << finding->program << " and " << finding->inputs << "\n";
  return text;
}
