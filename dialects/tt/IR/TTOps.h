//===- TTOps.h - All ops of the tt dialect ----------------------*- C++ -*-===//
#ifndef TT_IR_TTOPS_H
#define TT_IR_TTOPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tt/IR/TTDialect.h"
#include "tt/Interfaces/Interfaces.h"

#define GET_OP_CLASSES
#include "tt/IR/TTOps.h.inc"

#endif
