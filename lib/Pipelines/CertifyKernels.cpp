//===- CertifyKernels.cpp - Each kernel once at its real shape ------------===//
//
// The kernels of the linked library run on random operands of their real shapes;
// a sample of the results (KernelSample.h) is compared with the interpreter in f64.
//
//===----------------------------------------------------------------------===//
#include "Certify.h"
#include "KernelOperands.h"
#include "tt/Certify/KernelSample.h"

#include "tt/Reference/Interpreter.h"

#include "tt/IR/SourcePlace.h"

using namespace mlir;
using namespace tt;
using namespace tt::certify;
using reference::AnyTensor;

/// Multiply-adds that the interpreter does for one kernel, about.
static constexpr double kMaxWork = 2e7;
/// More than this for one kernel means that it could not be sampled.
static constexpr double kTooMuchWork = 4e9;

namespace {

/// One kernel of a library and its operands.
class KernelCheck {
public:
  KernelCheck(KernelOp form, KernelOp planned, const tt_kernel_row &row, uint64_t seed)
      : form(form), planned(planned), row(row), seed(seed) {}

  bool run(ArrayRef<uint32_t> levels, Part &part, std::string &error);

private:
  bool interpret(const KernelOperands &operands, std::string &error);
  void runCompiled(unsigned isa, KernelOperands &operands);
  Finding finding(unsigned result);

  KernelOp form, planned;
  const tt_kernel_row &row;
  uint64_t seed;
  KernelSample sample;
  std::vector<AnyTensor<double>> ideal, typed;
};

} // namespace

Finding KernelCheck::finding(unsigned result) {
  Finding finding;
  finding.check = "kernel";
  finding.subject = "@" + planned.getSymName().str();
  if (sample.results.size() > 1)
    finding.subject += " result " + std::to_string(result);
  finding.place = sourcePlace(planned.getLoc());
  if (finding.place.empty())
    for (Operation &op : form.getBody().front())
      if (finding.place.empty())
        finding.place = sourcePlace(op.getLoc());
  return finding;
}

bool KernelCheck::interpret(const KernelOperands &operands, std::string &error) {
  if (!sampleKernel(form, kMaxWork, seed, sample, error))
    return false;
  if (sample.work > kTooMuchWork) {
    error = errorAtKernel(form) + "has no dimension to sample, and about " +
            std::to_string(int64_t(sample.work)) +
            " multiply-adds are too many for the interpreter";
    return false;
  }
  std::vector<AnyTensor<double>> inputs;
  for (auto [i, positions] : llvm::enumerate(sample.arguments))
    inputs.push_back(operands.argumentAt(i, positions));
  for (auto [mode, results] : {std::pair(reference::Mode::Ideal, &ideal),
                               {reference::Mode::Typed, &typed}}) {
    reference::Options how;
    how.mode = mode;
    auto outcome = reference::Interpreter<double>(*sample.module, how)
                       .run(form.getSymName(), inputs);
    if (!outcome.succeeded()) {
      error = outcome.error;
      return false;
    }
    *results = std::move(outcome.results);
  }
  return true;
}

void KernelCheck::runCompiled(unsigned isa, KernelOperands &operands) {
  AlignedBytes shared(row.shared_bytes), worker(row.worker_bytes);
  std::vector<char *> addresses = operands.addresses();
  for (int64_t i = 0; i < row.repeat[isa]; ++i)
    for (uint32_t p = 0; p < row.num_phases; ++p)
      for (int64_t task = 0; task < row.phases[p].tasks[isa]; ++task)
        row.phases[p].fn[isa](addresses.data(), task, i, shared.data(), worker.data());
}

bool KernelCheck::run(ArrayRef<uint32_t> levels, Part &part, std::string &error) {
  KernelOperands operands(planned, form, seed);
  if (!interpret(operands, error))
    return false;
  for (auto [run, level] : llvm::enumerate(levels)) {
    if (run == 1)
      operands.keepResults();
    runCompiled(level == 4 ? TT_ISA_V4 : TT_ISA_V3, operands);
    for (unsigned i = 0; i < sample.results.size(); ++i) {
      if (run == 0) {
        part.findings.push_back(finding(i));
        compareResult(operands.resultAt(i, sample.results[i]), ideal[i], typed[i],
                      sample.depth, part.findings.back());
        continue;
      }
      if (operands.sameAsKept(i))
        continue;
      Finding finding = this->finding(i);
      finding.check = "levels";
      finding.value = 1;
      finding.note = "the bits of x86-64-v" + std::to_string(level) + " differ";
      part.findings.push_back(finding);
    }
  }
  return true;
}

/// The kernel as it was formed: variants for other strides have a suffix.
static KernelOp formOf(ModuleOp forms, StringRef name) {
  if (auto kernel = forms.lookupSymbol<KernelOp>(name))
    return kernel;
  size_t suffix = name.rfind("_v");
  return suffix == StringRef::npos ? KernelOp()
                                   : forms.lookupSymbol<KernelOp>(name.take_front(suffix));
}

bool Certifier::checkKernels(ModuleOp forms, ModuleOp planned, const aot::Object &bytes,
                             StringRef name, std::string &error) {
  return runPart("kernels", error, [&](Part &part) {
    auto library = openBytes(bytes, name, error);
    if (!library)
      return false;
    std::vector<uint32_t> runnable = runnableLevels(levels);
    const tt_model_desc &model = *library->desc();
    for (uint32_t i = 0; i < model.num_kernels; ++i) {
      const tt_kernel_row &row = model.kernels[i];
      auto kernel = planned.lookupSymbol<KernelOp>(row.name);
      KernelOp form = formOf(forms, row.name);
      if (!kernel || !form) {
        error = "internal error: kernel '" + std::string(row.name) + "' has no form";
        return false;
      }
      if (!KernelCheck(form, kernel, row, result.seed + i).run(runnable, part, error))
        return false;
    }
    part.note = std::to_string(model.num_kernels) + " kernels";
    return true;
  });
}
