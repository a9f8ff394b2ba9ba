//===- ProgramCheck.cpp - What must hold for any program ------------------===//
#include "ProgramCheck.h"

#include "tt/Certify/Twin.h"
#include "tt/Check/ErrorBound.h"
#include "tt/Reference/Perturbation.h"
#include "tt/Reference/Derivatives.h"
#include "tt/Reference/RandomInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tt::reference;
using namespace tt::test;

namespace {

// Of 1 + the sum of the terms' magnitudes: losses are of the order of 1, and a
// gradient that is 0 by cancellation (a norm of equal numbers) is not 0 in f64.
constexpr double kDotBound = 1e-11;
constexpr double kComplexBound = 1e-10;
constexpr double kCentralBound = 1e-6;
constexpr double kStep = 0x1p-17; // of the wider difference
constexpr int kDraws = 4; // of inputs, to get away from kinks

class Checker {
public:
  Checker(ModuleOp module, uint64_t seed, const PlantedFault &fault)
      : module(module), function(module.lookupSymbol<func::FuncOp>("loss")),
        fault(fault), random(seed) {}

  Verdict run();

private:
  Verdict draw();
  double phi(double h, decltype(Options::onValue) perturb = {});
  Options perturbed();
  double noiseOfLoss();
  double noiseOfReverse(double alongV);
  double noiseOfForward(double alongV);
  /// The cotangent of the loss.
  static Values one() { return {Tensor<double>({}, std::vector<double>{1})}; }
  double centralDifference(double &unresolved);
  bool complexStep(double &derivative, double h = 1e-200);
  double noiseOfComplexStep(double derivative);
  bool isAtKink(double size);
  Values moved(double h) const;
  static Verdict failed(std::string check, double found, double wanted, double bound);

  ModuleOp module;
  func::FuncOp function;
  const PlantedFault &fault;
  Random random;
  Derivatives derivatives;
  Recording recording;
  Values x, v;
  std::string error;
};

} // namespace

double tt::test::dotOf(const Values &a, const Values &b,
                        bool ofMagnitudes) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a, b))
    for (int64_t i = 0; i < x.floats().size(); ++i) {
      double term = x.floats()[i] * y.floats()[i];
      sum += ofMagnitudes ? std::fabs(term) : term;
    }
  return sum;
}

Verdict Checker::failed(std::string check, double found, double wanted, double bound) {
  char text[160];
  snprintf(text, sizeof text, "found %.17g, wanted %.17g within %.3g", found, wanted,
           bound);
  return {Verdict::Failed, std::move(check), text};
}

Values Checker::moved(double h) const {
  Values at = x;
  for (auto [i, argument] : llvm::enumerate(derivatives.active()))
    for (int64_t k = 0; k < v[i].floats().size(); ++k)
      at[argument].floats()[k] += h * v[i].floats()[k];
  return at;
}

double Checker::phi(double h, decltype(Options::onValue) perturb) {
  Options held;
  held.onValue = std::move(perturb);
  held.recording = &recording;
  recording.next = 0;
  auto outcome = Interpreter<double>(module, held).run("loss", moved(h));
  error = outcome.error;
  return outcome.succeeded() ? outcome.results[0].floats()[0] : NAN;
}

/// With one Richardson step. `unresolved` is the error of the better difference by
/// that step's own estimate: it is large where the function turns within h.
double Checker::centralDifference(double &unresolved) {
  constexpr double h = kStep;
  double wide = (phi(h) - phi(-h)) / (2 * h);
  double half = (phi(h / 2) - phi(-h / 2)) / h;
  unresolved = std::fabs(half - wide) / 3;
  return (4 * half - wide) / 3;
}

/// How far rounding moves a number whose value in perturbed runs `sample`
/// gives; runs that fail do not count.
static double noiseAround(double value, llvm::function_ref<double()> sample) {
  double squares = 0;
  for (int run = 0; run < tt::check::kPerturbedRuns; ++run) {
    double change = sample() - value;
    squares += std::isfinite(change) ? change * change : 0;
  }
  return tt::check::kNormFactor * std::sqrt(squares / tt::check::kPerturbedRuns);
}

Options Checker::perturbed() {
  Options options;
  options.onValue = tt::reference::Perturbation(random.bits());
  return options;
}

/// Of the derivative along v by the reverse rules.
double Checker::noiseOfReverse(double alongV) {
  return noiseAround(alongV, [&] {
    Values g;
    return derivatives.pullBack(x, one(), g, error, perturbed()) ? dotOf(g, v) : NAN;
  });
}

/// Of the derivative along v by the forward rules.
double Checker::noiseOfForward(double alongV) {
  return noiseAround(alongV, [&] {
    Values jv;
    bool ran = derivatives.pushForward(x, v, jv, error, perturbed());
    return ran ? double(jv[0].floats()[0]) : NAN;
  });
}

double Checker::noiseOfLoss() {
  return noiseAround(phi(0), [&] { return phi(0, perturbed().onValue); });
}

/// False if an op of the program has no complex form.
bool Checker::complexStep(double &derivative, double h) {
  using Complex = std::complex<double>;
  std::vector<AnyTensor<Complex>> at;
  for (const AnyTensor<double> &value : x)
    at.push_back(convertTo<Complex>(value));
  for (auto [i, argument] : llvm::enumerate(derivatives.active()))
    for (int64_t k = 0; k < v[i].floats().size(); ++k)
      at[argument].floats()[k] += Complex(0, h * v[i].floats()[k]);
  Options held;
  held.recording = &recording;
  recording.next = 0;
  auto outcome = Interpreter<Complex>(module, held).run("loss", at);
  if (!outcome.succeeded())
    return false;
  derivative = outcome.results[0].floats()[0].imag() / h;
  return true;
}

/// Other steps round otherwise: imaginary parts that are large and cancel show.
double Checker::noiseOfComplexStep(double derivative) {
  double largest = 0, other;
  for (double h : {1.3e-200, 0.7e-200, 1.9e-200})
    if (complexStep(other, h))
      largest = std::max(largest, std::fabs(other - derivative));
  return tt::check::kElementFactor * largest;
}

/// Whether the derivatives to both sides differ, as where a rounding makes x = 0 in
/// relu(x): the rule, the complex step and differences then say different things.
bool Checker::isAtKink(double size) {
  constexpr double h = 0x1p-26;
  recording.holdsDecisions = false;
  double here = phi(0), right = phi(h) - here, left = here - phi(-h);
  recording.holdsDecisions = true;
  return std::fabs(right - left) > 1e-4 * h * (1 + size) + 4 * noiseOfLoss();
}

/// One set of inputs and one direction in all parameters.
Verdict Checker::draw() {
  x = randomInputs(function, random);
  v.clear();
  for (int64_t i : derivatives.active()) {
    Tensor<double> tensor(x[i].shape());
    for (double &value : tensor.data)
      value = random.between(-1, 1);
    v.push_back(std::move(tensor));
  }
  recording.isReplay = false;
  recording.values.clear();
  double at = phi(0);
  recording.isReplay = true;
  if (!error.empty())
    return {Verdict::Failed, "interpret", error};
  Values g, jv;
  std::string why;
  if (!derivatives.pullBack(x, one(), g, why) || !derivatives.pushForward(x, v, jv, why))
    return {Verdict::Failed, "interpret", why};
  double alongV = dotOf(g, v), size = dotOf(g, v, true);
  if (!std::isfinite(at) || !std::isfinite(size))
    return {Verdict::Discarded, "", "not finite"};
  double forward = jv[0].floats()[0];
  if (!std::isfinite(forward)) // lse of a row without keys, and its likes
    return {Verdict::Discarded, "", "not finite inside"};
  double noise = noiseOfReverse(alongV);
  double bound = kDotBound * (1 + size) + noise;
  if (!(std::fabs(forward - alongV) <= bound))
    bound += noiseOfForward(forward);
  if (!(std::fabs(forward - alongV) <= bound))
    return failed("dot", alongV, forward, bound);
  double unresolved;
  double central = centralDifference(unresolved);
  bound = kCentralBound * (size + std::fabs(at) + 1e-3) + noise;
  if (!std::isfinite(central))
    return {Verdict::Discarded, "", "not finite nearby"};
  bool isNear = std::fabs(central - alongV) <= bound;
  if (!isNear) { // four values of the loss, (4 (2 / h) + 2 / (2 h)) / 3 in all
    bound += 3 * noiseOfLoss() / kStep;
    isNear = std::fabs(central - alongV) <= bound;
  }
  double exact;
  bool hasExact = complexStep(exact) && std::isfinite(exact);
  double gap = hasExact ? std::fabs(exact - alongV) : 0;
  double exactBound = kComplexBound * (1 + size) + noise;
  if (gap > exactBound)
    exactBound += noiseOfComplexStep(exact);
  if ((gap > exactBound || !isNear) && isAtKink(size))
    return isNear ? Verdict() : Verdict{Verdict::Discarded, "", "kinks"};
  if (gap > exactBound)
    return failed("complex", alongV, exact, exactBound);
  // Where differences do not resolve the function, the complex step has decided.
  if (!isNear && !(hasExact && unresolved > bound))
    return failed("central", alongV, central, bound);
  return {};
}

/// Central differences fail near a kink, where another draw helps; the other checks
/// fail for good.
Verdict Checker::run() {
  std::string why;
  fault.mark(module);
  if (!derivatives.build(module, function, "all", why, fault.onPair(), fault.onTangent()))
    return {Verdict::Failed, "autodiff", why};
  if (derivatives.active().empty())
    return {Verdict::Discarded, "", "nothing is differentiated"};
  Verdict verdict;
  for (int i = 0; i < kDraws; ++i) {
    verdict = draw();
    if (verdict.kind == Verdict::Passed ||
        (verdict.kind == Verdict::Failed && verdict.check != "central"))
      return verdict;
  }
  return verdict;
}

OwningOpRef<ModuleOp> tt::test::inF64(ModuleOp module) {
  OwningOpRef<ModuleOp> wide = cast<ModuleOp>(module->clone());
  certify::toF64(*wide);
  return wide;
}

Verdict tt::test::checkDerivatives(ModuleOp module, uint64_t seed,
                                   const PlantedFault &fault) {
  return Checker(*inF64(module), seed, fault).run();
}
