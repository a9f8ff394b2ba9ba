#ifndef TT_AD_PASSES_TD
#define TT_AD_PASSES_TD

include "mlir/Pass/PassBase.td"

def AutodiffPass : Pass<"tt-autodiff", "::mlir::ModuleOp"> {
  let summary = "Build the forward, reverse and tangent functions of a function";
  let description = [{
    Entry: a function of tt ops and calls of such functions. Exit, `mode=vjp`:
    `@f_fwd` returns f's results and the residuals that are neither arguments
    nor results; `@f_bwd` takes the residuals and the cotangents of the live
    results (floats that an active argument reaches) and returns the cotangents of
    the active arguments. Callees get
    adjoint functions of their own, one per callee, active arguments and live
    results. `mode=jvp`: `@f_jvp` takes the arguments and the tangents of the
    active ones and returns the results and their tangents.

    An op on an active path that has no rules but a decomposition is decomposed
    first, in the function that is differentiated; so `@f_bwd` can be
    differentiated again.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "Function to differentiate; empty takes the only public one">,
    Option<"wrt", "wrt", "std::string", /*default=*/"\"params\"",
           "params (tt.param arguments but frozen ones), all (every float "
           "argument), or a comma-separated list of argument numbers">,
    Option<"mode", "mode", "std::string", /*default=*/"\"vjp\"", "vjp or jvp">,
    Option<"allowUnreached", "allow-unreached", "bool", /*default=*/"false",
           "Accept parameters that the results do not depend on (gradient 0)">,
    Option<"unreachedHint", "unreached-hint", "std::string",
           /*default=*/"\"allow-unreached=true\"",
           "What the error about such a parameter names as the other way out: the "
           "option of the tool that runs the pass; empty for none">,
  ];
  let statistics = [
    Statistic<"numAdjoints", "adjoint-functions", "Distinct adjoint functions built">,
    Statistic<"numResiduals", "residuals", "Values kept between forward and backward">,
  ];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def DecomposePass : Pass<"tt-decompose", "::mlir::ModuleOp"> {
  let summary = "Replace composite ops by the simpler ops of their formulas";
  let description = [{
    Entry: functions of tt ops. Exit: the same functions, in which no chosen op is
    left; what an op decomposes into is decomposed in turn if it is chosen too.
    Without options every op that can be decomposed is chosen. Results are the
    same up to rounding.
  }];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "Names of the ops to replace, as softmax or tt.softmax; empty takes all">,
    Option<"adjoints", "adjoints", "bool", /*default=*/"false",
           "Of the chosen ops, only those without derivative rules of their own">,
  ];
  let statistics = [Statistic<"numDecomposed", "ops-decomposed", "Ops replaced">];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def OutlineRulesPass : Pass<"tt-outline-rules", "::mlir::ModuleOp"> {
  let summary = "Make functions of the rules that stand in regions";
  let description = [{
    Entry: functions of tt ops and calls, as parsed. Exit: the same, where every
    `tt.custom_vjp` names a function as its reverse rule. Runs before all others; tools
    do so when they load a file.
  }];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def ExpandRepeatPass : Pass<"tt-expand-repeat", "::mlir::ModuleOp"> {
  let summary = "Turn tt.repeat into calls on slices";
  let description = [{
    Entry: functions of tt ops and calls. Exit: the same without `tt.repeat`:
    turn i calls the layer with slice i of every stacked operand, which is a view
    without its first dimension, and with the key folded with site i. Runs
    before `tt-autodiff`.
  }];
  let statistics = [Statistic<"numCalls", "calls", "Calls that took the place of repeats">];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def DropGradientRulesPass : Pass<"tt-drop-gradient-rules", "::mlir::ModuleOp"> {
  let summary = "Leave only the values of ops with a rule of their own";
  let description = [{
    Entry: functions of tt ops, differentiated or never to be. Exit: the same
    values; `tt.custom_vjp` is a call of its callee and `tt.grad_transform` is
    gone. Runs after `tt-autodiff`, which has done so in what it has built.
  }];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def CountFlopsPass : Pass<"tt-count-flops", "::mlir::ModuleOp"> {
  let summary = "Print FLOPs and bytes per op and function";
  let description = [{
    Entry: any module of tt functions and steps. Exit: unchanged. A call counts
    as its callee, a `tt.step` as the products of the kernels that it launches.
    Attention is printed apart from the weights' products.

    `others` are FLOPs outside of products: 1 per element of an elementwise op
    whatever it computes, 1 per element that a sum reads, n ceil(log2 n) for a sort;
    a composite op costs what its decomposition does. Bytes are those of operands
    and results of each op run by itself: fused ops move fewer (`tt-plan`).
  }];
}

def PrintResidualsPass : Pass<"tt-print-residuals", "::mlir::ModuleOp"> {
  let summary = "Print what is kept between forward and backward";
  let description = [{
    Entry: `@f_fwd`/`@f_bwd` pairs as left by `tt-autodiff`. Exit: unchanged.
    One line per value: type, bytes, the primal op and its place, and the ops of
    the adjoint that read it, each with the place of its primal op. Arguments
    and results of the function cost nothing and are listed apart from the sum.
    The sum of the entry holds those of the functions that it calls.
  }];
}
#endif
