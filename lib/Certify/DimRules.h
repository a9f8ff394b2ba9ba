//===- DimRules.h - What each op asks of its dimensions ---------*- C++ -*-===//
#ifndef TT_LIB_CERTIFY_DIMRULES_H
#define TT_LIB_CERTIFY_DIMRULES_H

#include "tt/Certify/DimGraph.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt::certify {

inline unsigned rankOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

/// Operands and results that have dimensions.
llvm::SmallVector<mlir::Value> tensorsOf(mlir::Operation *op);

/// The rules of one op, by kind.
class Rules {
public:
  Rules(mlir::Operation *op, DimGraph &graph) : op(op), graph(graph) {}

  /// Unifies the first `count` dimensions of two values.
  void unifyLeading(mlir::Value a, mlir::Value b, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      graph.unify(a, i, b, i);
  }
  void unifyAll(mlir::Value a, mlir::Value b) {
    if (rankOf(a) == rankOf(b))
      unifyLeading(a, b, rankOf(a));
  }
  void unifyLast(mlir::Value a, mlir::Value b) {
    graph.unify(a, rankOf(a) - 1, b, rankOf(b) - 1);
  }
  void keep(mlir::Value value, unsigned dim, Sampling sampling = Sampling::None) {
    graph.limitSampling(graph.of(value, dim), sampling);
  }
  void keepAll() {
    for (mlir::Value value : tensorsOf(op))
      for (unsigned i = 0; i < rankOf(value); ++i)
        keep(value, i);
  }

  void sameShapes();
  void byValue();
  void broadcast(BroadcastOp broadcast);
  void reshape(mlir::Value from, mlir::Value to);
  void transpose(TransposeOp transpose);
  void slices(SliceOp slice);
  void pad(PadOp pad);
  void concat(ConcatOp concat);
  void take(TakeOp take);
  void reduce(mlir::Value input, mlir::Value output, llvm::ArrayRef<int64_t> dims);
  void linear(LinearOp linear);
  void matmul(MatmulOp matmul);
  void rows();
  void attention(mlir::Value q, mlir::Value k);
  void crossEntropy(mlir::Value logits, mlir::Value targets, mlir::Value weights, bool isMean);
  void groupNorm(GroupNormOp norm);
  void embedding(mlir::Value table, mlir::Value ids, mlir::Value rows);
  void dropout(DropoutOp dropout);
  bool call(mlir::FlatSymbolRefAttr symbol, mlir::ValueRange operands,
            mlir::ValueRange results, std::string &error);
  bool customVjp(CustomVjpOp custom, std::string &error);
  void bias(mlir::Value q, mlir::Value k, mlir::Value bias);
  /// What changes the scores of an attention or of its adjoint.
  template <typename Op> void scores(mlir::Value q, mlir::Value k, Op op) {
    if (op.getQSegments()) {
      unifyLeading(op.getQSegments(), q, 1);
      graph.unify(op.getQSegments(), 1, q, 2);
      unifyLeading(op.getKSegments(), k, 1);
      graph.unify(op.getKSegments(), 1, k, 2);
    }
    for (mlir::Value perHead : {op.getSlopes(), op.getSinks()})
      if (perHead)
        graph.unify(perHead, 0, q, 1);
    if (op.getBias())
      bias(q, k, op.getBias());
    if (op.getSlopes() || op.getSinks()) // heads differ, but by values only
      keep(q, 1);
    if (op.getKey()) { // random bits by the place inside a sample
      keep(q, 0, Sampling::Prefix);
      keep(q, 1);
    }
  }

private:
  mlir::Operation *op;
  DimGraph &graph;
};

} // namespace tt::certify

#endif
