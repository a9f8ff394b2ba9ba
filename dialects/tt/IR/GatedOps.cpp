//===- GatedOps.cpp - Gated units of MLPs ---------------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// The activation of a gate, and d times its slope.
static Value activation(Emit &e, GegluOp op, Value gate) {
  return GeluOp::create(e.builder, e.loc, gate, op.getApprox());
}
static Value activation(Emit &e, RegluOp, Value gate) {
  return ReluOp::create(e.builder, e.loc, gate);
}
static Value slopeTimes(Emit &e, GegluOp op, Value gate, Value d) {
  return GeluBwdOp::create(e.builder, e.loc, gate, d, op.getApprox());
}
static Value slopeTimes(Emit &e, RegluOp, Value gate, Value d) {
  Value zero = e.splat(gate.getType(), 0);
  return e.select(e.compare(ComparePredicate::GT, gate, zero), d, zero);
}

#define TT_GATED_RULES(OP)                                                     \
  void OP::getResiduals(ActiveSet active, ActiveSet, Values &residuals) {      \
    residuals.push_back(getGate());                                            \
    residuals.push_back(active.operand(0) ? getUp() : Value());                \
  }                                                                            \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange residuals,         \
                             ValueRange cotangents, ActiveSet active,          \
                             Values &operandCotangents) {                      \
    Emit e(builder, getLoc());                                                 \
    Value gate = residuals[0], d = cotangents[0];                              \
    if (active.operand(0))                                                     \
      operandCotangents[0] =                                                   \
          slopeTimes(e, *this, gate, e.mul(d, residuals[1]));                  \
    if (active.operand(1))                                                     \
      operandCotangents[1] = e.mul(d, activation(e, *this, gate));             \
    return success();                                                          \
  }                                                                            \
  LogicalResult OP::buildJVP(OpBuilder &builder, ValueRange tangents,          \
                             Values &resultTangents) {                         \
    Emit e(builder, getLoc());                                                 \
    if (tangents[0])                                                           \
      resultTangents[0] =                                                      \
          slopeTimes(e, *this, getGate(), e.mul(tangents[0], getUp()));        \
    if (tangents[1])                                                           \
      resultTangents[0] =                                                      \
          e.addOrNull(resultTangents[0],                                       \
                      e.mul(tangents[1], activation(e, *this, getGate())));    \
    return success();                                                          \
  }                                                                            \
  bool OP::isLinearIn(unsigned i) { return i == 1; }                           \
  bool OP::isCutAt(unsigned) { return false; }                                 \
  LogicalResult OP::buildDecomposition(OpBuilder &builder, Values &results) {  \
    Emit e(builder, getLoc());                                                 \
    results[0] = e.mul(activation(e, *this, getGate()), getUp());              \
    return success();                                                          \
  }

TT_GATED_RULES(GegluOp)
TT_GATED_RULES(RegluOp)
