//===- ReplayPlan.cpp - What is kept and what runs again ------------------===//
//
// A residual made in a replayed segment is dropped if @f_bwd reads it only after
// the place of the replay. What the replay needs is the slice behind the dropped
// residuals, up to the border of the segment; what it reads from outside is kept.
// Segments are visited from the last to the first, so all that a later segment
// wants from this one is known.
//
//===----------------------------------------------------------------------===//
#include "ReplayPlan.h"

#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

namespace {

struct Planner {
  explicit Planner(const LossChain &chain) : chain(chain) {}

  const LossChain &chain;
  ReplayPlan plan;
  DenseMap<unsigned, unsigned> segmentOfLayer; // replayed segments only
  llvm::SetVector<Value> wanted; // kept, whether residuals before or not

  std::optional<unsigned> segmentOf(Value value) const {
    Operation *op = value.getDefiningOp();
    std::optional<unsigned> layer = op ? chain.layerOf(op) : std::nullopt;
    if (!layer || !segmentOfLayer.count(*layer))
      return std::nullopt;
    return segmentOfLayer.lookup(*layer);
  }

  bool isResultOfF(Value value) const {
    unsigned n = ownResults(chain.pair);
    Operation *end = func::FuncOp(chain.pair.forward).getBody().front().getTerminator();
    return llvm::is_contained(end->getOperands().take_front(n), value);
  }

  /// Makes a value from outside of a segment available to @f_bwd.
  void keep(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || isResultOfF(value))
      return;
    if (!isFreeInBackward(op)) {
      wanted.insert(value);
      return;
    }
    for (Value operand : op->getOperands())
      keep(operand);
  }

  void slice(Value value, unsigned segment, llvm::SetVector<Operation *> &ops) {
    if (wanted.contains(value) || segmentOf(value) != segment) {
      keep(value);
      return;
    }
    Operation *op = value.getDefiningOp();
    const LayerCalls &layer = chain.layers[*chain.layerOf(op)];
    if (layer.forward == op && cast<OpResult>(value).getResultNumber() >=
                                   ownResults(layer.pair))
      plan.taped.insert(op);
    if (!ops.insert(op))
      return;
    for (Value operand : op->getOperands())
      slice(operand, segment, ops);
  }

  void planSegment(unsigned segment, LayerCalls last);
  void finish();
};

} // namespace

/// A cotangent that the adjoint call reads; not a zero if there is another.
static Value cotangentOf(LayerCalls layer) {
  OperandRange cotangents =
      layer.backward.getOperands().drop_front(layer.pair.residuals.size());
  for (Value value : cotangents)
    if (!value.getDefiningOp<ConstantOp>())
      return value;
  return cotangents.front();
}

void Planner::planSegment(unsigned segment, LayerCalls last) {
  Block &backward = func::FuncOp(chain.pair.backward).getBody().front();
  SmallVector<Value> dropped;
  for (auto [i, source] : llvm::enumerate(chain.pair.residuals)) {
    Value value = chain.residual(i);
    if (source.kind != ResidualSource::Extra || segmentOf(value) != segment)
      continue;
    bool early = llvm::any_of(backward.getArgument(i).getUsers(), [&](Operation *user) {
      return user->isBeforeInBlock(last.backward);
    });
    if (early)
      wanted.insert(value);
    else
      dropped.push_back(value);
  }
  llvm::SetVector<Operation *> ops;
  for (Value value : dropped)
    if (!wanted.contains(value))
      slice(value, segment, ops);
  Replay replay{last.backward, cotangentOf(last), ops.takeVector()};
  llvm::sort(replay.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : replay.ops)
    plan.numReplayed += op == chain.layers[*chain.layerOf(op)].forward;
  plan.replays.push_back(std::move(replay));
}

/// Old residuals keep their order; what is kept in addition comes after them.
void Planner::finish() {
  plan.dropped.resize(chain.pair.residuals.size());
  for (auto [i, source] : llvm::enumerate(chain.pair.residuals)) {
    if (source.kind != ResidualSource::Extra)
      continue;
    Value value = chain.residual(i);
    if (segmentOf(value) && !wanted.contains(value))
      plan.dropped.set(i);
    else
      plan.kept.insert(value);
  }
  plan.kept.insert(wanted.begin(), wanted.end());
  std::reverse(plan.replays.begin(), plan.replays.end());
}

ReplayPlan tt::planReplays(const LossChain &chain, const ChainPlan &cuts) {
  Planner planner(chain);
  for (unsigned s = 0; s + 1 < cuts.starts.size(); ++s)
    for (unsigned i = cuts.starts[s]; i < cuts.starts[s + 1]; ++i)
      planner.segmentOfLayer[i] = s;
  for (unsigned s = cuts.starts.size() - 1; s-- > 0;)
    planner.planSegment(s, chain.layers[cuts.starts[s + 1] - 1]);
  planner.finish();
  return std::move(planner.plan);
}
