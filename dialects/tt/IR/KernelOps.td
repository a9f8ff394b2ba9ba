#ifndef TT_IR_KERNELOPS_TD
#define TT_IR_KERNELOPS_TD

include "tt/IR/TTBase.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TT_BufferType : TypeDef<TT_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A root of storage: a range of bytes of one region";
}

def TT_KernelOp : TT_Op<"kernel", [IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "One distinct kernel: an anchor with its prologue and epilogue";
  let description = [{
    A value-semantic region over tensors, with static shapes. Argument and
    result attribute `tt.strides` (i64 array, in elements) says how the caller's
    storage is laid out; without it storage is row-major and dense.
    `numerics` fixes the bits (a function of op and shape only), `schedule` may
    not change one. Equal kernels share one symbol.

    Constraints: the body is one block and ends in a `tt.yield` of the types of
    the results.
    Residuals: none: kernels are made after differentiation.
    Example:
    ```mlir
    tt.kernel @add_0(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32>
        attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
      %c = tt.add %a, %b : tensor<8xf32>
      tt.yield %c : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
      TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<DictArrayAttr>:$arg_attrs,
      OptionalAttr<DictArrayAttr>:$res_attrs,
      StrAttr:$anchor, DictionaryAttr:$numerics, DictionaryAttr:$schedule);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// FunctionOpInterface.
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
  let hasVerifier = 1;
}
def TT_YieldOp : TT_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["::tt::KernelOp", "::tt::StepOp", "::tt::CustomVjpOp"]>]> {
  let summary = "Ends a kernel's, a step's or a rule's region";
  let description = [{
    Hands out the results of a kernel, the views of a step's outputs, or the
    cotangents that the rule of a `tt.custom_vjp` gives.

    Constraints: in a kernel, the types are those of its results.
    Residuals: none: kernels are made after differentiation.
    Example: `tt.yield %c : tensor<8xf32>`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{}]>];
}
def TT_CallKernelOp : TT_Op<"call_kernel", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel on values";
  let description = [{
    Constraints: (C1) the symbol names a `tt.kernel`; (C2) the types are its.
    Residuals: none: kernels are made after differentiation.
    Example: `%c = tt.call_kernel @add_0(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<TT_Tensor>:$inputs);
  let results = (outs Variadic<TT_Tensor>:$outputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}
def TT_StepOp : TT_Op<"step", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "An entry as a straight list of launches";
  let description = [{
    Holds `tt.buffer` roots, `tt.view`s and `tt.launch`es, in execution order, and
    ends in a `tt.yield` of the views of the outputs.
    The runtime walks the launches; the same list serves CPU and GPU.
    `inputs` names the io buffers, `outputs` the yielded views, in call order.

    Constraints: those of the form `step` (`--tt-verify-form`).
    Residuals: none: kernels are made after differentiation.
    Example:
    ```mlir
    tt.step @double inputs = ["x"] outputs = ["y"] {
      %0 = tt.buffer io bytes = 32 {name = "x"}
      %1 = tt.buffer arena bytes = 32 {kind = "activation"}
      %2 = tt.view %0 at 0 : memref<8xf32>
      %3 = tt.view %1 at 0 : memref<8xf32>
      tt.launch @add_0 reads(%2, %2 : memref<8xf32>, memref<8xf32>) writes(%3 : memref<8xf32>)
      tt.yield %3 : memref<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$inputs,
                       StrArrayAttr:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `inputs` `=` $inputs `outputs` `=` $outputs attr-dict-with-keyword $body";
}
def TT_Region : I32EnumAttr<"MemoryRegion", "region of memory", [
    I32EnumAttrCase<"Parameters", 0, "parameters">,
    I32EnumAttrCase<"State", 1, "state">, I32EnumAttrCase<"Arena", 2, "arena">,
    I32EnumAttrCase<"IO", 3, "io">, I32EnumAttrCase<"Constant", 4, "constant">]> {
  let cppNamespace = "::tt";
}
def TT_BufferOp : TT_Op<"buffer"> {
  let summary = "A root of storage";
  let description = [{
    Two buffers are two ranges even when they are alike: the op allocates, so
    that CSE leaves them apart and an unused one dies.

    `name` ties parameters, state and io to their tensors; an arena buffer has a
    `kind` (gradient, activation, workspace) and gets its `offset`, in bytes
    from the start of the planned part of the arena, from `--tt-plan-memory`.

    Constraints: (C1) bytes and offset are not negative, the offset is a
    multiple of 64; (C2) a buffer outside the arena has a name.
    Residuals: none: kernels are made after differentiation.
    Example: `%b = tt.buffer arena bytes = 4096 {kind = "activation", offset = 64 : i64}`
  }];
  let arguments = (ins TT_Region:$region, I64Attr:$bytes,
      OptionalAttr<StrAttr>:$name, OptionalAttr<StrAttr>:$kind,
      OptionalAttr<I64Attr>:$offset, OptionalAttr<ElementsAttr>:$value);
  let results = (outs Res<TT_BufferType, "the range", [MemAlloc]>:$result);
  let assemblyFormat = "$region `bytes` `=` $bytes attr-dict";
  let hasVerifier = 1;
}
def TT_ViewOp : TT_Op<"view", [Pure]> {
  let summary = "A static view of a root";
  let description = [{
    Starts `byte_offset` bytes into the root. Strides are those of the type.

    Constraints: (C1) the view lies inside its root.
    Residuals: none: kernels are made after differentiation.
    Example: `%v = tt.view %b at 128 : memref<4x8xf32, strided<[24, 1]>>`
  }];
  let arguments = (ins TT_BufferType:$root, I64Attr:$byte_offset);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$root `at` $byte_offset attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TT_LaunchOp : TT_Op<"launch", [AttrSizedOperandSegments]> {
  let summary = "Runs a kernel on views";
  let description = [{
    `reads` are the kernel's arguments, `writes` its results, in order. After
    memory planning `workspace` is the root of its shared workspace.

    Constraints: shapes and element types are the kernel's (`--tt-verify-form`).
    Residuals: none: kernels are made after differentiation.
    Example: see `tt.step`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
      Variadic<AnyStaticShapeMemRef>:$reads,
      Variadic<AnyStaticShapeMemRef>:$writes, Optional<TT_BufferType>:$workspace);
  let assemblyFormat = [{
    $kernel (`reads` `(` $reads^ `:` type($reads) `)`)?
    (`writes` `(` $writes^ `:` type($writes) `)`)?
    (`workspace` `(` $workspace^ `)`)? attr-dict
  }];
}
#endif
