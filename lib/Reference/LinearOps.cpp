//===- LinearOps.cpp - Matrix products ------------------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// The element (i, j) of a matrix lies at base + i * rowStride + j * columnStride.
template <typename T> struct Matrix {
  const T *base;
  int64_t rowStride, columnStride;
  Acc<T> at(int64_t i, int64_t j) const {
    return Acc<T>(base[i * rowStride + j * columnStride]);
  }
};

/// to [m, n] = a [m, k] b [k, n] (+ bias [n]).
template <typename T>
static void multiply(Matrix<T> a, Matrix<T> b, const T *bias, T *to, int64_t m,
                     int64_t n, int64_t k) {
  std::vector<Acc<T>> sums(n);
  for (int64_t i = 0; i < m; ++i) {
    sums.assign(n, Acc<T>(0));
    for (int64_t p = 0; p < k; ++p) {
      Acc<T> left = a.at(i, p);
      for (int64_t j = 0; j < n; ++j)
        sums[j] += left * b.at(p, j);
    }
    for (int64_t j = 0; j < n; ++j)
      to[i * n + j] = T(bias ? sums[j] + Acc<T>(bias[j]) : sums[j]);
  }
}

/// A row-major matrix with `columns` columns, seen transposed if the flag says so.
template <typename T>
static Matrix<T> matrixAt(const T *base, int64_t columns, bool transposed) {
  return transposed ? Matrix<T>{base, 1, columns} : Matrix<T>{base, columns, 1};
}

template <typename T> static void matmul(MatmulOp op, Frame<T> &frame) {
  const Tensor<T> &lhs = frame.floats(op.getLhs()), &rhs = frame.floats(op.getRhs());
  Tensor<T> result(shapeOf(op.getOutput()));
  size_t rank = lhs.shape.size();
  int64_t m = result.shape[rank - 2], n = result.shape[rank - 1];
  bool ta = op.getTransposeLhs(), tb = op.getTransposeRhs();
  int64_t k = lhs.shape[rank - (ta ? 2 : 1)];
  int64_t batches = m * n == 0 ? 0 : result.size() / (m * n);
  for (int64_t batch = 0; batch < batches; ++batch)
    multiply(matrixAt(lhs.data.data() + batch * m * k, lhs.columns(), ta),
             matrixAt(rhs.data.data() + batch * k * n, rhs.columns(), tb),
             static_cast<const T *>(nullptr), result.data.data() + batch * m * n,
             m, n, k);
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void linear(LinearOp op, Frame<T> &frame) {
  const Tensor<T> &input = frame.floats(op.getInput());
  const Tensor<T> &weight = frame.floats(op.getWeight());
  Tensor<T> result(shapeOf(op.getOutput()));
  bool transposed = op.getLayout() == WeightLayout::OutIn;
  int64_t n = result.columns(), k = input.columns();
  int64_t m = n == 0 ? 0 : result.size() / n;
  const T *bias =
      op.getBias() ? frame.floats(op.getBias()).data.data() : nullptr;
  multiply(matrixAt(input.data.data(), k, false),
           matrixAt(weight.data.data(), weight.columns(), transposed), bias,
           result.data.data(), m, n, k);
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void tt::reference::addLinearOps(OpTable<T> &table) {
  table.template add<MatmulOp>(matmul<T>);
  table.template add<LinearOp>(linear<T>);
}
TT_REFERENCE_INSTANTIATE(addLinearOps)
