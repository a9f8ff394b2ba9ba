//===- KernelSignature.cpp - Operands of a kernel -------------------------===//
#include "KernelSignature.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

int64_t tt::cpu::elementCount(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t tt::cpu::lastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

bool StridedOperand::isDense() const {
  return tt::isDense(shape, strides);
}

int64_t StridedOperand::extent() const {
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    last += (size - 1) * stride;
  return last + 1;
}

MemRefType StridedOperand::storageType() const {
  Type type = element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                                   : element;
  return MemRefType::get({extent()}, type);
}

static FailureOr<StridedOperand> makeOperand(KernelOp kernel, unsigned number,
                                             Type type, Attribute attribute,
                                             const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return kernel.emitError() << "expected " << what
                              << " to be a ranked tensor, but got " << type;
  Type element = tensor.getElementType();
  if (element.isBF16() || element.isF16())
    return kernel.emitError() << what << " has element type " << element
                              << ", which is not lowered on the CPU yet";
  StridedOperand operand;
  operand.number = number;
  operand.element = element;
  operand.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  for (int64_t size : operand.shape)
    if (size <= 0)
      return kernel.emitError()
             << what << " has no elements: " << type;
  operand.strides = denseStrides(operand.shape);
  if (!attribute)
    return operand;
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    operand.strides.assign(array.asArrayRef().begin(),
                           array.asArrayRef().end());
  } else if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    operand.strides.clear();
    for (Attribute entry : list)
      operand.strides.push_back(cast<IntegerAttr>(entry).getInt());
  } else {
    return kernel.emitError() << "expected `tt.strides` of " << what
                              << " to be an array of i64, but got "
                              << attribute;
  }
  if (operand.strides.size() != operand.shape.size() ||
      llvm::any_of(operand.strides, [](int64_t s) { return s < 0; }))
    return kernel.emitError()
           << "expected " << operand.shape.size()
           << " strides that are not negative for " << what << ", but got "
           << attribute;
  // The stride of a dimension of size 1 means nothing: let it continue the run
  // behind it, so that joining dimensions is transitive.
  for (size_t i = operand.shape.size(); i-- > 0;)
    if (operand.shape[i] == 1)
      operand.strides[i] =
          i + 1 < operand.shape.size()
              // checked: inside the operand's storage, bounded at import
              ? operand.strides[i + 1] * operand.shape[i + 1]
              : 1;
  return operand;
}

FailureOr<KernelSignature> KernelSignature::get(KernelOp kernel) {
  KernelSignature signature;
  unsigned number = 0;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    FailureOr<StridedOperand> operand =
        makeOperand(kernel, number++, type, kernel.getArgAttr(i, kStridesAttr),
                    "argument " + Twine(i));
    if (failed(operand))
      return failure();
    signature.arguments.push_back(*operand);
  }
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes())) {
    FailureOr<StridedOperand> operand = makeOperand(
        kernel, number++, type, kernel.getResultAttr(i, kStridesAttr),
        "result " + Twine(i));
    if (failed(operand))
      return failure();
    signature.results.push_back(*operand);
  }
  return signature;
}

SmallVector<unsigned> KernelJob::mayAlias() const {
  SmallVector<unsigned> operands;
  for (InPlacePair pair : inPlace)
    for (unsigned operand :
         {signature.results[pair.result].number, pair.argument})
      if (!llvm::is_contained(operands, operand))
        operands.push_back(operand);
  return operands;
}

std::optional<StridedOperand>
tt::cpu::viewOfArgument(const KernelSignature &signature, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return signature.arguments[argument.getArgNumber()];
  Operation *op = value.getDefiningOp();
  if (!isa<ReshapeOp, TransposeOp, StopGradientOp, RematBarrierOp>(op))
    return std::nullopt;
  std::optional<StridedOperand> view =
      viewOfArgument(signature, op->getOperand(0));
  if (!view)
    return std::nullopt;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<Strides> strides =
        reshapeStrides(view->shape, view->strides, shape);
    if (!strides)
      return std::nullopt;
    view->strides = *strides;
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Strides strides;
    for (int64_t dim : transpose.getPermutation())
      strides.push_back(view->strides[dim]);
    view->strides = strides;
  }
  view->shape.assign(shape.begin(), shape.end());
  return view;
}

ResultView tt::cpu::viewOfResult(const StridedOperand &result, Value yielded,
                                 function_ref<bool(Value)> stop) {
  ResultView view{yielded, result};
  while (!stop(view.value)) {
    Operation *op = view.value.getDefiningOp();
    StridedOperand next = view.storage;
    if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
      ArrayRef<int64_t> shape = reshape.getInput().getType().getShape();
      std::optional<Strides> strides =
          reshapeStrides(next.shape, next.strides, shape);
      if (!strides)
        return view;
      next.strides = *strides;
      next.shape.assign(shape.begin(), shape.end());
    } else if (auto transpose = dyn_cast_or_null<TransposeOp>(op)) {
      for (auto [i, dim] : llvm::enumerate(transpose.getPermutation())) {
        next.shape[dim] = view.storage.shape[i];
        next.strides[dim] = view.storage.strides[i];
      }
    } else {
      return view;
    }
    view = {op->getOperand(0), next};
  }
  return view;
}
