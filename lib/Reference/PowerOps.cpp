//===- PowerOps.cpp - Powers and logarithms of sums -----------------------===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

static double expm1Of(double x) { return std::expm1(x); }
static Complex expm1Of(Complex x) { return std::exp(x) - 1.0; }

/// std::pow of a complex number goes through its logarithm, whose rounding would
/// drown a tiny imaginary part: first order, which is exact for one.
static double powOf(double x, double exponent) { return std::pow(x, exponent); }
static Complex powOf(Complex x, double exponent) {
  double slope = exponent == 0 ? 0 : exponent * std::pow(x.real(), exponent - 1);
  return {std::pow(x.real(), exponent), slope * x.imag()};
}

template <typename N> static N softplusOf(N x) {
  return realPart(x) > 0 ? x + log1pOf(std::exp(-x)) : log1pOf(std::exp(x));
}

template <typename T, typename Op, typename Function>
static void addUnary(OpTable<T> &table, Function function) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getInput());
    for (T &x : result.data)
      x = T(function(op, Acc<T>(x)));
    frame.set(op.getOutput(), std::move(result));
  });
}

template <typename T> static void power(PowOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  for (T &x : result.data) {
    if (!hasTinyImaginary(x))
      return frame.fail(op, "has no complex form for imaginary parts of 1e-60 and "
                            "more");
    x = T(powOf(Acc<T>(x), op.getExponent().convertToDouble()));
  }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void tt::reference::addPowerOps(OpTable<T> &table) {
  using N = Acc<T>;
  table.template add<PowOp>(power<T>);
  table.template add<Relu2Op>([](Relu2Op op, Frame<T> &frame) {
    auto value = [](T x, double decider) {
      return T(decider > 0 || isNaN(x) ? N(x) * N(x) : N(0));
    };
    setDecided(op, op.getInput(), op.getOutput(), value, frame);
  });
  addUnary<T, SoftplusOp>(table, [](auto, N x) { return softplusOf(x); });
  addUnary<T, Log1pOp>(table, [](auto, N x) { return log1pOf(x); });
  addUnary<T, Expm1Op>(table, [](auto, N x) { return expm1Of(x); });
}
TT_REFERENCE_INSTANTIATE(addPowerOps)
