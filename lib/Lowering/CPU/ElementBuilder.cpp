//===- ElementBuilder.cpp - Elements of a kernel's values -----------------===//
#include "ElementBuilder.h"
#include "PhiloxEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool isLanes(Value value) { return isa<VectorType>(value.getType()); }

/// Ops whose formula needs a polynomial that exists in f32 only.
static bool needsPolynomial(Operation *op) {
  return isa<ExpOp, LogOp, TanhOp, SigmoidOp, SinOp, CosOp, ErfOp, SiluOp,
             SiluBwdOp, SwigluOp, GeluOp, GeluBwdOp, PowOp, SoftplusOp, Log1pOp,
             Expm1Op>(op);
}

bool ElementBuilder::canPull(Operation *op, std::string &why) {
  for (Type type : op->getResultTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (element.isBF16() || element.isF16() ||
        (element.isF64() && needsPolynomial(op))) {
      llvm::raw_string_ostream(why)
          << "of element type " << element << " is not lowered on the CPU yet";
      return false;
    }
  }
  if (auto rope = dyn_cast<RopeOp>(op)) {
    if (!rope.getType().getElementType().isF32())
      why = "is lowered on the CPU in f32 only";
    return why.empty();
  }
  if (isa<DropoutOp, RandomUniformOp, RandomNormalOp>(op) &&
      !getElementTypeOrSelf(op->getResult(0).getType()).isF32()) {
    why = "is lowered on the CPU in f32 only";
    return false;
  }
  return isa<ScalarOpInterface, ConstantOp, IotaOp, BroadcastOp, ReshapeOp,
             TransposeOp, SliceOp, PadOp, ConcatOp, TakeOp, EmbeddingOp,
             GatherRowsOp, GatherAlongOp, OneHotOp, DropoutOp, RandomUniformOp,
             RandomNormalOp, RngKeyOp, RngFoldOp, StopGradientOp, RematBarrierOp>(
      op);
}

Value ElementBuilder::spread(Value value) {
  return isLanes(value) ? value : broadcastLanes(e.b, e.loc, value);
}

Value ElementBuilder::element(Value value, const Position &at) {
  for (const MemoEntry &entry : memo)
    if (entry.value == value && samePosition(entry.at, at))
      return entry.result;
  auto bound = bindings.find(value);
  Value result =
      bound != bindings.end() ? bound->second(at) : build(value, at);
  memo.push_back({value, at, result});
  return result;
}

Value ElementBuilder::build(Value value, const Position &at) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return load(job.signature.arguments[argument.getArgNumber()], at);
  Position from{{}, at.mask};
  return llvm::TypeSwitch<Operation *, Value>(value.getDefiningOp())
      .Case([&](BroadcastOp op) {
        for (int64_t dim : op.getDims())
          from.dims.push_back(at.dims[dim]);
        return element(op.getInput(), from);
      })
      .Case([&](TransposeOp op) {
        from.dims.resize(at.dims.size());
        for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
          from.dims[dim] = at.dims[i];
        return element(op.getInput(), from);
      })
      .Case([&](ReshapeOp op) {
        ArrayRef<int64_t> shape = shapeOf(op.getInput());
        if (linear && !at.dims.empty() && !shape.empty()) {
          from.dims.assign(shape.size(), math.constant(0));
          from.dims.back() = at.dims.back();
        } else {
          from.dims = math.reshape(at.dims, shapeOf(op.getOutput()), shape);
        }
        return element(op.getInput(), from);
      })
      .Case([&](SliceOp op) {
        from.dims = at.dims;
        LaneIndex &index = from.dims[op.getDim()];
        index = math.shift(index, op.getStart());
        if (index.step == 1 && !index.window)
          index.window = shapeOf(op.getInput())[op.getDim()];
        return element(op.getInput(), from);
      })
      .Case([&](PadOp op) { return buildPad(op, at); })
      .Case([&](ConcatOp op) { return buildConcat(op, at); })
      .Case([&](ConstantOp op) { return buildConstant(op, at); })
      .Case([&](IotaOp op) { return buildIota(op, at); })
      .Case([&](TakeOp op) { return buildTake(op, at); })
      .Case([&](EmbeddingOp op) { return buildEmbedding(op, at); })
      .Case([&](GatherRowsOp op) { return buildGatherRows(op, at); })
      .Case([&](GatherAlongOp op) { return buildGatherAlong(op, at); })
      .Case([&](OneHotOp op) { return buildOneHot(op, at); })
      .Case([&](DropoutOp op) { return buildDropout(op, at); })
      .Case([&](RandomUniformOp op) { return buildUniform(op, at); })
      .Case([&](RandomNormalOp op) { return buildNormal(op, at); })
      .Case([&](RopeOp op) { return buildRope(op, at); })
      .Case([&](StopGradientOp op) { return element(op.getInput(), at); })
      .Case([&](RematBarrierOp op) { return element(op.getInput(), at); })
      .Case<RngKeyOp, RngFoldOp>([&](auto) { return buildKeyWord(value, at); })
      .Case([&](ScalarOpInterface op) { return buildScalarOp(op, at); });
}

Value ElementBuilder::buildScalarOp(ScalarOpInterface op, const Position &at) {
  SmallVector<Value> operands;
  bool anyLanes = false;
  for (Value operand : op->getOperands()) {
    operands.push_back(element(operand, at));
    anyLanes |= isLanes(operands.back());
  }
  if (anyLanes)
    for (Value &operand : operands)
      operand = spread(operand);
  return op.buildScalar(e.b, operands);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ElementBuilder::fromStorage(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  Value none = zero(value.getType());
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, value,
                               none);
}

Value ElementBuilder::toStorage(Value value) {
  if (!getElementTypeOrSelf(value.getType()).isInteger(1))
    return value;
  Type byte = e.b.getI8Type();
  if (isLanes(value))
    byte = getLanesType(byte);
  return arith::ExtUIOp::create(e.b, e.loc, byte, value);
}

Value ElementBuilder::zero(Type type) {
  return arith::ConstantOp::create(e.b, e.loc, e.b.getZeroAttr(type));
}

Value ElementBuilder::loadFlat(Value memref, const LaneIndex &at, Value mask) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (at.isUniform())
    return memref::LoadOp::create(e.b, e.loc, memref, ValueRange{at.base});
  if (!at.lanes && at.step == 1)
    return loadLanes(e.b, e.loc, memref, ValueRange{at.base}, mask);
  VectorType type = getLanesType(element);
  Value all = mask ? mask
                   : integerConstant(e.b, e.loc, getLanesType(e.b.getI1Type()),
                                     1);
  return vector::GatherOp::create(e.b, e.loc, type, memref,
                                  ValueRange{e.index(0)}, math.materialize(at),
                                  all, zero(type));
}

Value ElementBuilder::load(const StridedOperand &operand, const Position &at) {
  Value memref = e.shell.operand(operand.number, operand.storageType());
  LaneIndex index = math.shift(math.linearize(at.dims, operand.strides),
                               operand.offset);
  return fromStorage(loadFlat(memref, index, at.mask), operand.element);
}

void ElementBuilder::store(const StridedOperand &operand, const Position &at,
                           Value value) {
  Value memref = e.shell.operand(operand.number, operand.storageType());
  LaneIndex index = math.shift(math.linearize(at.dims, operand.strides),
                               operand.offset);
  value = toStorage(value);
  if (index.isUniform()) {
    memref::StoreOp::create(e.b, e.loc, value, memref, ValueRange{index.base});
    return;
  }
  value = spread(value);
  if (!index.lanes && index.step == 1) {
    storeLanes(e.b, e.loc, value, memref, ValueRange{index.base}, at.mask);
    return;
  }
  Value all = at.mask ? at.mask
                      : integerConstant(e.b, e.loc,
                                        getLanesType(e.b.getI1Type()), 1);
  vector::ScatterOp::create(e.b, e.loc, Type(), memref, ValueRange{e.index(0)},
                            math.materialize(index), all, value);
}

Value ElementBuilder::globalConstant(StringRef name, DenseElementsAttr data) {
  auto type = cast<RankedTensorType>(data.getType());
  MemRefType memrefType =
      MemRefType::get({type.getNumElements()}, type.getElementType());
  auto flat = data.reshape(
      RankedTensorType::get({type.getNumElements()}, type.getElementType()));
  ModuleOp module = job.module;
  if (!module.lookupSymbol(name)) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    memref::GlobalOp::create(builder, e.loc, name,
                             builder.getStringAttr("private"), memrefType, flat,
                             /*constant=*/true,
                             builder.getI64IntegerAttr(kAlignment));
  }
  return memref::GetGlobalOp::create(e.b, e.loc, memrefType, name);
}

Value ElementBuilder::buildConstant(ConstantOp op, const Position &at) {
  auto dense = cast<DenseElementsAttr>(op.getValue());
  if (dense.isSplat())
    return arith::ConstantOp::create(
        e.b, e.loc, cast<TypedAttr>(dense.getSplatValue<Attribute>()));
  Type element = dense.getElementType();
  if (element.isInteger(1)) {
    SmallVector<int8_t> bytes;
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit);
    dense = DenseElementsAttr::get(
        RankedTensorType::get(shapeOf(op), e.b.getI8Type()),
        ArrayRef<int8_t>(bytes));
  }
  // The name must be a function of the contents: kernels share the module.
  uint64_t number = 0;
  for (Operation &other : op->getBlock()->getOperations()) {
    if (&other == op)
      break;
    ++number;
  }
  std::string name = job.symbol + "_constant" + std::to_string(number);
  Value memref = globalConstant(name, dense);
  LaneIndex index = math.linearize(at.dims, denseStrides(shapeOf(op)));
  return fromStorage(loadFlat(memref, index, at.mask), element);
}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

Value ElementBuilder::select(Value condition, Value yes, Value no) {
  if (isLanes(condition) || isLanes(yes) || isLanes(no)) {
    yes = spread(yes);
    no = spread(no);
  }
  return arith::SelectOp::create(e.b, e.loc, condition, yes, no);
}

Value ElementBuilder::orZero(Value valid, Value value) {
  return select(valid, value, zero(value.getType()));
}

Value ElementBuilder::andMask(Value mask, Value condition) {
  if (!isLanes(condition))
    return mask;
  return mask ? Value(arith::AndIOp::create(e.b, e.loc, mask, condition))
              : condition;
}

Value ElementBuilder::buildIota(IotaOp op, const Position &at) {
  const LaneIndex &index = at.dims[op.getDim()];
  Type type = op.getType().getElementType();
  if (index.isUniform())
    return arith::IndexCastOp::create(e.b, e.loc, type, index.base);
  return arith::IndexCastOp::create(e.b, e.loc, getLanesType(type),
                                    math.materialize(index));
}

Value ElementBuilder::buildPad(PadOp op, const Position &at) {
  int64_t dim = op.getDim(), size = shapeOf(op.getInput())[dim];
  LaneIndex index = math.shift(at.dims[dim], -int64_t(op.getLow()));
  Position from = at;
  Value valid;
  if (LaneMath::movesAsOne(index) && (index.step == 0 || size % kLanes == 0)) {
    LaneIndex first = index;
    first.step = 0;
    valid = math.inRange(first, size);
    int64_t last = index.step ? size - kLanes : size - 1;
    from.dims[dim] = index;
    from.dims[dim].base = e.clamp(index.base, e.index(last));
  } else {
    valid = math.inRange(index, size);
    from.dims[dim] = math.clamp(index, size);
    from.mask = andMask(at.mask, valid);
  }
  return orZero(valid, element(op.getInput(), from));
}

Value ElementBuilder::buildConcat(ConcatOp op, const Position &at) {
  int64_t dim = op.getDim(), offset = 0;
  Value result;
  for (Value input : op.getInputs()) {
    int64_t size = shapeOf(input)[dim];
    LaneIndex index = math.shift(at.dims[dim], -offset);
    Position from = at;
    Value inside;
    if (LaneMath::movesAsOne(index) &&
        (index.step == 0 || size % kLanes == 0)) {
      LaneIndex first = index;
      first.step = 0;
      inside = math.inRange(first, size);
      from.dims[dim] = index;
      from.dims[dim].base =
          e.clamp(index.base, e.index(index.step ? size - kLanes : size - 1));
    } else {
      inside = math.inRange(index, size);
      from.dims[dim] = math.clamp(index, size);
      from.mask = andMask(at.mask, inside);
    }
    Value part = element(input, from);
    result = result ? select(inside, part, result) : part;
    offset += size;
  }
  return result;
}
