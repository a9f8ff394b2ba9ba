//===- EmitKernel.cpp - From a tt.kernel to its emitter -------------------===//
#include "tt/Lowering/CPU/EmitKernel.h"
#include "InPlace.h"
#include "KernelEmitters.h"
#include "ElementBuilder.h"
#include "MaxPlace.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

/// Collects the ops that are no part of a prologue or epilogue.
static LogicalResult findAnchors(KernelOp kernel,
                                 SmallVectorImpl<Operation *> &anchors) {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    std::string why;
    if (ElementBuilder::canPull(&op, why))
      continue;
    if (!why.empty())
      return op.emitError() << "'" << op.getName() << "' " << why;
    for (Type type : op.getOperandTypes())
      if (Type element = getElementTypeOrSelf(type);
          element.isBF16() || element.isF16())
        return op.emitError() << "'" << op.getName() << "' of element type "
                              << element << " is not lowered on the CPU yet";
    anchors.push_back(&op);
  }
  return success();
}

/// The reduced dimensions of a sum, mean, max or min; empty for other ops.
static SmallVector<int64_t> reducedDims(Operation *op) {
  if (auto sum = dyn_cast<SumOp>(op))
    return SmallVector<int64_t>(sum.getDims());
  if (auto mean = dyn_cast<MeanOp>(op))
    return SmallVector<int64_t>(mean.getDims());
  if (std::optional<Extremum> extremum = getExtremum(op))
    return {extremum->dim};
  return {};
}

static LogicalResult emitReduction(const KernelJob &job,
                                   ArrayRef<Operation *> anchors,
                                   EmittedKernel &emitted) {
  Operation *first = anchors.front();
  int64_t rank =
      cast<RankedTensorType>(first->getOperand(0).getType()).getRank();
  SmallVector<int64_t> dims = reducedDims(first);
  bool keepsLast = !llvm::is_contained(dims, rank - 1) && !getExtremum(first);
  if (keepsLast)
    return emitColumnKernel(job, anchors, emitted);
  if (anchors.size() == 1 && dims.size() == 1 && dims[0] == rank - 1)
    return emitRowKernel(job, first, emitted);
  if (anchors.size() == 1)
    return emitReduceKernel(job, first, emitted);
  return anchors[1]->emitError()
         << "'" << anchors[1]->getName() << "' in a kernel with '"
         << first->getName() << "' is not lowered on the CPU";
}

static LogicalResult dispatch(const KernelJob &job,
                              ArrayRef<Operation *> anchors,
                              EmittedKernel &emitted) {
  if (anchors.empty())
    return emitElementwiseKernel(job, emitted);
  bool sums = llvm::all_of(anchors, [&](Operation *op) {
    return isa<SumOp, MeanOp>(op) &&
           reducedDims(op) == reducedDims(anchors.front()) &&
           cast<RankedTensorType>(op->getOperand(0).getType()).getShape() ==
               cast<RankedTensorType>(
                   anchors.front()->getOperand(0).getType())
                   .getShape();
  });
  if (sums)
    return emitReduction(job, anchors, emitted);
  if (anchors.size() > 1)
    return anchors[1]->emitError()
           << "expected one op that is not elementwise in a kernel, but got '"
           << anchors[0]->getName() << "' and '" << anchors[1]->getName()
           << "'";
  return llvm::TypeSwitch<Operation *, LogicalResult>(anchors.front())
      .Case<MaxOp, MinOp, ArgMaxOp, ArgMinOp>([&](Operation *) {
        return emitReduction(job, anchors, emitted);
      })
      .Case<SoftmaxOp, SoftmaxBwdOp, LayerNormOp, LayerNormBwdOp, RMSNormOp,
            RMSNormBwdOp>(
          [&](Operation *op) { return emitRowKernel(job, op, emitted); })
      .Case<CrossEntropyOp>([&](CrossEntropyOp op) {
        return emitCrossEntropyKernel(job, op, emitted);
      })
      .Case<CrossEntropyBwdOp>([&](CrossEntropyBwdOp op) {
        return emitCrossEntropyBwdKernel(job, op, emitted);
      })
      .Case<LinearOp, MatmulOp>(
          [&](Operation *op) { return emitMatmulKernel(job, op, emitted); })
      .Case<AttentionOp, AttentionBwdOp>(
          [&](Operation *op) { return emitAttentionKernel(job, op, emitted); })
      .Case<EmbeddingBwdOp, ScatterAddRowsOp>(
          [&](Operation *op) { return emitScatterKernel(job, op, emitted); })
      .Case<CumSumOp, ScatterAlongOp, SortOp, TopKOp>(
          [&](Operation *op) { return emitLineKernel(job, op, emitted); })
      .Case<AdamWOp>(
          [&](AdamWOp op) { return emitAdamWKernel(job, op, emitted); })
      .Case<SumSquaresOp>([&](SumSquaresOp op) {
        return emitSumSquaresKernel(job, op, emitted);
      })
      .Case<GlobalNormOp>([&](GlobalNormOp op) {
        return emitGlobalNormKernel(job, op, emitted);
      })
      .Default([&](Operation *op) {
        return op->emitError()
               << "'" << op->getName() << "' has no kernel on the CPU";
      });
}

bool tt::cpu::hasEmitter(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<CrossEntropyOp, CrossEntropyBwdOp>([](auto op) { return op.isPlain(); })
      .Case<RMSNormOp, RMSNormBwdOp>([](auto op) { return !op.getUnitOffset(); })
      .Case<ScalarOpInterface, SumOp, MeanOp, MaxOp, MinOp, ArgMaxOp, ArgMinOp,
            SoftmaxOp, SoftmaxBwdOp, LayerNormOp, LayerNormBwdOp, LinearOp,
            MatmulOp, AttentionOp, AttentionBwdOp, EmbeddingBwdOp,
            ScatterAddRowsOp, CumSumOp, ScatterAlongOp, SortOp, TopKOp, AdamWOp,
            SumSquaresOp, GlobalNormOp>(
          [](auto) { return true; })
      .Default([](Operation *op) {
        std::string why; // a refused element type is reported by emitKernel
        return ElementBuilder::canPull(op, why) || !why.empty();
      });
}

LogicalResult tt::cpu::emitKernel(KernelOp kernel, const Target &target,
                                  StringRef symbolSuffix, ModuleOp into,
                                  EmittedKernel &emitted) {
  FailureOr<KernelSignature> signature = KernelSignature::get(kernel);
  std::optional<attention::TiledKernel> tiled = attention::TiledKernel::get(kernel);
  SmallVector<Operation *> anchors;
  if (failed(signature) || (!tiled && failed(findAnchors(kernel, anchors))))
    return failure();
  KernelJob job{kernel,
                *signature,
                target,
                (kernel.getSymName() + symbolSuffix).str(),
                into,
                {}};
  emitted = EmittedKernel();
  if (tiled)
    return emitTiledAttentionKernel(job, *tiled, emitted);
  job.inPlace = findInPlacePairs(job, anchors);
  return dispatch(job, anchors, emitted);
}

SmallVector<InPlacePair> tt::cpu::getInPlacePairs(KernelOp kernel) {
  ScopedDiagnosticHandler silence(kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<KernelSignature> signature = KernelSignature::get(kernel);
  SmallVector<Operation *> anchors;
  if (failed(signature) || attention::TiledKernel::get(kernel) ||
      failed(findAnchors(kernel, anchors)))
    return {};
  KernelJob job{kernel, *signature, getTarget(0), "", ModuleOp(), {}};
  return findInPlacePairs(job, anchors);
}
