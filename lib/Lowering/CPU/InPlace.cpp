//===- InPlace.cpp - Which results may overwrite an argument --------------===//
#include "InPlace.h"
#include "CollapseDims.h"
#include "Epilogue.h"
#include "tt/Lowering/CPU/Matmul.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

/// True if the anchor has read a row of this operand when it writes the row.
static bool isReadWithItsRow(OpOperand &use) {
  unsigned i = use.getOperandNumber();
  Operation *op = use.getOwner();
  if (isa<SoftmaxOp, LayerNormOp, RMSNormOp, CrossEntropyBwdOp>(op))
    return i == 0;
  if (isa<SoftmaxBwdOp>(op))
    return true;
  if (isa<LayerNormBwdOp>(op))
    return i == 0 || i == 4;
  if (isa<RMSNormBwdOp>(op))
    return i == 0 || i == 3;
  // A sum's row or column kernel may also yield values of the input's shape.
  return isa<SumOp, MeanOp>(op);
}

/// True if `value` is read only at the position that is being written.
static bool isReadInPlace(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<YieldOp>(user) || isReadWithItsRow(use))
      continue;
    OperandRange same = elementwiseOperands(user);
    if (use.getOperandNumber() >= same.size())
      return false;
    if (llvm::any_of(user->getResults(),
                     [](Value result) { return !isReadInPlace(result); }))
      return false;
  }
  return true;
}

/// True when all yields are computed in one sweep over one shape.
static bool hasOneNest(const KernelJob &job) {
  for (Value value : job.yield().getValues()) {
    Operation *op = value.getDefiningOp();
    if (value.getType() != job.yield().getValues()[0].getType() &&
        cast<RankedTensorType>(value.getType()).getShape() !=
            cast<RankedTensorType>(job.yield().getValues()[0].getType())
                .getShape())
      return false;
    if (isa_and_nonnull<ConcatOp, ReshapeOp, TransposeOp>(op))
      return false;
  }
  return true;
}

/// False when an anchor's kernel writes a result before all that reads the
/// argument is done.
static bool mayOverwrite(const KernelJob &job, Operation *anchor) {
  if (isa<LinearOp, MatmulOp>(anchor))
    return contractedSize(anchor) <= kChunk ||
           job.kernel.getSchedule().contains("in_place");
  return isa<SoftmaxOp, SoftmaxBwdOp, LayerNormOp, LayerNormBwdOp, RMSNormOp,
             RMSNormBwdOp, CrossEntropyBwdOp, SumOp, MeanOp, EmbeddingBwdOp,
             AdamWOp>(anchor);
}

SmallVector<InPlacePair>
tt::cpu::findInPlacePairs(const KernelJob &job, ArrayRef<Operation *> anchors) {
  SmallVector<InPlacePair> pairs;
  for (Operation *anchor : anchors)
    if (!mayOverwrite(job, anchor))
      return pairs;
  bool elementwise = anchors.empty() || isa<AdamWOp>(anchors.front());
  if (elementwise && !hasOneNest(job))
    return pairs;
  for (auto [a, argument] : llvm::enumerate(job.signature.arguments)) {
    Value value = job.kernel.getBody().getArgument(a);
    if (!isReadInPlace(value))
      continue;
    for (auto [r, result] : llvm::enumerate(job.signature.results))
      if (value.getType() == job.yield().getValues()[r].getType() &&
          argument.strides == result.strides)
        pairs.push_back({unsigned(r), unsigned(a)});
  }
  return pairs;
}
