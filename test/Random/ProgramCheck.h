//===- ProgramCheck.h - What must hold for any program ----------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMCHECK_H
#define TT_TEST_RANDOM_PROGRAMCHECK_H

#include "tt/Reference/Derivatives.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

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

/// Compiled values and gradients against the interpreter, twice (`quick` of
/// tt::check::CompiledCheckOptions); discarded where rounding decides.
Verdict checkCompiledProgram(mlir::ModuleOp module, uint64_t seed);

/// Gradients that must not change: with ops inserted that change nothing, of
/// the loss taken apart into its terms, and for sums of cotangents.
Verdict checkMetamorphic(mlir::ModuleOp module, uint64_t seed);

/// The same program in f64: constants that rules emit have the element type of
/// the program, and 1/5 in f32 is no truth.
mlir::OwningOpRef<mlir::ModuleOp> inF64(mlir::ModuleOp module);

/// The sum of products, or of their magnitudes.
double dotOf(const reference::Values &a, const reference::Values &b,
             bool ofMagnitudes = false);

} // namespace tt::test

#endif
