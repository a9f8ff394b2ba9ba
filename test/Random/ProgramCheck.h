//===- ProgramCheck.h - What must hold for any program ----------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMCHECK_H
#define TT_TEST_RANDOM_PROGRAMCHECK_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>

namespace tt::test {

struct Verdict {
  enum Kind {
    Passed,
    Discarded, // no fault, but nothing to check: values not finite, and so on
    Failed
  };
  Kind kind = Passed;
  std::string check; // the check that failed; shrinking keeps to it
  std::string text;
};

/// Derivatives of @loss in the interpreter, in f64: reverse against forward
/// rules (dot), against the complex step, against central differences at inputs
/// away from kinks.
Verdict checkDerivatives(mlir::ModuleOp module, uint64_t seed);

} // namespace tt::test

#endif
