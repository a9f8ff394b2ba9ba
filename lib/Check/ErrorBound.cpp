//===- ErrorBound.cpp - How far rounding may move a result ----------------===//
#include "tt/Check/ErrorBound.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::check;
using reference::Interpreter;
using reference::Outcome;

/// Adds the squares of the changes of one perturbed run.
static void addChanges(const HostTensor &changed, Expectation &to) {
  if (!changed.isFloat()) {
    for (size_t i = 0; i < to.isUndecided.size(); ++i)
      if (changed.ints().data[i] != to.wanted.ints().data[i])
        to.isUndecided[i] = true;
    return;
  }
  reference::addSquaredChanges(changed.floats(), to.wanted.floats(), to.spread);
  int64_t numUnbounded = 0;
  for (auto [x, wanted] : llvm::zip_equal(changed.floats().data, to.wanted.floats().data))
    numUnbounded += std::isfinite(wanted) && !std::isfinite(x);
  to.numUnbounded = std::max(to.numUnbounded, numUnbounded);
}

bool tt::check::expect(ModuleOp module, StringRef name,
                       const std::vector<HostTensor> &inputs, uint64_t seed,
                       std::vector<Expectation> &results, std::string &error,
                       reference::Mode mode) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, name));
  Outcome<double> truth = Interpreter<double>(module).run(name, inputs);
  error = truth.error;
  if (!error.empty())
    return false;
  for (auto [i, value] : llvm::enumerate(truth.results)) {
    Type element = getElementTypeOrSelf(function.getResultTypes()[i]);
    Expectation result;
    result.name = "result " + std::to_string(i);
    result.unit = reference::unitRoundoff(element);
    result.tiny = reference::smallestNormal(element);
    result.largest = reference::largestNumber(element);
    if (value.isFloat())
      result.spread.assign(value.floats().data.size(), 0);
    else
      result.isUndecided.assign(value.ints().data.size(), false);
    result.wanted = std::move(value);
    results.push_back(std::move(result));
  }
  auto add = [&](const std::vector<HostTensor> &changed) {
    for (auto [value, result] : llvm::zip(changed, results))
      addChanges(value, result);
  };
  if (!reference::forEachPerturbedRun(module, name, inputs, seed, add, error))
    return false;
  for (Expectation &result : results)
    for (double &spread : result.spread)
      spread = std::sqrt(spread);
  if (mode == reference::Mode::Ideal)
    return true;
  reference::Options typed;
  typed.mode = mode;
  Outcome<double> rounded = Interpreter<double>(module, typed).run(name, inputs);
  error = rounded.error;
  for (auto [value, result] : llvm::zip(rounded.results, results))
    result.wanted = std::move(value);
  return error.empty();
}

std::string tt::check::positionText(const std::vector<int64_t> &shape, int64_t element) {
  std::string text = "]";
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t size = std::max<int64_t>(shape[i], 1);
    text = (i ? ", " : "") + std::to_string(element % size) + text;
    element /= size;
  }
  return "[" + text;
}

static Comparison compareIntegers(const Expectation &expectation, const HostTensor &found) {
  Comparison result;
  result.name = expectation.name;
  result.passed = true;
  if (!expectation.isUndecided.empty()) { // what the table shows where none is wrong
    result.found = double(found.ints().data[0]);
    result.wanted = double(expectation.wanted.ints().data[0]);
  }
  int64_t numUndecided = 0;
  for (size_t i = 0; i < expectation.isUndecided.size(); ++i) {
    int64_t have = found.ints().data[i], want = expectation.wanted.ints().data[i];
    numUndecided += expectation.isUndecided[i];
    if (have == want || expectation.isUndecided[i] || !result.passed)
      continue;
    result.passed = false;
    result.error = 1;
    result.worst = i;
    result.found = double(have);
    result.wanted = double(want);
  }
  if (numUndecided)
    result.note = std::to_string(numUndecided) + " undecided";
  return result;
}

static double norm(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += std::isfinite(value) ? value * value : 0;
  return std::sqrt(sum);
}

double tt::check::gradientFloor(const std::vector<Expectation> &gradients) {
  double squares = 0, unit = 0;
  for (const Expectation &gradient : gradients)
    if (gradient.wanted.isFloat()) {
      double size = norm(gradient.wanted.floats().data);
      if (std::isfinite(size))
        squares += size * size;
      unit = std::max(unit, gradient.unit);
    }
  return 8 * unit * 1e-3 * std::sqrt(squares);
}

/// A bound, as a part of the result, from which on it is said.
static constexpr double kWideBound = 0.1;

static std::string wideText(double bound) {
  std::string part = bound > 1 ? "more than itself"
                               : std::to_string(std::lround(100 * bound)) + " %";
  return "rounding may move it by " + part + ": little is compared";
}

Comparison tt::check::compare(const Expectation &expectation, const HostTensor &found,
                              double floor) {
  if (!found.isFloat())
    return compareIntegers(expectation, found);
  Comparison result;
  result.name = expectation.name;
  result.passed = true;
  const std::vector<double> &have = found.floats().data,
                            &want = expectation.wanted.floats().data;
  double spread = norm(expectation.spread), size = norm(want), squares = 0, closest = -1;
  double typical = want.empty() ? 0 : spread / std::sqrt(double(want.size()));
  size_t numNaN = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    double error = std::fabs(have[i] - want[i]);
    bool isBothNaN = std::isnan(have[i]) && std::isnan(want[i]);
    double bound = kElementFactor * std::max(expectation.spread[i], typical) +
                   2 * expectation.unit * std::fabs(want[i]) + expectation.tiny + floor;
    bool overflows = std::isinf(have[i]) && std::signbit(have[i]) == std::signbit(want[i]) &&
                     std::fabs(want[i]) + bound > expectation.largest;
    bool isSame = have[i] == want[i] || isBothNaN || overflows;
    numNaN += isBothNaN;
    if (isSame)
      error = 0;
    // Any other infinity is met or missed.
    bool isIn = isSame || (error <= bound && std::isfinite(have[i]) && std::isfinite(want[i]));
    double share = isIn ? (isSame ? 0 : error / bound) : INFINITY;
    if (std::isfinite(error))
      squares += error * error;
    result.passed &= isIn;
    if (share > closest) {
      closest = share;
      result.worst = i;
      result.found = have[i];
      result.wanted = want[i];
    }
  }
  double scale = size > 0 ? size : 1;
  result.error = std::sqrt(squares) / scale;
  result.bound = (kNormFactor * spread + 2 * expectation.unit * size +
                  std::sqrt(double(want.size())) * expectation.tiny + floor) / scale;
  result.passed &= result.error <= result.bound;
  result.comparesNothing = numNaN && numNaN == want.size();
  if (numNaN)
    result.note = std::to_string(numNaN) + " NaN in both";
  if (size > 0 && result.bound > kWideBound)
    result.note += (result.note.empty() ? "" : ", ") + wideText(result.bound);
  result.isUnbounded = expectation.numUnbounded > 0;
  if (result.isUnbounded && !result.passed)
    result.note = "rounding alone makes " + std::to_string(expectation.numUnbounded) +
                  " of its elements not finite: the bound does not know how far";
  return result;
}
