//===- CheckGraph.cpp - What a user's graph must not ask for --------------===//
#include "Stages.h"
#include "tt/runtime/tt.h"
#include "tt/Support/CheckedSize.h"

#include "tt/Forms/RandomSites.h"
#include "tt/IR/TTOps.h"
#include "tt/IR/TensorName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

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

/// Calls `check` on every type in the module, with its place.
static LogicalResult
checkEveryType(ModuleOp module, llvm::function_ref<LogicalResult(Location, Type)> check) {
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (failed(check(op->getLoc(), result.getType())))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(check(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult tt::checkSizes(ModuleOp module) {
  return checkEveryType(module, checkSize);
}

LogicalResult tt::checkNotEmpty(ModuleOp module) {
  return checkEveryType(module, [](Location loc, Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && llvm::is_contained(tensor.getShape(), 0))
      return emitError(loc) << "expected dimensions of at least 1 in code to compile, but got "
                            << type;
    return success();
  });
}

/// One role, with a name that no other argument has.
static LogicalResult checkRole(func::FuncOp entry, BlockArgument argument,
                               llvm::StringMap<unsigned> &names) {
  unsigned i = argument.getArgNumber();
  SmallVector<StringRef> roles;
  StringAttr name;
  for (StringRef key : {kParamAttr, kInputAttr, kStateAttr})
    if (auto role = entry.getArgAttrOfType<StringAttr>(i, key)) {
      roles.push_back(key);
      name = role;
    }
  if (roles.size() > 1)
    return emitError(argument.getLoc()) << "expected one role of argument " << i << " of @"
                                        << entry.getSymName() << ", but got " << roles[0]
                                        << " and " << roles[1];
  if (roles.empty())
    return emitError(argument.getLoc())
           << "expected tt.param, tt.input or tt.state on argument " << i << " of @"
           << entry.getSymName() << ", but got none of them";
  if (name.getValue() == kReservedTensorName)
    return emitError(argument.getLoc())
           << "expected another name for argument " << i << " of @" << entry.getSymName()
           << ": safetensors files keep " << name << " for themselves";
  auto [other, isNew] = names.try_emplace(name.getValue(), i);
  if (isNew)
    return success();
  return emitError(argument.getLoc())
         << "expected a name of its own for argument " << i << " of @" << entry.getSymName()
         << ", but got " << name << " as for argument " << other->second;
}

static LogicalResult checkRank(func::FuncOp entry, Location loc, StringRef what, unsigned i,
                               Type type) {
  if (cast<RankedTensorType>(type).getRank() <= TT_MAX_RANK)
    return success();
  return emitError(loc) << "expected " << what << " " << i << " of @" << entry.getSymName()
                        << " to have rank " << TT_MAX_RANK << " at most, but got " << type;
}

LogicalResult tt::checkRanks(func::FuncOp entry) {
  for (BlockArgument argument : entry.getArguments())
    if (failed(checkRank(entry, argument.getLoc(), "argument", argument.getArgNumber(),
                         argument.getType())))
      return failure();
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    if (failed(checkRank(entry, entry.getLoc(), "result", i, type)))
      return failure();
  return success();
}

/// A type that the CPU takes in the argument's role.
static LogicalResult checkType(func::FuncOp entry, BlockArgument argument) {
  unsigned i = argument.getArgNumber();
  auto tensor = cast<RankedTensorType>(argument.getType());
  Type element = tensor.getElementType();
  bool isParameter = bool(entry.getArgAttr(i, kParamAttr));
  if (isParameter ? !element.isF32() : isa<FloatType>(element) && !element.isF32())
    return emitError(argument.getLoc())
           << "expected argument " << i << " of @" << entry.getSymName()
           << " to have elements of type f32, the one that the CPU trains in, but got "
           << tensor;
  return success();
}

/// The value that callers may give for a target that does not count is the one that
/// the losses, if they read the argument itself, do not count.
static LogicalResult checkIgnored(func::FuncOp entry, BlockArgument argument) {
  auto allowed = entry.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kIndexIgnoreAttr);
  if (!allowed)
    return success();
  for (Operation *user : argument.getUsers()) {
    int64_t ignored = allowed.getInt();
    if (auto loss = dyn_cast<CrossEntropyOp>(user); loss && loss.getTargets() == argument)
      ignored = loss.getIgnoreIndex();
    else if (auto loss = dyn_cast<LinearCrossEntropyOp>(user);
             loss && loss.getTargets() == argument)
      ignored = loss.getIgnoreIndex();
    if (ignored != allowed.getInt())
      return user->emitOpError()
             << "expected ignore_index " << allowed.getInt() << ", which "
             << kIndexIgnoreAttr << " says of its targets, but got " << ignored;
  }
  return success();
}

LogicalResult tt::checkEntry(ModuleOp module, StringRef name) {
  if (failed(checkNotEmpty(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(checkRandomSites(function)))
      return failure();
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getSymName() == name) {
      if (entry)
        return success(); // two public ones: tt-autodiff says so
      entry = function;
    }
  if (!entry)
    return success(); // and so here
  llvm::StringMap<unsigned> names;
  if (failed(checkRanks(entry)))
    return failure();
  for (BlockArgument argument : entry.getArguments())
    if (failed(checkRole(entry, argument, names)) || failed(checkType(entry, argument)) ||
        failed(checkIgnored(entry, argument)))
      return failure();
  return success();
}
