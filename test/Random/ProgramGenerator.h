//===- ProgramGenerator.h - Random valid tt programs ------------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMGENERATOR_H
#define TT_TEST_RANDOM_PROGRAMGENERATOR_H

#include "Snippets.h"

#include "tt/Reference/RandomInputs.h"

namespace tt::test {

/// Makes @loss, a function of parameters and inputs that ends in one scalar.
/// Rows of the op table are strung together: an operand is an earlier value,
/// brought to its shape by reshape, slice, pad, broadcast or transpose, or a new
/// argument. Every float value reaches the loss. Some programs have a layer function
/// that is called several times or repeated, some a call with rules of its own. The
/// same seed gives the same program.
class ProgramGenerator {
public:
  explicit ProgramGenerator(mlir::MLIRContext &context);

  mlir::OwningOpRef<mlir::ModuleOp> generate(uint64_t seed) const;
  size_t numSnippets() const { return snippets.size(); }

private:
  mlir::MLIRContext &context;
  SnippetChoice snippets;
};

} // namespace tt::test

#endif
