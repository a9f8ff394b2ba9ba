//===- Inference.cpp - --tt-inference -------------------------------------===//
#include "tt/AD/Adjoint.h"
#include "tt/Training/LossResult.h"
#include "tt/Training/Passes.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tt {
#define GEN_PASS_DEF_INFERENCEPASS
#include "tt/Training/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {

/// take(f(x), i) -> f(take(x, i)) for an f that works on each row by itself:
/// linear maps, norms and elementwise ops. What follows the last layer then runs
/// on one row only.
struct SinkTakePastRows final : OpRewritePattern<TakeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TakeOp take, PatternRewriter &rewriter) const override {
    Operation *producer = take.getInput().getDefiningOp();
    auto type = cast<RankedTensorType>(take.getInput().getType());
    if (!producer || int64_t(take.getDim()) >= type.getRank() - 1)
      return rewriter.notifyMatchFailure(take, "takes from the last dimension");
    bool rowWise = isa<LinearOp, LayerNormOp, RMSNormOp>(producer);
    bool elementwise = isa<ScalarOpInterface>(producer);
    if (!rowWise && !elementwise)
      return rewriter.notifyMatchFailure(take, "producer mixes rows");
    auto result = cast<OpResult>(take.getInput());
    if (result.getResultNumber() != 0)
      return rewriter.notifyMatchFailure(take, "not the first result");

    // Row-wise ops read their rows from operand 0; elementwise ops from all.
    SmallVector<Value> operands(producer->getOperands());
    for (auto [i, operand] : llvm::enumerate(operands))
      if (elementwise || i == 0)
        operand = TakeOp::create(rewriter, take.getLoc(), operand, take.getIndex(),
                                 take.getDim())
                      .getOutput();
    SmallVector<Type> types;
    for (Value value : producer->getResults()) {
      auto old = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape(old.getShape());
      shape.erase(shape.begin() + take.getDim());
      types.push_back(old.clone(shape));
    }
    OperationState state(producer->getLoc(), producer->getName(), operands, types,
                         producer->getAttrs());
    state.propertiesAttr = producer->getPropertiesAsAttribute();
    Operation *rows = rewriter.create(state);
    rewriter.replaceOp(take, rows->getResult(0));
    return success();
  }
};

/// Clones a call tree without dropout.
class EvalCloner {
public:
  explicit EvalCloner(ModuleOp module) : module(module), symbols(module) {}

  /// The clone of `function`, private, called NAME + `_eval`.
  func::FuncOp get(func::FuncOp function) {
    auto found = clones.find(function.getSymName());
    if (found != clones.end())
      return found->second;
    if (!hasDropout(function))
      return function;
    func::FuncOp clone = function.clone();
    clone.setSymName(freshSymbol(module, function.getSymName() + "_eval"));
    clone.setPrivate();
    module.push_back(clone);
    rewrite(clone);
    clones[function.getSymName()] = clone;
    return clone;
  }

  /// Removes dropout in place and redirects calls to clones.
  void rewrite(func::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto dropout = dyn_cast<DropoutOp>(op)) {
        dropout.getOutput().replaceAllUsesWith(dropout.getInput());
        dropout.erase();
      } else if (auto attention = dyn_cast<AttentionOp>(op)) {
        attention.removeDropoutPAttr();
        attention.removeSiteAttr();
        attention.getKeyMutable().clear();
      } else if (auto call = dyn_cast<func::CallOp>(op)) {
        if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
          call.setCallee(get(callee).getSymName());
      }
    }
  }

private:
  bool hasDropout(func::FuncOp function) {
    bool found = false;
    function.walk([&](Operation *op) {
      if (isa<DropoutOp>(op))
        found = true;
      if (auto attention = dyn_cast<AttentionOp>(op))
        found |= bool(attention.getDropoutP());
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
          found |= hasDropout(callee);
    });
    return found;
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<func::FuncOp> clones;
};

/// Drops arguments that nothing reads, parameters excepted: a library has the
/// same parameters in every entry.
void dropUnusedInputs(func::FuncOp function) {
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty() &&
        function.getArgAttr(argument.getArgNumber(), kInputAttr))
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
}

struct InferencePass final : tt::impl::InferencePassBase<InferencePass> {
  using InferencePassBase::InferencePassBase;

  void eraseDead(func::FuncOp function) {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (isOpTriviallyDead(&op) ||
          (isa<func::CallOp>(op) && op.use_empty()))
        op.erase();
  }

  func::FuncOp cloneEntry(func::FuncOp loss, StringRef name, EvalCloner &cloner) {
    func::FuncOp entry = loss.clone();
    entry.setSymName(name);
    getOperation().push_back(entry);
    cloner.rewrite(entry);
    // Without dropout nothing draws: callees that still take a key get zeros.
    OpBuilder builder(&entry.getBody().front(), entry.getBody().front().begin());
    for (BlockArgument argument : entry.getArguments()) {
      auto role = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kInputAttr);
      if (!role || role.getValue() != "key" || argument.use_empty())
        continue;
      auto zeros = SplatElementsAttr::get(cast<RankedTensorType>(argument.getType()),
                                          builder.getI32IntegerAttr(0));
      argument.replaceAllUsesWith(
          ConstantOp::create(builder, loss.getLoc(), zeros).getResult());
    }
    return entry;
  }

  /// linear_cross_entropy -> linear and cross_entropy: one row's logits are whole.
  static void splitFusedLoss(func::FuncOp entry) {
    SmallVector<LinearCrossEntropyOp> fused;
    entry.walk([&](LinearCrossEntropyOp op) { fused.push_back(op); });
    for (LinearCrossEntropyOp op : fused) {
      OpBuilder builder(op);
      Value logits = LinearOp::create(builder, op.getLoc(), op.getHidden(), op.getWeight(),
                                      op.getBias(), op.getLayout())
                         .getOutput();
      auto loss = CrossEntropyOp::create(
          builder, op.getLoc(), logits, op.getTargets(), op.getClassWeights(),
          op.getReduction(), op.getIgnoreIndex(), op.getLabelSmoothing(), op.getZLoss());
      op.replaceAllUsesWith(loss.getResults());
      op.erase();
    }
  }

  /// The last cross-entropy in the function that its loss is made of: a metric may have
  /// one, too.
  static CrossEntropyOp lossOf(func::FuncOp entry) {
    std::optional<unsigned> result = lossResult(entry);
    if (!result)
      return {};
    SetVector<Operation *> made;
    SmallVector<Value> open{entry.getBody().front().getTerminator()->getOperand(*result)};
    while (!open.empty())
      if (Operation *op = open.pop_back_val().getDefiningOp(); op && made.insert(op))
        open.append(op->operand_begin(), op->operand_end());
    CrossEntropyOp last;
    entry.walk([&](CrossEntropyOp op) { last = made.contains(op) ? op : last; });
    return last;
  }

  LogicalResult buildLogits(func::FuncOp loss, EvalCloner &cloner) {
    func::FuncOp entry = cloneEntry(loss, "logits", cloner);
    splitFusedLoss(entry);
    CrossEntropyOp crossEntropy = lossOf(entry);
    Value logits = crossEntropy ? crossEntropy.getLogits() : Value();
    if (logits && cast<RankedTensorType>(logits.getType()).getRank() < 3)
      if (auto reshape = logits.getDefiningOp<ReshapeOp>())
        logits = reshape.getInput();
    if (!logits || cast<RankedTensorType>(logits.getType()).getRank() < 2) {
      entry.erase();
      loss.emitRemark() << "no tt.cross_entropy with logits of rank 2 or more in @"
                        << loss.getSymName() << ": no logits entry is built";
      return success();
    }
    OpBuilder builder(crossEntropy);
    Type positionType = RankedTensorType::get({}, builder.getI32Type());
    auto logitsType = cast<RankedTensorType>(logits.getType());
    int64_t dim = logitsType.getRank() - 2;
    auto attrs = builder.getDictionaryAttr(
        {builder.getNamedAttr(kInputAttr, builder.getStringAttr("position")),
         builder.getNamedAttr(kIndexLimitAttr,
                              builder.getI64IntegerAttr(logitsType.getDimSize(dim)))});
    unsigned index = entry.getNumArguments();
    (void)entry.insertArgument(index, positionType, attrs, loss.getLoc());
    Value row = TakeOp::create(builder, crossEntropy.getLoc(), logits,
                               entry.getArgument(index), dim)
                    .getOutput();
    Operation *terminator = entry.getBody().front().getTerminator();
    terminator->setOperands(row);
    entry.setFunctionType(builder.getFunctionType(
        entry.getFunctionType().getInputs(), {row.getType()}));
    entry.setAllResultAttrs(ArrayRef{builder.getDictionaryAttr(
        builder.getNamedAttr(kOutputAttr, builder.getStringAttr("logits")))});
    eraseDead(entry);
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkTakePastRows>(&getContext());
    if (failed(applyPatternsGreedily(entry, std::move(patterns))))
      return entry.emitError() << "sinking of take did not converge";
    eraseDead(entry);
    dropUnusedInputs(entry);
    return success();
  }

  void runOnOperation() override {
    func::FuncOp loss = findEntry(getOperation(), function);
    if (!loss || failed(checkCallTree(loss)))
      return signalPassFailure();
    for (StringRef name : {"eval", "logits"})
      if (auto taken = getOperation().lookupSymbol(name)) {
        taken->emitError() << "expected no symbol of the name @" << name;
        return signalPassFailure();
      }
    EvalCloner cloner(getOperation());
    func::FuncOp eval = cloneEntry(loss, "eval", cloner);
    if (std::optional<unsigned> result = lossResult(eval))
      eval.setResultAttr(*result, kOutputAttr, StringAttr::get(&getContext(), "loss"));
    eraseDead(eval);
    dropUnusedInputs(eval);
    if (failed(buildLogits(loss, cloner)))
      signalPassFailure();
  }
};
} // namespace
