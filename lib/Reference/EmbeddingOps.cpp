//===- EmbeddingOps.cpp - Table lookup ------------------------------------===//
#include "Indices.h"
#include "Recorded.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

template <typename T> static void lookUp(EmbeddingOp op, Frame<T> &frame) {
  const Tensor<T> &table = frame.floats(op.getTable());
  const IntTensor &ids = frame.ints(op.getIds());
  int64_t rows = table.shape[0], width = table.shape[1];
  if (!checkIndices(op, ids, rows, frame))
    return;
  // The padding row is declared not to move with the table.
  std::optional<uint64_t> padding = op.getPaddingIndex();
  const Tensor<double> *held = padding ? heldInput(op, table, frame) : nullptr;
  if (!frame.error.empty())
    return;
  Tensor<T> result(shapeOf(op.getOutput()));
  for (int64_t i = 0; i < ids.size(); ++i)
    if (ids[i] >= 0 && ids[i] < rows)
      for (int64_t c = 0; c < width; ++c) {
        int64_t from = ids[i] * width + c;
        bool isHeld = held && int64_t(*padding) == ids[i];
        result[i * width + c] = isHeld ? T((*held)[from]) : table[from];
      }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void addRows(EmbeddingBwdOp op, Frame<T> &frame) {
  const IntTensor &ids = frame.ints(op.getIds());
  const Tensor<T> &cotangent = frame.floats(op.getDOutput());
  int64_t rows = op.getRows(), width = cotangent.columns();
  if (!checkIndices(op, ids, rows, frame))
    return;
  Shape shape = shapeOf(op.getDTable());
  Tensor<Acc<T>> sums(shape);
  std::optional<uint64_t> padding = op.getPaddingIndex();
  for (int64_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= rows || (padding && int64_t(*padding) == ids[i]))
      continue;
    for (int64_t c = 0; c < width; ++c)
      sums[ids[i] * width + c] += Acc<T>(cotangent[i * width + c]);
  }
  Tensor<T> result(shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(sums[i]);
  frame.set(op.getDTable(), std::move(result));
}

template <typename T> void tt::reference::addEmbeddingOps(OpTable<T> &table) {
  table.template add<EmbeddingOp>(lookUp<T>);
  table.template add<EmbeddingBwdOp>(addRows<T>);
}
TT_REFERENCE_INSTANTIATE(addEmbeddingOps)
