//===- GeluScalar.cpp - Scalar and vector form of gelu and its adjoint ----===//
//
// Neither form takes 1 + erf or 1 + tanh: what is left of them below 0 would
// have lost its digits.
//
//===----------------------------------------------------------------------===//
#include "Gelu.h"
#include "Scalar.h"

#include <cmath>

using namespace mlir;
using namespace tt;

namespace {

constexpr double kSqrt2OverPi = 0.79788456080286535588;

/// Both parts of the erf form are polynomials in q = 1 - 7 / (a + 7/2), times
/// e^(-a^2 / 2), with a = |x|. They are minimax for the relative error up
/// to 13.5, from where on the exponential is 0 in f32. q is in [-1, 1).
struct Normal {
  Value size;        // a
  Value exponential; // e^(-a^2 / 2)
  Value inverse;     // 1 / (a + 7/2)
  Value q;
};

} // namespace

/// x, as far as the slope feels it.
static Value saturated(Scalar &s, Value x) {
  Value most = s.constant(kGeluSaturated), least = s.constant(-kGeluSaturated);
  x = s.select(s.isGreater(x, most), most, x);
  return s.select(s.isGreater(least, x), least, x);
}

/// x is finite.
static Normal normalAt(Scalar &s, Value x) {
  Value size = math::AbsFOp::create(s.b, s.loc, x), one = s.constant(1);
  Value exponential = s.exp(s.mul(s.mul(x, x), s.constant(-0.5)));
  Value inverse = s.div(one, s.add(size, s.constant(3.5)));
  return {size, exponential, inverse, s.fma(inverse, s.constant(-7), one)};
}

/// The normal distribution at x: its tail beyond a is, to 6e-9,
/// e^(-a^2 / 2) P(q) / (a + 7/2).
static Value distribution(Scalar &s, Value x) {
  static constexpr double coefficients[] = {
      0.7444160750608236,     -0.5655617578075626,    0.31542497475036135,
      -0.11605273765613675,   0.017407409080099516,   0.006491602711631451,
      -0.0031802706027245116, -0.0004941454766487535, 0.0004296166290620692,
      0.00011483321261747898};
  Normal at = normalAt(s, x);
  Value sum = s.polynomial(at.q, coefficients);
  Value tail = s.mul(at.exponential, s.mul(at.inverse, sum));
  return s.select(s.isGreater(x, s.constant(0)), s.sub(s.constant(1), tail),
                  tail);
}

/// gelu'(-a) is e^(-a^2 / 2) (a0 - a) H(q), to 6e-9, and gelu'(a) = 1 -
/// gelu'(-a). With the zero a0 taken out, the sum of distribution and density
/// keeps its digits.
static Value slopeOfErfForm(Scalar &s, Value x) {
  static constexpr double zero[] = {0.7517915368080139, -1.211444988769017e-08};
  static constexpr double coefficients[] = {
      0.4693795382327706,      -0.11131653127696996,  0.05832892185316258,
      -0.022017725671299566,   0.004695572416634823,  0.00024373498196879692,
      -0.00043159446112030507, 2.199583565723117e-05, 3.7034544185018125e-05};
  Normal at = normalAt(s, x);
  Value distance =
      s.add(s.sub(s.constant(zero[0]), at.size), s.constant(zero[1]));
  Value sum = s.polynomial(at.q, coefficients);
  Value slope = s.mul(at.exponential, s.mul(distance, sum));
  return s.select(s.isGreater(x, s.constant(0)), s.sub(s.constant(1), slope),
                  slope);
}

/// With this w, (1 + tanh u) / 2 = 1 / (1 + e^w).
static Value minusTwiceU(Scalar &s, Value x) {
  return s.mul(x, s.fma(s.mul(x, x), s.constant(-2 * kGeluCubic * kSqrt2OverPi),
                        s.constant(-2 * kSqrt2OverPi)));
}

Value GeluOp::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  Value x = v[0];
  if (getApprox() == GeluApprox::Erf)
    return s.mul(x, distribution(s, saturated(s, x)));
  return s.div(x, s.add(s.constant(1), s.exp(minusTwiceU(s, x))));
}

Value GeluBwdOp::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  Value x = saturated(s, v[0]), one = s.constant(1);
  if (getApprox() == GeluApprox::Erf)
    return s.mul(v[1], slopeOfErfForm(s, x));
  // With E = e^-|w|, sigmoid(|w|) = 1 / (1 + E), sigmoid(-|w|) is E times that,
  // and 1 - tanh^2 u four times their product.
  Value w = minusTwiceU(s, x);
  Value small = s.exp(s.neg(math::AbsFOp::create(builder, getLoc(), w)));
  Value high = s.div(one, s.add(one, small)), low = s.mul(small, high);
  Value twiceSlope =
      s.fma(s.mul(x, x), s.constant(6 * kGeluCubic * kSqrt2OverPi),
            s.constant(2 * kSqrt2OverPi));
  Value tail = s.mul(s.mul(x, s.mul(high, low)), twiceSlope);
  return s.mul(v[1],
               s.add(s.select(s.isGreater(x, s.constant(0)), high, low), tail));
}
