//===- ExpandRepeat.cpp - --tt-expand-repeat ------------------------------===//
#include "tt/AD/Passes.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {
#define GEN_PASS_DEF_EXPANDREPEATPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

/// The operands of turn `i`.
static SmallVector<Value> operandsOfTurn(Emit &e, RepeatOp repeat,
                                         ArrayRef<Value> carried, int64_t i) {
  SmallVector<Value> operands(carried);
  for (Value stacked : repeat.getStacked()) {
    Value slice = SliceOp::create(e.builder, e.loc, stacked, 0, i, 1).getOutput();
    operands.push_back(e.reshape(slice, shapeOf(stacked).drop_front()));
  }
  llvm::append_range(operands, repeat.getShared());
  if (Value key = repeat.getKey())
    operands.push_back(RngFoldOp::create(e.builder, e.loc, key, i));
  return operands;
}

static void expand(RepeatOp repeat) {
  OpBuilder builder(repeat);
  Emit e(builder, repeat.getLoc());
  SmallVector<Value> carried(repeat.getCarried());
  for (int64_t i = 0, n = repeat.getCount(); i < n; ++i) {
    auto call = func::CallOp::create(
        builder, repeat.getLoc(), repeat.getCallee(),
        repeat.getResults().getTypes(), operandsOfTurn(e, repeat, carried, i));
    carried.assign(call.result_begin(), call.result_end());
  }
  repeat.getResults().replaceAllUsesWith(carried);
  repeat.erase();
}

namespace {
struct ExpandRepeatPass final : tt::impl::ExpandRepeatPassBase<ExpandRepeatPass> {
  using ExpandRepeatPassBase::ExpandRepeatPassBase;

  void runOnOperation() override {
    getOperation().walk([&](RepeatOp repeat) {
      numCalls += repeat.getCount();
      expand(repeat);
    });
  }
};
} // namespace
