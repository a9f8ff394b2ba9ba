//===- Tangent.cpp - Builds @f_jvp ----------------------------------------===//
#include "tt/AD/Adjoint.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tt;

const TangentBuilder::Function *TangentBuilder::get(func::FuncOp function,
                                                    const llvm::BitVector &active) {
  auto [it, isNew] =
      functions.try_emplace({function.getSymName().str(), bitsOf(active)});
  Function &result = it->second;
  if (!isNew)
    return result.function ? &result : nullptr;

  llvm::BitVector all(function.getNumResults(), true);
  const FunctionActivity &facts = activity.get(function, active, all);
  result.active = active;
  result.results = facts.variedResults;

  FunctionType type = function.getFunctionType();
  SmallVector<Type> inputs(type.getInputs()), outputs(type.getResults());
  for (unsigned i : active.set_bits())
    inputs.push_back(type.getInput(i));
  for (unsigned i : result.results.set_bits())
    outputs.push_back(type.getResult(i));

  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(function);
  std::string name = freshSymbol(module, function.getSymName() + "_jvp");
  auto jvp = func::FuncOp::create(builder, function.getLoc(), name,
                                  builder.getFunctionType(inputs, outputs));
  jvp.setPrivate();
  Block *block = jvp.addEntryBlock();
  builder.setInsertionPointToStart(block);

  Block &body = function.getBody().front();
  IRMapping map;
  DenseMap<Value, Value> tangents; // primal value -> tangent in jvp
  for (BlockArgument argument : body.getArguments())
    map.map(argument, block->getArgument(argument.getArgNumber()));
  unsigned next = function.getNumArguments();
  for (unsigned i : active.set_bits())
    tangents[body.getArgument(i)] = block->getArgument(next++);

  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> incoming;
    bool any = false;
    auto rule = dyn_cast<DifferentiableOpInterface>(op);
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      bool cut = rule && rule.isCutAt(i);
      incoming.push_back(cut ? Value() : tangents.lookup(operand));
      any |= bool(incoming.back());
    }
    if (auto call = dyn_cast<func::CallOp>(op); call && any) {
      llvm::BitVector operandBits(call.getNumOperands());
      SmallVector<Value> operands;
      for (Value operand : call.getOperands())
        operands.push_back(map.lookup(operand));
      for (auto [i, tangent] : llvm::enumerate(incoming))
        if (tangent) {
          operandBits.set(i);
          operands.push_back(tangent);
        }
      const Function *callee = get(activity.callee(call), operandBits);
      if (!callee)
        return nullptr;
      auto pushed = func::CallOp::create(builder, op.getLoc(), callee->function,
                                         operands);
      for (auto [i, value] : llvm::enumerate(call.getResults()))
        map.map(value, pushed.getResult(i));
      unsigned position = call.getNumResults();
      for (unsigned i : callee->results.set_bits())
        tangents[call.getResult(i)] = pushed.getResult(position++);
      continue;
    }
    Operation *clone = builder.clone(op, map);
    if (!any)
      continue;
    auto cloneRule = dyn_cast<DifferentiableOpInterface>(clone);
    if (!cloneRule) {
      op.emitOpError() << "has no JVP rule; rewrite it with ops that have one, or "
                          "cut the path with tt.stop_gradient";
      return nullptr;
    }
    SmallVector<Value> outgoing(op.getNumResults());
    if (failed(cloneRule.buildJVP(builder, incoming, outgoing)))
      return nullptr;
    for (auto [value, tangent] : llvm::zip(op.getResults(), outgoing))
      if (tangent)
        tangents[value] = tangent;
  }

  SmallVector<Value> returned;
  for (Value value : body.getTerminator()->getOperands())
    returned.push_back(map.lookup(value));
  for (unsigned i : result.results.set_bits()) {
    Value value = body.getTerminator()->getOperand(i);
    Value tangent = tangents.lookup(value);
    returned.push_back(tangent ? tangent
                               : Emit(builder, function.getLoc())
                                     .splat(value.getType(), 0));
  }
  func::ReturnOp::create(builder, body.getTerminator()->getLoc(), returned);

  jvp->setAttr(kTangentAttr,
               builder.getDictionaryAttr(
                   {builder.getNamedAttr("primal", FlatSymbolRefAttr::get(function)),
                    builder.getNamedAttr("active", positionsOf(builder, active)),
                    builder.getNamedAttr("results", positionsOf(builder, result.results))}));
  result.function = jvp;
  return &result;
}
