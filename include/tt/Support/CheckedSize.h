// The one type for products and sums of dimensions, sizes and offsets.
#ifndef TT_SUPPORT_CHECKEDSIZE_H
#define TT_SUPPORT_CHECKEDSIZE_H

#include <cstdint>
#include <initializer_list>

namespace tt::support {

/// A byte or element count that remembers an overflow. Arithmetic saturates
/// into the invalid state and never leaves it, so one question at the end of
/// a computation suffices:
///
///   CheckedSize bytes = CheckedSize::product(shape) * elementBytes;
///   if (!bytes.isTensorBytes())
///     return emitOpError() << ...;
///   use(bytes.value());
///
/// A negative input (a dynamic dimension, a wrapped difference) is invalid.
/// No other code in lib/ multiplies dimensions: test/Lint/raw_size_product.py.
class CheckedSize {
public:
  static constexpr int64_t kMaxDimension = int64_t(1) << 40;
  /// Of a tensor and of an arena.
  static constexpr int64_t kMaxBytes = int64_t(1) << 47;

  constexpr CheckedSize() = default;
  constexpr CheckedSize(int64_t value)
      : bits(value < 0 ? 0 : value), valid(value >= 0) {}
  static constexpr CheckedSize invalid() { return CheckedSize(-1); }
  /// From an unsigned count, which may be past 2^63 - 1.
  static constexpr CheckedSize fromUnsigned(uint64_t value) {
    return value > uint64_t(INT64_MAX) ? invalid()
                                       : CheckedSize(int64_t(value));
  }
  /// The same, but also invalid past kMaxDimension.
  static constexpr CheckedSize dimension(int64_t value) {
    return value > kMaxDimension ? invalid() : CheckedSize(value);
  }

  /// The product of dimensions, 1 for none. Each must be in [0, 2^40]. A zero
  /// does not excuse the others: their product must fit too, so that strides
  /// do and the order does not matter.
  template <typename Range>
  static constexpr CheckedSize product(const Range &dimensions) {
    CheckedSize result(1);
    bool isEmpty = false;
    for (int64_t value : dimensions) {
      CheckedSize checked = dimension(value);
      if (!checked.isValid())
        return invalid();
      isEmpty |= value == 0;
      if (value != 0)
        result = result * checked;
    }
    return result * CheckedSize(isEmpty ? 0 : 1);
  }
  static constexpr CheckedSize
  product(std::initializer_list<int64_t> dimensions) {
    return product<std::initializer_list<int64_t>>(dimensions);
  }

  constexpr bool isValid() const { return valid; }
  constexpr bool isAtMost(int64_t limit) const {
    return valid && bits <= limit;
  }
  constexpr bool isDimension() const { return isAtMost(kMaxDimension); }
  constexpr bool isTensorBytes() const { return isAtMost(kMaxBytes); }
  constexpr bool isArenaBytes() const { return isAtMost(kMaxBytes); }

  /// The count; -1 if invalid, which no allocation and no bound accepts.
  constexpr int64_t value() const { return valid ? bits : -1; }
  constexpr int64_t valueOr(int64_t other) const {
    return valid ? bits : other;
  }

  friend constexpr CheckedSize operator+(CheckedSize lhs, CheckedSize rhs) {
    int64_t sum = 0;
    if (__builtin_add_overflow(lhs.bits, rhs.bits, &sum))
      return invalid();
    return make(sum, lhs, rhs);
  }
  /// Invalid below zero.
  friend constexpr CheckedSize operator-(CheckedSize lhs, CheckedSize rhs) {
    return make(lhs.bits - rhs.bits, lhs, rhs); // both >= 0: cannot overflow
  }
  friend constexpr CheckedSize operator*(CheckedSize lhs, CheckedSize rhs) {
    int64_t product = 0;
    if (__builtin_mul_overflow(lhs.bits, rhs.bits, &product))
      return invalid();
    return make(product, lhs, rhs);
  }
  constexpr CheckedSize &operator+=(CheckedSize other) {
    return *this = *this + other;
  }
  constexpr CheckedSize &operator*=(CheckedSize other) {
    return *this = *this * other;
  }

  /// The quotient, rounded up. Invalid for a divisor that is not positive.
  constexpr CheckedSize ceilDiv(int64_t divisor) const {
    if (!valid || divisor <= 0)
      return invalid();
    return CheckedSize(bits / divisor + (bits % divisor != 0));
  }
  /// The next multiple of `alignment`, which must be positive.
  constexpr CheckedSize alignedTo(int64_t alignment) const {
    return ceilDiv(alignment) * CheckedSize(alignment);
  }

  friend constexpr bool operator==(CheckedSize lhs, CheckedSize rhs) {
    return lhs.valid == rhs.valid && lhs.bits == rhs.bits;
  }
  friend constexpr bool operator!=(CheckedSize lhs, CheckedSize rhs) {
    return !(lhs == rhs);
  }
  /// The larger one; invalid if either is.
  friend constexpr CheckedSize max(CheckedSize lhs, CheckedSize rhs) {
    return make(lhs.bits > rhs.bits ? lhs.bits : rhs.bits, lhs, rhs);
  }

private:
  static constexpr CheckedSize make(int64_t value, CheckedSize lhs,
                                    CheckedSize rhs) {
    return lhs.valid && rhs.valid ? CheckedSize(value) : invalid();
  }

  int64_t bits = 0; // 0 when invalid
  bool valid = true;
};

} // namespace tt::support
#endif
