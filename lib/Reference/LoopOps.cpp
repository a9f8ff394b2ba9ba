//===- LoopOps.cpp - Counted loops, index arithmetic and slices -----------===//
//
// The ops around tt ops in tiled form. An index or an integer is a tensor of
// rank 0; arith ops run on it, and element by element on tensors.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"
#include "Indexing.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tt::reference;

template <typename T> static int64_t scalar(Value value, Frame<T> &frame) {
  return frame.ints(value)[0];
}

template <typename Op, typename T, typename Function>
static void addBinary(OpTable<T> &table, Function function) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    const IntTensor &lhs = frame.ints(op.getLhs()), &rhs = frame.ints(op.getRhs());
    IntTensor result(lhs.shape);
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = int64_t(function(lhs[i], rhs[i]));
    frame.set(op.getResult(), std::move(result));
  });
}

/// Arithmetic wraps around; a division by zero is an error.
template <typename T> static void addIndexOps(OpTable<T> &table) {
  using U = uint64_t;
  addBinary<arith::AddIOp>(table, [](U a, U b) { return a + b; });
  addBinary<arith::SubIOp>(table, [](U a, U b) { return a - b; });
  addBinary<arith::MulIOp>(table, [](U a, U b) { return a * b; });
  addBinary<arith::MaxSIOp>(table, [](int64_t a, int64_t b) { return std::max(a, b); });
  addBinary<arith::MinSIOp>(table, [](int64_t a, int64_t b) { return std::min(a, b); });
  table.template add<arith::DivUIOp>([](arith::DivUIOp op, Frame<T> &frame) {
    if (!op.getType().isIndex() || scalar(op.getRhs(), frame) == 0)
      return frame.fail(op, "expected indices and a divisor that is not 0");
    IntTensor result;
    result[0] = int64_t(U(scalar(op.getLhs(), frame)) / U(scalar(op.getRhs(), frame)));
    frame.set(op.getResult(), std::move(result));
  });
  addBinary<arith::AndIOp>(table, [](U a, U b) { return a & b; });
  table.template add<arith::CmpIOp>([](arith::CmpIOp op, Frame<T> &frame) {
    if (op.getPredicate() != arith::CmpIPredicate::sle)
      return frame.fail(op, "expected predicate sle");
    IntTensor result;
    result[0] = scalar(op.getLhs(), frame) <= scalar(op.getRhs(), frame);
    frame.set(op.getResult(), std::move(result));
  });
  table.template add<arith::IndexCastOp>([](arith::IndexCastOp op, Frame<T> &frame) {
    frame.set(op.getResult(), frame.any(op.getIn()));
  });
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Calls function(position in the whole, position in the slice); false and an
/// error if the slice leaves the whole.
template <typename T, typename Op, typename Function>
static bool forEachElement(Op op, const Shape &whole, Frame<T> &frame,
                           Function function) {
  auto number = [&](OpFoldResult value) {
    if (auto constant = getConstantIntValue(value))
      return *constant;
    return scalar(cast<Value>(value), frame);
  };
  Shape offsets, sizes, strides;
  for (auto [offset, size, stride] :
       llvm::zip(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    offsets.push_back(number(offset));
    sizes.push_back(number(size));
    strides.push_back(number(stride));
  }
  for (size_t d = 0; d < whole.size(); ++d)
    if (offsets[d] < 0 || strides[d] < 0 || sizes[d] < 0 ||
        (sizes[d] && offsets[d] + (sizes[d] - 1) * strides[d] >= whole[d])) {
      frame.fail(op, "leaves dimension " + llvm::Twine(d) + " of its tensor");
      return false;
    }
  Shape place(whole.size());
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index, int64_t position) {
    for (size_t d = 0; d < whole.size(); ++d)
      place[d] = offsets[d] + index[d] * strides[d];
    function(positionOf(whole, place), position);
  });
  return true;
}

template <typename T> static void addSliceOps(OpTable<T> &table) {
  table.template add<tensor::EmptyOp>([](tensor::EmptyOp op, Frame<T> &frame) {
    // Unset elements: NaN shows a reader.
    if (isa<FloatType>(op.getType().getElementType()))
      return frame.set(op.getResult(), Tensor<T>(shapeOf(op.getResult()),
                                                 T(std::nan(""))));
    frame.set(op.getResult(), IntTensor(shapeOf(op.getResult())));
  });
  table.template add<tensor::SplatOp>([](tensor::SplatOp op, Frame<T> &frame) {
    if (isa<FloatType>(op.getInput().getType()))
      return frame.fail(op, "of floats is not known to the reference interpreter");
    frame.set(op.getResult(), IntTensor(shapeOf(op.getResult()),
                                        scalar(op.getInput(), frame)));
  });
  table.template add<tensor::ExtractOp>([](tensor::ExtractOp op, Frame<T> &frame) {
    if (isa<FloatType>(op.getTensor().getType().getElementType()))
      return frame.fail(op, "of floats is not known to the reference interpreter");
    const IntTensor &source = frame.ints(op.getTensor());
    Shape place;
    for (auto [d, index] : llvm::enumerate(op.getIndices())) {
      place.push_back(scalar(index, frame));
      if (place.back() < 0 || place.back() >= source.shape[d])
        return frame.fail(op, "leaves dimension " + llvm::Twine(d) + " of its tensor");
    }
    IntTensor result;
    result[0] = source[positionOf(source.shape, place)];
    frame.set(op.getResult(), std::move(result));
  });
  table.template add<tensor::ExtractSliceOp>(
      [](tensor::ExtractSliceOp op, Frame<T> &frame) {
        auto extract = [&](auto const &source, auto result) {
          if (forEachElement(op, source.shape, frame, [&](int64_t from, int64_t to) {
                result[to] = source[from];
              }))
            frame.set(op.getResult(), std::move(result));
        };
        const AnyTensor<T> &source = frame.any(op.getSource());
        Shape shape = shapeOf(op.getResult());
        if (source.isFloat())
          extract(source.floats(), Tensor<T>(shape));
        else
          extract(source.ints(), IntTensor(shape));
      });
  table.template add<tensor::InsertSliceOp>(
      [](tensor::InsertSliceOp op, Frame<T> &frame) {
        auto insert = [&](auto const &source, auto result) {
          if (forEachElement(op, Shape(result.shape), frame,
                             [&](int64_t to, int64_t from) {
                               result[to] = source[from];
                             }))
            frame.set(op.getResult(), std::move(result));
        };
        const AnyTensor<T> &source = frame.any(op.getSource());
        if (source.isFloat())
          insert(source.floats(), frame.floats(op.getDest()));
        else
          insert(source.ints(), frame.ints(op.getDest()));
      });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

template <typename T> static void runFor(scf::ForOp op, Frame<T> &frame) {
  int64_t begin = scalar(op.getLowerBound(), frame);
  int64_t end = scalar(op.getUpperBound(), frame);
  int64_t step = scalar(op.getStep(), frame);
  if (step <= 0)
    return frame.fail(op, "expected a positive step");
  llvm::SmallVector<Value> carried(op.getInitArgs());
  Block &body = *op.getBody();
  // Values are carried over at once: one may be yielded in another's place.
  auto pass = [&](ValueRange from, ValueRange to) {
    std::vector<AnyTensor<T>> values;
    for (Value value : from)
      values.push_back(frame.any(value));
    for (auto [value, tensor] : llvm::zip(to, values))
      frame.set(value, std::move(tensor));
  };
  pass(carried, op.getRegionIterArgs());
  for (int64_t i = begin; i < end; i += step) {
    IntTensor index;
    index[0] = i;
    frame.set(op.getInductionVar(), std::move(index));
    if (!evaluateBlock(body, frame))
      return;
    pass(body.getTerminator()->getOperands(), op.getRegionIterArgs());
  }
  for (auto [result, value] : llvm::zip(op.getResults(), op.getRegionIterArgs()))
    frame.alias(result, value);
}

template <typename T> static void runIf(scf::IfOp op, Frame<T> &frame) {
  Region &region = scalar(op.getCondition(), frame) ? op.getThenRegion()
                                                    : op.getElseRegion();
  if (region.empty() || !evaluateBlock(region.front(), frame))
    return;
  for (auto [result, value] :
       llvm::zip(op.getResults(), region.front().getTerminator()->getOperands()))
    frame.alias(result, value);
}

template <typename T> void tt::reference::addLoopOps(OpTable<T> &table) {
  addIndexOps(table);
  addSliceOps(table);
  table.template add<scf::ForOp>(runFor<T>);
  table.template add<scf::IfOp>(runIf<T>);
}
TT_REFERENCE_INSTANTIATE(addLoopOps)
