//===- ElementwiseDecompose.cpp - Activations as simpler ops --------------===//
#include "Gelu.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

LogicalResult SiluOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  results[0] = e.mul(getInput(), e.sigmoid(getInput()));
  return success();
}

/// d s (1 + x (1 - s)).
LogicalResult SiluBwdOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value s = e.sigmoid(getLhs());
  Value rest = e.sub(e.splat(s.getType(), 1), s);
  Value inner = e.shift(e.mul(getLhs(), rest), 1);
  results[0] = e.mul(getRhs(), e.mul(s, inner));
  return success();
}

LogicalResult SwigluOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  results[0] = e.mul(SiluOp::create(builder, getLoc(), getLhs()), getRhs());
  return success();
}

/// u of the tanh form: sqrt(2/pi) (x + 0.044715 x^3).
static Value argumentOfTanh(Emit &e, Value x, Value xSquared) {
  Value bracket = e.shift(e.scale(xSquared, kGeluCubic), 1);
  return e.scale(e.mul(x, bracket), std::sqrt(2 / M_PI));
}

LogicalResult GeluOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  Value x = getInput();
  if (getApprox() == GeluApprox::Erf) {
    Value odd = e.erf(e.scale(x, M_SQRT1_2));
    results[0] = e.mul(e.scale(x, 0.5), e.shift(odd, 1));
  } else { // (1 + tanh u) / 2 = sigmoid(2u), which keeps its digits below 0
    Value inner = saturatedGelu(e, x);
    Value u = argumentOfTanh(e, inner, e.mul(inner, inner));
    results[0] = e.mul(x, e.sigmoid(e.scale(u, 2)));
  }
  return success();
}

LogicalResult GeluBwdOp::buildDecomposition(OpBuilder &builder, Values &results) {
  Emit e(builder, getLoc());
  bool isErf = getApprox() == GeluApprox::Erf;
  Value x = saturatedGelu(e, getLhs()), square = e.mul(x, x);
  Value slope;
  if (isErf) {
    Value cdf = e.scale(e.shift(e.erf(e.scale(x, M_SQRT1_2)), 1), 0.5);
    Value pdf = e.scale(e.exp(e.scale(square, -0.5)), 1 / std::sqrt(2 * M_PI));
    slope = e.add(cdf, e.mul(x, pdf));
  } else {
    Value u = argumentOfTanh(e, x, square);
    Value inner = e.scale(e.shift(e.scale(square, 3 * kGeluCubic), 1),
                          std::sqrt(2 / M_PI));
    Value tail = e.mul(e.mul(e.scale(x, 0.5), e.tanhSlope(u)), inner);
    slope = e.add(e.sigmoid(e.scale(u, 2)), tail);
  }
  results[0] = e.mul(getRhs(), slope);
  return success();
}
