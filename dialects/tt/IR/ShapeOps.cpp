//===- ShapeOps.cpp - Shapes, verifiers and folds of shape ops ------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/Infer.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  int64_t rank = tensorOf(getOutput()).getRank(), dim = getDim();
  if (dim < 0 || dim >= rank) // (C1)
    return emitOpError() << "expected dim in [0, " << rank << "), but got " << dim;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = tensorOf(getInput()), to = tensorOf(getOutput());
  ArrayRef<int64_t> dims = getDims();
  if (int64_t(dims.size()) != from.getRank()) // (C1)
    return emitOpError() << "expected one entry of dims per operand dimension ("
                         << from.getRank() << "), but got " << dims.size();
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim <= previous || dim >= to.getRank()) // (C1)
      return emitOpError() << "expected dims to increase inside [0, "
                           << to.getRank() << "), but got [" << dims << "]";
    previous = dim;
    if (from.getDimSize(i) != to.getDimSize(dim)) // (C2)
      return emitOpError() << "expected size " << from.getDimSize(i)
                           << " in result dimension " << dim << ", but got "
                           << to.getDimSize(dim);
  }
  if (from.getElementType() != to.getElementType()) // (C3)
    return emitOpError() << "expected element type " << from.getElementType()
                         << ", but got " << to.getElementType();
  return success();
}
OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getInput()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = tensorOf(getInput()), to = tensorOf(getOutput());
  if (from.getNumElements() != to.getNumElements()) // (C1)
    return emitOpError() << "expected a result of " << from.getNumElements()
                         << " elements, but got " << to;
  if (from.getElementType() != to.getElementType()) // (C2)
    return emitOpError() << "expected element type " << from.getElementType()
                         << ", but got " << to.getElementType();
  return success();
}
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getInput()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<int64_t> sorted(permutation), shape;
  llvm::sort(sorted);
  bool valid = int64_t(sorted.size()) == type.getRank();
  for (size_t i = 0; valid && i < sorted.size(); ++i)
    valid = sorted[i] == int64_t(i);
  if (!valid) // (C1)
    return emitOptionalError(loc, "'tt.transpose' op expected a permutation of ",
                             type.getRank(), " dimensions, but got ",
                             adaptor.getPermutationAttr());
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  types.push_back(type.clone(shape));
  return success();
}
OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity = true;
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    identity &= int64_t(i) == dim;
  if (identity)
    return getInput();
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (inner) {
    bool inverse = true;
    for (auto [i, dim] : llvm::enumerate(getPermutation()))
      inverse &= inner.getPermutation()[dim] == int64_t(i);
    if (inverse)
      return inner.getInput();
  }
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getInput()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t dim = adaptor.getDim(), start = adaptor.getStart(),
          size = adaptor.getSize();
  if (failed(checkDim(loc, "tt.slice", type, dim))) // (C1)
    return failure();
  if (start < 0 || size < 1 || start > type.getDimSize(dim) - size) // (C2)
    return emitOptionalError(loc, "'tt.slice' op expected a range inside [0, ",
                             type.getDimSize(dim), "), but got start ", start,
                             " size ", size);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t dim = adaptor.getDim(), low = adaptor.getLow(), high = adaptor.getHigh();
  if (failed(checkDim(loc, "tt.pad", type, dim))) // (C1)
    return failure();
  if (low < 0 || high < 0) // (C2)
    return emitOptionalError(loc, "'tt.pad' op expected low and high of at "
                                  "least 0, but got ", low, " and ", high);
  SmallVector<int64_t> shape(type.getShape());
  int64_t size;
  if (__builtin_add_overflow(shape[dim], low, &size) ||
      __builtin_add_overflow(size, high, &size))
    return emitOptionalError(loc, "'tt.pad' op expected a new size below 2^63, but got ",
                             shape[dim], " + low ", low, " + high ", high);
  shape[dim] = size;
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty()) // (C1)
    return emitOptionalError(loc, "'tt.concat' op expected at least one operand");
  auto first = cast<RankedTensorType>(adaptor.getInputs()[0].getType());
  int64_t dim = adaptor.getDim();
  if (failed(checkDim(loc, "tt.concat", first, dim))) // (C2)
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Value input : adaptor.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    bool agrees = type.getRank() == first.getRank() &&
                  type.getElementType() == first.getElementType();
    for (int64_t i = 0; agrees && i < first.getRank(); ++i)
      agrees = i == dim || type.getDimSize(i) == first.getDimSize(i);
    if (!agrees || __builtin_add_overflow(shape[dim], type.getDimSize(dim),
                                          &shape[dim])) // (C3)
      return emitOptionalError(loc, "'tt.concat' op expected operands like ",
                               first, " but for dimension ", dim, ", but got ",
                               type);
  }
  types.push_back(first.clone(shape));
  return success();
}
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? getInputs()[0] : OpFoldResult();
}

LogicalResult TakeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t dim = adaptor.getDim();
  if (failed(checkDim(loc, "tt.take", type, dim))) // (C1)
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  types.push_back(type.clone(shape));
  return success();
}
