//===- TrainingOps.cpp - Optimizer and clipping ---------------------------===//
#include "tt/IR/Emit.h"
#include "tt/IR/NarrowFloat.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace mlir;
using namespace tt;

LogicalResult GlobalNormOp::verify() {
  if (getSums().empty()) // (C1)
    return emitOpError() << "expected at least one operand";
  double maxNorm = getMaxNorm().convertToDouble();
  if (!(maxNorm >= 0) || std::isinf(maxNorm)) // (C2)
    return emitOpError() << "expected max_norm to be finite and not negative, but got "
                         << maxNorm;
  return success();
}

LogicalResult AdamWOp::verify() {
  Type type = getParameter().getType();
  for (Value value : {getGradient(), getM(), getV()})
    if (shapeOf(value) != cast<RankedTensorType>(type).getShape()) // (C1)
      return emitOpError() << "expected gradient and moments of the parameter's "
                              "shape " << type << ", but got " << value.getType();
  double beta1 = getBeta1().convertToDouble(), beta2 = getBeta2().convertToDouble();
  if (!(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1)) // (C2)
    return emitOpError() << "expected betas in [0, 1), but got " << beta1
                         << " and " << beta2;
  FloatType element = accumulationType(getElementTypeOrSelf(type));
  double eps = getEps().convertToDouble(), decay = getWeightDecay().convertToDouble();
  bool areHeld = isHeldBy(element, getEps()) && isHeldBy(element, getWeightDecay());
  if (eps > 0 && decay >= 0 && areHeld) // (C2)
    return success();
  InFlightDiagnostic diagnostic = emitOpError()
                                  << "expected a positive eps and a weight decay of at "
                                     "least 0, but got "
                                  << eps << " and " << decay;
  if (!areHeld && std::isfinite(eps) && std::isfinite(decay))
    diagnostic << ", which " << element << " does not hold";
  return diagnostic;
}
