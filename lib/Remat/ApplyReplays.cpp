//===- ApplyReplays.cpp - Rewrites a pair and its callers -----------------===//
#include "ReplayPlan.h"
#include "tt/Remat/ReplayCheck.h"

#include "tt/IR/TTOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tt;

namespace {

/// A call of @f_fwd and the call of @f_bwd that takes its residuals.
struct CallerPair {
  func::CallOp forward, backward; // backward may be null
};

class Rewriter {
public:
  Rewriter(const LossChain &chain, const ReplayPlan &plan)
      : chain(chain), plan(plan), forward(chain.pair.forward),
        backward(chain.pair.backward),
        module(forward->getParentOfType<ModuleOp>()),
        numResults(ownResults(chain.pair)) {}

  LogicalResult run();

private:
  LogicalResult findCallers();
  void addResiduals();
  unsigned addArgument(ResidualSource source, Value value);
  Value inBackward(OpBuilder &builder, Value value);
  bool needsBarrier(Value value) const;
  void replay(const Replay &segment);
  void mergeKeys();
  void dropResiduals();
  void rewriteForward();
  void describe();
  void rewriteCallers();

  const LossChain &chain;
  const ReplayPlan &plan;
  func::FuncOp forward, backward;
  ModuleOp module;
  unsigned numResults;
  SmallVector<ResidualSource> residuals; // of the new @f_bwd
  DenseMap<Value, Value> fromForward;    // value of @f_fwd -> of @f_bwd
  SmallVector<CallerPair> callers;
};

} // namespace

/// Everything that can fail comes first.
LogicalResult Rewriter::findCallers() {
  SmallVector<func::CallOp> backwards;
  module.walk([&](func::CallOp call) {
    if (call.getCallee() == forward.getSymName())
      callers.push_back({call, {}});
    else if (call.getCallee() == backward.getSymName())
      backwards.push_back(call);
  });
  auto refuse = [&](func::CallOp call) {
    return call.emitOpError()
           << "expected @" << forward.getSymName() << " and @"
           << backward.getSymName()
           << " to be called once each, the second on what the first returns; "
              "run tt-checkpoint right after tt-autodiff";
  };
  DenseSet<Operation *> forwards; // of pairs: their own residuals would change
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<AdjointPair> other = readAdjoint(function))
      forwards.insert(other->forward);
  for (CallerPair &caller : callers)
    if (forwards.contains(caller.forward->getParentOp()))
      return refuse(caller.forward);
  for (func::CallOp call : backwards) {
    CallerPair *match = nullptr;
    unsigned inBlock = 0;
    for (CallerPair &caller : callers) {
      if (caller.forward->getBlock() != call->getBlock())
        continue;
      match = &caller;
      ++inBlock;
    }
    if (inBlock != 1 || match->backward)
      return refuse(call);
    for (auto [source, operand] : llvm::zip(chain.pair.residuals, call.getOperands())) {
      unsigned first = source.kind == ResidualSource::Extra ? numResults : 0;
      if (source.kind != ResidualSource::Argument &&
          operand != match->forward.getResult(first + source.index))
        return refuse(call);
    }
    match->backward = call;
  }
  for (CallerPair &caller : callers)
    for (Value extra : caller.forward.getResults().drop_front(numResults))
      for (Operation *user : extra.getUsers())
        if (user != caller.backward)
          return refuse(caller.forward);
  return success();
}

unsigned Rewriter::addArgument(ResidualSource source, Value value) {
  unsigned index = residuals.size();
  (void)backward.insertArgument(index, value.getType(), DictionaryAttr(),
                                value.getLoc());
  residuals.push_back(source);
  fromForward[value] = backward.getArgument(index);
  return index;
}

/// Puts the new residuals after the old ones. `Extra` indices are those of the
/// new @f_fwd from here on.
void Rewriter::addResiduals() {
  for (unsigned i = 0; i < chain.pair.residuals.size(); ++i) {
    ResidualSource source = chain.pair.residuals[i];
    Value value = chain.residual(i);
    if (source.kind == ResidualSource::Extra && !plan.dropped.test(i))
      source.index = llvm::find(plan.kept, value) - plan.kept.begin();
    residuals.push_back(source);
    if (!plan.dropped.test(i))
      fromForward.try_emplace(value, backward.getArgument(i));
  }
  for (auto [i, value] : llvm::enumerate(plan.kept))
    if (!fromForward.count(value))
      addArgument({ResidualSource::Extra, unsigned(i)}, value);
}

/// The value of @f_bwd that equals `value` of @f_fwd: a residual, or a free op
/// repeated on residuals.
Value Rewriter::inBackward(OpBuilder &builder, Value value) {
  if (Value known = fromForward.lookup(value))
    return known;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    addArgument({ResidualSource::Argument, argument.getArgNumber()}, value);
    return fromForward.lookup(value);
  }
  auto results = forward.getBody().front().getTerminator()->getOperands();
  auto result = llvm::find(results.take_front(numResults), value);
  if (result != results.begin() + numResults) {
    addArgument({ResidualSource::Result, unsigned(result - results.begin())}, value);
    return fromForward.lookup(value);
  }
  // Not remembered: another segment's place may be before this one's.
  Operation *op = value.getDefiningOp();
  assert(isFreeInBackward(op) && "the plan keeps what is not free");
  IRMapping map;
  for (Value operand : op->getOperands())
    map.map(operand, inBackward(builder, operand));
  return builder.clone(*op, map)->getResult(cast<OpResult>(value).getResultNumber());
}

/// Parameters, indices, and keys made of inputs are read directly: they need no
/// guard of their own, since every replayed op reads at least one value through a
/// barrier. A key made of a kept value is guarded as that value is, and so is a parameter
/// that is kept under another name, as what tt.grad_transform returns.
bool Rewriter::needsBarrier(Value value) const {
  auto kept = dyn_cast_or_null<BlockArgument>(fromForward.lookup(value));
  if (kept && residuals[kept.getArgNumber()].kind != ResidualSource::Argument)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isDifferentiable(value.getType()) &&
           !func::FuncOp(forward).getArgAttr(argument.getArgNumber(), kParamAttr);
  Operation *op = value.getDefiningOp();
  if (isa<RngFoldOp, RngKeyOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value key) { return needsBarrier(key); });
  return !isa<ConstantOp, IotaOp>(op);
}

void Rewriter::replay(const Replay &segment) {
  OpBuilder builder(segment.before);
  IRMapping map;
  DenseSet<Value> guarded;
  DenseMap<Value, Value> barriers;
  auto barrier = [&](Value value) {
    Value &made = barriers[value];
    if (!made)
      made = RematBarrierOp::create(builder, value.getLoc(), value, segment.after);
    guarded.insert(made);
    return made;
  };
  for (Operation *op : segment.ops) {
    for (Value operand : op->getOperands())
      if (!map.contains(operand)) {
        Value value = inBackward(builder, operand);
        map.map(operand, needsBarrier(operand) ? barrier(value) : value);
      }
    SmallVector<Value> operands;
    bool isGuarded = op->getNumOperands() == 0;
    for (Value operand : op->getOperands()) {
      operands.push_back(map.lookup(operand));
      isGuarded |= guarded.contains(operands.back());
    }
    if (!isGuarded && !isFreeInBackward(op)) {
      operands[0] = barrier(operands[0]);
      isGuarded = true;
    }
    Operation *clone;
    const LayerCalls &layer = chain.layers[*chain.layerOf(op)];
    if (op == layer.forward) {
      func::FuncOp callee = plan.taped.contains(op) ? layer.pair.forward
                                                    : layer.pair.primal;
      clone = func::CallOp::create(builder, op->getLoc(), callee, operands);
    } else {
      clone = builder.clone(*op, map);
      clone->setOperands(operands);
    }
    if (isa<func::CallOp>(clone))
      clone->setAttr(kReplayAttr, builder.getUnitAttr());
    for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults())) {
      map.map(from, to);
      if (isGuarded && op->getNumOperands() != 0)
        guarded.insert(to);
    }
  }
  for (unsigned i : plan.dropped.set_bits())
    if (Value value = map.lookupOrNull(chain.residual(i)))
      backward.getArgument(i).replaceAllUsesWith(value);
}

/// Replays repeat keys that the adjoints may have too; sites stay unique.
void Rewriter::mergeKeys() {
  SmallVector<RngFoldOp> folds;
  for (auto op : llvm::make_early_inc_range(
           backward.getBody().front().getOps<RngFoldOp>())) {
    auto same = llvm::find_if(folds, [&](RngFoldOp other) {
      return other.getKey() == op.getKey() && other.getSite() == op.getSite();
    });
    if (same == folds.end()) {
      folds.push_back(op);
    } else {
      op.replaceAllUsesWith(same->getResult());
      op.erase();
    }
  }
}

void Rewriter::dropResiduals() {
  llvm::BitVector gone = plan.dropped;
  gone.resize(residuals.size());
  SmallVector<ResidualSource> left;
  for (auto [i, source] : llvm::enumerate(residuals))
    if (!gone.test(i))
      left.push_back(source);
  residuals = left;
  gone.resize(backward.getNumArguments());
  (void)backward.eraseArguments(gone);
}

void Rewriter::rewriteForward() {
  Operation *end = forward.getBody().front().getTerminator();
  SmallVector<Value> results(end->getOperands().take_front(numResults));
  results.append(plan.kept.begin(), plan.kept.end());
  SmallVector<Type> types;
  for (Value value : results)
    types.push_back(value.getType());
  SmallVector<DictionaryAttr> attrs;
  for (unsigned i = 0; i < numResults; ++i)
    attrs.push_back(forward.getResultAttrDict(i));
  end->setOperands(results);
  forward.removeResAttrsAttr();
  forward.setFunctionType(FunctionType::get(
      forward.getContext(), forward.getFunctionType().getInputs(), types));
  for (auto [i, dict] : llvm::enumerate(attrs))
    if (dict && !dict.empty())
      forward.setResultAttrs(i, dict);

  // Where no residual is left the primal does.
  for (const LayerCalls &layer : chain.layers) {
    func::CallOp call = layer.forward;
    unsigned own = ownResults(layer.pair);
    if (!llvm::all_of(call.getResults().drop_front(own),
                      [](Value value) { return value.use_empty(); }))
      continue;
    OpBuilder builder(call);
    auto primal = func::CallOp::create(builder, call.getLoc(), layer.pair.primal,
                                       call.getOperands());
    for (unsigned i = 0; i < own; ++i)
      call.getResult(i).replaceAllUsesWith(primal.getResult(i));
    call.erase();
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(forward.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void Rewriter::describe() {
  Builder b(module.getContext());
  SmallVector<Attribute> list;
  static const char *const kinds[] = {"argument", "result", "extra"};
  for (ResidualSource source : residuals)
    list.push_back(b.getStringAttr(Twine(kinds[source.kind]) + ":" + Twine(source.index)));
  NamedAttrList attrs(backward->getAttrOfType<DictionaryAttr>(kAdjointAttr));
  attrs.set("residuals", b.getArrayAttr(list));
  backward->setAttr(kAdjointAttr, attrs.getDictionary(module.getContext()));
}

void Rewriter::rewriteCallers() {
  unsigned oldResiduals = chain.pair.residuals.size();
  for (CallerPair caller : callers) {
    OpBuilder builder(caller.forward);
    auto call = func::CallOp::create(builder, caller.forward.getLoc(), forward,
                                     caller.forward.getOperands());
    for (unsigned i = 0; i < numResults; ++i)
      caller.forward.getResult(i).replaceAllUsesWith(call.getResult(i));
    if (caller.backward) {
      SmallVector<Value> operands;
      for (ResidualSource source : residuals)
        operands.push_back(
            source.kind == ResidualSource::Argument
                ? call.getOperand(source.index)
                : call.getResult(source.index +
                                 (source.kind == ResidualSource::Extra ? numResults : 0)));
      llvm::append_range(operands,
                         caller.backward.getOperands().drop_front(oldResiduals));
      builder.setInsertionPoint(caller.backward);
      auto adjoint = func::CallOp::create(builder, caller.backward.getLoc(),
                                          backward, operands);
      caller.backward.replaceAllUsesWith(adjoint.getResults());
      caller.backward.erase();
    }
    caller.forward.erase();
  }
}

LogicalResult Rewriter::run() {
  if (failed(findCallers()))
    return failure();
  addResiduals();
  for (const Replay &segment : plan.replays)
    replay(segment);
  mergeKeys();
  dropResiduals();
  rewriteForward();
  describe();
  rewriteCallers();
  return success();
}

LogicalResult tt::applyReplays(const LossChain &chain, const ReplayPlan &plan) {
  return Rewriter(chain, plan).run();
}
