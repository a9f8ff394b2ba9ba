//===- Certificate.h - What was checked, and how it came out ----*- C++ -*-===//
#ifndef TT_CERTIFY_CERTIFICATE_H
#define TT_CERTIFY_CERTIFICATE_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/GradientCheck.h"

#include <string>
#include <vector>

namespace tt::certify {

/// One number against its bound.
struct Finding {
  std::string check;   // central, dot, taylor, reached, same-bits, kernel, ...
  std::string subject; // a parameter, a kernel, a variant
  std::string place;   // "file:line" of the graph, or ""
  double value = 0, bound = 0;
  bool isLowerBound = false; // value must reach bound; else not exceed it
  bool passed = false;
  std::string note;
};

/// One part of a certificate.
struct Part {
  std::string name;
  std::vector<Finding> findings;
  std::string note;
  double seconds = 0;

  /// The first finding that failed; null if there is none.
  const Finding *failure() const;
};

struct Certificate {
  std::string version; // of the tool
  uint64_t seed = 1;
  std::vector<Part> parts;

  bool passed() const;
  /// A JSON object.
  std::string json() const;
  /// "FILE:LINE: error: certificate: ..." of the first failure; "" if passed.
  std::string failure() const;
};

/// A gradient is checked at this many random points: at one of them a kink or a
/// zero may hide an error.
inline constexpr int kDraws = 3;
/// What is asked at point `draw` of the trainable parameters of `function`.
reference::GradientCheckOptions gradientOptions(llvm::StringRef function, uint64_t seed,
                                                int draw);

/// Taylor slope, dot test, complex step and central differences of the only
/// public function of `twin` in all its trainable parameters, and dot test and
/// differences by parameter; each must have a gradient. `onPair` may change the
/// pair first, as a pipeline does. The worst of all draws is kept. False, with a
/// text, if nothing could be checked.
bool checkTwinGradients(mlir::ModuleOp twin, uint64_t seed,
                        const reference::Derivatives::PairHook &onPair,
                        bool allowUnreached, Part &part, std::string &error);

/// "file:line" of the first file location inside `loc`, or "".
std::string placeOf(mlir::Location loc);

} // namespace tt::certify

#endif
