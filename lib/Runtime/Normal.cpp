//===- Normal.cpp - Normal deviates with the same bits everywhere ---------===//
//
// libm's log, sin and cos differ in the last bit between versions and, where
// they are chosen by CPU, between machines. Initial values must not. So these
// use only +, -, *, / and sqrt in double, each exactly rounded by IEEE, in a
// fixed order (the file is built for baseline x86-64 without contraction).
// Polynomials and their error bounds (below one unit in the last place) are
// those of fdlibm (Sun Microsystems 1993, freely usable): e_log.c, k_sin.c,
// k_cos.c.
//
//===----------------------------------------------------------------------===//

#include "Normal.h"

#include <string.h>

using namespace tt::runtime;

namespace {

/// log(x) for normal x > 0.
double logPositive(double x) {
  constexpr double ln2High = 6.93147180369123816490e-01;
  constexpr double ln2Low = 1.90821492927058770002e-10;
  constexpr uint64_t mantissaMask = (1ull << 52) - 1;
  constexpr uint64_t sqrt2Mantissa = 0x6a09e667f3bcd;

  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  int exponent = int(bits >> 52) - 1023;
  bits = (bits & mantissaMask) | 1023ull << 52;
  if ((bits & mantissaMask) > sqrt2Mantissa) { // to [sqrt(1/2), sqrt(2))
    bits -= 1ull << 52;
    ++exponent;
  }
  double m;
  memcpy(&m, &bits, sizeof(m));

  // log(1 + f) = f - (f^2/2 - s * (f^2/2 + R)), s = f / (2 + f)
  double f = m - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  double even =
      w * (3.999999999940941908e-01 +
           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double odd =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 +
                w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double half = 0.5 * f * f;
  double k = exponent;
  return k * ln2High - ((half - (s * (half + (even + odd)) + k * ln2Low)) - f);
}

/// sin(x) for |x| <= pi/4.
double sinKernel(double x) {
  double z = x * x;
  double r = 8.33333333332248946124e-03 +
             z * (-1.98412698298579493134e-04 +
                  z * (2.75573137070700676789e-06 +
                       z * (-2.50507602534068634195e-08 +
                            z * 1.58969099521155010221e-10)));
  return x + z * x * (-1.66666666666666324348e-01 + z * r);
}

/// cos(x) for |x| <= pi/4.
double cosKernel(double x) {
  double z = x * x;
  double r = z * (4.16666666666666019037e-02 +
                  z * (-1.38888888888741095749e-03 +
                       z * (2.48015872894767294178e-05 +
                            z * (-2.75573143513906633035e-07 +
                                 z * (2.08757232129817482790e-09 +
                                      z * -1.13596475577881948265e-11)))));
  double half = 0.5 * z;
  double w = 1.0 - half;
  return w + ((1.0 - w) - half + z * r);
}

/// sin and cos of 2 pi u for u in [0, 1): a multiple of a quarter turn and at
/// most an eighth; the difference is exact.
void sinCosTurn(double u, double &sine, double &cosine) {
  int quarter = int(u * 4.0 + 0.5);
  double x = (u - quarter * 0.25) * 6.283185307179586477;
  double s = sinKernel(x), c = cosKernel(x);
  switch (quarter & 3) {
  case 0:
    sine = s, cosine = c;
    break;
  case 1:
    sine = c, cosine = -s;
    break;
  case 2:
    sine = -s, cosine = -c;
    break;
  case 3:
    sine = -c, cosine = s;
    break;
  }
}

} // namespace

double tt::runtime::uniform53(uint32_t high, uint32_t low) {
  return double((uint64_t(high) << 32 | low) >> 11) * 0x1p-53;
}

void tt::runtime::normalPair(const PhiloxBlock &bits, double &first,
                             double &second) {
  // (0, 1]: the logarithm is finite.
  double u = uniform53(bits.word[0], bits.word[1]) + 0x1p-53;
  double radius = __builtin_sqrt(-2.0 * logPositive(u));
  double sine, cosine;
  sinCosTurn(uniform53(bits.word[2], bits.word[3]), sine, cosine);
  first = radius * cosine;
  second = radius * sine;
}
