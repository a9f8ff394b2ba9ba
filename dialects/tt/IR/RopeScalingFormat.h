//===- RopeScalingFormat.h - Text form of rope's scaling --------*- C++ -*-===//
#ifndef TT_LIB_IR_ROPESCALINGFORMAT_H
#define TT_LIB_IR_ROPESCALINGFORMAT_H

#include "tt/IR/TTOps.h"

namespace tt {

/// `linear(4.0)`, `llama3(8.0, 1.0, 4.0, 8192)`.
mlir::ParseResult parseRopeScaling(mlir::OpAsmParser &parser,
                                   RopeScalingAttr &scaling,
                                   mlir::FloatAttr &factor, mlir::FloatAttr &low,
                                   mlir::FloatAttr &high,
                                   mlir::IntegerAttr &context);
void printRopeScaling(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      RopeScalingAttr scaling, mlir::FloatAttr factor,
                      mlir::FloatAttr low, mlir::FloatAttr high,
                      mlir::IntegerAttr context);

} // namespace tt

#endif
