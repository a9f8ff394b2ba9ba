//===- VerifyForm.cpp - --tt-verify-form ----------------------------------===//
#include "FormChecks.h"
#include "tt/Forms/Passes.h"

#include "llvm/ADT/StringSwitch.h"

namespace tt {
#define GEN_PASS_DEF_VERIFYFORMPASS
#include "tt/Forms/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

std::optional<Form> tt::parseForm(StringRef name) {
  return llvm::StringSwitch<std::optional<Form>>(name)
      .Case("graph", Form::Graph)
      .Case("adjoint", Form::Adjoint)
      .Case("training", Form::Training)
      .Case("kernels", Form::Kernels)
      .Case("step", Form::Step)
      .Case("planned", Form::Planned)
      .Default(std::nullopt);
}

LogicalResult tt::verifyForm(ModuleOp module, Form form) {
  switch (form) {
  case Form::Kernels:
    return verifyKernelsForm(module);
  case Form::Step:
    return verifyStepForm(module);
  case Form::Planned:
    return verifyPlannedForm(module);
  default:
    return verifyGraphForm(module, form);
  }
}

namespace {
struct VerifyFormPass final : tt::impl::VerifyFormPassBase<VerifyFormPass> {
  using VerifyFormPassBase::VerifyFormPassBase;

  void runOnOperation() override {
    std::optional<Form> wanted = parseForm(form);
    if (!wanted) {
      getOperation().emitError() << "expected form to be graph, adjoint, training, "
                                    "kernels, step or planned, but got '"
                                 << form << "'";
      return signalPassFailure();
    }
    if (failed(verifyForm(getOperation(), *wanted)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
