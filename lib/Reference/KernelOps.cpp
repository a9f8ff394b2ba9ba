//===- KernelOps.cpp - Calls and constants --------------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tt;
using namespace tt::reference;

/// Evaluates the body of `callee` on the call's operands.
template <typename T>
static void call(Operation *op, SymbolRefAttr callee, Frame<T> &frame) {
  Operation *function = SymbolTable::lookupNearestSymbolFrom(op, callee);
  if (!function || function->getNumRegions() != 1 ||
      function->getRegion(0).empty())
    return frame.fail(op, "expected a callee with a body");
  std::vector<AnyTensor<T>> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(frame.any(operand));
  Outcome<T> outcome =
      evaluateBody<T>(function, inputs, frame.options, frame.depth + 1);
  if (!outcome.succeeded()) {
    frame.error = std::move(outcome.error);
    return;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), outcome.results))
    frame.set(result, std::move(value));
}

/// The value of a constant; false if the attribute cannot be read by element.
template <typename T>
static bool readElements(ElementsAttr attribute, AnyTensor<T> &to) {
  auto type = cast<ShapedType>(attribute.getType());
  Shape shape(type.getShape().begin(), type.getShape().end());
  if (isa<FloatType>(type.getElementType())) {
    auto values = attribute.tryGetValues<APFloat>();
    if (!values)
      return false;
    Tensor<T> result(shape);
    for (auto [i, value] : llvm::enumerate(*values)) {
      bool lost;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
      result[i] = T(value.convertToDouble());
    }
    to = std::move(result);
    return true;
  }
  auto values = attribute.tryGetValues<APInt>();
  if (!values)
    return false;
  IntTensor result(shape);
  for (auto [i, value] : llvm::enumerate(*values))
    result[i] = value.getSExtValue(); // i1 true is -1 here; set() makes it 1
  to = std::move(result);
  return true;
}

template <typename T>
static void constant(Operation *op, Attribute attribute, Frame<T> &frame) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) { // an index
    IntTensor scalar;
    scalar[0] = integer.getValue().getSExtValue();
    return frame.set(op->getResult(0), std::move(scalar));
  }
  auto elements = dyn_cast<ElementsAttr>(attribute);
  AnyTensor<T> value;
  if (!elements || !readElements(elements, value))
    return frame.fail(op, "expected the value as a dense or splat tensor");
  frame.set(op->getResult(0), std::move(value));
}

template <typename T> void tt::reference::addKernelOps(OpTable<T> &table) {
  table.template add<func::CallOp>([](func::CallOp op, Frame<T> &frame) {
    call(op, op.getCalleeAttr(), frame);
  });
  table.template add<CallKernelOp>([](CallKernelOp op, Frame<T> &frame) {
    call(op, op.getKernelAttr(), frame);
  });
  table.template add<tt::ConstantOp>([](tt::ConstantOp op, Frame<T> &frame) {
    constant(op, op.getValue(), frame);
  });
  table.template add<arith::ConstantOp>(
      [](arith::ConstantOp op, Frame<T> &frame) {
        constant(op, op.getValue(), frame);
      });
}
TT_REFERENCE_INSTANTIATE(addKernelOps)
