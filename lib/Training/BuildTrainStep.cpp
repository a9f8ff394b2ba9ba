//===- BuildTrainStep.cpp - --tt-build-train-step -------------------------===//
#include "tt/AD/Adjoint.h"
#include "tt/Training/LossResult.h"
#include "tt/Training/Passes.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Regex.h"

#include <cmath>

namespace tt {
#define GEN_PASS_DEF_BUILDTRAINSTEPPASS
#include "tt/Training/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {

/// A public function that is built argument by argument.
struct EntryBuilder {
  OpBuilder builder;
  func::FuncOp function;
  Block *block;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> resultAttrs;

  EntryBuilder(ModuleOp module, Location loc, StringRef name)
      : builder(module.getContext()) {
    builder.setInsertionPointToEnd(module.getBody());
    function = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
    block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
  }

  Value argument(Type type, DictionaryAttr attrs, Location loc) {
    unsigned index = function.getNumArguments();
    (void)function.insertArgument(index, type, attrs, loc);
    return block->getArgument(index);
  }
  Value input(StringRef name, Type type) {
    return argument(type, dict(kInputAttr, name), function.getLoc());
  }
  DictionaryAttr dict(StringRef key, StringRef value) {
    return builder.getDictionaryAttr(
        builder.getNamedAttr(key, builder.getStringAttr(value)));
  }
  void result(Value value, StringRef key, StringRef name) {
    results.push_back(value);
    resultAttrs.push_back(dict(key, name));
  }
  void finish() {
    func::ReturnOp::create(builder, function.getLoc(), results);
    SmallVector<Type> types;
    for (Value value : results)
      types.push_back(value.getType());
    function.setFunctionType(
        builder.getFunctionType(function.getFunctionType().getInputs(), types));
    function.setAllResultAttrs(resultAttrs);
  }
};

/// The calls of the pair with a loss seed of 1.
struct Gradients {
  SmallVector<Value> results; // of the primal
  unsigned loss;              // its number among them
  SmallVector<unsigned> arguments; // of the primal
  SmallVector<Value> values;
};

Gradients callPair(EntryBuilder &entry, AdjointPair pair,
                   ArrayRef<Value> arguments) {
  OpBuilder &b = entry.builder;
  Location loc = pair.primal.getLoc();
  auto forward = func::CallOp::create(b, loc, pair.forward, arguments);
  SmallVector<Value> operands;
  for (ResidualSource source : pair.residuals) {
    unsigned first = source.kind == ResidualSource::Extra ? pair.primal.getNumResults() : 0;
    operands.push_back(source.kind == ResidualSource::Argument
                           ? arguments[source.index]
                           : forward.getResult(first + source.index));
  }
  Emit e(b, loc);
  for (unsigned i : pair.live.set_bits()) // the loss alone
    operands.push_back(e.splat(pair.primal.getFunctionType().getResult(i), 1));
  auto backward = func::CallOp::create(b, loc, pair.backward, operands);
  Gradients gradients{forward.getResults().take_front(pair.primal.getNumResults()),
                      *lossResult(pair.primal),
                      {},
                      backward.getResults()};
  for (unsigned i : pair.active.set_bits())
    gradients.arguments.push_back(i);
  return gradients;
}

/// Scalars go through sums and updates as vectors of one element.
Value asVector(OpBuilder &b, Location loc, Value value) {
  return tensorOf(value).getRank() ? value : Emit(b, loc).reshape(value, {1});
}
Value asShapeOf(OpBuilder &b, Location loc, Value value, Value like) {
  return Emit(b, loc).reshape(value, shapeOf(like));
}

StringRef paramName(func::FuncOp function, unsigned i) {
  auto name = function.getArgAttrOfType<StringAttr>(i, kParamAttr);
  return name ? name.getValue() : StringRef();
}

struct BuildTrainStepPass final
    : tt::impl::BuildTrainStepPassBase<BuildTrainStepPass> {
  using BuildTrainStepPassBase::BuildTrainStepPassBase;

  FailureOr<AdjointPair> findPair() {
    std::optional<AdjointPair> only;
    for (auto candidate : getOperation().getOps<func::FuncOp>()) {
      std::optional<AdjointPair> pair = readAdjoint(candidate);
      if (!pair || !pair->primal.isPublic() ||
          (!function.empty() && pair->primal.getSymName() != function))
        continue;
      if (only)
        return candidate.emitError() << "expected one loss with an adjoint pair, or "
                                        "the option function=";
      only = pair;
    }
    if (!only)
      return getOperation().emitError()
             << "expected a loss with an adjoint pair as left by tt-autodiff";
    func::FuncOp primal = only->primal;
    std::optional<unsigned> loss = lossResult(primal);
    if (!loss || !only->live.test(*loss) || only->live.count() != 1 ||
        cast<RankedTensorType>(primal.getFunctionType().getResult(*loss)).getRank() != 0)
      return primal.emitError()
             << "expected one scalar float result to train on, but @"
             << primal.getSymName() << " returns ("
             << primal.getFunctionType().getResults()
             << "): reduce it to a scalar, name it {tt.output = \"loss\"} and put "
                "tt.stop_gradient before the others, or call the adjoint with a seed";
    if (only->active.none())
      return primal.emitError() << "expected a trainable parameter (tt.param)";
    return *only;
  }

  LogicalResult checkOptions() {
    if (optimizer != "adamw")
      return getOperation().emitError() << "expected optimizer to be adamw, but got '"
                                        << optimizer << "'";
    if (!(clipNorm >= 0) || std::isinf(clipNorm))
      return getOperation().emitError()
             << "expected clip-norm (max_norm) to be finite and not negative, but got "
             << clipNorm;
    if (decay != "rank2" && decay != "all" && decay != "none" &&
        !StringRef(decay).starts_with("re:"))
      return getOperation().emitError()
             << "expected decay to be rank2, all, none or re:REGEX, but got '" << decay
             << "'";
    std::string problem;
    if (StringRef(decay).starts_with("re:") &&
        !llvm::Regex(StringRef(decay).drop_front(3)).isValid(problem))
      return getOperation().emitError() << "decay: invalid regular expression: " << problem;
    return success();
  }

  bool decays(StringRef name, Type type) {
    if (decay == "all" || decay == "none")
      return decay == "all";
    if (decay == "rank2")
      return cast<RankedTensorType>(type).getRank() >= 2;
    return llvm::Regex(StringRef(decay).drop_front(3)).match(name);
  }

  /// Copies f's arguments to an entry; the key is formed from seed and step.
  SmallVector<Value> copyArguments(EntryBuilder &entry, func::FuncOp primal,
                                   Value &seed, Value &step) {
    SmallVector<Value> arguments;
    Type i64 = RankedTensorType::get({}, entry.builder.getI64Type());
    for (unsigned i = 0; i < primal.getNumArguments(); ++i) {
      auto role = primal.getArgAttrOfType<StringAttr>(i, kInputAttr);
      if (role && role.getValue() == "key") {
        arguments.push_back(Value());
        continue;
      }
      arguments.push_back(entry.argument(primal.getArgument(i).getType(),
                                         primal.getArgAttrDict(i),
                                         primal.getArgument(i).getLoc()));
    }
    step = entry.input("step", i64);
    seed = entry.input("seed", i64);
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (!argument)
        argument = RngKeyOp::create(entry.builder, primal.getLoc(),
                                    primal.getArgument(i).getType(), seed, step);
    return arguments;
  }

  void returnLoss(EntryBuilder &entry, const Gradients &gradients) {
    entry.result(gradients.results[gradients.loss], kOutputAttr, "loss");
  }
  void returnMetrics(EntryBuilder &entry, func::FuncOp primal, const Gradients &gradients) {
    for (auto [i, value] : llvm::enumerate(gradients.results))
      if (auto name = primal.getResultAttrOfType<StringAttr>(i, kOutputAttr);
          name && i != gradients.loss)
        entry.result(value, kOutputAttr, name);
  }

  void buildGrad(AdjointPair pair) {
    EntryBuilder entry(getOperation(), pair.primal.getLoc(), "grad");
    Value seed, step;
    SmallVector<Value> arguments = copyArguments(entry, pair.primal, seed, step);
    Gradients gradients = callPair(entry, pair, arguments);
    returnLoss(entry, gradients);
    for (auto [i, value] : llvm::zip(gradients.arguments, gradients.values))
      entry.result(value, kOutputAttr, ("grad:" + paramName(pair.primal, i)).str());
    returnMetrics(entry, pair.primal, gradients);
    entry.finish();
  }

  void buildStep(AdjointPair pair) {
    Location loc = pair.primal.getLoc();
    EntryBuilder entry(getOperation(), loc, "train_step");
    OpBuilder &b = entry.builder;
    Value seed, step;
    SmallVector<Value> arguments = copyArguments(entry, pair.primal, seed, step);
    Value learningRate =
        entry.input("learning_rate", RankedTensorType::get({}, b.getF32Type()));
    Gradients gradients = callPair(entry, pair, arguments);

    SmallVector<Value> sums;
    Type f64 = RankedTensorType::get({}, b.getF64Type());
    for (Value gradient : gradients.values)
      sums.push_back(SumSquaresOp::create(b, loc, f64, asVector(b, loc, gradient)));
    Type f32 = RankedTensorType::get({}, b.getF32Type());
    Type i32 = RankedTensorType::get({}, b.getI32Type());
    auto norm = GlobalNormOp::create(b, loc, f32, f32, i32, sums,
                                     b.getF64FloatAttr(clipNorm));

    unsigned numDecaying = 0;
    for (auto [i, gradient] : llvm::zip(gradients.arguments, gradients.values)) {
      StringRef name = paramName(pair.primal, i);
      Location where = pair.primal.getArgument(i).getLoc();
      Type type = gradient.getType();
      std::string mName = ("adam.m." + name).str(), vName = ("adam.v." + name).str();
      Value m = entry.argument(type, entry.dict(kStateAttr, mName), where);
      Value v = entry.argument(type, entry.dict(kStateAttr, vName), where);
      bool isDecaying = decays(name, type);
      numDecaying += isDecaying;
      double wd = isDecaying ? double(weightDecay) : 0.0;
      Value p1 = asVector(b, where, arguments[i]), g1 = asVector(b, where, gradient);
      Value m1 = asVector(b, where, m), v1 = asVector(b, where, v);
      Type vector = p1.getType();
      auto update = AdamWOp::create(
          b, where, vector, vector, vector, p1, g1, m1, v1, learningRate, step, norm.getClip(), norm.getSkipped(), b.getF64FloatAttr(beta1),
          b.getF64FloatAttr(beta2), b.getF64FloatAttr(eps), b.getF64FloatAttr(wd));
      auto updated = [&](Value value) { return asShapeOf(b, where, value, m); };
      entry.result(updated(update.getNewParameter()), kUpdatesAttr, name);
      entry.result(updated(update.getNewM()), kUpdatesAttr, mName);
      entry.result(updated(update.getNewV()), kUpdatesAttr, vName);
    }
    if (numDecaying == 0 && decay != "none" && weightDecay > 0)
      pair.primal.emitRemark() << "nothing decays: expected a parameter "
                               << (decay == "rank2" ? "of rank 2 or more"
                                                    : "whose name matches " + decay)
                               << ", found none among " << gradients.values.size();
    returnLoss(entry, gradients);
    for (auto [value, name] : llvm::zip_equal(norm.getResults(), kStepOutputs))
      entry.result(value, kOutputAttr, name);
    returnMetrics(entry, pair.primal, gradients);
    entry.finish();
  }

  /// Inputs of f that the entries would have a second time, or cannot make.
  static LogicalResult checkInputs(func::FuncOp primal) {
    static constexpr llvm::StringLiteral useKey =
        "the step's random key is an input \"key\" of type tensor<2xi32>";
    Builder builder(primal.getContext());
    auto keyType = RankedTensorType::get({2}, builder.getI32Type());
    for (BlockArgument argument : primal.getArguments()) {
      auto name = primal.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kInputAttr);
      if (!name)
        continue;
      if (llvm::is_contained({"step", "seed", "learning_rate"}, name.getValue())) {
        InFlightDiagnostic diag = emitError(argument.getLoc())
                                  << "expected no input of the name " << name
                                  << ": the training step adds one of its own";
        if (name.getValue() != "learning_rate")
          diag.attachNote() << useKey;
        return diag;
      }
      if (name.getValue() == "key" && argument.getType() != keyType)
        return emitError(argument.getLoc())
               << "expected " << keyType << " of the input \"key\", but got "
               << argument.getType() << ": " << useKey;
    }
    return success();
  }

  LogicalResult run() {
    if (failed(checkOptions()))
      return failure();
    FailureOr<AdjointPair> pair = findPair();
    if (failed(pair))
      return failure();
    for (StringRef name : {"train_step", "grad"})
      if (auto taken = getOperation().lookupSymbol(name))
        return taken->emitError() << "expected no symbol of the name @" << name;
    if (failed(checkInputs(pair->primal)))
      return failure();
    for (unsigned i : pair->active.set_bits())
      if (paramName(pair->primal, i).empty())
        return pair->primal.emitError() << "expected argument " << i
                                        << " to have a tt.param name";
    buildStep(*pair);
    buildGrad(*pair);
    return success();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
};
} // namespace
