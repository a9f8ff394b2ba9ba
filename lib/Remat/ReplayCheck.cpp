//===- ReplayCheck.cpp - Replays stay apart from the forward --------------===//
#include "tt/Remat/ReplayCheck.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

namespace {
struct Checker {
  explicit Checker(const AdjointPair &pair) : pair(pair) {}

  const AdjointPair &pair;
  DenseMap<Value, bool> known;

  /// True if the value is not there before a barrier lets it be.
  bool isBehindBarrier(Value value) {
    auto found = known.find(value);
    if (found != known.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    bool behind = isa_and_present<RematBarrierOp>(op);
    if (op && !behind)
      for (Value operand : op->getOperands())
        behind |= isBehindBarrier(operand);
    return known[value] = behind;
  }

  /// The kept activation that a replay would read directly, or null.
  Value readsDirectly(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      unsigned i = argument.getArgNumber();
      bool kept = i < pair.residuals.size() &&
                  pair.residuals[i].kind != ResidualSource::Argument;
      return kept ? value : Value();
    }
    Operation *op = value.getDefiningOp();
    if (isa<RematBarrierOp>(op) || op->hasAttr(kReplayAttr))
      return Value();
    for (Value operand : op->getOperands())
      if (Value direct = readsDirectly(operand))
        return direct;
    return Value();
  }
};
} // namespace

LogicalResult tt::verifyReplays(func::FuncOp backward) {
  std::optional<AdjointPair> pair = readAdjoint(backward);
  if (!pair)
    return backward.emitError() << "expected the attribute " << kAdjointAttr;
  Checker checker(*pair);
  for (auto call : backward.getBody().front().getOps<func::CallOp>()) {
    if (!call->hasAttr(kReplayAttr))
      continue;
    for (Value operand : call.getOperands())
      if (Value direct = checker.readsDirectly(operand))
        return call.emitOpError()
               << "is a replay and reads kept activation "
               << cast<BlockArgument>(direct).getArgNumber()
               << " other than through tt.remat_barrier";
    if (!llvm::any_of(call.getOperands(),
                      [&](Value v) { return checker.isBehindBarrier(v); }))
      return call.emitOpError()
             << "is a replay and reads nothing through tt.remat_barrier";
  }
  return success();
}
