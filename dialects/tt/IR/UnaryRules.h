//===- UnaryRules.h - Rules of one-operand elementwise ops ------*- C++ -*-===//
//
// An elementwise op of one operand needs a specialisation of Unary with
//   static constexpr int reads;  // nothing (0), its input (1), its output (2)
//   static Value apply(Emit &, Op, Value primal, Value direction);
// and TT_UNARY_RULES(Op), which makes both of its rules.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_IR_UNARYRULES_H
#define TT_LIB_IR_UNARYRULES_H

#include "tt/IR/Emit.h"

namespace tt {

/// How the derivative of a unary op is formed: which primal values it reads,
/// and what multiplies the tangent or cotangent.
template <typename Op> struct Unary;

/// d_input = d_output * f'(primal).
template <typename Op>
mlir::Value unaryDerivative(mlir::OpBuilder &builder, Op op,
                            mlir::Value primal, mlir::Value direction) {
  Emit e(builder, op.getLoc());
  return Unary<Op>::apply(e, op, primal, direction);
}

} // namespace tt

// A unary op reads nothing (0), its input (1) or its output (2).
#define TT_UNARY_RULES(OP)                                                     \
  void OP::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {      \
    Value primal;                                                              \
    if (active.operand(0) && Unary<OP>::reads)                                 \
      primal = Unary<OP>::reads == 1 ? getInput() : getOutput();               \
    residuals.push_back(primal);                                               \
  }                                                                            \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange residuals,         \
                             ValueRange cotangents, ActiveSet,                 \
                             Values &operandCotangents) {                      \
    operandCotangents[0] =                                                     \
        unaryDerivative<OP>(builder, *this, residuals[0], cotangents[0]);      \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    Value primal = Unary<OP>::reads == 2 ? getOutput() : getInput();           \
    resultTangents[0] =                                                        \
        unaryDerivative<OP>(builder, *this, primal, tangents[0]);              \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned) { return Unary<OP>::reads == 0; }              \
  bool OP::isCutAt(unsigned) { return false; }

// Piecewise constant: the derivative is 0 wherever it exists.
#define TT_FLAT_RULES(OP)                                                      \
  void OP::getResiduals(ActiveSet, ActiveSet, Values &) {}                     \
  LogicalResult OP::buildVJP(OpBuilder &, ValueRange, ValueRange, ActiveSet,   \
                             Values &) {                                       \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &, ValueRange, Values &) {              \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned) { return false; }                              \
  bool OP::isCutAt(unsigned) { return true; }

#endif
