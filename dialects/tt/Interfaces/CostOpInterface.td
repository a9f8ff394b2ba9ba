#ifndef TT_INTERFACES_COSTOPINTERFACE_TD
#define TT_INTERFACES_COSTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TT_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::tt";
  let description = [{ What one execution of an op costs. }];
  let methods = [
    InterfaceMethod<[{
      FLOPs spent in matrix products, a multiply-add counted as 2. Masks do not
      lower the count.
    }], "int64_t", "getMatmulFlops", (ins)>,
  ];
}

#endif
