//===- Certificate.h - What was checked, and how it came out ----*- C++ -*-===//
#ifndef TT_CERTIFY_CERTIFICATE_H
#define TT_CERTIFY_CERTIFICATE_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/GradientCheck.h"

#include <optional>
#include <string>
#include <vector>

namespace tt::certify {

/// One number against its bound.
struct Finding {
  std::string check;   // central, dot, taylor, reached, same-bits, kernel, ...
  std::string subject; // a parameter, a kernel, a variant
  std::string place;   // "file:line:col" of the graph, or ""
  double value = 0, bound = 0;
  bool isLowerBound = false; // value must reach bound; else not exceed it
  bool passed = false;
  std::string note;
};

/// What the ops of a twin whose gradients are wrong showed one by one.
struct RuleFault {
  std::string op;    // whose rule is wrong; "" if none is wrong by itself
  std::string place; // "file:line:col" of the op, or ""
  std::string rule;  // "reverse" or "forward"
  std::string check; // that it fails, with value and bound
  int64_t operand = -1; // the only one that was moved; -1: all
  double value = 0, bound = 0;
  bool isLowerBound = false;
  int notChecked = 0; // ops before it whose values are not finite, and the like

  bool isFound() const { return !op.empty(); }
  std::string text() const;
};

/// One part of a certificate.
struct Part {
  std::string name;
  std::vector<Finding> findings;
  std::optional<RuleFault> fault; // of gradients that failed
  std::vector<reference::LeftOutCheck> leftOut;
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
/// pair first, as a pipeline does, and `onTangent` the forward-mode function. The
/// worst of all draws is kept; after one that fails, the rules of the ops are asked
/// one by one. False, with a text, if nothing could be checked.
bool checkTwinGradients(mlir::ModuleOp twin, uint64_t seed,
                        const reference::Derivatives::Hook &onPair,
                        bool allowUnreached, Part &part, std::string &error,
                        const reference::Derivatives::Hook &onTangent = {});

} // namespace tt::certify

#endif
