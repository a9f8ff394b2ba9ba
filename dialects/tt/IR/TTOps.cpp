//===- TTOps.cpp - Generated op definitions -------------------------------===//
#include "tt/IR/TTOps.h"
#include "RopeScalingFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "tt/Interfaces/CostOpInterface.cpp.inc"
#include "tt/Interfaces/DecomposableOpInterface.cpp.inc"
#include "tt/Interfaces/DifferentiableOpInterface.cpp.inc"
#include "tt/Interfaces/ScalarOpInterface.cpp.inc"

#define GET_OP_CLASSES
#include "tt/IR/TTOps.cpp.inc"
