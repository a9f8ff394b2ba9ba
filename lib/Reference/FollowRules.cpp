//===- FollowRules.cpp - Cotangents through declared rules ----------------===//
#include "FollowRules.h"
#include "tt/Reference/RandomInputs.h"

#include <cmath>

using namespace mlir;
using namespace tt::reference;

using Complex = std::complex<double>;

namespace {
/// Moves one element of an op's output at a time.
class Prober {
public:
  Prober(ModuleOp module, StringRef function, const Values &x, ArrayRef<int64_t> live,
         const Values &u, Recording &recording)
      : module(module), function(function), x(x), live(live), u(u), recording(recording) {
    for (const AnyTensor<double> &value : x)
      complexX.push_back(convertTo<Complex>(value));
    held.recording = &recording;
  }

  /// d phi / d (the element), the recorded run's; a failure is in error().
  double slope(Recording::Probe probe);
  const std::string &error() const { return message; }

private:
  /// phi with the probe's step h; 0 after a failure.
  double phi(double h);

  ModuleOp module;
  StringRef function;
  const Values &x;
  ArrayRef<int64_t> live;
  const Values &u;
  Recording &recording;
  std::vector<AnyTensor<Complex>> complexX;
  Options held;
  std::string message;
};
} // namespace

double Prober::phi(double h) {
  recording.probe->step = h;
  Outcome<double> outcome = Interpreter<double>(module, held).run(function, x);
  if (!outcome.succeeded()) {
    message = outcome.error;
    return 0;
  }
  double sum = 0;
  for (auto [i, result] : llvm::enumerate(live))
    for (int64_t k = 0; k < u[i].floats().size(); ++k)
      sum += u[i].floats()[k] * outcome.results[result].floats()[k];
  return sum;
}

double Prober::slope(Recording::Probe probe) {
  constexpr double tiny = 1e-200;
  probe.step = Complex(0, tiny);
  recording.probe = probe;
  auto outcome = Interpreter<Complex>(module, held).run(function, complexX);
  double slope = 0;
  if (outcome.succeeded()) {
    for (auto [i, result] : llvm::enumerate(live))
      for (int64_t k = 0; k < u[i].floats().size(); ++k)
        slope += u[i].floats()[k] * (outcome.results[result].floats()[k].imag() / tiny);
  } else { // an op without a complex form
    auto quotient = [&](double h) { return (phi(h) - phi(-h)) / (2 * h); };
    double h = std::ldexp(1.0, -10);
    slope = (4 * quotient(h / 2) - quotient(h)) / 3;
  }
  recording.probe.reset();
  return slope;
}

/// From the last op to the first: those behind it are as declared by then, those before
/// it stay.
bool tt::reference::followRules(ModuleOp module, StringRef function, const Values &x,
                                ArrayRef<int64_t> live, const Values &u,
                                Recording &recording, std::string &error) {
  if (recording.ruled.empty())
    return true;
  Prober prober(module, function, x, live, u, recording);
  for (size_t i = recording.ruled.size(); i-- > 0;) {
    std::vector<Tensor<double>> cotangents, ofInputs;
    for (const AnyTensor<double> &output : recording.ruled[i].outputs)
      if (output.isFloat())
        cotangents.emplace_back(output.shape());
    for (auto [k, cotangent] : llvm::enumerate(cotangents))
      for (int64_t j = 0; j < cotangent.size(); ++j)
        cotangent[j] = prober.slope({i, k, j, 0});
    error = prober.error();
    if (error.empty())
      error = recording.ruled[i].rule(cotangents, ofInputs);
    if (!error.empty())
      return false;
    recording.ruled[i].outputCotangents = std::move(cotangents);
    recording.ruled[i].inputCotangents = std::move(ofInputs);
  }
  return true;
}
