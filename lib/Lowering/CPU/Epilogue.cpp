//===- Epilogue.cpp - What may follow an anchor ---------------------------===//
#include "Epilogue.h"
#include "CollapseDims.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool leadsToYieldsOnly(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<YieldOp>(user) ||
           (isa<ReshapeOp, TransposeOp>(user) && leadsToYieldsOnly(user));
  });
}

static bool isAlongRow(BroadcastOp op, ArrayRef<int64_t> rowShape) {
  if (op.getType().getShape() != rowShape || rowShape.empty() ||
      op.getDims().size() + 1 != rowShape.size())
    return false;
  for (auto [i, dim] : llvm::enumerate(op.getDims()))
    if (int64_t(i) != dim)
      return false;
  return true;
}

static LogicalResult checkUses(Value value, ArrayRef<int64_t> rowShape,
                               llvm::SmallPtrSetImpl<Operation *> &seen) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<YieldOp>(user) || !seen.insert(user).second)
      continue;
    if (isa<ReshapeOp, TransposeOp>(user) && leadsToYieldsOnly(user))
      continue;
    auto broadcast = dyn_cast<BroadcastOp>(user);
    bool keepsPosition =
        use.getOperandNumber() < elementwiseOperands(user).size() ||
        (broadcast && isAlongRow(broadcast, rowShape));
    if (!keepsPosition)
      return user->emitError()
             << "'" << user->getName()
             << "' cannot stand behind the anchor of a kernel on the CPU";
    for (Value result : user->getResults())
      if (failed(checkUses(result, rowShape, seen)))
        return failure();
  }
  return success();
}

LogicalResult tt::cpu::checkEpilogue(ArrayRef<Operation *> anchors,
                                     ArrayRef<int64_t> rowShape) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (Operation *anchor : anchors)
    for (Value result : anchor->getResults())
      if (failed(checkUses(result, rowShape, seen)))
        return failure();
  return success();
}

FailureOr<SmallVector<ResultView>>
tt::cpu::matchYields(const KernelJob &job,
                     ArrayRef<ArrayRef<int64_t>> shapes) {
  SmallVector<ResultView> views;
  for (auto [value, result] :
       llvm::zip_equal(job.yield().getValues(), job.signature.results)) {
    auto matches = [&](Value v) {
      return llvm::is_contained(shapes, shapeOf(v));
    };
    ResultView view = viewOfResult(result, value, matches);
    if (!matches(view.value)) {
      InFlightDiagnostic error = job.kernel.emitError()
                                 << "yielded value of type " << value.getType()
                                 << " does not have a shape of this kernel:";
      for (ArrayRef<int64_t> shape : shapes) {
        error << " [";
        llvm::interleaveComma(shape, error);
        error << "]";
      }
      return error;
    }
    views.push_back(view);
  }
  return views;
}

int64_t tt::cpu::contractedSize(Operation *op) {
  if (auto linear = dyn_cast<LinearOp>(op))
    return lastDim(linear.getInput());
  auto matmul = cast<MatmulOp>(op);
  ArrayRef<int64_t> shape = shapeOf(matmul.getLhs());
  return shape[shape.size() - (matmul.getTransposeLhs() ? 2 : 1)];
}
