//===- CheckGraph.cpp - What a user's graph must not ask for --------------===//
#include "Stages.h"
#include "tt/runtime/tt.h"
#include "tt/Support/CheckedSize.h"

#include "tt/IR/TTDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;
using support::CheckedSize;

static LogicalResult checkSize(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) // verifiers say where those may be
    return success();
  for (int64_t dimension : tensor.getShape())
    if (!CheckedSize(dimension).isDimension())
      return emitError(loc) << "expected dimensions of at most 2^40, but got " << type;
  int64_t bits = tensor.getElementType().isIntOrFloat() ? tensor.getElementTypeBitWidth() : 64;
  CheckedSize bytes = CheckedSize::product(tensor.getShape()) * CheckedSize(bits).ceilDiv(8);
  if (!bytes.isTensorBytes())
    return emitError(loc) << "expected tensors of at most 2^47 bytes, but got " << type;
  return success();
}

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

LogicalResult tt::checkTypes(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto refuse = [&](Location loc, StringRef what, unsigned i, Type type) {
      return emitError(loc) << "expected " << what << " " << i << " of @"
                            << function.getSymName()
                            << " to be a tensor of static shape, but got " << type;
    };
    FunctionType types = function.getFunctionType();
    for (auto [i, type] : llvm::enumerate(types.getInputs()))
      if (!isStaticTensor(type))
        return refuse(function.isExternal() ? function.getLoc()
                                            : function.getArgument(i).getLoc(),
                      "argument", i, type);
    for (auto [i, type] : llvm::enumerate(types.getResults()))
      if (!isStaticTensor(type))
        return refuse(function.getLoc(), "result", i, type);
    WalkResult walk = function.walk([](Operation *op) {
      for (Type type : op->getResultTypes())
        if (!isStaticTensor(type)) {
          op->emitOpError() << "expected a tensor of static shape, but got " << type;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult tt::checkSizes(ModuleOp module) {
  WalkResult walk = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    for (Value result : op->getResults())
      if (failed(checkSize(op->getLoc(), result.getType())))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(checkSize(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult tt::checkEntry(ModuleOp module, StringRef name) {
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getSymName() == name) {
      if (entry)
        return success(); // two public ones: tt-autodiff says so
      entry = function;
    }
  if (!entry)
    return success(); // and so here
  for (BlockArgument argument : entry.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isParameter = bool(entry.getArgAttr(i, kParamAttr));
    if (!isParameter && !entry.getArgAttr(i, kInputAttr) && !entry.getArgAttr(i, kStateAttr))
      return emitError(argument.getLoc())
             << "expected tt.param, tt.input or tt.state on argument " << i << " of @"
             << entry.getSymName() << ", but got none of them";
    auto tensor = cast<RankedTensorType>(argument.getType());
    if (tensor.getRank() > TT_MAX_RANK)
      return emitError(argument.getLoc())
             << "expected argument " << i << " of @" << entry.getSymName()
             << " to have rank " << TT_MAX_RANK << " at most, but got " << tensor;
    Type element = getElementTypeOrSelf(argument.getType());
    if (isParameter ? !element.isF32() : isa<FloatType>(element) && !element.isF32())
      return emitError(argument.getLoc())
             << "expected argument " << i << " of @" << entry.getSymName()
             << " to have elements of type f32, the one that the CPU trains in, but got "
             << argument.getType();
  }
  return success();
}
