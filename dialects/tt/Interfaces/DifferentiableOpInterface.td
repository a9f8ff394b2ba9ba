#ifndef TT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define TT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TT_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::tt";
  let description = [{
    What an op tells the AD room: which primal values its reverse rule reads,
    the reverse rule (VJP) and the forward rule (JVP). Rules only emit ops. They
    never erase, accumulate or look at users: adding cotangents is AD's job and
    keeping residuals is Remat's.

    A null Value is a symbolic zero, in and out, for cotangents and tangents.
    The caller never calls a rule whose incoming values are all null.
  }];
  let methods = [
    InterfaceMethod<[{
      Names the primal values that `buildVJP` reads, one slot each; the slots of
      an op are fixed, and a slot that is not needed for these active operands
      and live result cotangents is null. A value must be an operand or a
      result of this op. When unsure, name the value: a residual too many costs
      memory, one too few is a crash.
    }], "void", "getResiduals",
    (ins "::tt::ActiveSet":$active, "::tt::ActiveSet":$liveResults,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$residuals)>,
    InterfaceMethod<[{
      Emits the reverse rule at the builder's insertion point. `residuals` are
      the values of the slots of `getResiduals`, `resultCotangents` one value or
      null per result, `active` one flag per operand. `operandCotangents` comes
      in with one null per operand; the rule sets those of active operands it
      contributes to. Types: a cotangent has the type of its primal value.
      Fails, with a diagnostic on the op, when there is no rule.
    }], "::llvm::LogicalResult", "buildVJP",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$residuals,
         "::mlir::ValueRange":$resultCotangents, "::tt::ActiveSet":$active,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandCotangents)>,
    InterfaceMethod<[{
      Emits the forward rule. The op itself stands before the insertion point in
      the function that is built, so its own operands and results may be read.
      `operandTangents` has one value or null per operand; `resultTangents`
      comes in with one null per result.
    }], "::llvm::LogicalResult", "buildJVP",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operandTangents,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$resultTangents)>,
    InterfaceMethod<[{
      True when the first result is linear in operand `index`.
    }], "bool", "isLinearIn", (ins "unsigned":$index), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      True when no derivative flows through operand `index` by definition, as
      for indices, keys and `stop_gradient`.
    }], "bool", "isCutAt", (ins "unsigned":$index), [{}], [{ return false; }]>,
  ];
}

#endif
