//===- ShapeOps.cpp - Shapes and indices ----------------------------------===//
//
// All of them move elements: a result element is an operand element or zero.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"
#include "Indexing.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

using Index = llvm::SmallVector<int64_t, 6>;

/// result[index] = input[source(index)], or zero where source says false.
/// source(index, from) sets from, which comes in with the operand's rank.
template <typename Element, typename Source>
static Tensor<Element> gather(const Tensor<Element> &input, Shape shape,
                              Source source) {
  Tensor<Element> result(std::move(shape));
  Index from(input.shape.size());
  forEachIndex(result.shape, [&](llvm::ArrayRef<int64_t> index, int64_t i) {
    if (source(index, from))
      result[i] = input[positionOf(input.shape, from)];
  });
  return result;
}

/// The same for a value of either kind.
template <typename T, typename Source>
static void gatherInto(mlir::Value result, mlir::Value operand, Source source,
                       Frame<T> &frame) {
  const AnyTensor<T> &input = frame.any(operand);
  if (input.isFloat())
    frame.set(result, gather(input.floats(), shapeOf(result), source));
  else
    frame.set(result, gather(input.ints(), shapeOf(result), source));
}

template <typename T> static void addMovingOps(OpTable<T> &table) {
  table.template add<BroadcastOp>([](BroadcastOp op, Frame<T> &frame) {
    auto source = [&](llvm::ArrayRef<int64_t> index, Index &from) {
      for (auto [i, dim] : llvm::enumerate(op.getDims()))
        from[i] = index[dim];
      return true;
    };
    gatherInto(op.getOutput(), op.getInput(), source, frame);
  });
  table.template add<TransposeOp>([](TransposeOp op, Frame<T> &frame) {
    auto source = [&](llvm::ArrayRef<int64_t> index, Index &from) {
      for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
        from[dim] = index[i];
      return true;
    };
    gatherInto(op.getOutput(), op.getInput(), source, frame);
  });
  table.template add<SliceOp>([](SliceOp op, Frame<T> &frame) {
    auto source = [&](llvm::ArrayRef<int64_t> index, Index &from) {
      llvm::copy(index, from.begin());
      from[op.getDim()] += op.getStart();
      return true;
    };
    gatherInto(op.getOutput(), op.getInput(), source, frame);
  });
  table.template add<PadOp>([](PadOp op, Frame<T> &frame) {
    int64_t size = frame.any(op.getInput()).shape()[op.getDim()];
    auto source = [&](llvm::ArrayRef<int64_t> index, Index &from) {
      llvm::copy(index, from.begin());
      int64_t &at = from[op.getDim()] -= op.getLow();
      return at >= 0 && at < size;
    };
    gatherInto(op.getOutput(), op.getInput(), source, frame);
  });
}

/// A reshape keeps the elements.
template <typename T> static void reshape(ReshapeOp op, Frame<T> &frame) {
  AnyTensor<T> value = frame.any(op.getInput());
  (value.isFloat() ? value.floats().shape : value.ints().shape) =
      shapeOf(op.getOutput());
  frame.set(op.getOutput(), std::move(value));
}

/// Operands in turn, row by row of the dimensions before `dim`.
template <typename Element, typename Operands>
static Tensor<Element> join(Operands operands, int64_t dim, Shape shape) {
  Tensor<Element> result(shape);
  int64_t outer = 1, written = 0;
  for (int64_t d = 0; d < dim; ++d) // checked: Options::maxElements
    outer *= shape[d];
  for (int64_t row = 0; row < outer; ++row)
    for (const Tensor<Element> *operand : operands) {
      int64_t length = operand->size() / outer;
      for (int64_t i = 0; i < length; ++i)
        result[written++] = (*operand)[row * length + i];
    }
  return result;
}

template <typename T> static void concat(ConcatOp op, Frame<T> &frame) {
  Shape shape = shapeOf(op.getOutput());
  if (frame.any(op.getInputs()[0]).isFloat()) {
    llvm::SmallVector<const Tensor<T> *> operands;
    for (mlir::Value input : op.getInputs())
      operands.push_back(&frame.floats(input));
    return frame.set(op.getOutput(), join<T>(operands, op.getDim(), shape));
  }
  llvm::SmallVector<const IntTensor *> operands;
  for (mlir::Value input : op.getInputs())
    operands.push_back(&frame.ints(input));
  frame.set(op.getOutput(), join<int64_t>(operands, op.getDim(), shape));
}

template <typename T> static void take(TakeOp op, Frame<T> &frame) {
  int64_t chosen = frame.ints(op.getIndex())[0], dim = op.getDim();
  int64_t size = frame.any(op.getInput()).shape()[dim];
  bool isInside = chosen >= 0 && chosen < size;
  if (!isInside && frame.options.strictIndices)
    return frame.fail(op, "expected an index in [0, " + llvm::Twine(size) +
                              "), but got " + llvm::Twine(chosen));
  auto source = [&](llvm::ArrayRef<int64_t> index, Index &from) {
    std::copy(index.begin(), index.begin() + dim, from.begin());
    std::copy(index.begin() + dim, index.end(), from.begin() + dim + 1);
    from[dim] = chosen;
    return isInside;
  };
  gatherInto(op.getOutput(), op.getInput(), source, frame);
}

template <typename T> void tt::reference::addShapeOps(OpTable<T> &table) {
  addMovingOps(table);
  table.template add<ReshapeOp>(reshape<T>);
  table.template add<ConcatOp>(concat<T>);
  table.template add<TakeOp>(take<T>);
  table.template add<IotaOp>([](IotaOp op, Frame<T> &frame) {
    IntTensor result(shapeOf(op.getOutput()));
    forEachIndex(result.shape, [&](llvm::ArrayRef<int64_t> index, int64_t i) {
      result[i] = index[op.getDim()];
    });
    frame.set(op.getOutput(), std::move(result));
  });
}
TT_REFERENCE_INSTANTIATE(addShapeOps)
