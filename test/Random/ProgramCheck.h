//===- ProgramCheck.h - What must hold for any program ----------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMCHECK_H
#define TT_TEST_RANDOM_PROGRAMCHECK_H

#include "PlantedFault.h"

#include "tt/AOT/ObjectCache.h"

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
  std::string text;  // numbers of a failure, reason of a discard
};

/// Why a program is discarded whose compiled results are within 8 bounds, but not one.
inline constexpr char kCloseToBound[] = "close to the bound";

/// Derivatives of @loss in the interpreter, in f64: reverse against forward
/// rules (dot), against the complex step, against central differences at inputs
/// away from kinks.
Verdict checkDerivatives(mlir::ModuleOp module, uint64_t seed,
                         const PlantedFault &fault = {});

/// Compiled values and gradients against the interpreter, twice (`quick` of
/// tt::check::CompiledCheckOptions); discarded where rounding decides. Kernels that
/// `objects` has are not compiled again.
Verdict checkCompiledProgram(mlir::ModuleOp module, uint64_t seed,
                             const PlantedFault &fault = {},
                             aot::ObjectCache *objects = nullptr);

/// Gradients that must not change: with ops inserted that change nothing, of
/// the loss taken apart into its terms, and for sums of cotangents.
Verdict checkMetamorphic(mlir::ModuleOp module, uint64_t seed,
                         const PlantedFault &fault = {});

/// The same program in f64: constants that rules emit have the element type of
/// the program, and 1/5 in f32 is no truth.
mlir::OwningOpRef<mlir::ModuleOp> inF64(mlir::ModuleOp module);

/// The sum of products, or of their magnitudes.
double dotOf(const reference::Values &a, const reference::Values &b,
             bool ofMagnitudes = false);

} // namespace tt::test

#endif
