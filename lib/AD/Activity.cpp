//===- Activity.cpp - Which values carry derivatives ----------------------===//
#include "tt/AD/Activity.h"

#include "tt/IR/TTOps.h"

using namespace mlir;
using namespace tt;

bool tt::isDifferentiable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

std::vector<bool> tt::bitsOf(const llvm::BitVector &bits) {
  std::vector<bool> out(bits.size());
  for (unsigned i : bits.set_bits())
    out[i] = true;
  return out;
}

DenseI64ArrayAttr tt::positionsOf(Builder &builder, const llvm::BitVector &bits) {
  SmallVector<int64_t> list;
  for (unsigned i : bits.set_bits())
    list.push_back(i);
  return builder.getDenseI64ArrayAttr(list);
}

func::FuncOp ActivityAnalysis::callee(func::CallOp call) {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

/// True if a derivative can pass from operand `i` of `op` to its results.
static bool passes(Operation *op, unsigned i) {
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  return !rule || !rule.isCutAt(i); // an op without a rule is reported later
}

const FunctionActivity &ActivityAnalysis::get(func::FuncOp function,
                                              const llvm::BitVector &activeArguments,
                                              const llvm::BitVector &liveResults) {
  Key key{function.getSymName().str(), {bitsOf(activeArguments), bitsOf(liveResults)}};
  auto found = cache.find(key);
  if (found != cache.end())
    return found->second;

  FunctionActivity result;
  Block &body = function.getBody().front();
  for (unsigned i : activeArguments.set_bits())
    if (isDifferentiable(body.getArgument(i).getType()))
      result.varied.insert(body.getArgument(i));

  for (Operation &op : body.without_terminator()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      llvm::BitVector operands(call.getNumOperands());
      for (auto [i, operand] : llvm::enumerate(call.getOperands()))
        if (result.varied.contains(operand))
          operands.set(i);
      if (operands.none())
        continue;
      llvm::BitVector all(call.getNumResults(), true);
      llvm::BitVector varied = get(callee(call), operands, all).variedResults;
      for (unsigned i : varied.set_bits())
        result.varied.insert(call.getResult(i));
      continue;
    }
    bool varied = false;
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      varied |= result.varied.contains(operand) && passes(&op, i);
    if (varied)
      for (Value value : op.getResults())
        if (isDifferentiable(value.getType()))
          result.varied.insert(value);
  }

  Operation *terminator = body.getTerminator();
  result.variedResults.resize(terminator->getNumOperands());
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    if (!result.varied.contains(value))
      continue;
    result.variedResults.set(i);
    if (liveResults.test(i))
      result.active.insert(value);
  }

  for (Operation &op : llvm::reverse(body.without_terminator())) {
    llvm::BitVector live = activeResults(&op, result);
    if (live.none())
      continue;
    if (auto call = dyn_cast<func::CallOp>(op)) {
      llvm::BitVector operands(call.getNumOperands());
      for (auto [i, operand] : llvm::enumerate(call.getOperands()))
        if (result.varied.contains(operand))
          operands.set(i);
      llvm::BitVector useful = get(callee(call), operands, live).usefulArguments;
      for (unsigned i : useful.set_bits())
        result.active.insert(call.getOperand(i));
      continue;
    }
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      if (result.varied.contains(operand) && passes(&op, i))
        result.active.insert(operand);
  }

  result.usefulArguments.resize(body.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (result.active.contains(argument))
      result.usefulArguments.set(argument.getArgNumber());
  return cache.emplace(std::move(key), std::move(result)).first->second;
}

bool ActivityAnalysis::isVaried(Value value) const {
  return llvm::any_of(cache, [&](const auto &entry) {
    return entry.second.varied.contains(value);
  });
}

llvm::BitVector ActivityAnalysis::activeOperands(Operation *op,
                                                 const FunctionActivity &activity) {
  llvm::BitVector bits(op->getNumOperands());
  bool isCall = isa<func::CallOp>(op);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (activity.active.contains(operand) && (isCall || passes(op, i)))
      bits.set(i);
  return bits;
}

llvm::BitVector ActivityAnalysis::activeResults(Operation *op,
                                                const FunctionActivity &activity) {
  llvm::BitVector bits(op->getNumResults());
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    if (activity.active.contains(value))
      bits.set(i);
  return bits;
}
