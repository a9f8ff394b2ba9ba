//===- RopeOps.cpp - Rotary position embedding ----------------------------===//
#include "NarrowFloat.h"
#include "RopeScalingFormat.h"
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

//===----------------------------------------------------------------------===//
// NAME(factor, ...)
//===----------------------------------------------------------------------===//

ParseResult tt::parseRopeScaling(OpAsmParser &parser, RopeScalingAttr &scaling,
                                 FloatAttr &factor, FloatAttr &low,
                                 FloatAttr &high, IntegerAttr &context) {
  StringRef name;
  SMLoc place = parser.getCurrentLocation();
  Type f64 = parser.getBuilder().getF64Type(), i64 = parser.getBuilder().getI64Type();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<RopeScaling> kind = symbolizeRopeScaling(name);
  if (!kind)
    return parser.emitError(place) << "expected linear, ntk or llama3, but got "
                                   << name;
  scaling = RopeScalingAttr::get(parser.getContext(), *kind);
  if (parser.parseLParen() || parser.parseAttribute(factor, f64))
    return failure();
  if (*kind == RopeScaling::Llama3 &&
      (parser.parseComma() || parser.parseAttribute(low, f64) ||
       parser.parseComma() || parser.parseAttribute(high, f64) ||
       parser.parseComma() || parser.parseAttribute(context, i64)))
    return failure();
  return parser.parseRParen();
}

void tt::printRopeScaling(OpAsmPrinter &printer, Operation *,
                          RopeScalingAttr scaling, FloatAttr factor,
                          FloatAttr low, FloatAttr high, IntegerAttr context) {
  printer << stringifyRopeScaling(scaling.getValue()) << "(";
  printer.printAttributeWithoutType(factor);
  if (scaling.getValue() == RopeScaling::Llama3)
    for (Attribute attribute : {Attribute(low), Attribute(high), Attribute(context)}) {
      printer << ", ";
      printer.printAttributeWithoutType(attribute);
    }
  printer << ")";
}

//===----------------------------------------------------------------------===//
// Constraints and rules
//===----------------------------------------------------------------------===//

/// (C4), and no parameter without a scaling that has it.
static bool hasValidScaling(RopeOp::Adaptor op) {
  std::optional<APFloat> factor = op.getFactor(), low = op.getLowFrequency(),
                         high = op.getHighFrequency();
  if (!op.getScaling())
    return !factor && !low && !high && !op.getOriginalContext();
  double s = factor ? factor->convertToDouble() : 0;
  if (!(s >= 1 && std::isfinite(s)))
    return false;
  if (*op.getScaling() != RopeScaling::Llama3)
    return !low && !high && !op.getOriginalContext();
  return low && high && op.getOriginalContext() && low->convertToDouble() > 0 &&
         low->convertToDouble() < high->convertToDouble() && high->isFinite() &&
         int64_t(*op.getOriginalContext()) > 0;
}

static bool hasValidPositions(RankedTensorType type, Value positions) {
  if (!positions)
    return true;
  ArrayRef<int64_t> shape = shapeOf(positions);
  int64_t rank = type.getRank(), tokens = type.getDimSize(rank - 2);
  if (shape.size() == 1)
    return shape[0] == tokens;
  return shape.size() == 2 && rank >= 3 && shape[0] == type.getDimSize(0) &&
         shape[1] == tokens;
}

LogicalResult RopeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorOf(adaptor.getInput());
  int64_t rank = type.getRank();
  if (rank < 2 || type.getShape().back() % 2) // (C1)
    return emitOptionalError(loc, "'tt.rope' op expected rank >= 2 and an even last "
                                  "dimension, but got ", type);
  if (!hasValidPositions(type, adaptor.getPositions())) // (C2)
    return emitOptionalError(loc, "'tt.rope' op expected positions of shape [",
                             type.getDimSize(rank - 2), "] or [B, ",
                             type.getDimSize(rank - 2), "], but got ",
                             adaptor.getPositions().getType());
  double theta = adaptor.getTheta().convertToDouble();
  if (!(theta > 0 && std::isfinite(theta))) // (C3)
    return emitOptionalError(loc, "'tt.rope' op expected a positive, finite theta, but got ",
                             numberText(adaptor.getTheta()));
  if (!hasValidScaling(adaptor)) // (C4)
    return emitOptionalError(loc, "'tt.rope' op expected scaling with a finite "
                                  "factor >= 1, and llama3 with 0 < low < high and "
                                  "a positive context");
  types.push_back(type);
  return success();
}
static Value rotate(OpBuilder &builder, RopeOp op, Value value, Value positions,
                    bool inverse) {
  return RopeOp::create(builder, op.getLoc(), value, positions, op.getThetaAttr(),
                        op.getLayoutAttr(),
                        inverse ? builder.getUnitAttr() : UnitAttr(),
                        op.getScalingAttr(), op.getFactorAttr(),
                        op.getLowFrequencyAttr(), op.getHighFrequencyAttr(),
                        op.getOriginalContextAttr())
      .getOutput();
}
void RopeOp::getResiduals(ActiveSet, ActiveSet, Values &residuals) {
  residuals.push_back(getPositions());
}
LogicalResult RopeOp::buildVJP(OpBuilder &builder, ValueRange residuals,
                               ValueRange cotangents, ActiveSet,
                               Values &operandCotangents) {
  operandCotangents[0] =
      rotate(builder, *this, cotangents[0], residuals[0], !getInverse());
  return success();
}
LogicalResult RopeOp::buildJVP(OpBuilder &builder, ValueRange tangents,
                               Values &resultTangents) {
  resultTangents[0] =
      rotate(builder, *this, tangents[0], getPositions(), getInverse());
  return success();
}
bool RopeOp::isLinearIn(unsigned i) { return i == 0; }
bool RopeOp::isCutAt(unsigned i) { return i == 1; }
