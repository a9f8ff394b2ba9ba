//===- Identities.cpp - Ops that change nothing ---------------------------===//
#include "Identities.h"

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;

static Value cutAndJoin(Emit &e, Value x, reference::Random &random) {
  int64_t dim = random.integer(0, tensorOf(x).getRank());
  int64_t size = shapeOf(x)[dim];
  if (size < 2)
    return x;
  int64_t cut = random.integer(1, size);
  Value a = SliceOp::create(e.builder, e.loc, x, dim, 0, cut);
  Value b = SliceOp::create(e.builder, e.loc, x, dim, cut, size - cut);
  return ConcatOp::create(e.builder, e.loc, ValueRange{a, b}, dim);
}

static Value turnAndBack(Emit &e, Value x) {
  SmallVector<int64_t> reversed;
  for (int64_t i = tensorOf(x).getRank(); i-- > 0;)
    reversed.push_back(i);
  Value turned = TransposeOp::create(e.builder, e.loc, x, reversed);
  return TransposeOp::create(e.builder, e.loc, turned, reversed);
}

static Value padAndCut(Emit &e, Value x, reference::Random &random) {
  int64_t dim = random.integer(0, tensorOf(x).getRank());
  int64_t low = random.integer(0, 3), high = random.integer(0, 3);
  Value wide = PadOp::create(e.builder, e.loc, x, dim, low, high);
  return SliceOp::create(e.builder, e.loc, wide, dim, low, shapeOf(x)[dim]);
}

static Value repeatAndCut(Emit &e, Value x, reference::Random &random) {
  SmallVector<int64_t> shape{3}, dims;
  for (auto [i, size] : llvm::enumerate(shapeOf(x))) {
    shape.push_back(size);
    dims.push_back(int64_t(i) + 1);
  }
  Value wide = e.broadcast(x, shape, dims);
  Value part = SliceOp::create(e.builder, e.loc, wide, 0, random.integer(0, 3), 1);
  return e.reshape(part, shapeOf(x));
}

static Value identityOf(Emit &e, Value x, reference::Random &random) {
  if (tensorOf(x).getRank() == 0)
    return random.unit() < 0.5 ? e.scale(x, 1) : e.shift(x, 0);
  switch (random.integer(0, 7)) {
  case 0:
    return e.reshape(e.reshape(x, {tensorOf(x).getNumElements()}), shapeOf(x));
  case 1:
    return turnAndBack(e, x);
  case 2:
    return cutAndJoin(e, x, random);
  case 3:
    return padAndCut(e, x, random);
  case 4:
    return repeatAndCut(e, x, random);
  case 5:
    return e.scale(x, 1);
  default:
    return e.shift(x, 0);
  }
}

void tt::test::insertIdentities(ModuleOp module, reference::Random &random) {
  SmallVector<Value> values;
  for (auto function : module.getOps<func::FuncOp>()) {
    Block &block = function.getBody().front();
    for (Value argument : block.getArguments())
      values.push_back(argument);
    for (Operation &op : block)
      if (!isa<ConstantOp>(op))
        for (Value result : op.getResults())
          values.push_back(result);
  }
  for (Value x : values) {
    if (!isa<FloatType>(tensorOf(x).getElementType()) || x.use_empty() ||
        random.unit() < 0.5)
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : x.getUses())
      uses.push_back(&use);
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfterValue(x);
    Emit e(builder, x.getLoc());
    Value same = identityOf(e, x, random);
    for (OpOperand *use : uses)
      use->set(same);
  }
}
