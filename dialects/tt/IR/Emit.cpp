//===- Emit.cpp - Short forms for emitting tt ops in rules ----------------===//
#include "tt/IR/Emit.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tt;

Value Emit::add(Value a, Value b) { return AddOp::create(builder, loc, a, b); }
Value Emit::sub(Value a, Value b) { return SubOp::create(builder, loc, a, b); }
Value Emit::mul(Value a, Value b) { return MulOp::create(builder, loc, a, b); }
Value Emit::div(Value a, Value b) { return DivOp::create(builder, loc, a, b); }
Value Emit::neg(Value a) { return NegOp::create(builder, loc, a); }
Value Emit::exp(Value a) { return ExpOp::create(builder, loc, a); }

Value Emit::log(Value a) { return LogOp::create(builder, loc, a); }
Value Emit::rsqrt(Value a) { return RsqrtOp::create(builder, loc, a); }
Value Emit::tanh(Value a) { return TanhOp::create(builder, loc, a); }
Value Emit::tanhSlope(Value a) { // 4 s(2a) s(-2a) with the sigmoid s
  return scale(mul(sigmoid(scale(a, 2)), sigmoid(scale(a, -2))), 4);
}
Value Emit::sigmoid(Value a) { return SigmoidOp::create(builder, loc, a); }
Value Emit::erf(Value a) { return ErfOp::create(builder, loc, a); }
Value Emit::abs(Value a) { return AbsOp::create(builder, loc, a); }
Value Emit::maximum(Value a, Value b) {
  return MaximumOp::create(builder, loc, a, b);
}
Value Emit::stopGradient(Value a) {
  return StopGradientOp::create(builder, loc, a);
}

Value Emit::select(Value condition, Value a, Value b) {
  return SelectOp::create(builder, loc, a.getType(), condition, a, b);
}

Value Emit::compare(ComparePredicate predicate, Value a, Value b) {
  return CompareOp::create(builder, loc, a, b, predicate).getOutput();
}

Value Emit::splat(Type type, double value) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  Attribute scalar = llvm::isa<FloatType>(element)
                         ? Attribute(builder.getFloatAttr(element, value))
                         : builder.getIntegerAttr(element, int64_t(value));
  return ConstantOp::create(builder, loc, SplatElementsAttr::get(tensor, scalar));
}

Value Emit::scale(Value a, double factor) {
  return mul(a, splat(a.getType(), factor));
}

Value Emit::shift(Value a, double summand) {
  return add(a, splat(a.getType(), summand));
}

Value Emit::addOrNull(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return add(a, b);
}

Value Emit::cast(Value a, Type element) {
  RankedTensorType type = tensorOf(a);
  if (type.getElementType() == element)
    return a;
  return CastOp::create(builder, loc, type.clone(element), a);
}

Value Emit::broadcast(Value a, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  if (shapeOf(a) == shape)
    return a;
  return BroadcastOp::create(builder, loc, tensorOf(a).clone(shape), a, dims);
}

Value Emit::alongRow(Value perRow, Value like) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, tensorOf(perRow).getRank()));
  return broadcast(perRow, shapeOf(like), dims);
}

Value Emit::perColumn(Value vector, Value like) {
  int64_t last = tensorOf(like).getRank() - 1;
  return broadcast(vector, shapeOf(like), {last});
}

Value Emit::rowSum(Value a) {
  int64_t last = tensorOf(a).getRank() - 1;
  return SumOp::create(builder, loc, a, ArrayRef<int64_t>{last}).getOutput();
}

Value Emit::rowMean(Value a) {
  int64_t last = tensorOf(a).getRank() - 1;
  return MeanOp::create(builder, loc, a, ArrayRef<int64_t>{last}).getOutput();
}

Value Emit::sumOver(Value a, ArrayRef<int64_t> dims) {
  return SumOp::create(builder, loc, a, dims).getOutput();
}

Value Emit::alongDims(Value reduced, Value like, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (int64_t i = 0, rank = tensorOf(like).getRank(); i < rank; ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  return broadcast(reduced, shapeOf(like), kept);
}

Value Emit::rowMax(Value a) {
  return MaxOp::create(builder, loc, a, tensorOf(a).getRank() - 1).getOutput();
}

Value Emit::total(Value a) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, tensorOf(a).getRank()));
  return SumOp::create(builder, loc, a, dims).getOutput();
}

Value Emit::columnSum(Value a) {
  int64_t rank = tensorOf(a).getRank();
  if (rank == 1)
    return a;
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  return SumOp::create(builder, loc, a, dims).getOutput();
}

Value Emit::reshape(Value a, ArrayRef<int64_t> shape) {
  if (shapeOf(a) == shape)
    return a;
  return ReshapeOp::create(builder, loc, tensorOf(a).clone(shape), a);
}

Value Emit::iotaLike(Value like, int64_t dim, Type element) {
  return IotaOp::create(builder, loc, tensorOf(like).clone(element), dim);
}

Value Emit::iotaLike(Value like, int64_t dim) {
  return iotaLike(like, dim, builder.getI32Type());
}

FloatType tt::accumulationType(Type element) {
  if (element.isF64())
    return cast<FloatType>(element);
  return Float32Type::get(element.getContext());
}
