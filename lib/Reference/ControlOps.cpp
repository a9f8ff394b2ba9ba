//===- ControlOps.cpp - Identities ----------------------------------------===//
#include "Frame.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

template <typename T>
static void stopGradient(StopGradientOp op, Frame<T> &frame) {
  frame.alias(op.getOutput(), op.getInput());
  Recording *recording = frame.options.recording;
  if (!recording || !frame.any(op.getInput()).isFloat())
    return;
  const Tensor<T> &input = frame.floats(op.getInput());
  if (!recording->isReplay) {
    Tensor<double> copy(input.shape);
    for (int64_t i = 0; i < copy.size(); ++i)
      copy[i] = realPart(input[i]);
    recording->values.push_back(std::move(copy));
    return;
  }
  if (recording->next >= recording->values.size() ||
      recording->values[recording->next].shape != input.shape)
    return frame.fail(op, "was not met in the recorded run");
  const Tensor<double> &held = recording->values[recording->next++];
  Tensor<T> result(input.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(held[i]);
  frame.set(op.getOutput(), std::move(result));
}

template <typename T>
void tt::reference::addControlOps(OpTable<T> &table) {
  table.template add<StopGradientOp>(stopGradient<T>);
  table.template add<RematBarrierOp>([](RematBarrierOp op, Frame<T> &frame) {
    frame.alias(op.getOutput(), op.getInput());
  });
}
TT_REFERENCE_INSTANTIATE(addControlOps)
