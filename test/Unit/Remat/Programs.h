//===- Programs.h - Chains that the tests of remat compile ------*- C++ -*-===//
#ifndef TT_TEST_UNIT_REMAT_PROGRAMS_H
#define TT_TEST_UNIT_REMAT_PROGRAMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>

namespace tt::test {

struct GPTShape {
  int64_t layers, batch, sequence, width, heads;
  double dropout = 0;
};
/// Blocks of attention and GELU, loss = mean of the last activation's square.
std::string gptProgram(const GPTShape &shape);
/// 16 calls of tanh on f32 [1024, 1024], or smaller; loss = sum.
std::string tanhProgram(int64_t size);
/// A chain of layers of several kinds: with and without residuals of their own,
/// with a side input, with a key, with two activations in and out, with ops
/// between them, some with frozen weights.
std::string randomProgram(uint64_t seed);

mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text);
/// Canonicalize, CSE, autodiff, canonicalize, CSE, checkpoint.
void differentiate(mlir::ModuleOp module, const std::string &policy,
                   int64_t segments = 0);
/// The checkpoint pass alone.
void checkpoint(mlir::ModuleOp module, const std::string &policy, int64_t segments = 0);
/// Training step and gradient entry, canonicalize, CSE.
void buildEntries(mlir::ModuleOp module);
/// The same, kernels, step, memory plan.
void buildStep(mlir::ModuleOp module);

} // namespace tt::test

#endif
