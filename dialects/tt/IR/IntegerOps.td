#ifndef TT_IR_INTEGEROPS_TD
#define TT_IR_INTEGEROPS_TD

include "tt/IR/TTBase.td"

/// An op of integers only: nothing to differentiate. Constants fold up to
/// kMaxFoldedElements elements.
class TT_IntegerOp<string mnemonic, TypeConstraint type, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat(traits, [Pure, Elementwise,
        SameOperandsAndResultType,
        DeclareOpInterfaceMethods<TT_ScalarOpInterface>])> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$output);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($output)";
  let hasFolder = 1;
}

def TT_FloorDivOp : TT_IntegerOp<"floor_div", TT_IndexTensor> {
  let summary = "Quotient of integers, rounded down";
  let description = [{
    `output = floor(lhs / rhs)`; 0 where `rhs` is 0. The one quotient that does not
    fit, least value by -1, wraps.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.floor_div %p, %q : tensor<4xi32>`
  }];
}
def TT_RemOp : TT_IntegerOp<"rem", TT_IndexTensor> {
  let summary = "Remainder of integers, with the sign of the divisor";
  let description = [{
    `output = lhs - floor_div(lhs, rhs) rhs`; `lhs` where `rhs` is 0.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.rem %p, %q : tensor<4xi32>`
  }];
}
def TT_AndOp : TT_IntegerOp<"and", TT_IntTensor, [Commutative]> {
  let summary = "Bitwise and";
  let description = [{
    `output = lhs & rhs`; on i1 the logical and.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.and %a, %b : tensor<4xi1>`
  }];
}
def TT_OrOp : TT_IntegerOp<"or", TT_IntTensor, [Commutative]> {
  let summary = "Bitwise or";
  let description = [{
    `output = lhs | rhs`; on i1 the logical or.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.or %a, %b : tensor<4xi1>`
  }];
}
def TT_XorOp : TT_IntegerOp<"xor", TT_IntTensor, [Commutative]> {
  let summary = "Bitwise exclusive or";
  let description = [{
    `output = lhs ^ rhs`; on i1 true where the two differ.

    Constraints: operands and result have one type.
    Residuals: none.
    Example: `%z = tt.xor %a, %b : tensor<4xi1>`
  }];
}
def TT_NotOp : TT_Op<"not", [Pure, Elementwise, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<TT_ScalarOpInterface>]> {
  let summary = "Bitwise complement";
  let description = [{
    `output = ~input`; on i1 the logical not.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%z = tt.not %a : tensor<4xi1>`
  }];
  let arguments = (ins TT_IntTensor:$input);
  let results = (outs TT_IntTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
  let hasFolder = 1;
}
#endif
