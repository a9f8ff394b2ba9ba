//===- CompiledProgram.cpp - A random program, compiled -------------------===//
#include "ProgramCheck.h"

#include "tt/Check/CheckCompiled.h"
#include "tt/IR/TTOps.h"
#include "tt/Pipelines/Compile.h"
#include "tt/Reference/Perturbation.h"
#include "tt/Reference/RandomInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;
using namespace tt::test;

namespace {
/// Gradients of @loss at inputs and at inputs changed by a few units of f32.
/// A large change means a kink within rounding: nothing can be said there.
class KinkCheck {
public:
  explicit KinkCheck(ModuleOp module)
      : function(module.lookupSymbol<func::FuncOp>("loss")) {
    derivatives.build(module, function, "all", error);
  }

  bool isSmoothAt(const Values &x, Random &random) {
    Values g = gradient(x);
    double norm = std::sqrt(dotOf(g, g));
    if (!error.empty() || !std::isfinite(norm))
      return false;
    for (int run = 0; run < 3; ++run) {
      Values near = x;
      for (AnyTensor<double> &value : near)
        if (value.isFloat())
          for (double &element : value.floats().data)
            element *= 1 + 0x1p-20 * random.between(-1, 1);
      Values h = gradient(near);
      if (!error.empty() || distance(g, h) > 1e-3 * (norm + 1e-6))
        return false;
    }
    return true;
  }

private:
  Values gradient(const Values &x) {
    Values g;
    Tensor<double> one{Shape()};
    one.data = {1};
    if (error.empty())
      derivatives.pullBack(x, {one}, g, error);
    return g;
  }
  static double distance(const Values &a, const Values &b) {
    double sum = 0;
    for (auto [x, y] : llvm::zip_equal(a, b))
      for (int64_t i = 0; i < x.floats().size(); ++i)
        sum += (x.floats()[i] - y.floats()[i]) * (x.floats()[i] - y.floats()[i]);
    return std::sqrt(sum);
  }

  func::FuncOp function;
  Derivatives derivatives;
  std::string error;
};
} // namespace

/// Whether a run meets numbers whose squares f32 does not hold: norms square them, and
/// are 0 there instead of a number.
static bool leavesF32(ModuleOp module, const Values &inputs) {
  bool leaves = false;
  Options options;
  options.onValue = [&](Value, AnyTensor<double> &tensor) {
    if (tensor.isFloat())
      for (double x : tensor.floats().data)
        leaves |= std::fabs(x) > 0x1p62;
  };
  Interpreter<double>(module, options).run("loss", inputs);
  return leaves;
}

/// What whole numbers and comparisons come to in a run whose values are changed `times`
/// as far as rounding changes them.
static std::vector<double> decisionsOf(ModuleOp module, const Values &inputs, uint64_t seed,
                                       double times) {
  std::vector<double> decisions;
  Options options;
  options.onValue = [&, change = Perturbation(seed, times)](
                        Value value, AnyTensor<double> &tensor) mutable {
    change(value, tensor);
    if (!isa_and_present<FloorOp, CeilOp, RoundOp, RoundSteOp, SignOp, CompareOp>(
            value.getDefiningOp()))
      return;
    if (tensor.isFloat())
      llvm::append_range(decisions, tensor.floats().data);
    else
      decisions.insert(decisions.end(), tensor.ints().data.begin(), tensor.ints().data.end());
  };
  Interpreter<double>(module, options).run("loss", inputs);
  return decisions;
}

/// Whether such a decision is within a few roundings: a program takes one side of it in
/// f64 and may take the other in f32.
static bool isNearDecision(ModuleOp module, const Values &inputs, uint64_t seed) {
  const std::vector<double> taken = decisionsOf(module, inputs, seed, 0);
  return llvm::any_of(llvm::seq(1, 9), [&](int run) {
    return decisionsOf(module, inputs, seed + run, 8) != taken;
  });
}

Verdict tt::test::checkCompiledProgram(ModuleOp module, uint64_t seed,
                                       const PlantedFault &fault,
                                       aot::ObjectCache *objects) {
  auto function = module.lookupSymbol<func::FuncOp>("loss");
  Random random(seed + 5);
  KinkCheck kinks(module);
  check::CompiledCheckOptions options;
  options.quick = true;
  options.seed = seed;
  options.objects = objects;
  options.onModule = [&](ModuleOp code, const CompileOptions &way) {
    fault.changeCode(code, way.fuse);
  };
  bool found = false;
  for (int draw = 0; draw < 4 && !found; ++draw) {
    options.inputs = randomInputs(function, random);
    check::roundToTypes(function, options.inputs);
    found = kinks.isSmoothAt(options.inputs, random);
  }
  if (!found)
    return {Verdict::Discarded, "", "no inputs away from kinks"};
  if (leavesF32(module, options.inputs))
    return {Verdict::Discarded, "", "too large for f32"};
  check::CompiledReport report = check::checkCompiled(function, options);
  if (report.passed())
    return {};
  // The bound models how a program magnifies rounding (a norm of equal numbers
  // divides it by sqrt(eps)) and is off by a small factor at times. A wrong kernel is
  // off by far more, so such programs say nothing either way.
  bool isMarginal = report.error.empty() &&
                    llvm::all_of(report.ways, [](auto &way) { return way.passed; }) &&
                    llvm::all_of(report.rows, [](auto &row) {
                      return row.passed || row.isUnbounded || row.error <= 8 * row.bound;
                    });
  if (isMarginal)
    return {Verdict::Discarded, "", kCloseToBound};
  if (report.error.empty() && isNearDecision(module, options.inputs, seed))
    return {Verdict::Discarded, "", "a decision within rounding"};
  return {Verdict::Failed, report.error.empty() ? "compiled" : "compile error",
          report.error + "\n" + report.table()};
}
