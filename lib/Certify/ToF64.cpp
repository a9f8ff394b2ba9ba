//===- ToF64.cpp - A graph with all floats f64 ----------------------------===//
//
// The interpreter computes in f64 whatever the types say, but constants that
// rules emit (1/n of a mean) are rounded to the type of their value. Derivatives
// are compared to 1e-12, so the graph itself is made one of f64 first.
//
//===----------------------------------------------------------------------===//
#include "tt/Certify/Twin.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

static Type widened(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa<FloatType>(tensor.getElementType()))
    return type;
  return RankedTensorType::get(tensor.getShape(), Float64Type::get(type.getContext()));
}

static Attribute widenedValue(Attribute attr) {
  auto dense = dyn_cast<DenseFPElementsAttr>(attr);
  if (!dense)
    return attr;
  SmallVector<double> values;
  auto toDouble = [](llvm::APFloat value) {
    bool isInexact = false;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                  &isInexact);
    return value.convertToDouble();
  };
  auto type = cast<ShapedType>(widened(dense.getType()));
  if (dense.isSplat())
    return DenseElementsAttr::get(type, toDouble(dense.getSplatValue<llvm::APFloat>()));
  for (const llvm::APFloat &value : dense.getValues<llvm::APFloat>())
    values.push_back(toDouble(value));
  return DenseElementsAttr::get(type, ArrayRef(values));
}

void tt::certify::toF64(ModuleOp module) {
  module.walk([](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(widened(argument.getType()));
    for (Value result : op->getResults())
      result.setType(widened(result.getType()));
    if (isa<ConstantOp, arith::ConstantOp>(op))
      op->setAttr("value", widenedValue(op->getAttr("value")));
  });
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &block = function.getBody().front();
    function.setFunctionType(FunctionType::get(
        module.getContext(), block.getArgumentTypes(),
        block.getTerminator()->getOperandTypes()));
  }
}
