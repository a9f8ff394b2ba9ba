//===- Subject.h - What is mutated and how it is judged ---------*- C++ -*-===//
#ifndef TT_TEST_MUTATION_SUBJECT_H
#define TT_TEST_MUTATION_SUBJECT_H

#include "Mutate.h"
#include "../Common/AttentionCase.h"

#include "tt/Certify/KernelSample.h"
#include "tt/Reference/GradientCheck.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace tt::test {

/// A program that the compiler has emitted code for, and the part of the certificate
/// that must refuse wrong code.
class Subject {
public:
  explicit Subject(std::string name) : name(std::move(name)) {}
  virtual ~Subject() = default;

  /// Keeps the emitted code; the text of what is wrong with it unchanged, or "".
  virtual std::string prepare() = 0;
  /// The code of one kind, as it was emitted; null if there is none.
  virtual mlir::ModuleOp emitted(Kind kind) = 0;
  /// True if the certificate accepts the mutant.
  virtual bool survives(const Mutant &mutant) = 0;
  /// False if the changed op is in a loop of no trip at the program's sizes.
  virtual bool runs(const Mutant &) { return true; }

  const std::string name;
};

/// A function: its adjoint and its tangent function, by the gradient part.
class GradientSubject : public Subject {
public:
  GradientSubject(std::string name, std::string wrt, std::string function,
                  mlir::OwningOpRef<mlir::ModuleOp> module,
                  std::vector<reference::AnyTensor<double>> inputs);

  std::string prepare() override;
  mlir::ModuleOp emitted(Kind kind) override;
  bool survives(const Mutant &mutant) override;

private:
  using Hook = std::function<bool(mlir::ModuleOp, std::string &)>;
  reference::GradientReport check(const Hook &onPair, const Hook &onTangent);

  std::string wrt, function;
  mlir::OwningOpRef<mlir::ModuleOp> module, pair, tangent;
  std::vector<reference::AnyTensor<double>> inputs;
};

/// A kernel of attention or of its adjoint: its tile loops, by the kernels' part. The
/// loops stand for the code that is emitted in their place; f32, as that is.
class TileSubject : public Subject {
public:
  TileSubject(mlir::MLIRContext &context, AttentionCase form, bool isAdjoint);

  std::string prepare() override;
  mlir::ModuleOp emitted(Kind kind) override;
  bool survives(const Mutant &mutant) override;
  bool runs(const Mutant &mutant) override;

private:
  /// Random operands and what the op makes of them.
  struct Draw {
    std::vector<reference::AnyTensor<double>> inputs, ideal, typed;
  };
  std::string draw(uint64_t seed);
  bool passes(mlir::ModuleOp loops) const;

  mlir::MLIRContext &context;
  AttentionCase form;
  bool isAdjoint;
  mlir::OwningOpRef<mlir::ModuleOp> module, tiled;
  std::vector<Draw> draws;
  llvm::DenseSet<mlir::Value> seen; // of the loops, in their runs
  int64_t depth = 1;
};

/// Shapes with whole tiles, tiles cut short, and each feature of the mask.
std::vector<std::unique_ptr<Subject>> tileSubjects(mlir::MLIRContext &context);

} // namespace tt::test

#endif
