#ifndef TT_IR_CONTROLOPS_TD
#define TT_IR_CONTROLOPS_TD

include "tt/IR/TTBase.td"

def TT_StopGradientOp : TT_DiffOp<"stop_gradient", [SameOperandsAndResultType]> {
  let summary = "Identity that passes no cotangent";
  let description = [{
    `output = input`; derivative 0 by definition.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.stop_gradient %x : tensor<4xf32>`
  }];
  let arguments = (ins TT_Tensor:$input);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
}
def TT_RematBarrierOp : TT_Op<"remat_barrier",
    [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "Identity that a recomputation reads its inputs through";
  let description = [{
    `output = input`, not before `after` exists. The data dependence keeps the
    clone of a forward op apart from the original (no CSE) and behind the
    cotangent that needs it (no hoisting). Has no folder; a dead one dies.

    Constraints: `input` and the result have one type.
    Residuals: none: `--tt-checkpoint` makes it, after differentiation.
    Example: `%y = tt.remat_barrier %x after %dy : tensor<4xf32>, tensor<8xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$after);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `after` $after attr-dict `:` type($input) `,` type($after)";
}
def TT_GradTransformKind : I32EnumAttr<"GradTransformKind", "cotangent transform", [
    I32EnumAttrCase<"Clip", 0, "clip">, I32EnumAttrCase<"Scale", 1, "scale">,
    I32EnumAttrCase<"Reverse", 2, "reverse">]> {
  let cppNamespace = "::tt";
}
def TT_GradTransformOp : TT_DiffOp<"grad_transform", [SameOperandsAndResultType]> {
  let summary = "Identity that changes the cotangent passing through";
  let description = [{
    `output = input`. Its cotangent, by declaration: `clip` brings every element
    into [-value, value], `scale` multiplies by `value`, `reverse` by -1. `scale`
    and `reverse` act on tangents as well, so that forward and reverse mode
    agree; `clip` is not linear and has no JVP rule. In a function that AD has
    built the op is gone: its effect is part of the adjoint.

    Constraints: (C1) `clip` and `scale` have a `value` that is finite, also in the
    element type, `reverse` has none; (C2) the value of `clip` is not negative.
    Residuals: none.
    Example: `%y = tt.grad_transform clip 1.0 %x : tensor<4xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_GradTransformKind:$kind,
                       OptionalAttr<F64Attr>:$value);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$kind ($value^)? $input attr-dict `:` type($output)";
  let hasVerifier = 1;
}
def TT_CustomVjpOp : TT_DiffOp<"custom_vjp",
    [IsolatedFromAbove, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A call with a derivative rule of its own";
  let description = [{
    `results = callee(inputs)`. The reverse rule is the function `vjp`: it takes
    the inputs, the results and the cotangents of the float results and returns
    the cotangents of the float inputs. It may be a region with these arguments
    instead, after `rule`, which ends with `tt.yield`; `--tt-outline-rules` makes it
    a function. The forward rule is `jvp`: it takes the inputs and the tangents of
    the float inputs and returns the tangents of the float results; without it
    forward mode is an error. A missing cotangent or tangent comes in as zeros. In a
    function that AD has built, and before kernels are made, the op is a plain call.

    A rule claims to be the derivative of `callee`, which `tt-check` and the
    certificate compare with differences. With `surrogate` it claims to be another
    one, such as that of a smooth stand-in for a step, and what must hold is that the
    gradients are what this rule makes them.

    Constraints: (C1) `callee` is a function with the types of the op; (C2) there is
    either a function `vjp` with the types above or a region with them; (C3) `jvp`, if
    given, is a function with the types above.
    Residuals: inputs and results.
    Example: see `test/dialect/tt/Control/ops.mlir`
  }];
  let arguments = (ins Variadic<TT_Tensor>:$inputs, FlatSymbolRefAttr:$callee,
                       OptionalAttr<FlatSymbolRefAttr>:$vjp,
                       OptionalAttr<FlatSymbolRefAttr>:$jvp, UnitAttr:$surrogate);
  let results = (outs Variadic<TT_Tensor>:$outputs);
  let regions = (region AnyRegion:$rule);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`vjp` `=` $vjp^)? (`jvp` `=` $jvp^)?
    (`surrogate` $surrogate^)? attr-dict `:` functional-type($inputs, $outputs)
    (`rule` $rule^)?
  }];
  let extraClassDeclaration = [{
    /// The arguments and the results of the reverse rule.
    ::mlir::FunctionType ruleType();
  }];
}
def TT_RepeatOp : TT_Op<"repeat", [Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A layer run a fixed number of times over stacked parameters";
  let description = [{
    For i = 0 .. count - 1 in turn, `carried = callee(carried, stacked[i],
    shared, rng_fold(key, site = i))`; the results are the carried values of the
    last turn. `--tt-expand-repeat` makes it `count` calls on slices, which are
    views, before AD; the gradients of the slices become one stacked gradient
    that is written in place.

    Constraints: (C1) `count` is in [1, 65536], and the first dimension of every
    stacked operand; (C2) `callee` is a function that takes the carried values,
    the slices, the shared values and the key, and returns the carried values;
    (C3) the results have the types of the carried values.
    Residuals: those of the callee, once per turn.
    Example: see `test/dialect/tt/Control/ops.mlir`; a layer with weights of its own, a
    shared mask and a key:
    ```mlir
    func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>, %m: tensor<4xi1>,
                             %k: tensor<2xi32>) -> tensor<4xf32>
    %y = tt.repeat @layer count = 3 carried(%x) stacked(%w) shared(%m) key(%k)
        : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xi1>, tensor<2xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$carried, Variadic<TT_Tensor>:$stacked,
                       Variadic<TT_Tensor>:$shared, Optional<TT_Key>:$key,
                       FlatSymbolRefAttr:$callee, I64Attr:$count);
  let results = (outs Variadic<TT_Tensor>:$results);
  let assemblyFormat = [{
    $callee `count` `=` $count `carried` `(` $carried `)`
    (`stacked` `(` $stacked^ `)`)? (`shared` `(` $shared^ `)`)?
    (`key` `(` $key^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The types of one turn's arguments.
    ::llvm::SmallVector<::mlir::Type> turnTypes();
  }];
}
#endif
