//===- Metamorphic.cpp - Gradients that must not change -------------------===//
#include "Identities.h"
#include "ProgramCheck.h"

#include "tt/IR/TTOps.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;
using namespace tt::test;

namespace {
constexpr double kBound = 1e-11; // of 1 + the norm of the gradient

/// Gradients of @loss in all float arguments, at given inputs.
struct Gradient {
  Derivatives derivatives;
  std::string error;

  explicit Gradient(ModuleOp module) {
    derivatives.build(module, module.lookupSymbol<func::FuncOp>("loss"), "all", error);
  }
  Values at(const Values &x, const Values &u) {
    Values g;
    if (error.empty())
      derivatives.pullBack(x, u, g, error);
    return g;
  }
};
} // namespace

static Tensor<double> scalar(double value) {
  Tensor<double> tensor{Shape()};
  tensor.data = {value};
  return tensor;
}

/// "" if a = b up to rounding, else where they differ.
static std::string difference(const Values &a, const Values &b) {
  if (a.size() != b.size())
    return "another number of gradients";
  double size = std::sqrt(dotOf(b, b)) + 1;
  for (size_t i = 0; i < a.size(); ++i)
    for (int64_t k = 0; k < a[i].floats().size(); ++k)
      if (!(std::fabs(a[i].floats()[k] - b[i].floats()[k]) <= kBound * size))
        return "gradient " + std::to_string(i) + ", element " + std::to_string(k) +
               ": found " + std::to_string(a[i].floats()[k]) + ", wanted " +
               std::to_string(b[i].floats()[k]);
  return "";
}

/// Replaces the result of @loss by the terms that it adds up.
static unsigned returnTerms(ModuleOp module) {
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
  return terms.size();
}

static Verdict checkParts(ModuleOp module, const Values &x, const Values &g, Random &random) {
  OwningOpRef<ModuleOp> apart = cast<ModuleOp>(module->clone());
  unsigned count = returnTerms(*apart);
  Gradient gradient(*apart);
  Values ones, u, w, both;
  for (unsigned i = 0; i < count; ++i) {
    double a = random.between(-1, 1), b = random.between(-1, 1);
    ones.push_back(scalar(1));
    u.push_back(scalar(a));
    w.push_back(scalar(b));
    both.push_back(scalar(2 * a + b));
  }
  Values sum = gradient.at(x, ones), gu = gradient.at(x, u), gw = gradient.at(x, w);
  Values gBoth = gradient.at(x, both);
  if (!gradient.error.empty())
    return {Verdict::Failed, "parts", gradient.error};
  if (std::string why = difference(sum, g); !why.empty())
    return {Verdict::Failed, "parts", why};
  for (size_t i = 0; i < gu.size(); ++i)
    for (int64_t k = 0; k < gu[i].floats().size(); ++k)
      gu[i].floats()[k] = 2 * gu[i].floats()[k] + gw[i].floats()[k];
  if (std::string why = difference(gBoth, gu); !why.empty())
    return {Verdict::Failed, "linear", why};
  return {};
}

Verdict tt::test::checkMetamorphic(ModuleOp module, uint64_t seed) {
  OwningOpRef<ModuleOp> wide = inF64(module);
  Random random(seed + 77);
  auto function = wide->lookupSymbol<func::FuncOp>("loss");
  Values x = randomInputs(function, random);
  Gradient plain(*wide);
  Values g = plain.at(x, {scalar(1)});
  if (!plain.error.empty())
    return {Verdict::Failed, "autodiff", plain.error};
  if (!std::isfinite(dotOf(g, g)))
    return {Verdict::Discarded, "", "not finite"};
  OwningOpRef<ModuleOp> padded = cast<ModuleOp>((*wide)->clone());
  insertIdentities(*padded, random);
  Gradient other(*padded);
  Values same = other.at(x, {scalar(1)});
  if (!other.error.empty())
    return {Verdict::Failed, "identity", other.error};
  if (std::string why = difference(same, g); !why.empty())
    return {Verdict::Failed, "identity", why};
  return checkParts(*wide, x, g, random);
}
