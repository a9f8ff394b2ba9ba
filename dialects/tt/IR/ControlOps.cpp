//===- ControlOps.cpp - Control of differentiation ------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/NarrowFloat.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

void StopGradientOp::getResiduals(ActiveSet, ActiveSet,
                                  SmallVectorImpl<Value> &) {}
LogicalResult StopGradientOp::buildVJP(OpBuilder &, ValueRange, ValueRange,
                                       ActiveSet, SmallVectorImpl<Value> &) {
  return success();
}
LogicalResult StopGradientOp::buildJVP(OpBuilder &, ValueRange,
                                       SmallVectorImpl<Value> &) {
  return success();
}
bool StopGradientOp::isLinearIn(unsigned) { return false; }
bool StopGradientOp::isCutAt(unsigned) { return true; }

//===----------------------------------------------------------------------===//
// grad_transform
//===----------------------------------------------------------------------===//

LogicalResult GradTransformOp::verify() {
  bool takesValue = getKind() != GradTransformKind::Reverse;
  std::optional<APFloat> value = getValue();
  auto type = cast<FloatType>(getElementTypeOrSelf(getType()));
  if (takesValue != value.has_value()) // (C1)
    return emitOpError() << "expected " << (takesValue ? "a finite value" : "no value")
                         << " with " << stringifyGradTransformKind(getKind());
  if (value && !isHeldBy(type, *value)) // (C1)
    return emitOpError() << "expected a finite value with "
                         << stringifyGradTransformKind(getKind()) << ", but got "
                         << numberText(*value, type);
  if (getKind() == GradTransformKind::Clip && value->isNegative()) // (C2)
    return emitOpError() << "expected a value of at least 0 with clip, but got "
                         << std::to_string(value->convertToDouble());
  return success();
}
void GradTransformOp::getResiduals(ActiveSet, ActiveSet, SmallVectorImpl<Value> &) {}

/// The linear kinds: `d` scaled or reversed.
static Value transformed(OpBuilder &builder, GradTransformOp op, Value d) {
  Emit e(builder, op.getLoc());
  if (op.getKind() == GradTransformKind::Reverse)
    return e.neg(d);
  return e.scale(d, op.getValue()->convertToDouble());
}
LogicalResult GradTransformOp::buildVJP(OpBuilder &builder, ValueRange,
                                        ValueRange cotangents, ActiveSet,
                                        SmallVectorImpl<Value> &operandCotangents) {
  if (getKind() != GradTransformKind::Clip) {
    operandCotangents[0] = transformed(builder, *this, cotangents[0]);
    return success();
  }
  double limit = getValue()->convertToDouble();
  operandCotangents[0] = ClampOp::create(builder, getLoc(), cotangents[0],
                                         builder.getF64FloatAttr(-limit),
                                         builder.getF64FloatAttr(limit));
  return success();
}
LogicalResult GradTransformOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                                        SmallVectorImpl<Value> &resultTangents) {
  if (getKind() == GradTransformKind::Clip)
    return emitOpError() << "clip has no JVP rule: it is not linear in the "
                            "cotangent, so no tangent rule agrees with it; use "
                            "reverse mode, or scale or reverse, which have one";
  resultTangents[0] = transformed(builder, *this, tangents[0]);
  return success();
}
bool GradTransformOp::isLinearIn(unsigned) { return true; }
bool GradTransformOp::isCutAt(unsigned) { return false; }
