#ifndef TT_KERNELS_PASSES_TD
#define TT_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormKernelsPass : Pass<"tt-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    Entry: functions of tt ops and calls. Exit: the same functions, in which only
    `tt.call_kernel`, calls, views (reshape, transpose, slice, stop_gradient,
    remat_barrier), concat and constants are left; equal bodies are one
    `tt.kernel`. A kernel has one anchor; elementwise ops ride along where that
    saves reading or writing a tensor. Nothing is fused across a call.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true",
           "false: every op is a kernel of its own; the bits are the same">,
    Option<"schedule", "schedule", "std::string", /*default=*/"\"default\"",
           "default, or alternate: other packing, tasks and tiles that give the "
           "same bits, for tests of that promise">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Distinct kernels">,
    Statistic<"numCalls", "calls", "Kernel calls">,
  ];
  let dependentDialects = ["::tt::TTDialect"];
}

def BuildStepPass : Pass<"tt-build-step", "::mlir::ModuleOp"> {
  let summary = "Flatten entries into straight lists of launches";
  let description = [{
    Entry: functions as left by `tt-form-kernels`. Exit: one `tt.step` per entry
    and the kernels they launch; no function is left. Calls are flattened,
    reshape, transpose and slice become views, a concat's operands are written
    in place, and a copy kernel stands only where a consumer refuses the
    strides. An update writes in place; a reader after the writer is an error.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Functions to flatten; empty takes train_step, grad, eval and "
               "logits, as far as they exist">,
  ];
  let dependentDialects = ["::tt::TTDialect"];
}
#endif
