//===- OutlineRules.cpp - --tt-outline-rules ------------------------------===//
#include "tt/AD/Adjoint.h"
#include "tt/AD/OutlineRules.h"
#include "tt/AD/Passes.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {
#define GEN_PASS_DEF_OUTLINERULESPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

/// The region sees nothing from outside, so it is the function's body as it is.
static void outline(ModuleOp module, CustomVjpOp op) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  std::string name = freshSymbol(module, op.getCallee() + "_vjp");
  auto function = func::FuncOp::create(builder, op.getLoc(), name, op.ruleType());
  function.setPrivate();
  function.getBody().takeBody(op.getRule());
  auto yield = cast<YieldOp>(function.getBody().front().getTerminator());
  builder.setInsertionPoint(yield);
  func::ReturnOp::create(builder, yield.getLoc(), yield.getValues());
  yield.erase();
  op.setVjp(name);
}

void tt::outlineRules(ModuleOp module) {
  SmallVector<CustomVjpOp> found;
  module.walk([&](CustomVjpOp op) { // a rule inside of another one comes first
    if (!op.getVjpAttr())
      found.push_back(op);
  });
  for (CustomVjpOp op : found)
    outline(module, op);
}

namespace {
struct OutlineRulesPass final : tt::impl::OutlineRulesPassBase<OutlineRulesPass> {
  using OutlineRulesPassBase::OutlineRulesPassBase;

  void runOnOperation() override { outlineRules(getOperation()); }
};
} // namespace
