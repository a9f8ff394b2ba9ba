//===- ProgramCheck.cpp - What must hold for any program ------------------===//
#include "ProgramCheck.h"

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Parser/Parser.h"
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
constexpr int kDraws = 4; // of inputs, to get away from kinks

class Checker {
public:
  Checker(ModuleOp module, uint64_t seed)
      : module(module), function(module.lookupSymbol<func::FuncOp>("loss")),
        random(seed) {}

  Verdict run();

private:
  Verdict draw();
  double phi(double h);
  double noiseOf(double alongV);
  double centralDifference();
  bool complexStep(double &derivative);
  Values moved(double h) const;
  static Verdict failed(std::string check, double found, double wanted, double bound);

  ModuleOp module;
  func::FuncOp function;
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

double Checker::phi(double h) {
  Options held;
  held.recording = &recording;
  recording.next = 0;
  auto outcome = Interpreter<double>(module, held).run("loss", moved(h));
  error = outcome.error;
  return outcome.succeeded() ? outcome.results[0].floats()[0] : NAN;
}

/// With one Richardson step.
double Checker::centralDifference() {
  double h = 0x1p-17;
  double wide = (phi(h) - phi(-h)) / (2 * h);
  double half = (phi(h / 2) - phi(-h / 2)) / h;
  return (4 * half - wide) / 3;
}

/// How far inputs changed by some ten units of f64 move the derivative: what a
/// program that magnifies rounding errors cannot be held to.
double Checker::noiseOf(double alongV) {
  Values seed{Tensor<double>(Shape())}, kept = x;
  seed[0].floats().data = {1.0};
  double noise = 0;
  std::string why;
  for (int run = 0; run < 3; ++run) {
    for (auto [value, from] : llvm::zip(x, kept))
      if (value.isFloat())
        for (int64_t k = 0; k < value.floats().size(); ++k)
          value.floats()[k] = from.floats()[k] * (1 + 0x1p-46 * random.between(-1, 1));
    Values g;
    if (derivatives.pullBack(x, seed, g, why))
      noise = std::max(noise, std::fabs(dotOf(g, v) - alongV));
  }
  x = kept;
  return 16 * noise;
}

/// False if an op of the program has no complex form.
bool Checker::complexStep(double &derivative) {
  using Complex = std::complex<double>;
  constexpr double h = 1e-200;
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
  Tensor<double> one{Shape()};
  one.data = {1.0};
  Values seed{one}, g, jv;
  std::string why;
  if (!derivatives.pullBack(x, seed, g, why) || !derivatives.pushForward(x, v, jv, why))
    return {Verdict::Failed, "interpret", why};
  double alongV = dotOf(g, v), size = dotOf(g, v, true);
  if (!std::isfinite(at) || !std::isfinite(size))
    return {Verdict::Discarded, "", "not finite"};
  double forward = jv[0].floats()[0];
  if (!std::isfinite(forward)) // lse of a row without keys, and its likes
    return {Verdict::Discarded, "", "not finite inside"};
  double noise = noiseOf(alongV);
  double bound = kDotBound * (1 + size) + noise;
  if (!(std::fabs(forward - alongV) <= bound))
    return failed("dot", alongV, forward, bound);
  bound = kCentralBound * (size + std::fabs(at) + 1e-3) + noise;
  double central = centralDifference();
  if (!std::isfinite(central))
    return {Verdict::Discarded, "", "not finite nearby"};
  bool isNear = std::fabs(central - alongV) <= bound;
  double exact;
  bool hasExact = complexStep(exact) && std::isfinite(exact);
  double gap = hasExact ? std::fabs(exact - alongV) : 0;
  // At a kink, as |x| where a rounding makes x = 0, the complex step takes one side;
  // differences that agree with the rule then decide.
  bool isKink = gap > bound && isNear;
  if (gap > kComplexBound * (1 + size) + noise && !isKink)
    return failed("complex", alongV, exact, kComplexBound * (1 + size) + noise);
  if (!isNear)
    return failed("central", alongV, central, bound);
  return {};
}

/// Central differences fail near a kink, where another draw helps; the other
/// checks fail for good.
Verdict Checker::run() {
  std::string why;
  if (!derivatives.build(module, function, "all", why))
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
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  for (size_t at = 0; (at = text.find("f32>", at)) != std::string::npos;)
    text.replace(at, 4, "f64>");
  return parseSourceString<ModuleOp>(text, module.getContext());
}

Verdict tt::test::checkDerivatives(ModuleOp module, uint64_t seed) {
  OwningOpRef<ModuleOp> wide = inF64(module);
  if (!wide)
    return {Verdict::Failed, "generator", "the program does not parse in f64"};
  return Checker(*wide, seed).run();
}
