#ifndef TT_INTERFACES_SCALAROPINTERFACE_TD
#define TT_INTERFACES_SCALAROPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TT_ScalarOpInterface : OpInterface<"ScalarOpInterface"> {
  let cppNamespace = "::tt";
  let description = [{
    An elementwise op: the result at an index depends on the operands at that
    index only. Every prologue and epilogue of a kernel uses this one builder.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the op on `operands`, which are all scalars or all 1-D vectors of
      the element types of the op's operands, with arith and math ops; returns
      the result of the op's element type. A fused multiply-add stands only
      where this emits math.fma.
    }], "::mlir::Value", "buildScalar",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>,
  ];
}

#endif
