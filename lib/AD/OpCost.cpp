//===- OpCost.cpp - What one execution of an op costs ---------------------===//
#include "tt/AD/OpCost.h"

#include "tt/AD/Decompose.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;

static RankedTensorType tensorOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

static int64_t elementsOf(Value value) {
  RankedTensorType type = tensorOf(value);
  return type ? type.getNumElements() : 0;
}

static int64_t bytesOf(Value value) {
  RankedTensorType type = tensorOf(value);
  if (!type)
    return 0;
  unsigned bits = type.getElementTypeBitWidth();
  return type.getNumElements() * ((bits + 7) / 8); // checked: of one tensor
}

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// What changes how elements are found, and moves none.
static bool isView(Operation *op) {
  return isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp, StopGradientOp, RematBarrierOp,
             ConstantOp>(op);
}

static bool isMove(Operation *op) {
  return isView(op) || isa<ConcatOp, PadOp, TakeOp, GatherRowsOp, GatherAlongOp, OneHotOp,
                           IotaOp, EmbeddingOp, CastOp, RandomUniformOp, RngKeyOp,
                           RngFoldOp, DequantiseOp>(op);
}

/// The operand of which rows are read, by number; -1 if there is none.
static int tableOf(Operation *op) {
  return isa<EmbeddingOp, GatherRowsOp, GatherAlongOp, TakeOp>(op) ? 0 : -1;
}

static int64_t primitiveFlops(Operation *op) {
  int64_t largest = 0, written = 0;
  bool isOnFloats = false;
  for (Value operand : op->getOperands()) {
    largest = std::max(largest, elementsOf(operand));
    isOnFloats |= isFloat(operand);
  }
  for (Value result : op->getResults()) {
    written = std::max(written, elementsOf(result));
    isOnFloats |= isFloat(result);
  }
  if (!isOnFloats || isMove(op))
    return 0;
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<MatmulOp>([](auto) { return int64_t(0); })
      .Case<LinearOp>([&](LinearOp linear) { return linear.getBias() ? written : 0; })
      .Case<AdamWOp>([&](auto) { return 12 * written; })
      .Case<SortOp, TopKOp>([&](auto sort) {
        RankedTensorType type = tensorOf(sort.getInput());
        int64_t row = type ? type.getDimSize(sort.getDim()) : 1;
        return largest * int64_t(llvm::Log2_64_Ceil(std::max<int64_t>(row, 1)));
      })
      .Case<ScalarOpInterface>([&](auto) { return written; })
      .Default([&](auto) { return std::max(largest, written); });
}

/// `op` alone in a function, with arguments for operands.
static OwningOpRef<ModuleOp> isolated(Operation *op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder builder(module->getBodyRegion());
  auto type = builder.getFunctionType(op->getOperandTypes(), op->getResultTypes());
  auto function = func::FuncOp::create(builder, op->getLoc(), "op", type);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping map;
  map.map(op->getOperands(), body->getArguments());
  Operation *copy = builder.clone(*op, map);
  // A result that nothing reads may have no decomposition.
  SmallVector<Value> read;
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    if (!from.use_empty())
      read.push_back(to);
  function.setType(builder.getFunctionType(op->getOperandTypes(), TypeRange(ValueRange(read))));
  func::ReturnOp::create(builder, op->getLoc(), read);
  return module;
}

static int64_t otherFlops(Operation *op) {
  if (!isa<DecomposableOpInterface>(op))
    return primitiveFlops(op);
  OwningOpRef<ModuleOp> module = isolated(op);
  auto function = *module->getOps<func::FuncOp>().begin();
  // Forms without a decomposition are not errors here.
  ScopedDiagnosticHandler silent(op->getContext(), [](Diagnostic &) { return success(); });
  unsigned count = 0;
  if (failed(decomposeOps(function, [](Operation *) { return true; }, count)))
    return primitiveFlops(op);
  int64_t sum = 0;
  function.walk([&](Operation *part) { sum += primitiveFlops(part); });
  return sum;
}

OpCost tt::costOf(Operation *op) {
  OpCost cost;
  bool hasBody = llvm::any_of(op->getRegions(), [](Region &r) { return !r.empty(); });
  if (!isa_and_present<TTDialect>(op->getDialect()) || hasBody ||
      op->hasTrait<OpTrait::IsTerminator>())
    return cost;
  if (auto product = dyn_cast<CostOpInterface>(op))
    cost.matmulFlops = product.getMatmulFlops();
  cost.otherFlops = otherFlops(op);
  if (isView(op))
    return cost;
  SmallPtrSet<Value, 8> seen;
  int table = tableOf(op);
  for (OpOperand &operand : op->getOpOperands())
    if (seen.insert(operand.get()).second)
      cost.bytes += int(operand.getOperandNumber()) == table ? bytesOf(op->getResult(0))
                                                             : bytesOf(operand.get());
  for (Value result : op->getResults())
    if (!result.use_empty())
      cost.bytes += bytesOf(result);
  return cost;
}
