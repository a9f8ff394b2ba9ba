//===- Recorded.h - Declared derivatives in recorded runs -------*- C++ -*-===//
//
// An op whose derivative is declared and is not that of its value (stop_gradient,
// straight-through rounding, the padding row of a table) is held in runs on nearby
// inputs: there its value moves as the declaration says, so that differences agree
// with it.
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

} // namespace tt::reference

#endif
