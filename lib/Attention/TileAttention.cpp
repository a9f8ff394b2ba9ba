//===- TileAttention.cpp - --tt-tile-attention ----------------------------===//
#include "TileScores.h"
#include "tt/Attention/Passes.h"
#include "tt/Attention/TiledKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tt {
#define GEN_PASS_DEF_TILEATTENTIONPASS
#include "tt/Attention/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;
using namespace tt::attention;

/// The roles of a kernel's arguments and results around its one op.
static FailureOr<DictionaryAttr> findRoles(KernelOp kernel, Operation *op) {
  Block &body = kernel.getBody().front();
  for (Operation &other : body.without_terminator())
    if (&other != op)
      return other.emitError() << "expected '" << op->getName()
                               << "' alone in its kernel, but found '"
                               << other.getName() << "'";
  Builder b(op->getContext());
  NamedAttrList roles;
  for (auto [role, value] : operandsByRole(op))
    if (value)
      roles.set(role, b.getI64IntegerAttr(cast<BlockArgument>(value).getArgNumber()));
  auto results = resultsByRole(op);
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    StringRef role = value.getDefiningOp() == op
                         ? results[cast<OpResult>(value).getResultNumber()].first
                         : StringRef();
    if (role.empty() || roles.get(role))
      return kernel.emitError() << "expected result " << i << " to be a result of '"
                                << op->getName() << "' of its own";
    roles.set(role, b.getI64IntegerAttr(body.getNumArguments() + i));
  }
  return roles.getDictionary(op->getContext());
}

static LogicalResult tile(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op->getParentOp());
  DictionaryAttr roles;
  if (kernel) {
    FailureOr<DictionaryAttr> found = findRoles(kernel, op);
    if (failed(found))
      return failure();
    roles = *found;
  }
  TiledKernel tiled = TiledKernel::of(op, roles);
  TilePlan plan = TiledKernel::planOf(op);
  OpBuilder builder(op);
  op->replaceAllUsesWith(
      isa<AttentionOp>(op)
          ? emitTiledAttention(builder, cast<AttentionOp>(op), plan)
          : emitTiledAdjoint(builder, cast<AttentionBwdOp>(op), plan));
  op->erase();
  if (kernel)
    tiled.writeTo(kernel);
  return success();
}

namespace {
struct TileAttentionPass final
    : tt::impl::TileAttentionPassBase<TileAttentionPass> {
  using TileAttentionPassBase::TileAttentionPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<AttentionOp, AttentionBwdOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(tile(op)))
        return signalPassFailure();
    numTiled += ops.size();
  }
};
} // namespace
