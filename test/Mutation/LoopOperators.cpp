//===- LoopOperators.cpp - Changes of loops, tiles and masks --------------===//
#include "Operators.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::test;

/// `value`, an index, an integer or a tensor of them, plus `step`.
static Value shifted(OpBuilder &builder, Value value, int64_t step) {
  Attribute one = builder.getIntegerAttr(getElementTypeOrSelf(value.getType()), step);
  Location loc = value.getLoc();
  Value summand;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    summand = tt::ConstantOp::create(builder, loc, DenseElementsAttr::get(tensor, one));
  else
    summand = arith::ConstantOp::create(builder, loc, cast<IntegerAttr>(one));
  return arith::AddIOp::create(builder, loc, value, summand);
}

static Operator shiftOperand(std::string name, unsigned operand, int64_t step) {
  return {std::move(name), [operand, step](Operation *op) {
            OpBuilder builder(op);
            op->setOperand(operand, shifted(builder, op->getOperand(operand), step));
          }};
}

void tt::test::addLoopOperators(Operation *op, std::vector<Operator> &operators) {
  if (isa<scf::ForOp>(op)) { // a tile more is hidden by the mask or leaves the tensor
    operators.push_back(shiftOperand("drop the first tile", 0, 1));
    operators.push_back(shiftOperand("drop the last tile", 1, -1));
    return;
  }
  if (isa<scf::IfOp>(op)) {
    operators.push_back({"never", [](Operation *op) {
                           OpBuilder builder(op);
                           op->setOperand(0, arith::ConstantOp::create(
                                                 builder, op->getLoc(),
                                                 builder.getBoolAttr(false)));
                         }});
    return;
  }
  if (!op->getParentOfType<scf::ForOp>())
    return;
  if (isa<tt::CompareOp>(op) &&
      getElementTypeOrSelf(op->getOperand(1).getType()).isInteger(32))
    for (int64_t step : {-1, 1})
      operators.push_back(shiftOperand("mask off by one", 1, step));
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isIndex())
        for (int64_t step : {-1, 1})
          operators.push_back(
              shiftOperand("tile off by one", operand.getOperandNumber(), step));
}
