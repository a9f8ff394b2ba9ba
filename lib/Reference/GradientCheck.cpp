//===- GradientCheck.cpp - Checks derivatives of a function ---------------===//
#include "GradientChecker.h"
#include "FollowRules.h"

#include "tt/IR/SourcePlace.h"
#include "tt/Reference/SizeCheck.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt::reference;

using Complex = std::complex<double>;
using Checker = GradientChecker;

namespace {

constexpr double kDotBound = 1e-12;         // f64
constexpr double kZeroDerivative = 0x1p-50; // of the terms of phi: roundings
constexpr double kComplexBound = 1e-12;     // only rounding is left
constexpr double kValueBound = 1e-12;       // passes may round otherwise
constexpr unsigned kMaxSingleArguments = 16;

/// The largest |a - b| / (1 + |b|); infinite where only one is finite or an integer
/// differs.
double distance(const AnyTensor<double> &a, const AnyTensor<double> &b) {
  if (!b.isFloat())
    return a.ints().data == b.ints().data ? 0 : HUGE_VAL;
  double largest = 0;
  for (auto [x, y] : llvm::zip_equal(a.floats().data, b.floats().data)) {
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double gap = std::fabs(x - y) / (1 + std::fabs(y));
    largest = std::max(largest, std::isfinite(gap) ? gap : HUGE_VAL);
  }
  return largest;
}

} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Values Checker::liveResults(const Values &results) const {
  Values live;
  for (int64_t i : derivatives.live())
    live.push_back(results[i]);
  return live;
}

double Checker::phi(const Values &v, double h, double *magnitude) {
  Values at = x;
  for (auto [i, argument] : llvm::enumerate(derivatives.active()))
    for (int64_t k = 0; k < v[i].floats().size(); ++k)
      at[argument].floats()[k] += h * v[i].floats()[k];
  Options held;
  held.recording = &recording;
  Outcome<double> outcome =
      Interpreter<double>(module, held).run(function.getSymName(), at);
  if (!outcome.succeeded()) {
    fail(outcome.error);
    return 0;
  }
  Values live = liveResults(outcome.results);
  if (magnitude)
    *magnitude = dotOfMagnitudes(u, live);
  return dot(u, live);
}

void Checker::add(StringRef check, const Direction &direction, double value,
                  double bound, std::string note) {
  GradientCheckRow row;
  row.check = check.str();
  row.direction = direction.name;
  row.value = value;
  row.bound = bound;
  row.passed = value <= bound; // false for NaN
  row.note = std::move(note);
  row.argument = direction.argument;
  report.rows.push_back(std::move(row));
}

/// Uniform in [-1, 1], one tensor per type.
Values Checker::drawTensors(ArrayRef<Type> types) {
  Values values;
  for (Type type : types) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    Tensor<double> tensor(Shape(shape.begin(), shape.end()));
    for (double &value : tensor.data)
      value = random.between(-1, 1);
    values.push_back(std::move(tensor));
  }
  return values;
}

/// A random direction in all active arguments, or in the `only`-th alone.
Checker::Direction Checker::drawDirection(std::string name, int64_t only) {
  SmallVector<Type> types;
  for (int64_t i : derivatives.active())
    types.push_back(function.getArgumentTypes()[i]);
  Direction direction{std::move(name), drawTensors(types),
                      only < 0 ? -1 : derivatives.active()[only]};
  for (auto [i, value] : llvm::enumerate(direction.v))
    if (only >= 0 && int64_t(i) != only)
      value = Tensor<double>(value.shape());
  return direction;
}

//===----------------------------------------------------------------------===//
// The checks by themselves
//===----------------------------------------------------------------------===//

/// <Jv, u> from the forward rules against <v, J^T u> from the reverse rules.
void Checker::checkDot(const Direction &direction) {
  if (!derivatives.hasTangent())
    return;
  Values jv;
  std::string error;
  if (!derivatives.pushForward(x, direction.v, jv, error))
    return fail(error);
  double size = norm(jv) * norm(u) + norm(direction.v) * norm(g);
  double difference = std::fabs(dot(jv, u) - dot(direction.v, g));
  // A derivative that is 0 (a loss that does not feel a shift) leaves roundings of
  // phi's terms on both sides, and nothing to be relative to but these.
  if (difference > kDotBound * size && difference <= kZeroDerivative * phiMagnitude) {
    add("dot", direction, difference / phiMagnitude, kDotBound);
    report.rows.back().note = "the derivative is 0 to the rounding of phi";
    return;
  }
  add("dot", direction, size > 0 ? difference / size : difference, kDotBound);
}

/// What an error of <g, v> is relative to. One argument moves phi little: rounding,
/// not phi, is then the measure. Where the derivative is 0, phi's terms alone are.
double Checker::scaleAlong(const Direction &direction) const {
  return (direction.argument < 0 ? 1 : 1e-3) * phiMagnitude +
         dotOfMagnitudes(g, direction.v);
}

/// Im phi(x + i h v) / h for h = 1e-200.
void Checker::checkComplexStep(const Direction &direction) {
  constexpr double h = 1e-200;
  std::vector<AnyTensor<Complex>> at;
  for (const AnyTensor<double> &value : x)
    at.push_back(convertTo<Complex>(value));
  for (auto [i, argument] : llvm::enumerate(derivatives.active()))
    for (int64_t k = 0; k < direction.v[i].floats().size(); ++k)
      at[argument].floats()[k] += Complex(0, h * direction.v[i].floats()[k]);
  Options held;
  held.recording = &recording;
  auto outcome =
      Interpreter<Complex>(module, held).run(function.getSymName(), at);
  if (!outcome.succeeded()) {
    add("complex", direction, 0, kComplexBound, "skipped: " + outcome.error);
    return;
  }
  double derivative = 0;
  for (auto [i, result] : llvm::enumerate(derivatives.live()))
    for (int64_t k = 0; k < u[i].floats().size(); ++k)
      derivative +=
          u[i].floats()[k] * (outcome.results[result].floats()[k].imag() / h);
  double scale = scaleAlong(direction);
  double difference = std::fabs(derivative - dot(g, direction.v));
  add("complex", direction, scale > 0 ? difference / scale : difference,
      kComplexBound);
}

/// The largest element of each gradient: one that is 0 everywhere would pass all
/// other checks if the forward were cut as well.
void Checker::checkReached() {
  for (auto [i, gradient] : llvm::enumerate(g)) {
    double largest = 0;
    for (double x : gradient.floats().data)
      largest = x != x ? x : std::max(largest, std::fabs(x));
    Direction direction;
    direction.argument = derivatives.active()[i];
    direction.name = "argument " + std::to_string(direction.argument);
    add("reached", direction, largest, 0);
    report.rows.back().isLowerBound = true;
    report.rows.back().passed = largest > 0 && std::isfinite(largest);
  }
}

/// The forward and the tangent function still compute f: a change of what only
/// their own results read would pass all other checks.
void Checker::checkValues() {
  Values ofForward, ofTangent;
  std::string error;
  Outcome<double> own = Interpreter<double>(module).run(function.getSymName(), x);
  if (!own.succeeded())
    return fail(own.error);
  if (!derivatives.primalResults(x, ofForward, ofTangent, error))
    return fail(error);
  for (auto [name, values] : {std::pair("forward", &ofForward), {"tangent", &ofTangent}}) {
    if (values->empty())
      continue;
    double largest = 0;
    for (auto [found, wanted] : llvm::zip_equal(*values, own.results))
      largest = std::max(largest, distance(found, wanted));
    Direction direction;
    direction.name = name;
    add("value", direction, largest, kValueBound);
  }
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// Inputs, cotangents u, and g = J^T u; records the values to hold.
bool Checker::prepare() {
  std::string error;
  if (!derivatives.build(module, function, options.wrt, error, options.onPair,
                         options.onTangent, options.allowUnreached)) {
    fail(error);
    return false;
  }
  if (derivatives.active().empty()) {
    std::string place = tt::sourcePlace(function.getLoc());
    fail(place + (place.empty() ? "" : ": ") + "error: expected an argument of @" +
         function.getSymName().str() +
         " that is differentiated to reach a result, but found none: every path is cut "
         "(constants, integers, tt.stop_gradient)");
    return false;
  }
  x = options.inputs.empty() ? randomInputs(function, random) : options.inputs;
  SmallVector<Type> types;
  for (int64_t i : derivatives.live())
    types.push_back(function.getFunctionType().getResult(i));
  u = drawTensors(types);
  recording.isReplay = false;
  phiAtX = phi(drawDirection("", -1).v, 0, &phiMagnitude);
  if (!report.error.empty())
    return false;
  recording.isReplay = true;
  if (!followRules(module, function.getSymName(), x, derivatives.live(), u, recording,
                   error) ||
      !derivatives.pullBack(x, u, g, error))
    fail(error);
  return report.error.empty();
}

/// The dot test, where the function has no forward mode.
void Checker::noteLeftOut() {
  for (const Derivatives::ReverseOnly &op : derivatives.reverseOnly())
    report.leftOut.push_back({"dot", op.op, op.place, "has no JVP rule"});
}

/// False once nothing more is to be checked.
bool Checker::goesOn() const {
  return report.error.empty() &&
         !(options.stopAtFailure && llvm::any_of(report.rows, [](const auto &row) {
           return !row.passed;
         }));
}

void Checker::check(const Direction &direction) {
  size_t first = report.rows.size();
  for (auto part : {&Checker::checkTaylor, &Checker::checkDot, &Checker::checkComplexStep,
                    &Checker::checkCentral})
    if (goesOn())
      (this->*part)(direction);
  if (report.rows.size() > first && report.error.empty())
    noteHeld(direction, report.rows[first]);
}

void Checker::checkEachArgument() {
  for (size_t i = 0; i < derivatives.active().size() && goesOn(); ++i) {
    Direction direction = drawDirection(
        "argument " + std::to_string(derivatives.active()[i]), int64_t(i));
    checkDot(direction);
    if (goesOn())
      checkCentral(direction);
  }
  if (goesOn())
    checkReached();
}

void Checker::run() {
  if (!prepare())
    return;
  noteLeftOut();
  if (options.eachArgument)
    checkValues();
  for (int i = 0; i < options.directions && goesOn(); ++i)
    check(drawDirection("all #" + std::to_string(i + 1), -1));
  if (options.eachArgument)
    return checkEachArgument();
  size_t count = derivatives.active().size();
  if (count < 2 || count > kMaxSingleArguments)
    return;
  for (size_t i = 0; i < count && goesOn(); ++i)
    check(drawDirection("argument " + std::to_string(derivatives.active()[i]),
                        int64_t(i)));
}

/// The named function, or the only public one.
static func::FuncOp findFunction(ModuleOp module, StringRef name,
                                 std::string &error) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal()) {
      error = "expected a function @" + name.str() + " with a body";
      return {};
    }
    return function;
  }
  func::FuncOp only;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (only) {
      error = "expected one public function or --function, but found @" +
              only.getSymName().str() + " and @" + function.getSymName().str();
      return {};
    }
    only = function;
  }
  if (!only)
    error = "expected a public function with a body, but found none";
  return only;
}

GradientReport
tt::reference::checkGradient(ModuleOp module,
                             const GradientCheckOptions &options) {
  GradientReport report;
  func::FuncOp function = findFunction(module, options.function, report.error);
  if (function)
    report.error = checkSizes(function);
  if (function && report.error.empty())
    Checker(module, function, options, report).run();
  return report;
}
