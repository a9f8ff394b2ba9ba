//===- LossChain.h - The layers of an adjoint pair --------------*- C++ -*-===//
#ifndef TT_LIB_REMAT_LOSSCHAIN_H
#define TT_LIB_REMAT_LOSSCHAIN_H

#include "tt/AD/Adjoint.h"
#include "tt/AD/Residuals.h"
#include "tt/Remat/ChainPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {

/// A layer: its call in @f_fwd and the adjoint call in @f_bwd.
struct LayerCalls {
  AdjointPair pair; // of the layer
  mlir::func::CallOp forward, backward;
};

/// The calls of a pair that have adjoints, in forward order.
class LossChain {
public:
  static LossChain find(const AdjointPair &pair);

  AdjointPair pair;
  llvm::SmallVector<LayerCalls> layers;

  /// The value in @f_fwd that residual argument `i` of @f_bwd holds.
  mlir::Value residual(unsigned i) const { return residuals[i]; }
  /// The residual that argument `value` of @f_bwd is, or none.
  std::optional<unsigned> residualOf(mlir::Value value) const;
  /// The layer that an op of @f_fwd belongs to: the first call at or after it.
  /// None before the first call and after the last.
  std::optional<unsigned> layerOf(mlir::Operation *op) const;
  /// Bytes per layer.
  LayerChain measure() const;

private:
  void measureEnds(LayerChain &sizes) const;
  void findResiduals();
  void matchCalls();
  void assignOps();
  bool corresponds(mlir::Value backward, mlir::Value forward) const;
  bool ownsResidual(const AdjointPair &layer, mlir::func::CallOp backward,
                    mlir::func::CallOp forward) const;
  bool matches(const AdjointPair &layer, mlir::func::CallOp backward,
               mlir::func::CallOp forward) const;

  llvm::SmallVector<mlir::Value> residuals;
  llvm::DenseMap<mlir::Operation *, unsigned> layerOfOp;
};

/// Results that the primal has; those of its forward begin with them.
inline unsigned ownResults(const AdjointPair &pair) {
  return mlir::func::FuncOp(pair.primal).getNumResults();
}

} // namespace tt

#endif
