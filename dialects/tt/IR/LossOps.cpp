//===- LossOps.cpp - Losses -----------------------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

static LogicalResult checkLogits(std::optional<Location> loc, StringRef op,
                                 Value logits, Value targets) {
  RankedTensorType type = tensorOf(logits);
  if (type.getRank() >= 1 && type.getShape().drop_back() == shapeOf(targets)) // (C1)
    return success();
  return emitOptionalError(loc, "'", op, "' op expected logits of the targets' "
                                         "shape and one dimension more, but got ",
                           type, " for targets ", targets.getType());
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkLogits(loc, "tt.cross_entropy", adaptor.getLogits(),
                         adaptor.getTargets())))
    return failure();
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Type stat = accumulationType(logits.getElementType());
  auto perRow = RankedTensorType::get(logits.getShape().drop_back(), stat);
  bool none = adaptor.getReduction() == Reduction::None;
  types.push_back(none ? perRow : RankedTensorType::get({}, stat));
  types.push_back(perRow);
  return success();
}
void CrossEntropyOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.append({getLogits(), getTargets(), getLse()});
}
LogicalResult CrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                                       ValueRange cotangents, ActiveSet,
                                       Values &operandCotangents) {
  if (cotangents[1])
    return emitOpError() << "has no VJP rule for the cotangent of lse; compute it "
                            "from the logits with tt.exp, tt.sum and tt.log instead";
  operandCotangents[0] =
      CrossEntropyBwdOp::create(builder, getLoc(), residuals[0], residuals[1],
                                residuals[2], cotangents[0], getReduction(),
                                getIgnoreIndex())
          .getDLogits();
  return success();
}
/// d loss = sum of (d loss / d logits) * tangent; d lse = sum softmax * tangent.
LogicalResult CrossEntropyOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                       Values &resultTangents) {
  Emit e(builder, getLoc());
  Type stat = tensorOf(getLse()).getElementType();
  Value one = e.splat(getLoss().getType(), 1);
  Value gradient = CrossEntropyBwdOp::create(
                       builder, getLoc(), getLogits(), getTargets(), getLse(),
                       one, getReduction(), getIgnoreIndex())
                       .getDLogits();
  Value dz = e.cast(tangents[0], stat);
  Value product = e.mul(e.cast(gradient, stat), dz);
  if (getReduction() == Reduction::None) {
    resultTangents[0] = e.rowSum(product);
  } else {
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, tensorOf(product).getRank()));
    resultTangents[0] = SumOp::create(builder, getLoc(), product, dims).getOutput();
  }
  Value z = e.cast(getLogits(), stat);
  Value p = e.exp(e.sub(z, e.alongRow(getLse(), z)));
  resultTangents[1] = e.rowSum(e.mul(p, dz));
  return success();
}
bool CrossEntropyOp::isLinearIn(unsigned) { return false; }
bool CrossEntropyOp::isCutAt(unsigned i) { return i == 1; }

LogicalResult CrossEntropyBwdOp::inferReturnTypes(MLIRContext *,
                                                  std::optional<Location> loc,
                                                  Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  if (failed(checkLogits(loc, "tt.cross_entropy_bwd", adaptor.getLogits(),
                         adaptor.getTargets())))
    return failure();
  RankedTensorType logits = tensorOf(adaptor.getLogits());
  Type stat = accumulationType(logits.getElementType());
  Type perRow = RankedTensorType::get(logits.getShape().drop_back(), stat);
  Type scalar = RankedTensorType::get({}, stat);
  Type loss = adaptor.getReduction() == Reduction::None ? perRow : scalar;
  if (adaptor.getLse().getType() != perRow || adaptor.getDLoss().getType() != loss)
    return emitOptionalError(loc, "'tt.cross_entropy_bwd' op expected lse of type ",
                             perRow, " and d_loss of type ", loss);
  types.push_back(logits);
  return success();
}
