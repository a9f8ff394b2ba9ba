//===- Scalar.h - Arithmetic that float, double and complex share -*- C++ -*-=//
#ifndef TT_LIB_REFERENCE_SCALAR_H
#define TT_LIB_REFERENCE_SCALAR_H

#include <cmath>
#include <complex>

namespace tt::reference {

using Complex = std::complex<double>;

/// What comparisons look at.
inline double realPart(float x) { return x; }
inline double realPart(double x) { return x; }
inline double realPart(Complex x) { return x.real(); }

inline double imaginaryPart(float) { return 0; }
inline double imaginaryPart(double) { return 0; }
inline double imaginaryPart(Complex x) { return x.imag(); }

template <typename T> bool isNaN(T x) { return std::isnan(realPart(x)); }

/// A value computed in the accumulator's type, as T.
template <typename T, typename From> T narrow(From x) { return T(x); }

inline float erfOf(float x) { return std::erf(x); }
inline float erfcOf(float x) { return std::erfc(x); }
inline double erfcOf(double x) { return std::erfc(x); }
inline double erfOf(double x) { return std::erf(x); }
/// First order in the imaginary part, which is exact in f64 for a tiny one;
/// see hasTinyImaginary.
inline Complex erfOf(Complex x) {
  double re = x.real();
  return {std::erf(re), x.imag() * (2 / std::sqrt(M_PI)) * std::exp(-re * re)};
}
inline Complex erfcOf(Complex x) { return {std::erfc(x.real()), -erfOf(x).imag()}; }
template <typename T> bool hasTinyImaginary(T x) {
  return std::abs(imaginaryPart(x)) < 1e-60;
}

/// 1 / (1 + e^-x) without overflow on either side.
template <typename T> T sigmoidOf(T x) {
  using std::exp;
  if (realPart(x) >= 0)
    return T(1) / (T(1) + exp(-x));
  T e = exp(x);
  return e / (T(1) + e);
}

/// 1 - tanh(x)^2 with all its digits, also where tanh is next to 1.
template <typename T> T tanhSlope(T x) {
  return T(4) * sigmoidOf(T(2) * x) * sigmoidOf(T(-2) * x);
}

inline double log1pOf(double x) { return std::log1p(x); }
/// First order in the imaginary part, as erfOf.
inline Complex log1pOf(Complex x) {
  return {std::log1p(x.real()), x.imag() / (1 + x.real())};
}

template <typename T> T siluOf(T x) { return x * sigmoidOf(x); }

/// d/dx of x sigmoid(x).
template <typename T> T siluSlope(T x) {
  T s = sigmoidOf(x);
  return s * (T(1) + x * (T(1) - s));
}

} // namespace tt::reference

#endif
