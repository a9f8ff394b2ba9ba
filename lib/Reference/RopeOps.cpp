//===- RopeOps.cpp - Rotary position embedding ----------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;

template <typename T> static void rope(RopeOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  int64_t width = result.columns(), half = width / 2;
  int64_t length = result.shape[result.shape.size() - 2];
  double theta = op.getTheta().convertToDouble();
  bool interleaved = op.getLayout() == RopeLayout::Interleaved;
  for (int64_t row = 0; row < result.rows(); ++row) {
    int64_t t = row % length;
    double position =
        op.getPositions() ? double(frame.ints(op.getPositions())[t]) : double(t);
    for (int64_t i = 0; i < half; ++i) {
      double angle = position * std::pow(theta, -2.0 * double(i) / double(width));
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
