//===- EmbeddingOps.cpp - Table lookup ------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

LogicalResult EmbeddingOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType table = tensorOf(adaptor.getTable());
  if (table.getRank() != 2) // (C1)
    return emitOptionalError(loc, "'tt.embedding' op expected a table of rank 2, "
                                  "but got ", table);
  SmallVector<int64_t> shape(shapeOf(adaptor.getIds()));
  shape.push_back(table.getDimSize(1));
  types.push_back(table.clone(shape));
  return success();
}
/// Rows of `table`, zero where the id is the padding index.
static Value rowsWithoutPadding(Emit &e, Value table, Value ids,
                                IntegerAttr padding) {
  Value rows = EmbeddingOp::create(e.builder, e.loc, table, ids, IntegerAttr())
                   .getOutput();
  if (!padding)
    return rows;
  Value index = e.splat(ids.getType(), double(padding.getInt()));
  Value isPadding = e.compare(ComparePredicate::EQ, ids, index);
  return e.select(e.alongRow(isPadding, rows), e.splat(rows.getType(), 0), rows);
}

void EmbeddingOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIds());
}
LogicalResult EmbeddingOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                    ValueRange cotangents, ActiveSet,
                                    Values &operandCotangents) {
  operandCotangents[0] =
      EmbeddingBwdOp::create(builder, getLoc(), residuals[0], cotangents[0],
                             builder.getI64IntegerAttr(shapeOf(getTable())[0]),
                             getPaddingIndexAttr())
          .getDTable();
  return success();
}
LogicalResult EmbeddingOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                    Values &resultTangents) {
  Emit e(builder, getLoc());
  resultTangents[0] =
      rowsWithoutPadding(e, tangents[0], getIds(), getPaddingIndexAttr());
  return success();
}
bool EmbeddingOp::isLinearIn(unsigned i) { return i == 0; }
bool EmbeddingOp::isCutAt(unsigned i) { return i == 1; }

LogicalResult EmbeddingBwdOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  RankedTensorType d = tensorOf(adaptor.getDOutput());
  if (d.getRank() < 1 || d.getShape().drop_back() != shapeOf(adaptor.getIds())) // (C1)
    return emitOptionalError(loc, "'tt.embedding_bwd' op expected a d_output of "
                                  "the ids' shape and one dimension more, but got ",
                             d, " for ids ", adaptor.getIds().getType());
  int64_t rows = adaptor.getRows();
  if (rows < 1) // (C2)
    return emitOptionalError(loc, "'tt.embedding_bwd' op expected at least one "
                                  "row, but got ", rows);
  types.push_back(d.clone({rows, d.getShape().back()}));
  return success();
}
void EmbeddingBwdOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIds());
}
LogicalResult EmbeddingBwdOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet,
                                       Values &operandCotangents) {
  Emit e(builder, getLoc());
  operandCotangents[1] =
      rowsWithoutPadding(e, cotangents[0], residuals[0], getPaddingIndexAttr());
  return success();
}
LogicalResult EmbeddingBwdOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                       Values &resultTangents) {
  resultTangents[0] = EmbeddingBwdOp::create(builder, getLoc(), getIds(), tangents[1],
                                             getRowsAttr(), getPaddingIndexAttr())
                          .getDTable();
  return success();
}
bool EmbeddingBwdOp::isLinearIn(unsigned i) { return i == 1; }
bool EmbeddingBwdOp::isCutAt(unsigned i) { return i == 0; }
