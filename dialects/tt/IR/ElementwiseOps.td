#ifndef TT_IR_ELEMENTWISEOPS_TD
#define TT_IR_ELEMENTWISEOPS_TD

include "tt/IR/TTBase.td"

class TT_UnaryOp<string mnemonic, list<Trait> traits = []>
    : TT_DiffOp<mnemonic, !listconcat(traits, [Elementwise,
        SameOperandsAndResultType,
        DeclareOpInterfaceMethods<TT_ScalarOpInterface>])> {
  let arguments = (ins TT_FloatTensor:$input);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
}

/// Floats, or i32 and i64: the same op for positions and counts.
def TT_NumberTensor : TT_TensorOf<[F64, F32, BF16, F16, I64, I32]>;

class TT_BinaryOp<string mnemonic, list<Trait> traits = []>
    : TT_DiffOp<mnemonic, !listconcat(traits, [Elementwise,
        SameOperandsAndResultType,
        DeclareOpInterfaceMethods<TT_ScalarOpInterface>])> {
  let arguments = (ins TT_FloatTensor:$lhs, TT_FloatTensor:$rhs);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($output)";
}

/// A binary op of floats or integers; integers wrap and have no derivative.
class TT_NumberOp<string mnemonic, list<Trait> traits = []>
    : TT_BinaryOp<mnemonic, traits> {
  let arguments = (ins TT_NumberTensor:$lhs, TT_NumberTensor:$rhs);
  let results = (outs TT_NumberTensor:$output);
  let hasFolder = 1;
}

def TT_AddOp : TT_NumberOp<"add", [Commutative]> {
  let summary = "Elementwise sum";
  let description = [{
    `output = lhs + rhs`; integers wrap.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.add %x, %y : tensor<4x8xf32>`
  }];
}
def TT_SubOp : TT_NumberOp<"sub"> {
  let summary = "Elementwise difference";
  let description = [{
    `output = lhs - rhs`; integers wrap.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.sub %x, %y : tensor<4x8xf32>`
  }];
}
def TT_MulOp : TT_NumberOp<"mul", [Commutative]> {
  let summary = "Elementwise product";
  let description = [{
    `output = lhs * rhs`; integers wrap.

    Constraints: operands and result have one type.
    Residuals: `rhs` if `lhs` is active, `lhs` if `rhs` is active.
    Example: `%z = tt.mul %x, %y : tensor<4x8xf32>`
  }];
}
def TT_DivOp : TT_BinaryOp<"div"> {
  let summary = "Elementwise quotient";
  let description = [{
    `output = lhs / rhs`. d_lhs = d / rhs, d_rhs = -d * output / rhs.

    Constraints: operands and result have one type.
    Residuals: `rhs`; `output` if `rhs` is active.
    Example: `%z = tt.div %x, %y : tensor<4x8xf32>`
  }];
}
def TT_MaximumOp : TT_NumberOp<"maximum"> {
  let summary = "Elementwise maximum";
  let description = [{
    `output = max(lhs, rhs)`; NaN if either is NaN. A tie sends the cotangent to
    `lhs`.

    Constraints: operands and result have one type.
    Residuals: `lhs`, `rhs`.
    Example: `%z = tt.maximum %x, %y : tensor<4x8xf32>`
  }];
}
def TT_MinimumOp : TT_NumberOp<"minimum"> {
  let summary = "Elementwise minimum";
  let description = [{
    `output = min(lhs, rhs)`; NaN if either is NaN. A tie sends the cotangent to
    `lhs`.

    Constraints: operands and result have one type.
    Residuals: `lhs`, `rhs`.
    Example: `%z = tt.minimum %x, %y : tensor<4x8xf32>`
  }];
}
def TT_NegOp : TT_UnaryOp<"neg"> {
  let summary = "Elementwise negation";
  let description = [{
    `output = -input`.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.neg %x : tensor<4x8xf32>`
  }];
  let hasFolder = 1;
}
def TT_AbsOp : TT_UnaryOp<"abs"> {
  let summary = "Elementwise absolute value";
  let description = [{
    `output = |input|`, derivative `sign(input)`, 0 at 0.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.abs %x : tensor<4x8xf32>`
  }];
}
def TT_ExpOp : TT_UnaryOp<"exp"> {
  let summary = "Elementwise exponential";
  let description = [{
    `output = e^input`. On the CPU a result below the smallest normal number is 0.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.exp %x : tensor<4x8xf32>`
  }];
}
def TT_LogOp : TT_UnaryOp<"log"> {
  let summary = "Elementwise natural logarithm";
  let description = [{
    `output = ln(input)`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.log %x : tensor<4x8xf32>`
  }];
}
def TT_SqrtOp : TT_UnaryOp<"sqrt"> {
  let summary = "Elementwise square root";
  let description = [{
    `output = sqrt(input)`, derivative `1 / (2 output)`, infinite at 0.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.sqrt %x : tensor<4x8xf32>`
  }];
}
def TT_RsqrtOp : TT_UnaryOp<"rsqrt"> {
  let summary = "Elementwise reciprocal square root";
  let description = [{
    `output = 1 / sqrt(input)`, derivative `-output^3 / 2`.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.rsqrt %x : tensor<4x8xf32>`
  }];
}
def TT_SquareOp : TT_UnaryOp<"square"> {
  let summary = "Elementwise square";
  let description = [{
    `output = input * input`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.square %x : tensor<4x8xf32>`
  }];
}
def TT_ReciprocalOp : TT_UnaryOp<"reciprocal"> {
  let summary = "Elementwise reciprocal";
  let description = [{
    `output = 1 / input`, derivative `-output^2`.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.reciprocal %x : tensor<4x8xf32>`
  }];
}
def TT_TanhOp : TT_UnaryOp<"tanh"> {
  let summary = "Elementwise hyperbolic tangent";
  let description = [{
    `output = tanh(input)`, derivative `1 - output^2`, as the output is what is kept:
    in f32 it loses its digits where the output is next to 1, and is 0 from
    |input| = 9.02 on. The softcap of `tt.attention` keeps them.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.tanh %x : tensor<4x8xf32>`
  }];
}
def TT_SigmoidOp : TT_UnaryOp<"sigmoid"> {
  let summary = "Elementwise logistic function";
  let description = [{
    `output = 1 / (1 + e^-input)`, derivative `output (1 - output)`, as the output is
    what is kept: in f32 it loses its digits where the output is next to 1, and is
    0 from 17 on.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.sigmoid %x : tensor<4x8xf32>`
  }];
}
def TT_SinOp : TT_UnaryOp<"sin"> {
  let summary = "Elementwise sine";
  let description = [{
    `output = sin(input)`, radians.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.sin %x : tensor<4x8xf32>`
  }];
}
def TT_CosOp : TT_UnaryOp<"cos"> {
  let summary = "Elementwise cosine";
  let description = [{
    `output = cos(input)`, radians.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.cos %x : tensor<4x8xf32>`
  }];
}
def TT_ErfOp : TT_UnaryOp<"erf"> {
  let summary = "Elementwise error function";
  let description = [{
    `output = erf(input)`, derivative `2/sqrt(pi) e^(-input^2)`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.erf %x : tensor<4x8xf32>`
  }];
}
def TT_ReluOp : TT_UnaryOp<"relu"> {
  let summary = "Rectified linear unit";
  let description = [{
    `output = max(input, 0)`, derivative 1 where `input > 0`, else 0 (0 at 0).

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.relu %x : tensor<4x8xf32>`
  }];
}
def TT_SiluOp : TT_UnaryOp<"silu", [TT_Decomposable]> {
  let summary = "Sigmoid linear unit";
  let description = [{
    `output = input * sigmoid(input)`. Right at both ends of the range: never
    inf/inf. On the CPU it is 0 below -88.7, where `e^-input` leaves f32 and the
    output is above -3e-37; so is the derivative.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.silu %x : tensor<4x8xf32>`
  }];
}
def TT_SiluBwdOp : TT_BinaryOp<"silu_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of silu";
  let description = [{
    `output = rhs * s (1 + lhs (1 - s))`, `s = sigmoid(lhs)`; `lhs` is silu's
    input and `rhs` the cotangent of its output.

    Constraints: operands and result have one type.
    Residuals: `lhs`, `rhs`.
    Example: `%dx = tt.silu_bwd %x, %dy : tensor<4x8xf32>`
  }];
}

def TT_GeluApprox : I32EnumAttr<"GeluApprox", "form of gelu", [
    I32EnumAttrCase<"Erf", 0, "erf">, I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::tt";
}
def TT_GeluOp : TT_UnaryOp<"gelu", [TT_Decomposable]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `erf`: `output = input/2 (1 + erf(input/sqrt 2))`. `tanh`:
    `output = input/2 (1 + tanh(sqrt(2/pi) (input + 0.044715 input^3)))`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.gelu tanh %x : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_GeluApprox:$approx);
  let assemblyFormat = "$approx $input attr-dict `:` type($output)";
}
def TT_GeluBwdOp : TT_BinaryOp<"gelu_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of gelu";
  let description = [{
    `output = rhs * gelu'(lhs)`; `lhs` is gelu's input, `rhs` the cotangent.
    `erf`: `gelu' = Phi(x) + x phi(x)`. `tanh`: `gelu' = (1+t)/2 + x/2 (1-t^2) u'`,
    `t = tanh u`, `u = sqrt(2/pi)(x + 0.044715 x^3)`. Where `1 + erf`, `1 + t` and
    `1 - t^2` are what a rounding left of 1, equal forms without 1 are computed.

    Constraints: operands and result have one type.
    Residuals: `lhs`, `rhs`.
    Example: `%dx = tt.gelu_bwd tanh %x, %dy : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$lhs, TT_FloatTensor:$rhs,
                       TT_GeluApprox:$approx);
  let assemblyFormat = "$approx $lhs `,` $rhs attr-dict `:` type($output)";
}
def TT_SwigluOp : TT_BinaryOp<"swiglu", [TT_Decomposable]> {
  let summary = "Gated unit: silu(gate) * up";
  let description = [{
    `output = silu(lhs) * rhs`; `lhs` is the gate, `rhs` the up projection.

    Constraints: operands and result have one type.
    Residuals: `lhs`; `rhs` if `lhs` is active.
    Example: `%y = tt.swiglu %gate, %up : tensor<4x8xf32>`
  }];
}

def TT_ComparePredicate : I32EnumAttr<"ComparePredicate", "comparison", [
    I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
    I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
    I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]> {
  let cppNamespace = "::tt";
}
def TT_CompareOp : TT_InferOp<"compare", [Elementwise, SameOperandsElementType,
    SameOperandsAndResultShape, DeclareOpInterfaceMethods<TT_ScalarOpInterface>]> {
  let summary = "Elementwise comparison";
  let description = [{
    `output = lhs predicate rhs`; any comparison with NaN is false, but `ne`
    is true. Not differentiable: its result is a boolean.

    Constraints: operands have one type; the result has their shape and i1.
    Residuals: none.
    Example: `%b = tt.compare gt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>`
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs,
                       TT_ComparePredicate:$predicate);
  let results = (outs TT_BoolTensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}
def TT_SelectOp : TT_DiffOp<"select", [Elementwise, SameOperandsAndResultShape,
    AllTypesMatch<["on_true", "on_false", "output"]>,
    DeclareOpInterfaceMethods<TT_ScalarOpInterface>]> {
  let summary = "Elementwise choice";
  let description = [{
    `output = condition ? on_true : on_false`. The cotangent of the side that
    was not taken is 0, but its own adjoint still runs: guard a singular operand
    with a second select. Other systems call it `where`.

    Constraints: `on_true`, `on_false` and the result have one type;
    `condition` has their shape.
    Residuals: `condition`.
    Example: `%y = tt.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>`
  }];
  let arguments = (ins TT_BoolTensor:$condition, TT_Tensor:$on_true,
                       TT_Tensor:$on_false);
  let results = (outs TT_Tensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` type($condition) `,` type($output)";
}
def TT_CastOp : TT_DiffOp<"cast", [Elementwise, SameOperandsAndResultShape,
    DeclareOpInterfaceMethods<TT_ScalarOpInterface>]> {
  let summary = "Elementwise conversion of the element type";
  let description = [{
    Floats round to nearest even. A float goes to an integer towards zero, to the
    nearest end of its range beyond it, NaN to 0. Between integers the low bits
    stay. To i1, what is not 0 is 1; from i1, 0 or 1. Differentiable between floats.

    Constraints: operand and result have one shape.
    Residuals: none.
    Example: `%y = tt.cast %x : tensor<4xf32> to tensor<4xbf16>`
  }];
  let arguments = (ins TT_Tensor:$input);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($output)";
  let hasFolder = 1;
}
#endif
