//===- LossChain.cpp - The layers of an adjoint pair ----------------------===//
#include "LossChain.h"

#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         ((tensor.getElementType().getIntOrFloatBitWidth() + 7) / 8);
}

static Block &bodyOf(func::FuncOp function) { return function.getBody().front(); }

void LossChain::findResiduals() {
  Operation *results = bodyOf(pair.forward).getTerminator();
  for (ResidualSource source : pair.residuals)
    residuals.push_back(
        source.kind == ResidualSource::Argument
            ? Value(pair.forward.getArgument(source.index))
            : results->getOperand(source.kind == ResidualSource::Result
                                      ? source.index
                                      : ownResults(pair) + source.index));
}

std::optional<unsigned> LossChain::residualOf(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() >= residuals.size())
    return std::nullopt;
  return argument.getArgNumber();
}

/// True if `backward` in @f_bwd is the same value as `forward` in @f_fwd, by
/// residuals and by equal free ops.
bool LossChain::corresponds(Value backward, Value forward) const {
  if (std::optional<unsigned> i = residualOf(backward))
    return residuals[*i] == forward;
  Operation *clone = backward.getDefiningOp(), *op = forward.getDefiningOp();
  if (!isFreeInBackward(clone) || !op || clone->getName() != op->getName() ||
      clone->getAttrDictionary() != op->getAttrDictionary() ||
      backward.getType() != forward.getType() ||
      clone->getNumOperands() != op->getNumOperands())
    return false;
  return llvm::all_of(llvm::zip(clone->getOperands(), op->getOperands()),
                      [&](auto operands) {
                        return corresponds(std::get<0>(operands),
                                           std::get<1>(operands));
                      });
}

/// True if a residual that `backward` reads is a result of `forward`.
bool LossChain::ownsResidual(const AdjointPair &layer, func::CallOp backward,
                             func::CallOp forward) const {
  for (auto [source, operand] : llvm::zip(layer.residuals, backward.getOperands())) {
    if (source.kind == ResidualSource::Argument)
      continue;
    unsigned first =
        source.kind == ResidualSource::Extra ? ownResults(layer) : 0;
    if (corresponds(operand, forward.getResult(first + source.index)))
      return true;
  }
  return false;
}

/// True if every residual that `backward` reads is the one of `forward`.
bool LossChain::matches(const AdjointPair &layer, func::CallOp backward,
                        func::CallOp forward) const {
  for (auto [source, operand] : llvm::zip(layer.residuals, backward.getOperands())) {
    unsigned first =
        source.kind == ResidualSource::Extra ? ownResults(layer) : 0;
    Value value = source.kind == ResidualSource::Argument
                      ? forward.getOperand(source.index)
                      : forward.getResult(first + source.index);
    if (!corresponds(operand, value))
      return false;
  }
  return true;
}

/// The adjoint runs the layers in reverse, so both lists are walked from the
/// end; a forward call without an adjoint is passed over.
void LossChain::matchCalls() {
  auto module = pair.forward->getParentOfType<ModuleOp>();
  SmallVector<func::CallOp> forwards(bodyOf(pair.forward).getOps<func::CallOp>());
  unsigned next = forwards.size();
  for (auto backward : bodyOf(pair.backward).getOps<func::CallOp>()) {
    auto callee = module.lookupSymbol<func::FuncOp>(backward.getCallee());
    std::optional<AdjointPair> layer = callee ? readAdjoint(callee) : std::nullopt;
    if (!layer)
      continue;
    auto search = [&](auto accepts) {
      for (unsigned i = next; i-- > 0;)
        if (forwards[i].getCallee() == layer->forward.getSymName() &&
            accepts(*layer, backward, forwards[i]))
          return std::optional<unsigned>(i);
      return std::optional<unsigned>();
    };
    auto owns = [&](auto &...args) { return ownsResidual(args...); };
    auto equals = [&](auto &...args) { return matches(args...); };
    std::optional<unsigned> found = search(owns);
    if (!found)
      found = search(equals);
    if (!found)
      continue;
    layers.push_back({*layer, forwards[*found], backward});
    next = *found;
  }
  std::reverse(layers.begin(), layers.end());
}

void LossChain::assignOps() {
  if (layers.empty())
    return;
  unsigned layer = 0;
  for (Operation *op = layers[0].forward; op && layer < layers.size();
       op = op->getNextNode()) {
    layerOfOp[op] = layer;
    layer += op == layers[layer].forward;
  }
}

std::optional<unsigned> LossChain::layerOf(Operation *op) const {
  auto found = layerOfOp.find(op);
  if (found == layerOfOp.end())
    return std::nullopt;
  return found->second;
}

LossChain LossChain::find(const AdjointPair &pair) {
  LossChain chain;
  chain.pair = pair;
  chain.findResiduals();
  chain.matchCalls();
  chain.assignOps();
  return chain;
}

namespace {
/// Bytes alive at each op of an adjoint's body, each op taken as one moment.
struct Liveness {
  explicit Liveness(Block &block) : block(block) {
    for (Operation &op : block)
      times.insert({&op, times.size()});
    alive.resize(times.size(), 0);
    for (Operation &op : block)
      if (!isFreeInBackward(&op))
        for (Value result : op.getResults())
          add(result);
  }

  size_t begin(Value value) const {
    return value.getDefiningOp() ? times.lookup(value.getDefiningOp()) : 0;
  }
  /// The last reader, through views.
  size_t end(Value value) const {
    size_t end = begin(value);
    SmallVector<Value> views{value};
    while (!views.empty())
      for (Operation *user : views.pop_back_val().getUsers()) {
        end = std::max(end, times.lookup(user));
        if (isFreeInBackward(user))
          views.append(user->result_begin(), user->result_end());
      }
    return end;
  }
  void add(Value value) {
    for (size_t time = begin(value), last = end(value); time <= last; ++time)
      alive[time] += bytesOf(value.getType());
  }
  int64_t most(size_t from, size_t to) const {
    int64_t most = 0;
    for (size_t time = from; time < to; ++time)
      most = std::max(most, alive[time]);
    return most;
  }

  Block &block;
  DenseMap<Operation *, size_t> times;
  SmallVector<int64_t> alive;
};
} // namespace

/// What is alive before and after the adjoints of the layers.
void LossChain::measureEnds(LayerChain &sizes) const {
  Liveness liveness(bodyOf(pair.backward));
  size_t first = liveness.times.lookup(layers.back().backward);
  size_t last = liveness.times.lookup(layers.front().backward);
  for (auto [i, source] : llvm::enumerate(pair.residuals)) {
    Operation *op = residuals[i].getDefiningOp();
    if (source.kind == ResidualSource::Extra && op &&
        LayerCalls(layers.back()).forward->isBeforeInBlock(op))
      liveness.add(liveness.block.getArgument(i));
  }
  for (Operation &op : liveness.block)
    if (!isFreeInBackward(&op) && liveness.times.lookup(&op) < first)
      for (Value result : op.getResults())
        if (liveness.end(result) > last)
          sizes.tailGradient += bytesOf(result.getType());
  sizes.tail = liveness.most(0, first);
  sizes.floor = liveness.most(last + 1, liveness.alive.size());
}

/// Bytes that the adjoint of a layer needs at most, less its own residuals and
/// its cotangents.
static int64_t measureWork(const AdjointPair &layer) {
  Block &block = bodyOf(layer.backward);
  Liveness liveness(block);
  int64_t own = 0;
  for (BlockArgument argument : block.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (i < layer.residuals.size() &&
        layer.residuals[i].kind == ResidualSource::Argument)
      continue;
    liveness.add(argument);
    own += bytesOf(argument.getType());
  }
  return std::max<int64_t>(0, liveness.most(0, liveness.alive.size()) - own);
}

LayerChain LossChain::measure() const {
  LayerChain sizes;
  sizes.layers.resize(layers.size());
  // The last layer that reads a value, through free ops.
  auto lastReader = [&](Value value) {
    unsigned last = 0;
    SmallVector<Value> open{value};
    while (!open.empty())
      for (Operation *user : open.pop_back_val().getUsers()) {
        if (std::optional<unsigned> layer = layerOf(user))
          last = std::max(last, *layer);
        if (isFreeInBackward(user))
          open.append(user->result_begin(), user->result_end());
      }
    return last;
  };

  for (const auto &[op, layer] : layerOfOp)
    if (!isFreeInBackward(op))
      for (Value result : op->getResults())
        for (unsigned i = layer + 1, last = lastReader(result); i <= last; ++i)
          sizes.layers[i].boundary += bytesOf(result.getType());

  llvm::DenseSet<Value> seen;
  SmallVector<bool> rerun(layers.size(), false);
  for (auto [value, source] : llvm::zip(residuals, pair.residuals)) {
    Operation *op = value.getDefiningOp();
    if (source.kind != ResidualSource::Extra || !op || !seen.insert(value).second)
      continue;
    std::optional<unsigned> layer = layerOf(op);
    if (!layer)
      continue;
    sizes.layers[*layer].tape += bytesOf(value.getType());
    rerun[*layer] |= lastReader(value) <= *layer;
  }
  for (unsigned i = 0; i < layers.size(); ++i) {
    LayerCalls layer = layers[i];
    sizes.layers[i].rerunAtEnd = rerun[i];
    sizes.layers[i].work = measureWork(layer.pair);
    unsigned result = 0;
    for (unsigned operand : layer.pair.active.set_bits()) {
      Type type = layer.backward.getResult(result++).getType();
      if (isa<BlockArgument>(layer.forward.getOperand(operand)))
        sizes.layers[i].gradient += bytesOf(type);
    }
  }
  measureEnds(sizes);
  return sizes;
}
