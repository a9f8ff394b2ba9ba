//===- TwinGradients.cpp - Derivatives of a twin against differences ------===//
#include "tt/Certify/Certificate.h"

#include "FaultyRule.h"
#include "tt/Certify/Twin.h"
#include "tt/IR/SourcePlace.h"
#include "tt/IR/TTDialect.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::certify;

static func::FuncOp publicFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return {};
}

/// Names the row's argument as the user does.
static Finding toFinding(func::FuncOp function, const reference::GradientCheckRow &row) {
  Finding finding;
  finding.check = row.check;
  finding.subject = row.check == "value" ? "the " + row.direction + " function"
                                         : "all parameters, " + row.direction;
  finding.value = row.value;
  finding.bound = row.bound;
  finding.isLowerBound = row.isLowerBound;
  finding.passed = row.passed;
  finding.note = row.note;
  finding.place = sourcePlace(function.getLoc());
  if (row.argument < 0)
    return finding;
  auto name = function.getArgAttrOfType<StringAttr>(row.argument, kParamAttr);
  finding.subject = name ? "parameter '" + name.str() + "'"
                         : "argument " + std::to_string(row.argument);
  finding.place = sourcePlace(function.getArgument(row.argument).getLoc());
  if (row.check == "reached" && !row.passed && row.value == 0)
    finding.note = "the loss does not depend on it: freeze it with tt.frozen, or "
                   "pass --allow-unreached";
  return finding;
}

reference::GradientCheckOptions tt::certify::gradientOptions(StringRef function,
                                                             uint64_t seed, int draw) {
  reference::GradientCheckOptions options;
  options.function = function.str();
  options.wrt = "params";
  options.seed = seed + uint64_t(draw) * 0x9E3779B9u;
  options.directions = 2;
  options.eachArgument = true;
  return options;
}

/// How far a number is on the wrong side of its bound; NaN is the worst.
static bool isWorse(const Finding &a, const Finding &b) {
  if (a.passed != b.passed)
    return !a.passed;
  return a.isLowerBound ? a.value < b.value : a.value > b.value;
}

/// Keeps the worst finding of each check of each subject.
static void keepWorst(Part &part, Finding finding) {
  for (Finding &other : part.findings) {
    if (other.check != finding.check || other.subject != finding.subject ||
        other.bound != finding.bound)
      continue;
    if (isWorse(finding, other))
      other = std::move(finding);
    return;
  }
  part.findings.push_back(std::move(finding));
}

/// The op that first makes a NaN at the point of `seed`, or "".
static std::string findNan(func::FuncOp function, uint64_t seed) {
  reference::Options options;
  options.nanIsError = true;
  reference::Random random(seed); // as the gradient check draws its inputs
  auto inputs = reference::randomInputs(function, random);
  return reference::Interpreter<double>(function->getParentOfType<ModuleOp>(), options)
      .run(function.getSymName(), inputs)
      .error;
}

bool tt::certify::checkTwinGradients(ModuleOp twin, uint64_t seed,
                                     const reference::Derivatives::Hook &onPair,
                                     bool allowUnreached, Part &part, std::string &error,
                                     const reference::Derivatives::Hook &onTangent) {
  OwningOpRef<ModuleOp> wide = cast<ModuleOp>(twin->clone());
  toF64(*wide);
  func::FuncOp function = publicFunction(*wide);
  if (!function) {
    error = "error: certificate: the twin has no public function";
    return false;
  }
  for (int draw = 0; draw < kDraws; ++draw) {
    reference::GradientCheckOptions options =
        gradientOptions(function.getSymName(), seed, draw);
    options.onPair = onPair;
    options.onTangent = onTangent;
    options.allowUnreached = true; // whether it may be is the compilation's to say
    if (std::string nan = findNan(function, options.seed); !nan.empty()) {
      error = nan + ", so nothing can be certified: the argument attribute "
                    "check.range = [LOW, HIGH] says which values it is for";
      return false;
    }
    reference::GradientReport report = reference::checkGradient(*wide, options);
    if (!report.error.empty()) {
      error = report.error;
      return false;
    }
    part.leftOut = report.leftOut; // the same for every draw
    bool isRight = true;
    for (const reference::GradientCheckRow &row : report.rows) {
      Finding finding = toFinding(function, row);
      finding.passed |= allowUnreached && row.check == "reached" && row.value == 0;
      isRight &= finding.passed || (row.check == "reached" && row.value == 0);
      keepWorst(part, std::move(finding));
    }
    if (!isRight) {
      part.fault = findFaultyRule(*wide, function, options);
      break;
    }
  }
  return true;
}
