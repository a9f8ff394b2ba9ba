//===- FusionPlan.cpp - Which ops share a kernel --------------------------===//
//
// A greedy pass in program order. An elementwise op joins the group of one of
// its operands (epilogue): that saves reading the operand back, and writing it
// if nothing else reads it. A reduction takes in an elementwise group that only
// it reads (prologue): that saves writing and reading it.
//
// A group runs where its last op stands, so joining is legal when nothing
// outside the group reads its results before that place.
//
//===----------------------------------------------------------------------===//
#include "tt/Kernels/FusionPlan.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

StringRef tt::stringify(Anchor anchor) {
  static const char *const names[] = {"elementwise", "row",       "column",
                                      "reduce",      "matmul",    "attention",
                                      "scatter",     "optimizer"};
  return names[unsigned(anchor)];
}

bool tt::isFreeInKernel(Operation *op) {
  return isa_and_present<ConstantOp, IotaOp, BroadcastOp>(op);
}

bool tt::staysOutside(Operation *op) {
  return isa<ReshapeOp, TransposeOp, SliceOp, ConcatOp, StopGradientOp,
             RematBarrierOp, CallKernelOp, func::CallOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

bool tt::readsArgumentsOnly(Anchor anchor) {
  return anchor == Anchor::Matmul || anchor == Anchor::Attention ||
         anchor == Anchor::Scatter || anchor == Anchor::Optimizer;
}

static Anchor anchorOfReduction(Value input, ArrayRef<int64_t> dims) {
  int64_t rank = tensorOf(input).getRank(), n = dims.size();
  if (n == 1 && dims[0] == rank - 1)
    return Anchor::Row;
  bool leading = n == rank - 1;
  for (int64_t i = 0; i < n; ++i)
    leading &= dims[i] == i;
  return leading ? Anchor::Column : Anchor::Reduce;
}

static Anchor anchorOf(Operation *op) {
  if (auto sum = dyn_cast<SumOp>(op))
    return anchorOfReduction(sum.getInput(), sum.getDims());
  if (auto mean = dyn_cast<MeanOp>(op))
    return anchorOfReduction(mean.getInput(), mean.getDims());
  if (isa<MaxOp, MinOp, ArgMaxOp, ArgMinOp>(op)) {
    int64_t dim = op->getAttrOfType<IntegerAttr>("dim").getInt();
    return anchorOfReduction(op->getOperand(0), {dim});
  }
  if (isa<CumSumOp, ScatterAlongOp, SortOp, TopKOp>(op))
    return Anchor::Reduce;
  if (isa<SoftmaxOp, SoftmaxBwdOp, LayerNormOp, LayerNormBwdOp, RMSNormOp,
          RMSNormBwdOp, CrossEntropyOp, CrossEntropyBwdOp>(op))
    return Anchor::Row;
  if (isa<MatmulOp, LinearOp>(op))
    return Anchor::Matmul;
  if (isa<AttentionOp, AttentionBwdOp, RopeOp>(op))
    return Anchor::Attention;
  if (isa<EmbeddingBwdOp, ScatterAddRowsOp>(op))
    return Anchor::Scatter;
  if (isa<AdamWOp, SumSquaresOp, GlobalNormOp, RngKeyOp, RngFoldOp>(op))
    return Anchor::Optimizer;
  return Anchor::Elementwise;
}

namespace {

/// Most ops in one kernel: beyond it registers spill and compile time grows
/// faster than the kernel.
constexpr size_t kMaxOps = 48;

/// The ops that read a value, in program order, and how many of them were seen to
/// stand in its group.
struct Readers {
  SmallVector<Operation *> ops;
  size_t numSeen = 0;
};

class Planner {
public:
  Planner(Block &block, bool fuse) : block(block), fuse(fuse) {}

  SmallVector<FusionGroup> run();

private:
  int groupOf(Value value) {
    Operation *op = value.getDefiningOp();
    auto found = op ? group.find(op) : group.end();
    return found == group.end() ? -1 : found->second;
  }
  bool canJoin(Operation *op, int target);
  bool isReadOutside(Value value, int target, Operation *op);
  bool tryEpilogue(Operation *op);
  void takePrologue(Operation *op, int target);
  /// The ops that read `value`, looking through ops that are free in kernels.
  void readersOf(Value value, SmallVectorImpl<Operation *> &readers);

  Block &block;
  bool fuse;
  SmallVector<FusionGroup> groups;
  SmallVector<bool> dead;
  /// Groups that something outside has read: no later op can join.
  SmallVector<bool> closed;
  DenseMap<Operation *, int> group;
  DenseMap<Value, Readers> readersByValue;
};

} // namespace

void Planner::readersOf(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    readers.push_back(user);
    if (isa<BroadcastOp>(user))
      readersOf(user->getResult(0), readers);
  }
}

/// True if an op that is not in group `target` reads `value`, made there, before `op`.
/// Asked in program order, so each reader is looked at once.
bool Planner::isReadOutside(Value value, int target, Operation *op) {
  auto [entry, isNew] = readersByValue.try_emplace(value);
  Readers &readers = entry->second;
  if (isNew) {
    readersOf(value, readers.ops);
    llvm::sort(readers.ops, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
  }
  for (; readers.numSeen < readers.ops.size(); ++readers.numSeen) {
    Operation *reader = readers.ops[readers.numSeen];
    if (reader == op || !reader->isBeforeInBlock(op))
      return false;
    // A broadcast is free, and what reads it is in the list too, unless it has a
    // kernel of its own, as the operand of a matmul.
    auto found = group.find(reader);
    bool isFree = isa<BroadcastOp>(reader) && found == group.end();
    bool isInside = found != group.end() && found->second == target;
    if (!isInside && !isFree)
      return true;
  }
  return false;
}

/// True if `op` may join group `target`: same iteration space, and no op outside
/// the group reads it before `op`.
bool Planner::canJoin(Operation *op, int target) {
  const FusionGroup &candidate = groups[target];
  if (candidate.anchor != Anchor::Elementwise && candidate.anchor != Anchor::Row &&
      candidate.anchor != Anchor::Matmul)
    return false;
  if (isa<CrossEntropyOp, SumOp, MeanOp, MaxOp, MinOp, ArgMaxOp, ArgMinOp>(
          candidate.anchorOp))
    return false;
  if (shapeOf(op->getResult(0)) != shapeOf(candidate.anchorOp->getResult(0)))
    return false;
  for (Operation *member : candidate.ops)
    for (Value result : member->getResults())
      if (!closed[target])
        closed[target] = isReadOutside(result, target, op);
  if (closed[target])
    return false;
  // A member must not be read through a broadcast by `op` itself: the value is
  // complete only when its own loop is.
  for (Value operand : op->getOperands())
    if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
      if (groupOf(broadcast.getInput()) == target)
        return false;
  return true;
}

bool Planner::tryEpilogue(Operation *op) {
  int best = -1;
  auto rank = [&](int i) {
    Anchor anchor = groups[i].anchor;
    return anchor == Anchor::Matmul ? 2 : anchor == Anchor::Row ? 1 : 0;
  };
  for (Value operand : op->getOperands()) {
    int candidate = groupOf(operand);
    if (candidate < 0 || groups[candidate].ops.size() >= kMaxOps ||
        !canJoin(op, candidate))
      continue;
    // Only the anchor's first result, or an elementwise member, has the
    // anchor's index space.
    Operation *producer = operand.getDefiningOp();
    if (producer == groups[candidate].anchorOp &&
        cast<OpResult>(operand).getResultNumber() != 0)
      continue;
    if (best < 0 || rank(candidate) > rank(best))
      best = candidate;
  }
  if (best < 0)
    return false;
  groups[best].ops.push_back(op);
  group[op] = best;
  return true;
}

/// Moves into `target` the elementwise group that makes the operand of the sum
/// `op`, if only `op` reads that group.
void Planner::takePrologue(Operation *op, int target) {
  Value input = op->getOperand(0);
  int source = groupOf(input);
  if (source < 0 || groups[source].anchor != Anchor::Elementwise ||
      shapeOf(groups[source].anchorOp->getResult(0)) != shapeOf(input))
    return;
  for (Operation *member : groups[source].ops)
    for (Value result : member->getResults())
      for (Operation *user : result.getUsers()) {
        auto found = group.find(user);
        if (user != op && (found == group.end() || found->second != source))
          return;
      }
  for (Operation *member : groups[source].ops) {
    group[member] = target;
    groups[target].ops.push_back(member);
  }
  dead[source] = true;
}

SmallVector<FusionGroup> Planner::run() {
  for (Operation &op : block) {
    if (staysOutside(&op))
      continue;
    if (isFreeInKernel(&op)) {
      // Needs storage only where something outside of kernels reads it.
      bool outside = llvm::any_of(op.getUsers(), [](Operation *user) {
        return staysOutside(user) || readsArgumentsOnly(anchorOf(user));
      });
      if (!outside || isa<ConstantOp>(op))
        continue;
    }
    Anchor anchor = anchorOf(&op);
    bool joins = anchor == Anchor::Elementwise && fuse && !isFreeInKernel(&op) &&
                 !isa<EmbeddingOp, PadOp, TakeOp, GatherRowsOp, GatherAlongOp, OneHotOp>(op);
    if (joins && tryEpilogue(&op))
      continue;
    int index = groups.size();
    groups.push_back({anchor, &op, {&op}});
    dead.push_back(false);
    closed.push_back(false);
    group[&op] = index;
    if (fuse && isa<SumOp, MeanOp>(op))
      takePrologue(&op, index);
  }

  SmallVector<FusionGroup> live;
  for (auto [i, candidate] : llvm::enumerate(groups)) {
    if (dead[i])
      continue;
    llvm::sort(candidate.ops, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    live.push_back(candidate);
  }
  llvm::sort(live, [](const FusionGroup &a, const FusionGroup &b) {
    return a.ops.back()->isBeforeInBlock(b.ops.back());
  });
  return live;
}

SmallVector<FusionGroup> tt::planFusion(Block &block, bool fuse) {
  return Planner(block, fuse).run();
}
