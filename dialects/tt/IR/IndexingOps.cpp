//===- IndexingOps.cpp - Gather, scatter-add and one-hot ------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/Infer.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

LogicalResult GatherRowsOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  if (type.getRank() < 1) // (C1)
    return emitOptionalError(loc, "'tt.gather_rows' op expected an input of rank 1 "
                                  "or more, but got ", type);
  SmallVector<int64_t> shape(shapeOf(adaptor.getIds()));
  llvm::append_range(shape, type.getShape().drop_front());
  types.push_back(type.clone(shape));
  return success();
}
void GatherRowsOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIds());
}
/// A row as one dimension, scattered, and its shape restored.
LogicalResult GatherRowsOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                     ValueRange cotangents, ActiveSet,
                                     Values &operandCotangents) {
  Emit e(builder, getLoc());
  ArrayRef<int64_t> shape = shapeOf(getInput());
  int64_t width = 1;
  for (int64_t size : shape.drop_front())
    width *= size; // checked: a part of the operand's elements
  SmallVector<int64_t> rowShape(shapeOf(residuals[0]));
  rowShape.push_back(width);
  Value sums = ScatterAddRowsOp::create(builder, getLoc(), residuals[0],
                                        e.reshape(cotangents[0], rowShape),
                                        builder.getI64IntegerAttr(shape[0]))
                   .getOutput();
  operandCotangents[0] = e.reshape(sums, shape);
  return success();
}
LogicalResult GatherRowsOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                     Values &resultTangents) {
  resultTangents[0] =
      GatherRowsOp::create(builder, getLoc(), tangents[0], getIds()).getOutput();
  return success();
}
bool GatherRowsOp::isLinearIn(unsigned i) { return i == 0; }
bool GatherRowsOp::isCutAt(unsigned i) {
  return i == 1 || !isa<FloatType>(tensorOf(getOutput()).getElementType());
}

LogicalResult ScatterAddRowsOp::inferReturnTypes(MLIRContext *,
                                                 std::optional<Location> loc,
                                                 Adaptor adaptor,
                                                 SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getUpdates());
  if (type.getRank() < 1 ||
      type.getShape().drop_back() != shapeOf(adaptor.getIds())) // (C1)
    return emitOptionalError(loc, "'tt.scatter_add_rows' op expected updates of the "
                                  "ids' shape and one dimension more, but got ",
                             type, " for ids ", adaptor.getIds().getType());
  int64_t rows = adaptor.getRows();
  if (rows < 1) // (C2)
    return emitOptionalError(loc, "'tt.scatter_add_rows' op expected at least one "
                                  "row, but got ", rows);
  types.push_back(type.clone({rows, type.getShape().back()}));
  return success();
}
void ScatterAddRowsOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIds());
}
LogicalResult ScatterAddRowsOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                         ValueRange cotangents, ActiveSet,
                                         Values &operandCotangents) {
  operandCotangents[1] =
      GatherRowsOp::create(builder, getLoc(), cotangents[0], residuals[0])
          .getOutput();
  return success();
}
LogicalResult ScatterAddRowsOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                         Values &resultTangents) {
  resultTangents[0] = ScatterAddRowsOp::create(builder, getLoc(), getIds(),
                                               tangents[1], getRowsAttr())
                          .getOutput();
  return success();
}
bool ScatterAddRowsOp::isLinearIn(unsigned i) { return i == 1; }
bool ScatterAddRowsOp::isCutAt(unsigned i) { return i == 0; }

//===----------------------------------------------------------------------===//
// Along one dimension
//===----------------------------------------------------------------------===//

LogicalResult GatherAlongOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  int64_t dim = adaptor.getDim();
  if (failed(checkDim(loc, "tt.gather_along", type, dim))) // (C1)
    return failure();
  ArrayRef<int64_t> indices = shapeOf(adaptor.getIndices());
  SmallVector<int64_t> shape(type.getShape());
  if (indices.size() == shape.size())
    shape[dim] = indices[dim];
  if (indices != ArrayRef<int64_t>(shape)) // (C2)
    return emitOptionalError(loc, "'tt.gather_along' op expected indices like ", type,
                             " but for dimension ", dim, ", but got ",
                             adaptor.getIndices().getType());
  types.push_back(type.clone(shape));
  return success();
}
void GatherAlongOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIndices());
}
LogicalResult GatherAlongOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                      ValueRange cotangents, ActiveSet,
                                      Values &operandCotangents) {
  operandCotangents[0] =
      ScatterAlongOp::create(
          builder, getLoc(), cotangents[0], residuals[0], getDimAttr(),
          builder.getI64IntegerAttr(shapeOf(getInput())[getDim()]))
          .getOutput();
  return success();
}
LogicalResult GatherAlongOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                      Values &resultTangents) {
  resultTangents[0] = GatherAlongOp::create(builder, getLoc(), tangents[0],
                                            getIndices(), getDimAttr())
                          .getOutput();
  return success();
}
bool GatherAlongOp::isLinearIn(unsigned i) { return i == 0; }
bool GatherAlongOp::isCutAt(unsigned i) {
  return i == 1 || !isa<FloatType>(tensorOf(getOutput()).getElementType());
}

LogicalResult ScatterAlongOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getUpdates());
  int64_t dim = adaptor.getDim(), size = adaptor.getSize();
  if (failed(checkDim(loc, "tt.scatter_along", type, dim))) // (C1)
    return failure();
  if (shapeOf(adaptor.getIndices()) != type.getShape()) // (C2)
    return emitOptionalError(loc, "'tt.scatter_along' op expected indices of the shape "
                                  "of ", type, ", but got ",
                             adaptor.getIndices().getType());
  if (size < 1) // (C3)
    return emitOptionalError(loc, "'tt.scatter_along' op expected a positive size, but "
                                  "got ", size);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  types.push_back(type.clone(shape));
  return success();
}
void ScatterAlongOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIndices());
}
LogicalResult ScatterAlongOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet,
                                       Values &operandCotangents) {
  operandCotangents[0] = GatherAlongOp::create(builder, getLoc(), cotangents[0],
                                               residuals[0], getDimAttr())
                             .getOutput();
  return success();
}
LogicalResult ScatterAlongOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                       Values &resultTangents) {
  resultTangents[0] = ScatterAlongOp::create(builder, getLoc(), tangents[0],
                                             getIndices(), getDimAttr(),
                                             getSizeAttr())
                          .getOutput();
  return success();
}
bool ScatterAlongOp::isLinearIn(unsigned i) { return i == 0; }
bool ScatterAlongOp::isCutAt(unsigned i) { return i == 1; }

//===----------------------------------------------------------------------===//
// one_hot
//===----------------------------------------------------------------------===//

LogicalResult OneHotOp::verify() {
  RankedTensorType type = tensorOf(getOutput());
  if (type.getRank() < 1 || type.getShape().drop_back() != shapeOf(getIds())) // (C1)
    return emitOpError() << "expected a result of the ids' shape and one dimension "
                            "more, but got "
                         << type << " for ids " << getIds().getType();
  return success();
}
