//===- ControlOps.cpp - Identities, calls with a rule, repetition ---------===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::reference;

template <typename T>
static void stopGradient(StopGradientOp op, Frame<T> &frame) {
  if (!frame.options.recording || !frame.any(op.getInput()).isFloat())
    return frame.alias(op.getOutput(), op.getInput());
  setDeclared(op, op.getInput(), op.getOutput(), [](double x) { return x; },
              [](double) { return 0.0; }, frame);
}

using Tensors = std::vector<Tensor<double>>;

/// Every element of the cotangent into [-value, value].
template <typename T> static void clip(GradTransformOp op, Frame<T> &frame) {
  if (frame.options.recording && frame.options.recording->isReplay)
    return replayRuled(op, frame);
  frame.alias(op.getOutput(), op.getInput());
  if (!frame.options.recording)
    return;
  double limit = op.getValue()->convertToDouble();
  auto rule = [limit](const Tensors &cotangents, Tensors &results) -> std::string {
    results = cotangents;
    for (double &d : results.front().data)
      d = std::fmin(std::fmax(d, -limit), limit);
    return "";
  };
  recordRuled(op, rule, frame);
}

/// The value stays; only differences between runs see the declared slope.
template <typename T>
static void gradTransform(GradTransformOp op, Frame<T> &frame) {
  if (op.getKind() == GradTransformKind::Clip)
    return clip(op, frame);
  if (!frame.options.recording)
    return frame.alias(op.getOutput(), op.getInput());
  double slope = op.getKind() == GradTransformKind::Reverse
                     ? -1
                     : op.getValue()->convertToDouble();
  setDeclared(op, op.getInput(), op.getOutput(), [](double x) { return x; },
              [slope](double) { return slope; }, frame);
}

/// Runs function `symbol`; false after a failure, which is in the frame then.
template <typename T>
static bool call(Operation *op, FlatSymbolRefAttr symbol,
                 ArrayRef<AnyTensor<T>> inputs, std::vector<AnyTensor<T>> &results,
                 const Options &options, Frame<T> &frame) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!callee || callee.isExternal()) {
    frame.fail(op, "calls @" + symbol.getValue() + ", which has no body");
    return false;
  }
  Outcome<T> outcome =
      evaluateBody<T>(callee, inputs, options, frame.depth + 1);
  if (!outcome.succeeded()) {
    frame.error = std::move(outcome.error);
    return false;
  }
  results = std::move(outcome.results);
  return true;
}

/// The cotangents of the float inputs by the function `vjp`, in f64.
static std::string applyRule(CustomVjpOp op, std::vector<AnyTensor<double>> operands,
                             const Tensors &cotangents, Tensors &results) {
  operands.insert(operands.end(), cotangents.begin(), cotangents.end());
  if (!op.getVjpAttr())
    return errorAt(op, "must have its rule as a function: run --tt-outline-rules first");
  Outcome<double> outcome = Interpreter<double>(op->getParentOfType<ModuleOp>())
                                .run(op.getVjpAttr().getValue(), operands);
  for (AnyTensor<double> &result : outcome.results)
    results.push_back(std::move(result.floats()));
  return outcome.error;
}

/// A surrogate's derivative is its rule's: what the callee declares is not met.
template <typename T> static void customVjp(CustomVjpOp op, Frame<T> &frame) {
  bool isRuled = op.getSurrogate() && frame.options.recording;
  if (isRuled && frame.options.recording->isReplay)
    return replayRuled(op, frame);
  Options options = frame.options;
  if (isRuled)
    options.recording = nullptr;
  std::vector<AnyTensor<T>> inputs, results;
  for (mlir::Value input : op.getInputs())
    inputs.push_back(frame.any(input));
  if (!call<T>(op, op.getCalleeAttr(), inputs, results, options, frame))
    return;
  for (auto [output, value] : llvm::zip_equal(op.getOutputs(), results))
    frame.set(output, std::move(value));
  if (!isRuled)
    return;
  std::vector<AnyTensor<double>> operands;
  for (ValueRange values : {ValueRange(op.getInputs()), ValueRange(op.getOutputs())})
    for (mlir::Value value : values)
      if (frame.any(value).isFloat())
        operands.push_back(realParts(frame.floats(value)));
      else
        operands.push_back(frame.ints(value));
  auto rule = [op, operands](const Tensors &cotangents, Tensors &cotangentsOfInputs) {
    return applyRule(op, operands, cotangents, cotangentsOfInputs);
  };
  recordRuled(op, rule, frame);
}

/// Element i of the first dimension.
template <typename Element>
static Tensor<Element> sliceOf(const Tensor<Element> &stacked, int64_t i) {
  Tensor<Element> slice(Shape(stacked.shape.begin() + 1, stacked.shape.end()));
  std::copy_n(stacked.data.begin() + i * slice.size(), slice.size(),
              slice.data.begin());
  return slice;
}

template <typename T> static void repeat(RepeatOp op, Frame<T> &frame) {
  std::vector<AnyTensor<T>> carried;
  for (mlir::Value value : op.getCarried())
    carried.push_back(frame.any(value));
  for (int64_t turn = 0; turn < int64_t(op.getCount()); ++turn) {
    std::vector<AnyTensor<T>> inputs = carried;
    for (mlir::Value value : op.getStacked()) {
      const AnyTensor<T> &stacked = frame.any(value);
      if (stacked.isFloat())
        inputs.push_back(sliceOf(stacked.floats(), turn));
      else
        inputs.push_back(sliceOf(stacked.ints(), turn));
    }
    for (mlir::Value value : op.getShared())
      inputs.push_back(frame.any(value));
    if (op.getKey())
      inputs.push_back(foldKey(frame.ints(op.getKey()), turn));
    if (!call<T>(op, op.getCalleeAttr(), inputs, carried, frame.options, frame))
      return;
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    frame.set(result, std::move(value));
}

template <typename T>
void tt::reference::addControlOps(OpTable<T> &table) {
  table.template add<StopGradientOp>(stopGradient<T>);
  table.template add<RematBarrierOp>([](RematBarrierOp op, Frame<T> &frame) {
    frame.alias(op.getOutput(), op.getInput());
  });
  table.template add<GradTransformOp>(gradTransform<T>);
  table.template add<CustomVjpOp>(customVjp<T>);
  table.template add<RepeatOp>(repeat<T>);
}
TT_REFERENCE_INSTANTIATE(addControlOps)
