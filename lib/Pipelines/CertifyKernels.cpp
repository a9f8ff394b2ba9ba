//===- CertifyKernels.cpp - Each kernel once at its real shape ------------===//
//
// The kernels of the linked library run on random operands of their real shapes;
// a sample of the results (KernelSample.h) is compared with the interpreter in f64.
//
//===----------------------------------------------------------------------===//
#include "Certify.h"
#include "KernelOperands.h"
#include "tt/Certify/KernelSample.h"

#include "tt/Reference/Perturbation.h"

#include "tt/IR/SourcePlace.h"

#include <cmath>
#include <optional>

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
  bool takeSample(std::string &error);
  std::optional<KernelOperands> draw(std::string &error);
  bool interpret(const std::vector<AnyTensor<double>> &at, reference::Mode mode,
                 std::vector<AnyTensor<double>> &results, std::string &error);
  bool spreadOf(unsigned result, std::vector<double> &spread, std::string &error);
  bool compare(unsigned result, const AnyTensor<double> &found, Finding &finding,
               std::string &error);
  void runCompiled(unsigned isa, KernelOperands &operands);
  Finding finding(unsigned result);

  KernelOp form, planned;
  const tt_kernel_row &row;
  uint64_t seed;
  KernelSample sample;
  std::vector<AnyTensor<double>> inputs, ideal, typed;
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

bool KernelCheck::takeSample(std::string &error) {
  if (!sampleKernel(form, kMaxWork, seed, sample, error))
    return false;
  if (sample.work <= kTooMuchWork)
    return true;
  error = errorAtKernel(form) + "has no dimension to sample, and about " +
          std::to_string(int64_t(sample.work)) +
          " multiply-adds are too many for the interpreter";
  return false;
}

bool KernelCheck::interpret(const std::vector<AnyTensor<double>> &at, reference::Mode mode,
                            std::vector<AnyTensor<double>> &results,
                            std::string &error) {
  reference::Options how;
  how.mode = mode;
  auto outcome =
      reference::Interpreter<double>(*sample.module, how).run(form.getSymName(), at);
  error = outcome.error;
  results = std::move(outcome.results);
  return outcome.succeeded();
}

/// How far roundings of everything that the kernel reads and forms move each element of
/// a result: the S of tt/Check/ErrorBound.h.
bool KernelCheck::spreadOf(unsigned result, std::vector<double> &spread, std::string &error) {
  const reference::Tensor<double> &truth = ideal[result].floats();
  spread.assign(truth.data.size(), 0);
  auto add = [&](const std::vector<AnyTensor<double>> &changed) {
    reference::addSquaredChanges(changed[result].floats(), truth, spread);
  };
  if (!reference::forEachPerturbedRun(*sample.module, form.getSymName(), inputs, seed, add,
                                      error))
    return false;
  for (double &x : spread)
    x = std::sqrt(x);
  return true;
}

/// Where terms cancel, a result is small beside what was rounded: it may then be as far
/// off as tt-check takes for right, kElementFactor spreads.
bool KernelCheck::compare(unsigned result, const AnyTensor<double> &found,
                          Finding &finding, std::string &error) {
  const Finding fresh = finding;
  compareResult(found, ideal[result], typed[result], sample.depth, finding);
  if (finding.passed || !ideal[result].isFloat())
    return true;
  std::vector<double> spread;
  if (!spreadOf(result, spread, error))
    return false;
  const std::vector<double> &truth = ideal[result].floats().data;
  AnyTensor<double> moved = typed[result];
  std::vector<double> &farther = moved.floats().data;
  for (size_t i = 0; i < truth.size(); ++i) {
    double distance = reference::kElementFactor / kTypedFactor * spread[i];
    if (distance > std::fabs(farther[i] - truth[i]))
      farther[i] = truth[i] + distance;
  }
  finding = fresh;
  compareResult(found, ideal[result], moved, sample.depth, finding);
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

/// Share of the results that are numbers.
static double shareOfNumbers(ArrayRef<AnyTensor<double>> results) {
  double all = 0, numbers = 0;
  for (const AnyTensor<double> &result : results) {
    if (!result.isFloat())
      continue;
    for (double x : result.floats().data)
      numbers += !std::isnan(x);
    all += double(result.floats().size());
  }
  return all == 0 ? 1 : numbers / all;
}

/// Operands for which the interpreter's results are numbers, as far as one of the
/// ranges gives any: a kernel may take the root of a difference of its operands.
std::optional<KernelOperands> KernelCheck::draw(std::string &error) {
  std::optional<KernelOperands> best;
  double bestShare = -1;
  for (Draw draw :
       {Draw::AsRead, Draw::Positive, Draw::NearOne, Draw::Falling, Draw::Rising}) {
    KernelOperands operands(planned, form, seed, draw);
    std::vector<AnyTensor<double>> values, results;
    for (auto [i, positions] : llvm::enumerate(sample.arguments))
      values.push_back(operands.argumentAt(i, positions));
    if (!interpret(values, reference::Mode::Ideal, results, error))
      return std::nullopt;
    double share = shareOfNumbers(results);
    if (share <= bestShare)
      continue;
    best.emplace(std::move(operands));
    inputs = std::move(values);
    ideal = std::move(results);
    bestShare = share;
    if (share == 1)
      break;
  }
  return best;
}

bool KernelCheck::run(ArrayRef<uint32_t> levels, Part &part, std::string &error) {
  if (!takeSample(error))
    return false;
  std::optional<KernelOperands> drawn = draw(error);
  if (!drawn || !interpret(inputs, reference::Mode::Typed, typed, error))
    return false;
  KernelOperands &operands = *drawn;
  for (auto [run, level] : llvm::enumerate(levels)) {
    if (run == 1)
      operands.keepResults();
    runCompiled(level == 4 ? TT_ISA_V4 : TT_ISA_V3, operands);
    for (unsigned i = 0; i < sample.results.size(); ++i) {
      if (run == 0) {
        part.findings.push_back(finding(i));
        if (!compare(i, operands.resultAt(i, sample.results[i]), part.findings.back(), error))
          return false;
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

/// The kernel as it was formed: variants for other strides have a suffix, copies came
/// with the step and are their own form.
static KernelOp formOf(ModuleOp forms, KernelOp planned) {
  StringRef name = planned.getSymName();
  if (auto kernel = forms.lookupSymbol<KernelOp>(name))
    return kernel;
  auto kernel = forms.lookupSymbol<KernelOp>(name.take_front(name.rfind("_v")));
  return kernel ? kernel : planned;
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
      if (!kernel) {
        error = "internal error: kernel '" + std::string(row.name) + "' is not in the plan";
        return false;
      }
      KernelCheck check(formOf(forms, kernel), kernel, row, result.seed + i);
      if (!check.run(runnable, part, error))
        return false;
    }
    part.note = std::to_string(model.num_kernels) + " kernels";
    return true;
  });
}
