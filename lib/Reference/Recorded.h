//===- Recorded.h - Declared derivatives in recorded runs -------*- C++ -*-===//
//
// An op whose derivative is declared and is not that of its value (stop_gradient,
// straight-through rounding, the padding row of a table) is held in runs on nearby
// inputs: there its value moves as the declaration says, so that differences agree
// with it. An op that decides by its input decides as in the recorded run.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_REFERENCE_RECORDED_H
#define TT_LIB_REFERENCE_RECORDED_H

#include "Frame.h"
#include "Scalar.h"

namespace tt::reference {

/// In a recorded run notes `input` and returns null; in a replay the input that
/// the run had at this place. Null also without a recording, and after a
/// failure, which is in the frame then.
template <typename T>
const Tensor<double> *heldInput(mlir::Operation *op, const Tensor<T> &input,
                                Frame<T> &frame) {
  Recording *recording = frame.options.recording;
  if (!recording)
    return nullptr;
  if (!recording->isReplay) {
    Tensor<double> copy(input.shape);
    for (int64_t i = 0; i < copy.size(); ++i)
      copy[i] = realPart(input[i]);
    recording->values.push_back(std::move(copy));
    return nullptr;
  }
  if (recording->next >= recording->values.size() ||
      recording->values[recording->next].shape != input.shape) {
    frame.fail(op, "was not met in the recorded run");
    return nullptr;
  }
  return &recording->values[recording->next++];
}

/// What an op decides by: the real parts of `input`, in replays those of the run.
template <typename T> class Decider {
public:
  Decider(mlir::Operation *op, const Tensor<T> &input, Frame<T> &frame)
      : input(input), held(heldInput(op, input, frame)) {
    if (held && !frame.options.recording->holdsDecisions)
      held = nullptr;
  }
  double operator[](int64_t i) const {
    return held ? (*held)[i] : realPart(input[i]);
  }

private:
  const Tensor<T> &input;
  const Tensor<double> *held;
};

/// Sets `result` to function(x, what decides) for every x of `operand`.
template <typename T, typename Function>
void setDecided(mlir::Operation *op, mlir::Value operand, mlir::Value result,
                Function function, Frame<T> &frame) {
  const Tensor<T> &input = frame.floats(operand);
  Decider<T> decider(op, input, frame);
  Tensor<T> output(input.shape);
  for (int64_t i = 0; i < output.size(); ++i)
    output[i] = function(input[i], decider[i]);
  frame.set(result, std::move(output));
}

/// Sets `result` to one of x and y, x where takesLeft(deciding x, deciding y); to their
/// sum where one is NaN.
template <typename T, typename Choice>
void setChosen(mlir::Operation *op, mlir::Value lhs, mlir::Value rhs, mlir::Value result,
               Choice takesLeft, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(lhs), &y = frame.floats(rhs);
  Decider<T> left(op, x, frame), right(op, y, frame);
  Tensor<T> output(x.shape);
  for (int64_t i = 0; i < output.size(); ++i)
    output[i] = isNaN(x[i]) || isNaN(y[i])     ? x[i] + y[i]
                : takesLeft(left[i], right[i]) ? x[i]
                                               : y[i];
  frame.set(result, std::move(output));
}

/// Sets `result` to value(input), or in a replay to the line through the held
/// input with the declared slope there.
template <typename T, typename Value, typename Slope>
void setDeclared(mlir::Operation *op, mlir::Value operand, mlir::Value result,
                 Value value, Slope slope, Frame<T> &frame) {
  const Tensor<T> &input = frame.floats(operand);
  const Tensor<double> *held = heldInput(op, input, frame);
  if (!frame.error.empty())
    return;
  Tensor<T> output(input.shape);
  for (int64_t i = 0; i < output.size(); ++i)
    output[i] = held ? T(value((*held)[i])) +
                           T(slope((*held)[i])) * (input[i] - T((*held)[i]))
                     : T(value(realPart(input[i])));
  frame.set(result, std::move(output));
}

template <typename T> Tensor<double> realParts(const Tensor<T> &tensor) {
  Tensor<double> real(tensor.shape);
  for (int64_t i = 0; i < real.size(); ++i)
    real[i] = realPart(tensor[i]);
  return real;
}

/// Notes the op of a recorded run whose results are in the frame. `rule`: see there.
template <typename T, typename Rule>
void recordRuled(mlir::Operation *op, Rule rule, Frame<T> &frame) {
  Recording::Ruled ruled;
  for (mlir::Value input : op->getOperands())
    if (frame.any(input).isFloat())
      ruled.inputs.push_back(realParts(frame.floats(input)));
  for (mlir::Value output : op->getResults())
    if (frame.any(output).isFloat())
      ruled.outputs.push_back(realParts(frame.floats(output)));
    else
      ruled.outputs.push_back(frame.ints(output));
  ruled.rule = std::move(rule);
  frame.options.recording->ruled.push_back(std::move(ruled));
}

/// What `added` is in T.
inline void addProbe(std::complex<double> &x, std::complex<double> added) { x += added; }
template <typename T> void addProbe(T &x, std::complex<double> added) {
  x += T(added.real());
}

/// The results of the op in a replay.
template <typename T> void replayRuled(mlir::Operation *op, Frame<T> &frame) {
  Recording &recording = *frame.options.recording;
  if (recording.nextRuled >= recording.ruled.size())
    return frame.fail(op, "was not met in the recorded run");
  size_t number = recording.nextRuled++, next = 0;
  const Recording::Ruled &ruled = recording.ruled[number];
  T along = 0;
  double square = 0;
  for (mlir::Value input : op->getOperands()) {
    if (ruled.inputCotangents.empty() || !frame.any(input).isFloat())
      continue;
    const Tensor<T> &x = frame.floats(input);
    for (int64_t i = 0; i < x.size(); ++i)
      along += T(ruled.inputCotangents[next][i]) * (x[i] - T(ruled.inputs[next][i]));
    ++next;
  }
  for (const Tensor<double> &d : ruled.outputCotangents)
    for (double value : d.data)
      square += value * value;
  next = 0;
  for (auto [result, recorded] : llvm::zip_equal(op->getResults(), ruled.outputs)) {
    if (!recorded.isFloat()) {
      frame.set(result, recorded.ints());
      continue;
    }
    Tensor<T> output(recorded.shape());
    for (int64_t i = 0; i < output.size(); ++i)
      output[i] = T(recorded.floats()[i]) +
                  (square > 0 ? T(ruled.outputCotangents[next][i] / square) * along : T(0));
    if (auto &probe = recording.probe; probe && probe->ruled == number && probe->output == next)
      addProbe(output[probe->element], probe->step);
    frame.set(result, std::move(output));
    ++next;
  }
}

} // namespace tt::reference

#endif
