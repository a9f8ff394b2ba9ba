//===- OrderOps.cpp - Minimum, running sum and order ----------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/Infer.h"
#include "tt/IR/TTOps.h"
#include "UnaryRules.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// `type` with `dim` of size `size`, or without it for -1.
static RankedTensorType resized(RankedTensorType type, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  if (size < 0)
    shape.erase(shape.begin() + dim);
  else
    shape[dim] = size;
  return type.clone(shape);
}
static RankedTensorType asPlaces(RankedTensorType type) {
  return type.clone(IntegerType::get(type.getContext(), 32));
}

//===----------------------------------------------------------------------===//
// min, argmax, argmin
//===----------------------------------------------------------------------===//

LogicalResult MinOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  if (failed(checkDim(loc, "tt.min", type, adaptor.getDim()))) // (C1)
    return failure();
  types.push_back(resized(type, adaptor.getDim(), -1));
  types.push_back(asPlaces(cast<RankedTensorType>(types[0])));
  return success();
}

/// [.., ..] with a dimension of size 1 put in at `dim`.
static Value withUnitDim(Emit &e, Value value, int64_t dim) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape.insert(shape.begin() + dim, 1);
  return e.reshape(value, shape);
}

void MinOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getIndex());
}
LogicalResult MinOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                              ValueRange cotangents, ActiveSet,
                              Values &operandCotangents) {
  Emit e(builder, getLoc());
  int64_t dim = getDim();
  operandCotangents[0] =
      ScatterAlongOp::create(builder, getLoc(), withUnitDim(e, cotangents[0], dim),
                             withUnitDim(e, residuals[0], dim), getDimAttr(),
                             builder.getI64IntegerAttr(shapeOf(getInput())[dim]))
          .getOutput();
  return success();
}
LogicalResult MinOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                              Values &resultTangents) {
  Emit e(builder, getLoc());
  Value picked = GatherAlongOp::create(builder, getLoc(), tangents[0],
                                       withUnitDim(e, getIndex(), getDim()),
                                       getDimAttr())
                     .getOutput();
  resultTangents[0] = e.reshape(picked, shapeOf(getOutput()));
  return success();
}
bool MinOp::isLinearIn(unsigned) { return false; }
bool MinOp::isCutAt(unsigned) { return false; }

#define TT_ARG_OP(OP, NAME)                                                 \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location> loc, \
                                     Adaptor adaptor,                          \
                                     SmallVectorImpl<Type> &types) {           \
    RankedTensorType type = tensorOf(adaptor.getInput());                      \
    if (failed(checkDim(loc, NAME, type, adaptor.getDim()))) /* (C1) */        \
      return failure();                                                        \
    types.push_back(asPlaces(resized(type, adaptor.getDim(), -1)));            \
    return success();                                                          \
  }                                                                            \
  TT_FLAT_RULES(OP)
TT_ARG_OP(ArgMaxOp, "tt.argmax")
TT_ARG_OP(ArgMinOp, "tt.argmin")

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

LogicalResult CumSumOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  if (failed(checkDim(loc, "tt.cumsum", type, adaptor.getDim()))) // (C1)
    return failure();
  types.push_back(type);
  return success();
}
static Value runningSum(OpBuilder &builder, CumSumOp op, Value value, bool reverse) {
  return CumSumOp::create(builder, op.getLoc(), value, op.getDimAttr(),
                          op.getExclusiveAttr(),
                          reverse ? builder.getUnitAttr() : UnitAttr())
      .getOutput();
}
void CumSumOp::getResiduals(ActiveSet, ActiveSet, Values &) {}
LogicalResult CumSumOp::buildVJP(OpBuilder &builder, ValueRange,
                                 ValueRange cotangents, ActiveSet,
                                 Values &operandCotangents) {
  operandCotangents[0] = runningSum(builder, *this, cotangents[0], !getReverse());
  return success();
}
LogicalResult CumSumOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                 Values &resultTangents) {
  resultTangents[0] = runningSum(builder, *this, tangents[0], getReverse());
  return success();
}
bool CumSumOp::isLinearIn(unsigned) { return true; }
bool CumSumOp::isCutAt(unsigned) {
  return !isa<FloatType>(tensorOf(getOutput()).getElementType());
}

//===----------------------------------------------------------------------===//
// sort, topk
//===----------------------------------------------------------------------===//

LogicalResult SortOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  if (failed(checkDim(loc, "tt.sort", type, adaptor.getDim()))) // (C1)
    return failure();
  types.append({type, asPlaces(type)});
  return success();
}
LogicalResult TopKOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  int64_t dim = adaptor.getDim(), k = adaptor.getK();
  if (failed(checkDim(loc, "tt.topk", type, dim))) // (C1)
    return failure();
  if (k < 1 || k > type.getDimSize(dim)) // (C2)
    return emitOptionalError(loc, "'tt.topk' op expected k in [1, ",
                             type.getDimSize(dim), "], but got ", k);
  RankedTensorType result = resized(type, dim, k);
  types.append({result, asPlaces(result)});
  return success();
}

// A permutation, or a part of one: cotangents go back to where elements were.
#define TT_ORDER_RULES(OP)                                                     \
  void OP::getResiduals(ActiveSet, ActiveSet, Values &residuals) {             \
    residuals.push_back(getIndices());                                         \
  }                                                                            \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange residuals,         \
                             ValueRange cotangents, ActiveSet,                 \
                             Values &operandCotangents) {                      \
    operandCotangents[0] =                                                     \
        ScatterAlongOp::create(                                                \
            builder, getLoc(), cotangents[0], residuals[0], getDimAttr(),      \
            builder.getI64IntegerAttr(shapeOf(getInput())[getDim()]))          \
            .getOutput();                                                      \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    resultTangents[0] = GatherAlongOp::create(builder, getLoc(), tangents[0],  \
                                              getIndices(), getDimAttr())      \
                            .getOutput();                                      \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned) { return false; }                              \
  bool OP::isCutAt(unsigned) { return false; }
TT_ORDER_RULES(SortOp)
TT_ORDER_RULES(TopKOp)
