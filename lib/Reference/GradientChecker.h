//===- GradientChecker.h - The checks of one function -----------*- C++ -*-===//
//
// Internal to the room. Preparation, the exact checks and the run are in
// GradientCheck.cpp, what compares with differences of phi in DifferenceChecks.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef TT_REFERENCE_GRADIENTCHECKER_H
#define TT_REFERENCE_GRADIENTCHECKER_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/GradientCheck.h"
#include "tt/Reference/RandomInputs.h"

#include <cmath>

namespace tt::reference {

inline double dot(const Values &a, const Values &b) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a, b))
    for (int64_t i = 0; i < x.floats().size(); ++i)
      sum += x.floats()[i] * y.floats()[i];
  return sum;
}
/// The sum of the terms' magnitudes: what rounding errors are relative to.
inline double dotOfMagnitudes(const Values &a, const Values &b) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a, b))
    for (int64_t i = 0; i < x.floats().size(); ++i)
      sum += std::fabs(x.floats()[i] * y.floats()[i]);
  return sum;
}
inline double norm(const Values &a) { return std::sqrt(dot(a, a)); }

/// The checks of one function, whose rows and error go to a report.
class GradientChecker {
public:
  GradientChecker(mlir::ModuleOp module, mlir::func::FuncOp function,
                  const GradientCheckOptions &options, GradientReport &report)
      : module(module), function(function), options(options), report(report),
        random(options.seed) {}

  void run();

private:
  struct Direction {
    std::string name;
    Values v;
    int64_t argument = -1;
  };

  bool prepare();
  void noteLeftOut();
  bool goesOn() const;
  void checkEachArgument();
  Direction drawDirection(std::string name, int64_t only);
  void check(const Direction &direction);
  void noteHeld(const Direction &direction, GradientCheckRow &row);
  void checkTaylor(const Direction &direction);
  bool tryTaylor(const Direction &direction, int firstPower);
  void checkReached();
  void checkValues();
  void checkDot(const Direction &direction);
  void checkComplexStep(const Direction &direction);
  void checkCentral(const Direction &direction);
  bool tryCentral(const Direction &direction, int power);
  /// Until one passes; of those that fail the last stays in the report.
  void trySteps(std::initializer_list<int> powers,
                llvm::function_ref<bool(int)> attempt);
  double scaleAlong(const Direction &direction) const;

  /// phi(x + h v) = <u, f(x + h v)> and, in magnitude, the sum of its terms.
  double phi(const Values &v, double h, double *magnitude = nullptr);
  Values liveResults(const Values &results) const;
  Values drawTensors(llvm::ArrayRef<mlir::Type> types);
  void add(llvm::StringRef check, const Direction &direction, double value,
           double bound, std::string note = "");
  void fail(std::string text) {
    if (report.error.empty())
      report.error = std::move(text);
  }

  mlir::ModuleOp module;
  mlir::func::FuncOp function;
  const GradientCheckOptions &options;
  GradientReport &report;
  Random random;
  Derivatives derivatives;
  Recording recording;
  Values x, u, g;
  double phiAtX = 0, phiMagnitude = 0;
};

} // namespace tt::reference

#endif
