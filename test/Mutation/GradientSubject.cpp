//===- GradientSubject.cpp - Adjoints and tangents against the gradient part ===//
#include "Subject.h"

#include "tt/Certify/Certificate.h"

using namespace tt;
using namespace tt::test;

GradientSubject::GradientSubject(std::string name, std::string wrt, std::string function,
                                 mlir::OwningOpRef<mlir::ModuleOp> module,
                                 std::vector<reference::AnyTensor<double>> inputs)
    : Subject(std::move(name)), wrt(std::move(wrt)), function(std::move(function)),
      module(std::move(module)), inputs(std::move(inputs)) {}

/// Rows of the op table may hold an argument whose gradient is 0.
static bool passes(const reference::GradientReport &report) {
  return report.error.empty() &&
         llvm::all_of(report.rows, [](const reference::GradientCheckRow &row) {
           return row.passed || (row.check == "reached" && row.value == 0);
         });
}

/// What checkTwinGradients of the certificate asks, up to the first failure; the
/// first point is that of the row, if it has one.
reference::GradientReport GradientSubject::check(const Hook &onPair,
                                                 const Hook &onTangent) {
  reference::GradientReport report;
  for (int draw = 0; draw < certify::kDraws; ++draw) {
    reference::GradientCheckOptions options = certify::gradientOptions(function, 1, draw);
    options.wrt = wrt;
    options.stopAtFailure = true;
    options.onPair = onPair;
    options.onTangent = onTangent;
    if (draw == 0)
      options.inputs = inputs;
    report = reference::checkGradient(*module, options);
    if (!passes(report))
      break;
  }
  return report;
}

std::string GradientSubject::prepare() {
  auto keep = [](mlir::OwningOpRef<mlir::ModuleOp> &kept) {
    return [&kept](mlir::ModuleOp derived, std::string &) {
      kept = mlir::cast<mlir::ModuleOp>(derived->clone());
      return true;
    };
  };
  reference::GradientReport report = check(keep(pair), keep(tangent));
  if (passes(report))
    return "";
  return report.error.empty() ? report.table() : report.error;
}

mlir::ModuleOp GradientSubject::emitted(Kind kind) {
  return kind == Kind::Adjoint   ? *pair
         : kind == Kind::Tangent ? *tangent
                                 : mlir::ModuleOp();
}

bool GradientSubject::survives(const Mutant &mutant) {
  Hook change = [&](mlir::ModuleOp derived, std::string &) { return mutant.apply(derived); };
  bool isAdjoint = mutant.kind == Kind::Adjoint;
  return passes(check(isAdjoint ? change : Hook(), isAdjoint ? Hook() : change));
}
