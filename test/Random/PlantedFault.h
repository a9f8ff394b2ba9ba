//===- PlantedFault.h - Faults put in on purpose ----------------*- C++ -*-===//
//
// A check that never fails proves nothing: tests plant a wrong rule, or wrong code,
// and see that the checks find it.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_RANDOM_PLANTEDFAULT_H
#define TT_TEST_RANDOM_PLANTEDFAULT_H

#include "tt/Reference/Derivatives.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace tt::test {

/// The float results of one op, or of the last op that its rule emits, are 1.001 times
/// what they should be, wherever the op is; `Offset` adds 1/1000 instead. No fault unless
/// one is parsed.
class PlantedFault {
public:
  enum Kind {
    None,
    Reverse,   // in adjoints
    Offset,    // in adjoints, which are then not linear in the cotangent
    Forward,   // in tangent functions
    Compiled,  // in every module that is compiled
    SecondWay, // in modules that are compiled without fusion, so that ways differ
  };

  /// "reverse:tt.gelu"; also offset, forward, compiled, second-way. Nothing with a text
  /// if it is none of these.
  static std::optional<PlantedFault> parse(llvm::StringRef text, std::string &error);
  const std::string &opName() const { return op; }

  /// Gives each op a location of its own with the op's name; what a rule emits has
  /// the location of its op. To be done before a module is differentiated.
  void mark(mlir::ModuleOp module) const;
  reference::Derivatives::Hook onPair() const;
  reference::Derivatives::Hook onTangent() const;
  /// Of a module that is about to be compiled.
  void changeCode(mlir::ModuleOp module, bool fuses) const;

private:
  Kind kind = None;
  std::string op;
};

} // namespace tt::test

#endif
