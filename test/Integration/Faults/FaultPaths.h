//===- FaultPaths.h - The ways to run a reported fault ----------*- C++ -*-===//
#ifndef TT_TEST_FAULTS_FAULTPATHS_H
#define TT_TEST_FAULTS_FAULTPATHS_H

#include "FaultFile.h"

#include <map>

namespace tt::test {

enum class Path {
  Interpreter, ///< in f64
  Typed,       ///< the interpreter, every value rounded to its type
  /// Compiled in all ways of tt/Check/CheckCompiled.h: fused and not, both schedules,
  /// each checkpoint policy, each vector level, 1, 2 and 4 threads. All have one way's
  /// bits, and that way's values are looked at.
  Compiled,
  /// @f as the first layer of a chain, so that checkpoint policies replay it. Two ways.
  Layered,
  /// Compiled after --tt-decompose: attention without tiles, losses and norms as the
  /// ops of their formulas. Two ways.
  Decomposed
};
inline constexpr Path kPaths[] = {Path::Interpreter, Path::Typed, Path::Compiled,
                                  Path::Layered, Path::Decomposed};
const char *nameOf(Path path);
bool roundsToF32(Path path);

/// What a path gives, or why it gives nothing.
struct Found {
  reference::Values results;
  std::map<unsigned, reference::AnyTensor<double>> gradients; // by argument
  std::string error;
};
Found runOn(Path path, const FaultFile &fault);
/// Path::Compiled, in two ways, with every float output x of its code off by
/// `by` (1 + |x|).
Found runPlanted(const FaultFile &fault, double by);

/// What is wrong with `found` by one line, or by all; empty: nothing.
std::string mistakeIn(const FaultFile &fault, const RightValue &right, const Found &found,
                      bool isF32);
std::string mistakesIn(const FaultFile &fault, const Found &found, bool isF32);

/// The smallest changes of `found` that `right` must not let pass: one per element that
/// it speaks of.
void forEachPlantedChange(const FaultFile &fault, const RightValue &right, const Found &found,
                          bool isF32, llvm::function_ref<void(const Found &)> visit);

/// A program that has @f as its first layer.
struct Layers {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  reference::Values inputs;
};
Layers asLayers(const FaultFile &fault);

} // namespace tt::test

#endif
