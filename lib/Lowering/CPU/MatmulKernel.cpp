//===- MatmulKernel.cpp - Kernels around a matrix product -----------------===//
#include "ElementBuilder.h"
#include "Epilogue.h"
#include "KernelEmitters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tt/Lowering/CPU/Matmul.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

/// The product of the anchor: output[outer.., row, column] with the outer
/// dimensions as batch, or as rows where one stride serves them all.
class MatmulKernel {
public:
  MatmulKernel(const KernelJob &job, Operation *anchor)
      : job(job), anchor(anchor) {}
  LogicalResult emit(EmittedKernel &emitted);

private:
  LogicalResult readOperands();
  bool foldWithBatch(size_t batchDims);
  void emitEpilogue(PhaseShell &shell, OpBuilder &builder, Value acc,
                    Value batch, Value row, Value col, Value mask,
                    SmallVectorImpl<Value> &outputs);
  bool isPlain() const {
    return !bias && yields.size() == 1 &&
           yields[0].value == anchor->getResult(0);
  }

  const KernelJob &job;
  Operation *anchor;
  Value bias;
  bool isLinear = false;
  ArrayRef<int64_t> shape; // of the output
  // As [outer.., rows, k], [k, n] or [outer.., k, n], both already turned.
  StridedOperand a, b;
  SmallVector<ResultView> yields;
  SmallVector<int64_t> batchShape, rowShape;
  MatmulSpec spec;
};

} // namespace

static void swapLastTwo(StridedOperand &operand) {
  size_t n = operand.shape.size();
  std::swap(operand.shape[n - 1], operand.shape[n - 2]);
  std::swap(operand.strides[n - 1], operand.strides[n - 2]);
}

LogicalResult MatmulKernel::readOperands() {
  auto read = [&](Value value, StridedOperand &operand) -> LogicalResult {
    std::optional<StridedOperand> view = viewOfArgument(job.signature, value);
    if (!view)
      return anchor->emitError()
             << "expected the operand of '" << anchor->getName()
             << "' to be an argument of its kernel, or a view of one, but got "
             << value;
    if (!view->element.isF32())
      return anchor->emitError()
             << "'" << anchor->getName() << "' of element type "
             << view->element << " is not lowered on the CPU yet";
    operand = *view;
    return success();
  };
  if (failed(read(anchor->getOperand(0), a)) ||
      failed(read(anchor->getOperand(1), b)))
    return failure();
  if (auto linear = dyn_cast<LinearOp>(anchor)) {
    isLinear = true;
    bias = linear.getBias();
    if (linear.getLayout() == WeightLayout::OutIn)
      swapLastTwo(b);
  } else {
    auto matmul = cast<MatmulOp>(anchor);
    if (matmul.getTransposeLhs())
      swapLastTwo(a);
    if (matmul.getTransposeRhs())
      swapLastTwo(b);
  }
  shape = cast<RankedTensorType>(anchor->getResult(0).getType()).getShape();
  return success();
}

/// Strides of [batch, row, last] when the first `batchDims` dimensions become
/// the batch and all others but the last the rows.
static std::optional<Strides> foldTo3(const StridedOperand &operand,
                                      size_t batchDims) {
  ArrayRef<int64_t> all = operand.shape;
  int64_t batch = elementCount(all.take_front(batchDims));
  int64_t rows = elementCount(all.drop_front(batchDims).drop_back());
  return reshapeStrides(all, operand.strides, {batch, rows, all.back()});
}

bool MatmulKernel::foldWithBatch(size_t batchDims) {
  std::optional<Strides> aStrides = foldTo3(a, batchDims);
  if (!aStrides)
    return false;
  spec.outputs.clear();
  for (const ResultView &yield : yields) {
    std::optional<Strides> strides = foldTo3(yield.storage, batchDims);
    if (!strides)
      return false;
    spec.outputs.push_back({yield.storage.number,
                            yield.storage.storageType().getElementType(),
                            (*strides)[0], (*strides)[1]});
  }
  std::optional<Strides> bStrides;
  if (isLinear)
    bStrides = Strides{0, b.strides[0], b.strides[1]};
  else
    bStrides = foldTo3(b, batchDims);
  if (!bStrides)
    return false;
  batchShape.assign(shape.begin(), shape.begin() + batchDims);
  rowShape.assign(shape.begin() + batchDims, shape.end() - 1);
  spec.batch = elementCount(batchShape);
  spec.m = elementCount(rowShape);
  spec.n = shape.back();
  spec.k = a.shape.back();
  spec.aBatch = (*aStrides)[0], spec.aRow = (*aStrides)[1],
  spec.aCol = (*aStrides)[2];
  spec.bBatch = (*bStrides)[0], spec.bRow = (*bStrides)[1],
  spec.bCol = (*bStrides)[2];
  return true;
}

void MatmulKernel::emitEpilogue(PhaseShell &shell, OpBuilder &builder,
                                Value acc, Value batch, Value row, Value col,
                                Value mask, SmallVectorImpl<Value> &outputs) {
  OpBuilder::InsertionGuard guard(shell.builder());
  shell.builder().restoreInsertionPoint(builder.saveInsertionPoint());
  LoopEmitter e(shell);
  ElementBuilder elements(e, job);
  LaneMath math(e);
  LaneIndex column{col, 1, kLanes, spec.n, {}};
  Position at{math.delinearize(math.uniform(batch), batchShape), mask};
  llvm::append_range(at.dims, math.delinearize(math.uniform(row), rowShape));
  at.dims.push_back(column);
  if (bias)
    acc = e.addF(acc, elements.lanes(bias, Position{{column}, mask}));
  elements.bind(anchor->getResult(0), [acc](const Position &) { return acc; });
  for (const ResultView &yield : yields)
    outputs.push_back(elements.lanes(yield.value, at));
  for (auto [value, output] : llvm::zip_equal(outputs, spec.outputs))
    if (output.element.isInteger(8) &&
        getElementTypeOrSelf(value.getType()).isInteger(1))
      value = arith::ExtUIOp::create(e.b, e.loc, getLanesType(output.element),
                                     value);
}

LogicalResult MatmulKernel::emit(EmittedKernel &emitted) {
  if (failed(readOperands()) || failed(checkEpilogue(anchor)))
    return failure();
  FailureOr<SmallVector<ResultView>> matched = matchYields(job, {shape});
  if (failed(matched))
    return failure();
  yields = *matched;
  for (const ResultView &yield : yields)
    if (yield.storage.strides.back() != 1 && shape.back() != 1)
      return job.kernel.emitError()
             << "expected the columns of a matmul kernel's result to be "
                "contiguous, but got stride "
             << yield.storage.strides.back();

  // As few batches as the strides allow.
  size_t leading = shape.size() - 2;
  size_t batchDims = isLinear ? 0 : leading;
  while (!foldWithBatch(batchDims)) {
    if (batchDims == leading || !isLinear)
      return anchor->emitError()
             << "the strides of the operands of '" << anchor->getName()
             << "' do not fold to one batch dimension";
    ++batchDims;
  }
  spec.aOperand = a.number;
  spec.bOperand = b.number;
  spec.numOperands = job.signature.numOperands();
  spec.mayAlias = job.mayAlias();
  // Partial sums must not overwrite what the epilogue reads.
  bool aliased = llvm::any_of(job.inPlace, [&](InPlacePair pair) {
    return job.signature.results[pair.result].number == spec.outputs[0].operand;
  });
  spec.partialsInShared =
      spec.k > kChunk && (aliased || !spec.outputs[0].element.isF32());
  MatmulEpilogue epilogue;
  if (!isPlain())
    epilogue = [this](PhaseShell &shell, OpBuilder &builder, Location,
                      Value acc, Value batch, Value row, Value col, Value mask,
                      SmallVectorImpl<Value> &outputs) {
      emitEpilogue(shell, builder, acc, batch, row, col, mask, outputs);
    };
  MatmulSchedule schedule = chooseMatmulSchedule(spec, job.target);
  KernelOp kernel = job.kernel;
  if (kernel.getSchedule().contains("alternate")) {
    // Another way to the same bits: everything packed, small tasks.
    schedule.packA = schedule.packB = true;
    schedule.taskRows = 2 * schedule.tileRows;
  }
  emitted = emitMatmul(job.module, job.loc(), job.symbol, job.target, spec,
                       epilogue, schedule);
  return success();
}

LogicalResult tt::cpu::emitMatmulKernel(const KernelJob &job, Operation *anchor,
                                        EmittedKernel &emitted) {
  return MatmulKernel(job, anchor).emit(emitted);
}
