//===- DimGraph.h - Which dimensions of a graph are one size ----*- C++ -*-===//
//
// Every dimension of every value of a graph as a variable, and the equations
// between them that the ops ask for. The twin of a graph and the sampled rows
// of a kernel are both other solutions of these equations.
//
//===----------------------------------------------------------------------===//
#ifndef TT_CERTIFY_DIMGRAPH_H
#define TT_CERTIFY_DIMGRAPH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <string>
#include <vector>

namespace tt::certify {

/// Which positions of a dimension may be left out without changing the values
/// at the others: any, all after the first few, or none.
enum class Sampling { Any, Prefix, None };

/// An equation or a condition between dimensions.
struct SizeRule {
  enum Kind {
    Product, // the products of both sides are equal
    Sum,     // left[0] is the sum of right
    Multiple // left[0] is a multiple of right[0]
  } kind;
  llvm::SmallVector<unsigned> left, right;
  mlir::Operation *op; // that asks for it
};

class DimGraph {
public:
  using Dim = unsigned;

  /// Reads all functions, or the one kernel, inside `root`. False, and an error
  /// that names the op, if an op's sizes are not understood.
  bool build(mlir::Operation *root, std::string &error);

  /// The class of a dimension of a value.
  Dim of(mlir::Value value, unsigned dim) { return find(dims(value)[dim]); }
  /// A size that an attribute of `op` holds, such as the start of a slice.
  Dim &attribute(mlir::Operation *op, llvm::StringRef name);
  bool hasAttribute(mlir::Operation *op, llvm::StringRef name) const {
    return attributes.count({op, name.str()});
  }

  unsigned count() const { return unsigned(parents.size()); }
  Dim find(Dim dim) const;
  int64_t size(Dim dim) const { return sizes[find(dim)]; }
  bool isFixed(Dim dim) const { return fixed[find(dim)]; }
  Sampling sampling(Dim dim) const { return samplings[find(dim)]; }
  /// The least size that still shows several tiles.
  int64_t wantedSize(Dim dim) const { return wanted[find(dim)]; }
  /// A tensor of these is a table whose rows index inputs pick.
  llvm::ArrayRef<Dim> tables() const { return tableDims; }
  llvm::ArrayRef<SizeRule> rules() const { return sizeRules; }

  // For the rules of the ops.
  Dim add(int64_t size);
  Dim constant(int64_t size);
  void unify(Dim a, Dim b);
  void unify(mlir::Value a, unsigned i, mlir::Value b, unsigned j) {
    unify(dims(a)[i], dims(b)[j]);
  }
  void rule(SizeRule rule) { sizeRules.push_back(std::move(rule)); }
  void fix(Dim dim) { fixed[find(dim)] = true; }
  void want(Dim dim, int64_t size);
  void limitSampling(Dim dim, Sampling sampling);
  void addTable(Dim dim) { tableDims.push_back(dim); }
  llvm::ArrayRef<Dim> dims(mlir::Value value);

private:
  void addFunction(mlir::Operation *function);

  bool hasConflict = false;
  std::vector<Dim> parents;
  std::vector<int64_t> sizes, wanted;
  std::vector<char> fixed; // char: references to it are taken
  std::vector<Sampling> samplings;
  std::vector<SizeRule> sizeRules;
  std::vector<Dim> tableDims;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Dim>> valueDims;
  std::map<std::pair<mlir::Operation *, std::string>, Dim> attributes;
};

/// Adds what `op` asks of its dimensions. False, with an error, if it cannot
/// be said.
bool addOpRules(mlir::Operation *op, DimGraph &graph, std::string &error);

/// Small sizes, one per dimension, that satisfy all rules; distinct for distinct
/// classes where the rules allow it. False if none was found.
bool solveSmall(const DimGraph &graph, std::vector<int64_t> &sizes);

/// "FILE:LINE:COL: error: 'OP' op MESSAGE".
std::string errorAt(mlir::Operation *op, const llvm::Twine &message);

} // namespace tt::certify

#endif
