//===- RopeOps.cpp - Rotary position embedding ----------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;

/// The frequency of pair i of `width` / 2.
static double frequencyOf(RopeOp op, int64_t i, int64_t width) {
  double theta = op.getTheta().convertToDouble();
  double exponent = -2.0 * double(i) / double(width);
  double plain = std::pow(theta, exponent);
  if (!op.getScaling())
    return plain;
  double factor = op.getFactor()->convertToDouble();
  switch (*op.getScaling()) {
  case RopeScaling::Linear:
    return plain / factor;
  case RopeScaling::Ntk:
    if (width == 2)
      return plain;
    return std::pow(theta * std::pow(factor, double(width) / double(width - 2)),
                    exponent);
  case RopeScaling::Llama3:
    break;
  }
  double low = op.getLowFrequency()->convertToDouble();
  double high = op.getHighFrequency()->convertToDouble();
  double turns = double(*op.getOriginalContext()) * plain / (2 * M_PI);
  if (turns > high)
    return plain;
  if (turns < low)
    return plain / factor;
  double share = (turns - low) / (high - low);
  return (1 - share) * plain / factor + share * plain;
}

template <typename T> static void rope(RopeOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  int64_t width = result.columns(), half = width / 2;
  int64_t length = result.shape[result.shape.size() - 2];
  int64_t rowsPerBatch = result.rows() / result.shape[0];
  bool interleaved = op.getLayout() == RopeLayout::Interleaved;
  std::vector<double> frequencies;
  for (int64_t i = 0; i < half; ++i)
    frequencies.push_back(frequencyOf(op, i, width));
  for (int64_t row = 0; row < result.rows(); ++row) {
    int64_t t = row % length;
    double position = double(t);
    if (op.getPositions()) {
      const IntTensor &positions = frame.ints(op.getPositions());
      bool perBatch = positions.shape.size() == 2;
      position = double(positions[perBatch ? row / rowsPerBatch * length + t : t]);
    }
    for (int64_t i = 0; i < half; ++i) {
      double angle = position * frequencies[i];
      if (op.getInverse())
        angle = -angle;
      Acc<T> cos(std::cos(angle)), sin(std::sin(angle));
      T &first = result.row(row)[interleaved ? 2 * i : i];
      T &second = result.row(row)[interleaved ? 2 * i + 1 : i + half];
      Acc<T> a(first), b(second);
      first = T(a * cos - b * sin);
      second = T(a * sin + b * cos);
    }
  }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void tt::reference::addRopeOps(OpTable<T> &table) {
  table.template add<RopeOp>(rope<T>);
}
TT_REFERENCE_INSTANTIATE(addRopeOps)
