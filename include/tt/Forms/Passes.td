#ifndef TT_FORMS_PASSES_TD
#define TT_FORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyFormPass : Pass<"tt-verify-form", "::mlir::ModuleOp"> {
  let summary = "Check the contract between two stages";
  let description = [{
    Entry and exit: a module in the form that is named; unchanged.

    - `graph` (after a frontend): functions of tt ops, calls and returns. Every
      argument of a public function has one role (`tt.param`, `tt.input` or
      `tt.state`) and a name of its own. An rng_fold, dropout or attention has a site that
      no other one under the same key has.
    - `adjoint` (after `tt-autodiff`): as graph, but for the sites, and at least
      one function with `tt.adjoint` whose pair exists and whose arguments and
      results are those that the attribute says.
    - `training` (after `tt-build-train-step`): as graph, but for the sites, with
      optimizer ops. A public function with `tt.updates` or `tt.output` on one
      result has one of them on every result; an update names a parameter or a
      state of its type, once.
    - `kernels` (after `tt-form-kernels`): functions hold only kernel calls,
      calls, views, concat and constants; a kernel holds no view, call or
      concat and has a known anchor. One with `tt.roles` (after
      `tt-tile-attention`) may hold loops over tiles.
    - `step` (after `tt-build-step`): only `tt.step`s and `tt.kernel`s. A step
      holds buffers, views and launches; a launch has the shapes of its kernel;
      inputs name io buffers; every kernel is launched.
    - `planned` (after `tt-plan-memory`): as step, and every buffer has an offset
      and lies inside its region, whose size `tt.memory` gives; a kernel with a
      workspace gets one.
  }];
  let options = [
    Option<"form", "form", "std::string", /*default=*/"\"graph\"",
           "graph, adjoint, training, kernels, step or planned">,
  ];
}
#endif
