//===- RandomInputs.cpp - Inputs for a function ---------------------------===//
#include "tt/Reference/RandomInputs.h"

#include "tt/IR/CheckRange.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;

uint64_t Random::bits() {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double Random::unit() { return double(bits() >> 11) * 0x1p-53; }

int64_t Random::integer(int64_t low, int64_t high) {
  return low + int64_t(bits() % uint64_t(high - low));
}

namespace {
/// What the readers of a value expect of it.
struct Needs {
  int64_t low = 0, high = int64_t(1) << 20; // of integers
  bool isPositive = false;                  // of floats
};
} // namespace

static void limit(Needs &needs, int64_t high) {
  needs.high = std::min(needs.high, high);
}

/// Follows `value` through calls to the ops that read it.
static void findNeeds(Value value, Needs &needs, int depth) {
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    unsigned i = use.getOperandNumber();
    auto sizeOf = [&](Value tensor, int64_t dim) {
      auto type = cast<RankedTensorType>(tensor.getType());
      return type.getDimSize(dim < 0 ? type.getRank() + dim : dim);
    };
    auto follow = [&](FlatSymbolRefAttr symbol, unsigned argument) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
      if (callee && !callee.isExternal() && depth < 50)
        findNeeds(callee.getArgument(argument), needs, depth + 1);
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](EmbeddingOp op) { limit(needs, sizeOf(op.getTable(), 0)); })
        .Case([&](EmbeddingBwdOp op) { limit(needs, op.getRows()); })
        .Case<CrossEntropyOp, CrossEntropyBwdOp>([&](auto op) {
          limit(needs, sizeOf(op.getLogits(), -1));
          needs.isPositive |= value == op.getWeights();
        })
        .Case<LinearCrossEntropyOp, LinearCrossEntropyBwdOp>([&](auto op) {
          bool inOut = op.getLayout() == WeightLayout::InOut;
          limit(needs, sizeOf(op.getWeight(), inOut ? 1 : 0));
          needs.isPositive |= value == op.getClassWeights();
        })
        .Case([&](KlDivOp op) {
          needs.isPositive |= value == op.getTarget() && !op.getLogTarget();
        })
        .Case([&](TakeOp op) { limit(needs, sizeOf(op.getInput(), op.getDim())); })
        .Case([&](RopeOp op) { limit(needs, 4096); })
        .Case<AttentionOp, AttentionBwdOp>([&](auto op) {
          limit(needs, 3); // segments
        })
        .Case([&](SelectOp op) { // what is chosen goes on as the result
          if (i != 0)
            findNeeds(op.getOutput(), needs, depth);
        })
        .Case([&](GatherRowsOp op) { limit(needs, sizeOf(op.getInput(), 0)); })
        .Case([&](ScatterAddRowsOp op) { limit(needs, op.getRows()); })
        .Case([&](GatherAlongOp op) { limit(needs, sizeOf(op.getInput(), op.getDim())); })
        .Case([&](ScatterAlongOp op) { limit(needs, op.getSize()); })
        .Case([&](OneHotOp op) { limit(needs, sizeOf(op.getOutput(), -1)); })
        .Case([&](PowOp op) {
          double exponent = op.getExponent().convertToDouble();
          needs.isPositive |= exponent != std::floor(exponent);
        })
        .Case<LogOp, Log1pOp, SqrtOp, RsqrtOp, GlobalNormOp>(
            [&](auto) { needs.isPositive = true; })
        .Case([&](AdamWOp op) {
          needs.isPositive |= value == op.getV() || value == op.getLearningRate() ||
                              value == op.getClip();
          if (value == op.getSkipped())
            limit(needs, 1);
          if (value == op.getStep())
            needs = {1, 100, needs.isPositive};
        })
        .Case([&](func::CallOp call) { follow(call.getCalleeAttr(), i); })
        .Case([&](CustomVjpOp call) { follow(call.getCalleeAttr(), i); })
        .Case([&](RepeatOp call) { follow(call.getCalleeAttr(), i); });
  }
}

InputRange tt::reference::inputRange(FunctionOpInterface function, unsigned argument) {
  InputRange range;
  Needs needs;
  findNeeds(function.getArgument(argument), needs, 0);
  range.hasRandomSign = !needs.isPositive;
  if (auto given = readCheckRange(function.getArgAttr(argument, kCheckRangeAttr))) {
    range.low = given->low;
    range.high = given->high;
    range.hasRandomSign = false;
  }
  if (auto bound = function.getArgAttrOfType<IntegerAttr>(argument, kIndexLimitAttr))
    limit(needs, bound.getInt());
  Type element = getElementTypeOrSelf(function.getArgumentTypes()[argument]);
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 32)
    limit(needs, element.isInteger(1) ? 2 : 128);
  range.lowest = needs.low;
  range.end = std::max(needs.high, needs.low + 1);
  return range;
}

bool tt::reference::wantsPositive(Value value) {
  Needs needs;
  findNeeds(value, needs, 0);
  return needs.isPositive;
}

std::vector<AnyTensor<double>>
tt::reference::randomInputs(FunctionOpInterface function, Random &random) {
  std::vector<AnyTensor<double>> inputs;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    auto type = cast<RankedTensorType>(argument.getType());
    Shape shape(type.getShape().begin(), type.getShape().end());
    InputRange range = inputRange(function, i);
    if (!isa<FloatType>(type.getElementType())) {
      IntTensor ints(shape);
      for (int64_t &x : ints.data)
        x = random.integer(range.lowest, range.end);
      inputs.push_back(std::move(ints));
      continue;
    }
    Tensor<double> floats(shape);
    for (double &x : floats.data) {
      x = random.between(range.low, range.high);
      if (range.hasRandomSign && random.bits() & 1)
        x = -x;
    }
    inputs.push_back(std::move(floats));
  }
  return inputs;
}

template <typename T>
AnyTensor<T> tt::reference::convertTo(const AnyTensor<double> &tensor) {
  if (!tensor.isFloat())
    return tensor.ints();
  const Tensor<double> &floats = tensor.floats();
  return Tensor<T>(floats.shape,
                   std::vector<T>(floats.data.begin(), floats.data.end()));
}

template AnyTensor<float> tt::reference::convertTo(const AnyTensor<double> &);
template AnyTensor<double> tt::reference::convertTo(const AnyTensor<double> &);
template AnyTensor<std::complex<double>>
tt::reference::convertTo(const AnyTensor<double> &);
