//===- IndexingOps.cpp - Gather, scatter-add and one-hot ------------------===//
#include "Indexing.h"
#include "Indices.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

template <typename Element>
static Tensor<Element> rowsOf(const Tensor<Element> &input, const IntTensor &ids,
                              Shape shape) {
  Tensor<Element> result(std::move(shape));
  int64_t rows = input.shape[0], width = input.size() / rows;
  for (int64_t i = 0; i < ids.size(); ++i)
    for (int64_t c = 0; c < width && ids[i] >= 0 && ids[i] < rows; ++c)
      result[i * width + c] = input[ids[i] * width + c];
  return result;
}

template <typename T> static void gatherRows(GatherRowsOp op, Frame<T> &frame) {
  const AnyTensor<T> &input = frame.any(op.getInput());
  const IntTensor &ids = frame.ints(op.getIds());
  if (!checkIndices(op, ids, input.shape()[0], frame))
    return;
  Shape shape = shapeOf(op.getOutput());
  if (input.isFloat())
    frame.set(op.getOutput(), rowsOf(input.floats(), ids, shape));
  else
    frame.set(op.getOutput(), rowsOf(input.ints(), ids, shape));
}

template <typename T> static void addRows(ScatterAddRowsOp op, Frame<T> &frame) {
  const IntTensor &ids = frame.ints(op.getIds());
  const Tensor<T> &updates = frame.floats(op.getUpdates());
  int64_t rows = op.getRows(), width = updates.columns();
  if (!checkIndices(op, ids, rows, frame))
    return;
  Tensor<Acc<T>> sums(shapeOf(op.getOutput()));
  for (int64_t i = 0; i < ids.size(); ++i)
    for (int64_t c = 0; c < width && ids[i] >= 0 && ids[i] < rows; ++c)
      sums[ids[i] * width + c] += Acc<T>(updates[i * width + c]);
  Tensor<T> result(sums.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(sums[i]);
  frame.set(op.getOutput(), std::move(result));
}

/// Calls function(position, other) for every index inside [0, size): the
/// position of the index, and that of the element it names in `shape`.
template <typename Function>
static void forEachNamed(const IntTensor &indices, int64_t dim, const Shape &shape,
                         Function function) {
  std::vector<int64_t> at(shape.size());
  forEachIndex(indices.shape, [&](llvm::ArrayRef<int64_t> index, int64_t i) {
    if (indices[i] < 0 || indices[i] >= shape[dim])
      return;
    llvm::copy(index, at.begin());
    at[dim] = indices[i];
    function(i, positionOf(shape, at));
  });
}

template <typename T> static void gatherAlong(GatherAlongOp op, Frame<T> &frame) {
  const AnyTensor<T> &input = frame.any(op.getInput());
  const IntTensor &indices = frame.ints(op.getIndices());
  int64_t dim = op.getDim();
  if (!checkIndices(op, indices, input.shape()[dim], frame))
    return;
  auto gather = [&](const auto &from, auto result) {
    forEachNamed(indices, dim, from.shape,
                 [&](int64_t i, int64_t named) { result[i] = from[named]; });
    frame.set(op.getOutput(), std::move(result));
  };
  if (input.isFloat())
    gather(input.floats(), Tensor<T>(indices.shape));
  else
    gather(input.ints(), IntTensor(indices.shape));
}

/// Positions come in row-major order, so those of one line in increasing order.
template <typename T> static void addAlong(ScatterAlongOp op, Frame<T> &frame) {
  const Tensor<T> &updates = frame.floats(op.getUpdates());
  const IntTensor &indices = frame.ints(op.getIndices());
  if (!checkIndices(op, indices, int64_t(op.getSize()), frame))
    return;
  Tensor<Acc<T>> sums(shapeOf(op.getOutput()));
  forEachNamed(indices, op.getDim(), sums.shape, [&](int64_t i, int64_t named) {
    sums[named] += Acc<T>(updates[i]);
  });
  Tensor<T> result(sums.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(sums[i]);
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void oneHot(OneHotOp op, Frame<T> &frame) {
  const IntTensor &ids = frame.ints(op.getIds());
  Shape shape = shapeOf(op.getOutput());
  int64_t width = shape.back();
  auto fill = [&](auto result) {
    for (int64_t i = 0; i < ids.size(); ++i)
      if (ids[i] >= 0 && ids[i] < width)
        result[i * width + ids[i]] = 1;
    frame.set(op.getOutput(), std::move(result));
  };
  auto type = llvm::cast<mlir::RankedTensorType>(op.getOutput().getType());
  if (llvm::isa<mlir::FloatType>(type.getElementType()))
    fill(Tensor<T>(shape));
  else
    fill(IntTensor(shape));
}

template <typename T> void tt::reference::addIndexingOps(OpTable<T> &table) {
  table.template add<GatherRowsOp>(gatherRows<T>);
  table.template add<ScatterAddRowsOp>(addRows<T>);
  table.template add<GatherAlongOp>(gatherAlong<T>);
  table.template add<ScatterAlongOp>(addAlong<T>);
  table.template add<OneHotOp>(oneHot<T>);
}
TT_REFERENCE_INSTANTIATE(addIndexingOps)
