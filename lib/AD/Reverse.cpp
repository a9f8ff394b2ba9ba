//===- Reverse.cpp - Builds @f_fwd and @f_bwd -----------------------------===//
#include "GradientRules.h"
#include "tt/AD/Adjoint.h"
#include "tt/AD/Cotangents.h"
#include "tt/AD/Residuals.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tt;

namespace {

/// What one op of the primal needs for its reverse rule.
struct OpPlan {
  llvm::BitVector activeOperands, activeResults;
  SmallVector<Value> needed;           // primal values per slot, may be null
  const AdjointPair *callee = nullptr; // for calls
};

} // namespace

struct AdjointBuilder::Builder {
  AdjointBuilder &owner;
  func::FuncOp primal;
  const FunctionActivity &activity;
  AdjointPair &pair;

  Builder(AdjointBuilder &owner, func::FuncOp primal,
          const FunctionActivity &activity, AdjointPair &pair)
      : owner(owner), primal(primal), activity(activity), pair(pair) {}

  llvm::MapVector<Operation *, OpPlan> plans;
  IRMapping toForward;
  llvm::MapVector<Value, ResidualSource> sources; // primal value -> source

  Block &body() { return primal.getBody().front(); }

  LogicalResult plan();
  LogicalResult buildForward();
  LogicalResult buildBackward();

private:
  void require(Value value);
  void requireExtra(Operation *call, unsigned extra);
  Value inBackward(OpBuilder &builder, Value value, IRMapping &map);
  LogicalResult reverse(OpBuilder &builder, Operation *op, OpPlan &plan,
                        IRMapping &map, Cotangents &cotangents);
  LogicalResult reverseCall(OpBuilder &builder, func::CallOp call, OpPlan &plan,
                            IRMapping &map, Cotangents &cotangents);

  /// Extra results of calls stand in for values the primal does not have.
  llvm::MapVector<std::pair<Operation *, unsigned>, unsigned> callExtras;
  llvm::DenseMap<Operation *, func::CallOp> forwardCalls;
  SmallVector<Value> extraResults; // values of the forward, in order
};

/// Decides, op by op, what the reverse sweep reads, before any IR is built.
LogicalResult AdjointBuilder::Builder::plan() {
  for (Operation &op : body().without_terminator()) {
    OpPlan plan;
    plan.activeOperands = ActivityAnalysis::activeOperands(&op, activity);
    plan.activeResults = ActivityAnalysis::activeResults(&op, activity);
    if (plan.activeOperands.none() || plan.activeResults.none())
      continue;
    if (auto call = dyn_cast<func::CallOp>(op)) {
      plan.callee = owner.get(owner.activity.callee(call), plan.activeOperands,
                              plan.activeResults);
      if (!plan.callee)
        return failure();
    } else {
      cast<DifferentiableOpInterface>(op).getResiduals(
          ActiveSet(plan.activeOperands), ActiveSet(plan.activeResults), plan.needed);
    }
    plans.insert({&op, std::move(plan)});
  }
  return success();
}

/// Makes `value` available to the backward.
void AdjointBuilder::Builder::require(Value value) {
  if (!value || sources.count(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    sources.insert({value, {ResidualSource::Argument, argument.getArgNumber()}});
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isFreeInBackward(op)) {
    for (Value operand : op->getOperands())
      require(operand);
    return;
  }
  for (auto [i, result] : llvm::enumerate(body().getTerminator()->getOperands()))
    if (result == value) {
      sources.insert({value, {ResidualSource::Result, unsigned(i)}});
      return;
    }
  sources.insert({value, {ResidualSource::Extra, unsigned(extraResults.size())}});
  extraResults.push_back(toForward.lookup(value));
}

/// Makes extra result `extra` of a call's forward available to the backward.
void AdjointBuilder::Builder::requireExtra(Operation *call, unsigned extra) {
  auto key = std::make_pair(call, extra);
  if (callExtras.count(key))
    return;
  func::CallOp forward = forwardCalls.lookup(call);
  callExtras.insert({key, unsigned(extraResults.size())});
  extraResults.push_back(forward.getResult(call->getNumResults() + extra));
}

LogicalResult AdjointBuilder::Builder::buildForward() {
  OpBuilder builder(primal.getContext());
  builder.setInsertionPointAfter(primal);
  std::string name = freshSymbol(owner.module, primal.getSymName() + "_fwd");
  auto forward = func::FuncOp::create(builder, primal.getLoc(), name,
                                      primal.getFunctionType());
  forward.setPrivate();
  if (ArrayAttr attrs = primal.getAllArgAttrs())
    forward.setAllArgAttrs(attrs);
  Block *block = forward.addEntryBlock();
  builder.setInsertionPointToStart(block);
  for (auto [from, to] : llvm::zip(body().getArguments(), block->getArguments()))
    toForward.map(from, to);

  for (Operation &op : body().without_terminator()) {
    auto found = plans.find(&op);
    if (found == plans.end() || !found->second.callee) {
      cloneWithoutRule(builder, op, toForward);
      continue;
    }
    auto call = cast<func::CallOp>(op);
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(toForward.lookup(operand));
    auto forwardCall = func::CallOp::create(builder, op.getLoc(),
                                            found->second.callee->forward, operands);
    forwardCalls[&op] = forwardCall;
    for (auto [i, result] : llvm::enumerate(call.getResults()))
      toForward.map(result, forwardCall.getResult(i));
  }

  // Residuals in reverse order of use would do as well; program order reads
  // better.
  for (auto &[op, plan] : plans) {
    for (Value value : plan.needed)
      require(value);
    if (!plan.callee)
      continue;
    for (ResidualSource source : plan.callee->residuals) {
      if (source.kind == ResidualSource::Argument)
        require(op->getOperand(source.index));
      else if (source.kind == ResidualSource::Result)
        require(op->getResult(source.index));
      else
        requireExtra(op, source.index);
    }
  }

  SmallVector<Value> results;
  SmallVector<Type> types(primal.getFunctionType().getResults());
  for (Value value : body().getTerminator()->getOperands())
    results.push_back(toForward.lookup(value));
  for (Value value : extraResults) {
    results.push_back(value);
    types.push_back(value.getType());
  }
  func::ReturnOp::create(builder, body().getTerminator()->getLoc(), results);
  forward.setFunctionType(
      builder.getFunctionType(primal.getFunctionType().getInputs(), types));
  for (unsigned i = 0; i < primal.getNumResults(); ++i)
    if (DictionaryAttr attrs = primal.getResultAttrDict(i))
      forward.setResultAttrs(i, attrs);

  pair.forward = forward;
  pair.numExtra = extraResults.size();
  for (auto &[value, source] : sources)
    pair.residuals.push_back(source);
  for (auto &[key, index] : callExtras)
    pair.residuals.push_back({ResidualSource::Extra, index});
  return success();
}

/// The value in the backward that equals primal `value`: a residual, or a free
/// op repeated on residuals.
Value AdjointBuilder::Builder::inBackward(OpBuilder &builder, Value value,
                                          IRMapping &map) {
  if (!value)
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    inBackward(builder, operand, map);
  builder.clone(*op, map);
  return map.lookup(value);
}

LogicalResult AdjointBuilder::Builder::reverseCall(OpBuilder &builder,
                                                   func::CallOp call, OpPlan &plan,
                                                   IRMapping &map,
                                                   Cotangents &cotangents) {
  SmallVector<Value> operands;
  Block &block = pair.backward.getBody().front();
  for (ResidualSource source : plan.callee->residuals) {
    if (source.kind == ResidualSource::Argument)
      operands.push_back(inBackward(builder, call.getOperand(source.index), map));
    else if (source.kind == ResidualSource::Result)
      operands.push_back(inBackward(builder, call.getResult(source.index), map));
    else {
      auto found = callExtras.find({call, source.index});
      operands.push_back(block.getArgument(
          sources.size() + std::distance(callExtras.begin(), found)));
    }
  }
  bool any = false;
  for (unsigned i : plan.activeResults.set_bits()) {
    Value d = cotangents.take(builder, call.getResult(i));
    any |= bool(d);
    operands.push_back(d ? d : Emit(builder, call.getLoc())
                                   .splat(call.getResult(i).getType(), 0));
  }
  if (!any)
    return success();
  auto adjoint = func::CallOp::create(builder, call.getLoc(),
                                      plan.callee->backward, operands);
  unsigned next = 0;
  for (unsigned i : plan.callee->active.set_bits())
    cotangents.add(call.getOperand(i), adjoint.getResult(next++));
  return success();
}

LogicalResult AdjointBuilder::Builder::reverse(OpBuilder &builder, Operation *op,
                                               OpPlan &plan, IRMapping &map,
                                               Cotangents &cotangents) {
  if (plan.callee)
    return reverseCall(builder, cast<func::CallOp>(op), plan, map, cotangents);
  SmallVector<Value> incoming;
  bool any = false;
  for (Value result : op->getResults()) {
    incoming.push_back(cotangents.take(builder, result));
    any |= bool(incoming.back());
  }
  if (!any)
    return success();
  SmallVector<Value> residuals;
  for (Value value : plan.needed)
    residuals.push_back(inBackward(builder, value, map));
  SmallVector<Value> outgoing(op->getNumOperands());
  auto rule = cast<DifferentiableOpInterface>(op);
  if (failed(rule.buildVJP(builder, residuals, incoming,
                           ActiveSet(plan.activeOperands), outgoing)))
    return failure();
  for (unsigned i : plan.activeOperands.set_bits())
    if (outgoing[i])
      cotangents.add(op->getOperand(i), outgoing[i]);
  return success();
}

LogicalResult AdjointBuilder::Builder::buildBackward() {
  OpBuilder builder(primal.getContext());
  builder.setInsertionPointAfter(pair.forward);
  FunctionType forwardType = pair.forward.getFunctionType();
  SmallVector<Type> inputs, results;
  for (ResidualSource source : pair.residuals)
    inputs.push_back(source.kind == ResidualSource::Argument
                         ? primal.getFunctionType().getInput(source.index)
                         : forwardType.getResult(
                               source.kind == ResidualSource::Result
                                   ? source.index
                                   : primal.getNumResults() + source.index));
  for (unsigned i : pair.live.set_bits())
    inputs.push_back(primal.getFunctionType().getResult(i));
  for (unsigned i : pair.active.set_bits())
    results.push_back(primal.getFunctionType().getInput(i));

  std::string name = freshSymbol(owner.module, primal.getSymName() + "_bwd");
  auto backward = func::FuncOp::create(builder, primal.getLoc(), name,
                                       builder.getFunctionType(inputs, results));
  backward.setPrivate();
  pair.backward = backward;
  Block *block = backward.addEntryBlock();
  builder.setInsertionPointToStart(block);

  IRMapping map;
  unsigned next = 0;
  for (auto &[value, source] : sources)
    map.map(value, block->getArgument(next++));
  next = pair.residuals.size();
  Cotangents cotangents;
  Operation *terminator = body().getTerminator();
  for (unsigned i : pair.live.set_bits())
    cotangents.add(terminator->getOperand(i), block->getArgument(next++));

  for (auto &[op, plan] : llvm::reverse(plans))
    if (failed(reverse(builder, op, plan, map, cotangents)))
      return failure();

  SmallVector<Value> returned;
  for (unsigned i : pair.active.set_bits()) {
    Value d = cotangents.take(builder, body().getArgument(i));
    returned.push_back(d ? d : Emit(builder, primal.getLoc())
                                   .splat(body().getArgument(i).getType(), 0));
  }
  func::ReturnOp::create(builder, terminator->getLoc(), returned);
  // Pads that became parts of a concat.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isa<PadOp>(op) && op.use_empty())
      op.erase();
  return success();
}

/// Writes the pair onto its backward function.
static void describe(AdjointPair &pair) {
  Builder b(pair.primal.getContext());
  SmallVector<Attribute> residuals;
  static const char *const kinds[] = {"argument", "result", "extra"};
  for (ResidualSource source : pair.residuals)
    residuals.push_back(
        b.getStringAttr(Twine(kinds[source.kind]) + ":" + Twine(source.index)));
  pair.backward->setAttr(
      kAdjointAttr,
      b.getDictionaryAttr(
          {b.getNamedAttr("primal", FlatSymbolRefAttr::get(pair.primal)),
           b.getNamedAttr("forward", FlatSymbolRefAttr::get(pair.forward)),
           b.getNamedAttr("active", positionsOf(b, pair.active)),
           b.getNamedAttr("live", positionsOf(b, pair.live)),
           b.getNamedAttr("residuals", b.getArrayAttr(residuals))}));
}

namespace {
/// Walks what AdjointBuilder builds: each question about a function once.
class RuleCheck {
public:
  explicit RuleCheck(ActivityAnalysis &activity) : activity(activity) {}

  void visit(func::FuncOp function, const llvm::BitVector &active,
             const llvm::BitVector &live);
  LogicalResult report();

private:
  ActivityAnalysis &activity;
  llvm::SmallPtrSet<const FunctionActivity *, 8> visited;
  /// The first op of each kind.
  llvm::MapVector<OperationName, Operation *> missing;
};
} // namespace

void RuleCheck::visit(func::FuncOp function, const llvm::BitVector &active,
                      const llvm::BitVector &live) {
  const FunctionActivity &facts = activity.get(function, active, live);
  if (!visited.insert(&facts).second)
    return;
  for (Operation &op : function.getBody().front().without_terminator()) {
    llvm::BitVector operands = ActivityAnalysis::activeOperands(&op, facts);
    llvm::BitVector results = ActivityAnalysis::activeResults(&op, facts);
    if (operands.none() || results.none())
      continue;
    if (auto call = dyn_cast<func::CallOp>(op))
      visit(activity.callee(call), operands, results);
    else if (!isa<DifferentiableOpInterface>(op))
      missing.insert({op.getName(), &op});
  }
}

LogicalResult RuleCheck::report() {
  if (missing.empty())
    return success();
  InFlightDiagnostic diag =
      missing.front().second->emitOpError()
      << "has no VJP rule, but its results reach the loss from a differentiated "
         "argument; rewrite it with ops that have one, or cut the path with "
         "tt.stop_gradient";
  for (auto [name, op] : llvm::drop_begin(missing))
    diag.attachNote(op->getLoc()) << "'" << name << "' has none either";
  return diag;
}

LogicalResult AdjointBuilder::checkRules(func::FuncOp function,
                                         const llvm::BitVector &active,
                                         const llvm::BitVector &live) {
  RuleCheck check(activity);
  check.visit(function, active, live);
  return check.report();
}

const AdjointPair *AdjointBuilder::get(func::FuncOp function,
                                       const llvm::BitVector &active,
                                       const llvm::BitVector &live) {
  const FunctionActivity &facts = activity.get(function, active, live);
  // Only arguments that reach a live result get a cotangent.
  llvm::BitVector useful = facts.usefulArguments;
  Key key{function.getSymName().str(), {bitsOf(useful), bitsOf(live)}};
  auto [it, isNew] = pairs.try_emplace(key);
  AdjointPair &pair = it->second;
  if (!isNew)
    return pair.backward ? &pair : nullptr;
  pair.primal = function;
  pair.active = useful;
  pair.live = live;
  Builder builder(*this, function, facts, pair);
  if (failed(builder.plan()) || failed(builder.buildForward()) ||
      failed(builder.buildBackward())) {
    pair.backward = nullptr;
    return nullptr;
  }
  describe(pair);
  return &pair;
}
