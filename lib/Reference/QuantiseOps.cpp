//===- QuantiseOps.cpp - Rounding, with and without a derivative ----------===//
//
// In complex numbers, for the complex step, a rounded value is real: its true
// derivative is 0. Straight-through ops keep their declared one in replays.
//
//===----------------------------------------------------------------------===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// Ties go to even: the default rounding direction of the machine.
static double nearest(double x) { return std::nearbyint(x); }

static double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

template <typename T, typename Op>
static void addRounding(OpTable<T> &table, double (*function)(double)) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    auto value = [function](T, double decider) { return T(function(decider)); };
    setDecided(op, op.getInput(), op.getOutput(), value, frame);
  });
}

template <typename T> static void clamp(ClampOp op, Frame<T> &frame) {
  double low = op.getLow().convertToDouble(), high = op.getHigh().convertToDouble();
  auto value = [=](T x, double decider) {
    return decider < low ? T(low) : decider > high ? T(high) : x;
  };
  setDecided(op, op.getInput(), op.getOutput(), value, frame);
}

template <typename T> static void fakeQuant(FakeQuantOp op, Frame<T> &frame) {
  double scale = op.getScale().convertToDouble();
  double zeroPoint = double(int64_t(op.getZeroPoint()));
  double low = double(int64_t(op.getLow())), high = double(int64_t(op.getHigh()));
  auto level = [=](double x) { return nearest(x / scale) + zeroPoint; };
  auto value = [=](double x) {
    double q = level(x);
    return ((q < low ? low : q > high ? high : q) - zeroPoint) * scale;
  };
  auto slope = [=](double x) {
    double q = level(x);
    return q >= low && q <= high ? 1.0 : 0.0;
  };
  setDeclared(op, op.getInput(), op.getOutput(), value, slope, frame);
}

template <typename T> void tt::reference::addQuantiseOps(OpTable<T> &table) {
  addRounding<T, RoundOp>(table, nearest);
  addRounding<T, FloorOp>(table, [](double x) { return std::floor(x); });
  addRounding<T, CeilOp>(table, [](double x) { return std::ceil(x); });
  addRounding<T, SignOp>(table, signOf);
  table.template add<ClampOp>(clamp<T>);
  table.template add<RoundSteOp>([](RoundSteOp op, Frame<T> &frame) {
    setDeclared(op, op.getInput(), op.getOutput(), nearest,
                [](double) { return 1.0; }, frame);
  });
  table.template add<FakeQuantOp>(fakeQuant<T>);
  table.template add<DequantiseOp>([](DequantiseOp op, Frame<T> &frame) {
    const IntTensor &levels = frame.ints(op.getInput());
    int64_t zeroPoint = op.getZeroPoint();
    Tensor<T> result(levels.shape);
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = T(double(levels[i] - zeroPoint) * op.getScale().convertToDouble());
    frame.set(op.getOutput(), std::move(result));
  });
}
TT_REFERENCE_INSTANTIATE(addQuantiseOps)
