//===- Operators.cpp - Changes of values and operands ---------------------===//
#include "Operators.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::test;
using tt::Emit;

static bool isFloatTensor(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Result `i` of `op` for all its readers, changed by `change`.
static void changeResult(Operation *op, unsigned i,
                         const std::function<Value(OpBuilder &, Value)> &change) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value result = op->getResult(i);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : result.getUses())
    uses.push_back(&use);
  Value changed = change(builder, result);
  for (OpOperand *use : uses)
    use->set(changed);
}

static Value scaled(OpBuilder &builder, Value value, double factor) {
  Emit e(builder, value.getLoc());
  return tt::MulOp::create(builder, value.getLoc(), value,
                           e.splat(value.getType(), factor));
}

static void addResultOperators(Operation *op, std::vector<Operator> &operators) {
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (!isFloatTensor(op->getResult(i)) || op->getResult(i).use_empty())
      continue;
    std::string suffix = op->getNumResults() > 1 ? " of result " + std::to_string(i) : "";
    for (auto [name, factor] : {std::pair("flip the sign", -1.0),
                                {"drop the term", 0.0},
                                {"scale by 1.001", 1.001},
                                {"scale by 2", 2.0}})
      operators.push_back({name + suffix, [i, factor = factor](Operation *op) {
                             changeResult(op, i, [&](OpBuilder &b, Value value) {
                               return scaled(b, value, factor);
                             });
                           }});
    auto type = cast<RankedTensorType>(op->getResult(i).getType());
    int64_t rank = type.getRank();
    if (rank >= 2 && type.getDimSize(rank - 1) == type.getDimSize(rank - 2) &&
        type.getDimSize(rank - 1) > 1)
      operators.push_back({"transpose" + suffix, [i, rank](Operation *op) {
                             SmallVector<int64_t> order;
                             for (int64_t d = 0; d < rank; ++d)
                               order.push_back(d);
                             std::swap(order[rank - 1], order[rank - 2]);
                             changeResult(op, i, [&](OpBuilder &b, Value value) {
                               return tt::TransposeOp::create(b, value.getLoc(), value, order);
                             });
                           }});
  }
}

static void addOperandOperators(Operation *op, std::vector<Operator> &operators) {
  unsigned count = op->getNumOperands();
  bool isCommutative = op->hasTrait<OpTrait::IsCommutative>();
  if (auto compare = dyn_cast<tt::CompareOp>(op)) // a = b is b = a
    isCommutative |= compare.getPredicate() == tt::ComparePredicate::EQ ||
                     compare.getPredicate() == tt::ComparePredicate::NE;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count && !isCommutative; ++j)
      if (op->getOperand(i) != op->getOperand(j) &&
          op->getOperand(i).getType() == op->getOperand(j).getType())
        operators.push_back({"swap operands " + std::to_string(i) + " and " + std::to_string(j),
                             [i, j](Operation *op) {
                               Value first = op->getOperand(i);
                               op->setOperand(i, op->getOperand(j));
                               op->setOperand(j, first);
                             }});
  // Another residual or cotangent of the same type.
  for (unsigned i = 0; i < count; ++i) {
    auto argument = dyn_cast<BlockArgument>(op->getOperand(i));
    if (!argument)
      continue;
    Block *block = argument.getOwner();
    unsigned n = block->getNumArguments(), self = argument.getArgNumber();
    for (unsigned step = 1; step < n; ++step) {
      unsigned other = (self + step) % n;
      if (block->getArgument(other).getType() != argument.getType())
        continue;
      operators.push_back({"wrong residual for operand " + std::to_string(i),
                           [i, other](Operation *op) {
                             auto argument = cast<BlockArgument>(op->getOperand(i));
                             op->setOperand(i, argument.getOwner()->getArgument(other));
                           }});
      break;
    }
  }
  if (isa<tt::AddOp, tt::SubOp>(op))
    for (unsigned i : {0u, 1u})
      operators.push_back({"keep operand " + std::to_string(i) + " only",
                           [i](Operation *op) {
                             op->getResult(0).replaceAllUsesWith(op->getOperand(i));
                           }});
}

/// The first slice along the summed dimensions in place of their sum.
static void forgetSum(Operation *op) {
  auto sum = cast<tt::SumOp>(op);
  OpBuilder builder(op);
  Value value = sum.getInput();
  Type i64 = builder.getI64Type();
  for (int64_t dim : sum.getDims())
    value = tt::SliceOp::create(builder, op->getLoc(), value, IntegerAttr::get(i64, dim),
                                IntegerAttr::get(i64, 0), IntegerAttr::get(i64, 1));
  Emit e(builder, op->getLoc());
  Value first = e.reshape(value, cast<RankedTensorType>(sum.getType()).getShape());
  sum.getOutput().replaceAllUsesWith(first);
}

static bool isIndexArithmetic(Operation *op) {
  return op->getName().getDialectNamespace() == "arith" && op->getNumResults() == 1 &&
         !isa<ShapedType>(op->getResult(0).getType());
}

std::vector<Operator> tt::test::operatorsFor(Operation *op) {
  std::vector<Operator> operators;
  // What is empty is written before it is read.
  if (isa<func::ReturnOp, tt::ConstantOp, tt::RematBarrierOp, tensor::EmptyOp>(op))
    return operators;
  addResultOperators(op, operators);
  // A call has as many operands as a layer has residuals; bounds of loops are counted
  // by tests of the plan.
  if (!isa<func::CallOp>(op) && !isa<scf::ForOp>(op) && !isIndexArithmetic(op))
    addOperandOperators(op, operators);
  addLoopOperators(op, operators);
  if (auto sum = dyn_cast<tt::SumOp>(op))
    if (cast<RankedTensorType>(sum.getInput().getType()).getNumElements() >
        cast<RankedTensorType>(sum.getType()).getNumElements()) // else one term
      operators.push_back({"forget the sum over dims", forgetSum});
  addAttributeOperators(op, operators);
  return operators;
}
