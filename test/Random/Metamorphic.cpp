//===- Metamorphic.cpp - Gradients that must not change -------------------===//
#include "Identities.h"
#include "ProgramCheck.h"
#include "Roundings.h"

#include "tt/Check/ErrorBound.h"
#include "tt/IR/TTOps.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;
using namespace tt::test;

namespace {
// Of 1 + the norm of the gradient; past that, what rounding does to both sides
// decides: a norm of equal numbers magnifies it.
constexpr double kBound = 1e-11;

/// Gradients of @loss in all float arguments, at given inputs.
struct Gradient {
  Derivatives derivatives;
  std::string error;

  Gradient(ModuleOp module, const PlantedFault &fault) {
    fault.mark(module);
    derivatives.build(module, module.lookupSymbol<func::FuncOp>("loss"), "all", error,
                      fault.onPair(), fault.onTangent());
  }
  Values at(const Values &x, const Values &u) {
    Values g;
    if (error.empty())
      derivatives.pullBack(x, u, g, error);
    return g;
  }
};

/// Two ways to one gradient, each a sum of gradients with factors.
class Comparison {
public:
  Comparison(Values x, Random &random) : x(std::move(x)), random(random) {}

  void find(Gradient &gradient, const Values &u) { add(found, gradient, u, 1); }
  void want(Gradient &gradient, const Values &u, double factor = 1) {
    add(wanted, gradient, u, factor);
  }
  /// "" if both sides agree up to rounding, else where they differ.
  std::string difference();

private:
  struct Term {
    Gradient *gradient;
    Values u;
    double factor;
  };
  void add(Values &side, Gradient &gradient, const Values &u, double factor);
  Values spread();

  Values x, found, wanted;
  std::vector<Term> terms;
  Random &random;
  std::string error;
};
} // namespace

static Tensor<double> scalar(double value) {
  return Tensor<double>({}, std::vector<double>{value});
}

static void accumulate(Values &sum, const Values &g, double factor) {
  if (sum.empty())
    for (const AnyTensor<double> &value : g)
      sum.push_back(Tensor<double>(value.shape()));
  for (auto [to, from] : llvm::zip_equal(sum, g))
    for (int64_t k = 0; k < to.floats().size(); ++k)
      to.floats()[k] += factor * from.floats()[k];
}

void Comparison::add(Values &side, Gradient &gradient, const Values &u, double factor) {
  Values g = gradient.at(x, u);
  if (!gradient.error.empty())
    error = gradient.error;
  if (error.empty())
    accumulate(side, g, factor);
  terms.push_back({&gradient, u, factor});
}

Values Comparison::spread() {
  Values sum;
  for (const Term &term : terms)
    accumulate(sum, gradientSpread(term.gradient->derivatives, x, term.u, random),
               std::fabs(term.factor));
  return sum;
}

std::string Comparison::difference() {
  if (!error.empty())
    return error;
  if (found.size() != wanted.size())
    return "another number of gradients";
  double bound = kBound * (std::sqrt(dotOf(wanted, wanted)) + 1);
  Values rounding;
  for (size_t i = 0; i < found.size(); ++i)
    for (int64_t k = 0; k < found[i].floats().size(); ++k) {
      double a = found[i].floats()[k], b = wanted[i].floats()[k];
      if (std::fabs(a - b) <= bound)
        continue;
      if (rounding.empty())
        rounding = spread();
      double wider = bound + check::kElementFactor * rounding[i].floats()[k];
      if (!(std::fabs(a - b) <= wider))
        return llvm::formatv("gradient {0}, element {1}: found {2}, wanted {3} within {4}",
                             i, k, a, b, wider);
    }
  return "";
}

/// Replaces the result of @loss by the terms that it adds up.
static void returnTerms(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("loss");
  Operation *terminator = function.getBody().front().getTerminator();
  SmallVector<Value> open{terminator->getOperand(0)}, terms;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    auto add = value.getDefiningOp<AddOp>();
    if (add && value.hasOneUse())
      open.append({add.getLhs(), add.getRhs()});
    else
      terms.push_back(value);
  }
  terminator->setOperands(terms);
  SmallVector<Type> types(terms.size(), terms.front().getType());
  function.setType(FunctionType::get(module.getContext(), function.getArgumentTypes(), types));
  function.removeResAttrsAttr();
}

static Verdict verdictOf(StringRef check, Comparison &comparison) {
  std::string why = comparison.difference();
  return why.empty() ? Verdict() : Verdict{Verdict::Failed, check.str(), why};
}

/// The sum of the terms' gradients is the gradient; sums of cotangents pull back to
/// sums.
static Verdict checkParts(ModuleOp module, Gradient &plain, const Values &x, Random &random,
                          const PlantedFault &fault) {
  OwningOpRef<ModuleOp> apart = cast<ModuleOp>(module->clone());
  returnTerms(*apart);
  Gradient gradient(*apart, fault);
  Values ones, u, w, both;
  // Terms that no parameter reaches have no cotangent.
  for (size_t i = 0; i < gradient.derivatives.live().size(); ++i) {
    double a = random.between(-1, 1), b = random.between(-1, 1);
    ones.push_back(scalar(1));
    u.push_back(scalar(a));
    w.push_back(scalar(b));
    both.push_back(scalar(2 * a + b));
  }
  Comparison parts(x, random);
  parts.find(gradient, ones);
  parts.want(plain, {scalar(1)});
  if (Verdict verdict = verdictOf("parts", parts); verdict.kind != Verdict::Passed)
    return verdict;
  Comparison linear(x, random);
  linear.find(gradient, both);
  linear.want(gradient, u, 2);
  linear.want(gradient, w);
  return verdictOf("linear", linear);
}

Verdict tt::test::checkMetamorphic(ModuleOp module, uint64_t seed,
                                   const PlantedFault &fault) {
  OwningOpRef<ModuleOp> wide = inF64(module);
  Random random(seed + 77);
  Values x = randomInputs(wide->lookupSymbol<func::FuncOp>("loss"), random);
  Gradient plain(*wide, fault);
  Values g = plain.at(x, {scalar(1)});
  if (!plain.error.empty())
    return {Verdict::Failed, "autodiff", plain.error};
  if (!std::isfinite(dotOf(g, g)))
    return {Verdict::Discarded, "", "not finite"};
  OwningOpRef<ModuleOp> padded = cast<ModuleOp>((*wide)->clone());
  insertIdentities(*padded, random);
  Gradient other(*padded, fault);
  Comparison identity(x, random);
  identity.find(other, {scalar(1)});
  identity.want(plain, {scalar(1)});
  if (Verdict verdict = verdictOf("identity", identity); verdict.kind != Verdict::Passed)
    return verdict;
  return checkParts(*wide, plain, x, random, fault);
}
