//===- ElementwiseOps.cpp - Arithmetic and activations --------------------===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

namespace {

template <typename T, typename Op>
void addUnary(OpTable<T> &table, T (*function)(T)) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getInput());
    for (T &x : result.data)
      x = function(x);
    frame.set(op.getOutput(), std::move(result));
  });
}

template <typename T, typename Op>
void addBinary(OpTable<T> &table, T (*function)(T, T)) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getLhs());
    const Tensor<T> &rhs = frame.floats(op.getRhs());
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = function(result[i], rhs[i]);
    frame.set(op.getOutput(), std::move(result));
  });
}

/// The same for an op that takes integers too; they wrap in set().
template <typename T, typename Op>
void addNumber(OpTable<T> &table, T (*function)(T, T),
               int64_t (*ofIntegers)(int64_t, int64_t)) {
  table.template add<Op>([=](Op op, Frame<T> &frame) {
    auto combine = [&](auto result, const auto &rhs, auto f) {
      for (int64_t i = 0; i < result.size(); ++i)
        result[i] = f(result[i], rhs[i]);
      frame.set(op.getOutput(), std::move(result));
    };
    if (frame.any(op.getLhs()).isFloat())
      combine(frame.floats(op.getLhs()), frame.floats(op.getRhs()), function);
    else
      combine(frame.ints(op.getLhs()), frame.ints(op.getRhs()), ofIntegers);
  });
}
int64_t wrapped(uint64_t x) { return int64_t(x); }

/// The extremum of two: `takesLeft(x, y)` decides, of numbers that are not NaN.
template <typename T, typename Op>
void addExtremum(OpTable<T> &table, bool (*takesLeft)(double, double),
                 bool (*takesLeftInteger)(int64_t, int64_t)) {
  table.template add<Op>([=](Op op, Frame<T> &frame) {
    if (frame.any(op.getLhs()).isFloat())
      return setChosen(op, op.getLhs(), op.getRhs(), op.getOutput(), takesLeft, frame);
    IntTensor result = frame.ints(op.getLhs());
    const IntTensor &rhs = frame.ints(op.getRhs());
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = takesLeftInteger(result[i], rhs[i]) ? result[i] : rhs[i];
    frame.set(op.getOutput(), std::move(result));
  });
}

/// The slope is that of the side on which `decider` is.
template <typename T> T reluOf(T x, double decider) {
  return decider > 0 || isNaN(x) ? x : T(0);
}
template <typename T> T absOf(T x, double decider) {
  return decider > 0 ? x : decider < 0 ? -x : isNaN(x) ? x : T(0);
}

//===----------------------------------------------------------------------===//
// gelu
//===----------------------------------------------------------------------===//

constexpr double kCubic = 0.044715;
const double kSqrt2OverPi = std::sqrt(2 / M_PI);

template <typename T> T normalCDF(T x) {
  return T(0.5) * erfcOf(-x * T(M_SQRT1_2));
}
template <typename T> T normalPDF(T x) {
  using std::exp;
  return exp(x * x * T(-0.5)) * T(1 / std::sqrt(2 * M_PI));
}
template <typename T> T argumentOfTanh(T x) {
  return T(kSqrt2OverPi) * (x + T(kCubic) * x * x * x);
}
template <typename T> T geluOf(GeluApprox approx, T x) {
  if (approx == GeluApprox::Erf)
    return x * normalCDF(x);
  return x * sigmoidOf(T(2) * argumentOfTanh(x)); // (1 + tanh u) / 2
}
template <typename T> T geluSlope(GeluApprox approx, T x) {
  if (std::fabs(realPart(x)) > 64) // to the last digit; x may be infinite
    return T(realPart(x) > 0);
  if (approx == GeluApprox::Erf)
    return normalCDF(x) + x * normalPDF(x);
  T u = argumentOfTanh(x);
  T slopeOfU = T(kSqrt2OverPi) * (T(1) + T(3 * kCubic) * x * x);
  return sigmoidOf(T(2) * u) + T(0.5) * x * tanhSlope(u) * slopeOfU;
}

/// erf has a complex form for tiny imaginary parts only.
template <typename T>
bool checkErf(mlir::Operation *op, const Tensor<T> &x, Frame<T> &frame) {
  if (llvm::all_of(x.data, [](T value) { return hasTinyImaginary(value); }))
    return true;
  frame.fail(op, "has no complex form for imaginary parts of 1e-60 and more");
  return false;
}

template <typename T> void geglu(GegluOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getGate());
  const Tensor<T> &up = frame.floats(op.getUp());
  if (op.getApprox() == GeluApprox::Erf && !checkErf(op, result, frame))
    return;
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = geluOf(op.getApprox(), result[i]) * up[i];
  frame.set(op.getOutput(), std::move(result));
}
template <typename T> void reglu(RegluOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getGate());
  const Tensor<T> &up = frame.floats(op.getUp());
  Decider<T> decider(op, frame.floats(op.getGate()), frame);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = reluOf(result[i], decider[i]) * up[i];
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void addErfAndGelu(OpTable<T> &table) {
  table.template add<GegluOp>(geglu<T>);
  table.template add<RegluOp>(reglu<T>);
  table.template add<ErfOp>([](ErfOp op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getInput());
    if (!checkErf(op, result, frame))
      return;
    for (T &x : result.data)
      x = erfOf(x);
    frame.set(op.getOutput(), std::move(result));
  });
  table.template add<GeluOp>([](GeluOp op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getInput());
    if (op.getApprox() == GeluApprox::Erf && !checkErf(op, result, frame))
      return;
    for (T &x : result.data)
      x = geluOf(op.getApprox(), x);
    frame.set(op.getOutput(), std::move(result));
  });
  table.template add<GeluBwdOp>([](GeluBwdOp op, Frame<T> &frame) {
    Tensor<T> result = frame.floats(op.getLhs());
    const Tensor<T> &cotangent = frame.floats(op.getRhs());
    if (op.getApprox() == GeluApprox::Erf && !checkErf(op, result, frame))
      return;
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = cotangent[i] * geluSlope(op.getApprox(), result[i]);
    frame.set(op.getOutput(), std::move(result));
  });
}

} // namespace

template <typename T> void tt::reference::addElementwiseOps(OpTable<T> &table) {
  using I = int64_t;
  addNumber<T, AddOp>(table, [](T x, T y) { return x + y; },
                      [](I x, I y) { return wrapped(uint64_t(x) + uint64_t(y)); });
  addNumber<T, SubOp>(table, [](T x, T y) { return x - y; },
                      [](I x, I y) { return wrapped(uint64_t(x) - uint64_t(y)); });
  addNumber<T, MulOp>(table, [](T x, T y) { return x * y; },
                      [](I x, I y) { return wrapped(uint64_t(x) * uint64_t(y)); });
  addBinary<T, DivOp>(table, [](T x, T y) { return x / y; });
  addExtremum<T, MaximumOp>(table, [](double x, double y) { return x >= y; },
                            [](I x, I y) { return x >= y; });
  addExtremum<T, MinimumOp>(table, [](double x, double y) { return x <= y; },
                            [](I x, I y) { return x <= y; });
  addBinary<T, SwigluOp>(table, [](T x, T y) { return siluOf(x) * y; });
  addBinary<T, SiluBwdOp>(table, [](T x, T d) { return d * siluSlope(x); });

  addUnary<T, NegOp>(table, [](T x) { return -x; });
  table.template add<AbsOp>([](AbsOp op, Frame<T> &frame) {
    setDecided(op, op.getInput(), op.getOutput(), absOf<T>, frame);
  });
  addUnary<T, ExpOp>(table, [](T x) { return std::exp(x); });
  addUnary<T, LogOp>(table, [](T x) { return std::log(x); });
  addUnary<T, SqrtOp>(table, [](T x) { return std::sqrt(x); });
  addUnary<T, RsqrtOp>(table, [](T x) { return T(1) / std::sqrt(x); });
  addUnary<T, SquareOp>(table, [](T x) { return x * x; });
  addUnary<T, ReciprocalOp>(table, [](T x) { return T(1) / x; });
  addUnary<T, TanhOp>(table, [](T x) { return std::tanh(x); });
  addUnary<T, SigmoidOp>(table, sigmoidOf<T>);
  addUnary<T, SinOp>(table, [](T x) { return std::sin(x); });
  addUnary<T, CosOp>(table, [](T x) { return std::cos(x); });
  table.template add<ReluOp>([](ReluOp op, Frame<T> &frame) {
    setDecided(op, op.getInput(), op.getOutput(), reluOf<T>, frame);
  });
  addUnary<T, SiluOp>(table, siluOf<T>);
  addErfAndGelu(table);
}
TT_REFERENCE_INSTANTIATE(addElementwiseOps)
