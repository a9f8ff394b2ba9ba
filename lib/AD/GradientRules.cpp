//===- GradientRules.cpp - --tt-drop-gradient-rules -----------------------===//
#include "GradientRules.h"
#include "tt/AD/Passes.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {
#define GEN_PASS_DEF_DROPGRADIENTRULESPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

static func::CallOp callOf(OpBuilder &builder, CustomVjpOp op, ValueRange inputs) {
  return func::CallOp::create(builder, op.getLoc(), op.getCallee(),
                              op.getOutputs().getTypes(), inputs);
}

void tt::cloneWithoutRule(OpBuilder &builder, Operation &op, IRMapping &map) {
  if (auto transform = dyn_cast<GradTransformOp>(op)) {
    map.map(transform.getOutput(), map.lookup(transform.getInput()));
    return;
  }
  auto custom = dyn_cast<CustomVjpOp>(op);
  if (!custom) {
    builder.clone(op, map);
    return;
  }
  SmallVector<Value> inputs;
  for (Value input : custom.getInputs())
    inputs.push_back(map.lookup(input));
  map.map(custom.getOutputs(), callOf(builder, custom, inputs).getResults());
}

namespace {
struct DropGradientRulesPass final
    : tt::impl::DropGradientRulesPassBase<DropGradientRulesPass> {
  using DropGradientRulesPassBase::DropGradientRulesPassBase;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      OpBuilder builder(op);
      if (auto transform = dyn_cast<GradTransformOp>(op)) {
        transform.getOutput().replaceAllUsesWith(transform.getInput());
        op->erase();
      } else if (auto custom = dyn_cast<CustomVjpOp>(op)) {
        op->replaceAllUsesWith(callOf(builder, custom, custom.getInputs()));
        op->erase();
      }
    });
  }
};
} // namespace
