//===- Tensor.h - Tensors of the reference interpreter ----------*- C++ -*-===//
#ifndef TT_REFERENCE_TENSOR_H
#define TT_REFERENCE_TENSOR_H

#include <complex>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace tt::reference {

using Shape = std::vector<int64_t>;

/// The number of elements; the interpreter has checked that it is small.
int64_t numElements(const Shape &shape);

/// Elements in row-major order.
template <typename T> struct Tensor {
  Shape shape;
  std::vector<T> data;

  Tensor() : data(1, T()) {} // a scalar
  explicit Tensor(Shape shape, T fill = T())
      : shape(std::move(shape)), data(numElements(this->shape), fill) {}
  Tensor(Shape shape, std::vector<T> data)
      : shape(std::move(shape)), data(std::move(data)) {}

  int64_t size() const { return int64_t(data.size()); }
  T &operator[](int64_t i) { return data[i]; }
  const T &operator[](int64_t i) const { return data[i]; }

  /// Length of the last dimension, and how many rows of it there are.
  int64_t columns() const { return shape.empty() ? 1 : shape.back(); }
  int64_t rows() const { return columns() == 0 ? 0 : size() / columns(); }
  T *row(int64_t i) { return data.data() + i * columns(); }
  const T *row(int64_t i) const { return data.data() + i * columns(); }
};

/// Values of all integer element types; i1 is 0 or 1, the others sign-extended.
using IntTensor = Tensor<int64_t>;

/// A value of a program: floats, computed in T, or integers.
template <typename T> class AnyTensor {
public:
  AnyTensor() = default;
  AnyTensor(Tensor<T> tensor) : value(std::move(tensor)) {}
  AnyTensor(IntTensor tensor) : value(std::move(tensor)) {}

  bool isFloat() const { return value.index() == 0; }
  const Shape &shape() const {
    return isFloat() ? floats().shape : ints().shape;
  }
  /// Which of the two it is must be known.
  const Tensor<T> &floats() const { return *std::get_if<0>(&value); }
  const IntTensor &ints() const { return *std::get_if<1>(&value); }
  Tensor<T> &floats() { return *std::get_if<0>(&value); }
  IntTensor &ints() { return *std::get_if<1>(&value); }

private:
  std::variant<Tensor<T>, IntTensor> value;
};

} // namespace tt::reference

#endif
