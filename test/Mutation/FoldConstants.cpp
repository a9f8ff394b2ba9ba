//===- FoldConstants.cpp - What does not depend on arguments --------------===//
#include "FoldConstants.h"

#include "tt/IR/TTOps.h"
#include "tt/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tt;

/// One tensor result and no region, so that it can be put into a function by itself;
/// f64, integers or booleans.
static bool isSimple(Operation *op) {
  if (op->getNumRegions() || op->getNumResults() != 1 || isa<func::CallOp>(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && (type.getElementType().isF64() || type.getElementType().isInteger());
}

static DenseElementsAttr attributeOf(RankedTensorType type,
                                     const reference::AnyTensor<double> &tensor) {
  if (tensor.isFloat())
    return DenseElementsAttr::get(type, ArrayRef(tensor.floats().data));
  SmallVector<APInt> values;
  for (int64_t x : tensor.ints().data)
    values.emplace_back(type.getElementTypeBitWidth(), x, /*isSigned=*/true,
                        /*implicitTrunc=*/true);
  return DenseElementsAttr::get(type, values);
}

/// The values of the ops, which read nothing but each other.
static std::vector<reference::AnyTensor<double>> evaluate(MLIRContext *context,
                                                          ArrayRef<Operation *> ops) {
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types;
  for (Operation *op : ops)
    types.push_back(op->getResult(0).getType());
  auto function =
      func::FuncOp::create(builder, loc, "constants", builder.getFunctionType({}, types));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  IRMapping mapping;
  SmallVector<Value> results;
  for (Operation *op : ops)
    results.push_back(builder.clone(*op, mapping)->getResult(0));
  func::ReturnOp::create(builder, loc, results);
  auto outcome = reference::Interpreter<double>(*module).run("constants", {});
  return outcome.succeeded() ? std::move(outcome.results)
                             : std::vector<reference::AnyTensor<double>>();
}

void tt::test::foldConstants(ModuleOp module) {
  module.walk([](func::FuncOp function) {
    llvm::SetVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isConstant = isSimple(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
        return ops.contains(operand.getDefiningOp());
      });
      if (isConstant)
        ops.insert(op);
    });
    if (ops.empty())
      return;
    auto values = evaluate(function.getContext(), ops.getArrayRef());
    if (values.size() != ops.size())
      return; // an op that the interpreter refuses: nothing is folded
    for (auto [op, value] : llvm::zip_equal(ops, values)) {
      if (isa<ConstantOp>(op))
        continue;
      OpBuilder builder(op);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      op->getResult(0).replaceAllUsesWith(
          ConstantOp::create(builder, op->getLoc(), attributeOf(type, value)));
    }
  });
}
