#ifndef TT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
#define TT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TT_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::tt";
  let description = [{
    An op that simpler ops can stand in for: what a target without an emitter
    runs, and what AD differentiates where an op has no rule of its own. A
    decomposition says in ops what the formula of the op's text says, degenerate
    inputs included; its roundings may differ from those of the op's kernel.

    Simpler means that the chain of decompositions ends: no op decomposes, in
    however many steps, into itself.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits ops that compute this op's results, at the builder's insertion point,
      which stands before the op. Only operands and attributes may be read, not
      the op's results. `results` comes in with one null per result; each gets a
      value of the result's type, and only a result that nothing reads may stay
      null. All ops are pure. Nothing is erased and no use is replaced: that is
      the caller's job, as is decomposing what was emitted further. Fails, with
      a diagnostic on the op, where this form of the op has none.
    }], "::llvm::LogicalResult", "buildDecomposition",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>,
  ];
}

#endif
