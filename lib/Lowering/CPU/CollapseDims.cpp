//===- CollapseDims.cpp - Which dimensions a nest may join ----------------===//
#include "CollapseDims.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

OperandRange tt::cpu::elementwiseOperands(Operation *op) {
  if (isa<AdamWOp>(op))
    return op->getOperands().take_front(4);
  if (isa<DropoutOp, StopGradientOp, RematBarrierOp>(op))
    return op->getOperands().take_front(1);
  if (isa<ScalarOpInterface>(op))
    return op->getOperands();
  return op->getOperands().take_front(0);
}

/// Storage that is one run across dimensions dim and dim + 1. Dimensions of
/// size 1 carry the stride that continues the run behind them (KernelSignature), so
/// that joining is transitive across them.
static bool isRun(const StridedOperand &operand, int64_t dim) {
  return operand.strides[dim] ==
         operand.strides[dim + 1] * operand.shape[dim + 1];
}

namespace {
class JoinAnalysis {
public:
  explicit JoinAnalysis(const KernelSignature &signature)
      : signature(signature) {}
  bool mayJoin(Value value, int64_t dim);
  bool isLinear(Value value);

private:
  bool compute(Value value, int64_t dim);
  bool joinReshape(ReshapeOp op, int64_t dim);

  const KernelSignature &signature;
  llvm::DenseMap<std::pair<Value, int64_t>, bool> known;
  llvm::DenseMap<Value, bool> linear;
};
} // namespace

bool JoinAnalysis::mayJoin(Value value, int64_t dim) {
  auto [entry, isNew] = known.try_emplace({value, dim}, false);
  if (!isNew)
    return entry->second;
  bool result = compute(value, dim);
  known[{value, dim}] = result;
  return result;
}

bool JoinAnalysis::joinReshape(ReshapeOp op, int64_t dim) {
  // Both dimensions must be kept as they are by the reshape.
  ArrayRef<int64_t> from = shapeOf(op.getOutput()), to = shapeOf(op.getInput());
  size_t i = 0, j = 0;
  SmallVector<int64_t> kept(from.size(), -1);
  while (i < from.size() || j < to.size()) {
    size_t i0 = i, j0 = j;
    int64_t a = i < from.size() ? from[i++] : 1;
    int64_t b = j < to.size() ? to[j++] : 1;
    while (a != b)
      if (a < b)
        a *= from[i++];
      else
        b *= to[j++];
    if (i - i0 == 1 && j - j0 == 1)
      kept[i0] = j0;
  }
  return kept[dim] >= 0 && kept[dim + 1] == kept[dim] + 1 &&
         mayJoin(op.getInput(), kept[dim]);
}

bool JoinAnalysis::compute(Value value, int64_t dim) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isRun(signature.arguments[argument.getArgNumber()], dim);
  Operation *op = value.getDefiningOp();
  OperandRange same = elementwiseOperands(op);
  if (!same.empty())
    return llvm::all_of(same, [&](Value v) { return mayJoin(v, dim); });
  auto apart = [&](int64_t special) {
    return special != dim && special != dim + 1;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ConstantOp) { return true; })
      .Case([&](IotaOp iota) { return apart(iota.getDim()); })
      .Case([&](BroadcastOp broadcast) {
        ArrayRef<int64_t> dims = broadcast.getDims();
        const int64_t *outer = llvm::find(dims, dim);
        bool hasInner = llvm::is_contained(dims, dim + 1);
        if (outer == dims.end())
          return !hasInner;
        return hasInner &&
               mayJoin(broadcast.getInput(), outer - dims.begin());
      })
      .Case([&](TransposeOp transpose) {
        ArrayRef<int64_t> order = transpose.getPermutation();
        return order[dim + 1] == order[dim] + 1 &&
               mayJoin(transpose.getInput(), order[dim]);
      })
      .Case([&](ReshapeOp reshape) { return joinReshape(reshape, dim); })
      .Case([&](SliceOp slice) {
        return slice.getDim() != uint64_t(dim + 1) &&
               mayJoin(slice.getInput(), dim);
      })
      .Case([&](PadOp pad) {
        return apart(pad.getDim()) && mayJoin(pad.getInput(), dim);
      })
      .Case([&](ConcatOp concat) {
        return apart(concat.getDim()) &&
               llvm::all_of(concat.getInputs(),
                            [&](Value v) { return mayJoin(v, dim); });
      })
      .Case([&](TakeOp take) {
        int64_t taken = take.getDim();
        if (taken == dim + 1) // comes between the two
          return false;
        return mayJoin(take.getInput(), taken <= dim ? dim + 1 : dim);
      })
      .Case([&](EmbeddingOp embedding) {
        int64_t last = embedding.getType().getRank() - 1;
        return dim + 1 < last && mayJoin(embedding.getIds(), dim);
      })
      .Case([&](RopeOp rope) {
        int64_t tokens = rope.getType().getRank() - 2;
        Value positions = rope.getPositions();
        if (dim == 0 && positions && shapeOf(positions).size() == 2)
          return false; // the batch has positions of its own
        return dim + 1 < tokens && mayJoin(rope.getInput(), dim);
      })
      .Default([](Operation *) { return false; });
}

/// True if the value at a row-major number needs only that number: all its
/// dimensions may be joined even where a reshape regroups them.
bool JoinAnalysis::isLinear(Value value) {
  auto [entry, isNew] = linear.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  bool result = false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const StridedOperand &operand =
        signature.arguments[argument.getArgNumber()];
    result = true;
    for (int64_t i = 0, n = operand.shape.size(); i + 1 < n; ++i)
      result &= isRun(operand, i);
  } else {
    Operation *op = value.getDefiningOp();
    OperandRange same = elementwiseOperands(op);
    if (!same.empty())
      result = llvm::all_of(same, [&](Value v) { return isLinear(v); });
    else if (isa<ConstantOp>(op))
      result = true;
    else if (auto reshape = dyn_cast<ReshapeOp>(op))
      result = isLinear(reshape.getInput());
    else if (auto broadcast = dyn_cast<BroadcastOp>(op))
      result = broadcast.getInput().getType().getRank() == 0;
  }
  linear[value] = result;
  return result;
}

JoinedDims tt::cpu::joinableDims(const KernelSignature &signature,
                                 ArrayRef<Value> values,
                                 ArrayRef<StridedOperand> storage) {
  int64_t rank = shapeOf(values.front()).size();
  JoinAnalysis analysis(signature);
  SmallVector<bool> joined(std::max<int64_t>(rank - 1, 0), true);
  for (int64_t i = 0; i + 1 < rank; ++i)
    for (const StridedOperand &operand : storage)
      joined[i] = joined[i] && isRun(operand, i);
  if (!llvm::is_contained(joined, false) &&
      llvm::all_of(values, [&](Value v) { return analysis.isLinear(v); }))
    return {joined, true};
  for (int64_t i = 0; i + 1 < rank; ++i)
    for (Value value : values)
      joined[i] = joined[i] && analysis.mayJoin(value, i);
  return {joined, false};
}
