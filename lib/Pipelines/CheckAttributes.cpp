//===- CheckAttributes.cpp - Attributes that nothing reads ----------------===//
//
// MLIR keeps any attribute that an op does not declare. In a user's file such a
// name is a misspelt one, and what it was to say would be lost in silence.
//
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "tt/AD/Adjoint.h"
#include "tt/IR/CheckRange.h"
#include "tt/IR/NearestName.h"
#include "tt/IR/TTOps.h"
#include "tt/IR/TensorName.h"
#include "tt/Remat/ReplayCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tt;

static constexpr StringRef onArguments[] = {kParamAttr,      kInputAttr,       kStateAttr,
                                            kInitAttr,       kFrozenAttr,      kIndexLimitAttr,
                                            kIndexIgnoreAttr, kCheckRangeAttr};

/// Names that may stand on an op besides those that it declares: what earlier
/// stages leave there, so that their output can be loaded again.
static SmallVector<StringRef> knownOn(Operation *op) {
  if (isa<ModuleOp>(op))
    return {"tt.memory"};
  if (isa<func::FuncOp>(op))
    return {kAdjointAttr, kTangentAttr};
  if (isa<func::CallOp>(op))
    return {kReplayAttr};
  return {};
}

static LogicalResult refuse(Location loc, const Twine &where, StringRef name,
                            ArrayRef<StringRef> known) {
  return emitError(loc) << where << " has no attribute '" << name << "'"
                        << didYouMean(name, known);
}

static LogicalResult checkOp(Operation *op) {
  SmallVector<StringRef> known = knownOn(op);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (llvm::is_contained(known, name))
      continue;
    for (StringAttr declared : op->getName().getAttributeNames())
      known.push_back(declared);
    return refuse(op->getLoc(), op->getName().getStringRef(), name, known);
  }
  return success();
}

/// Values that the element type has: an infinite weight trains nothing.
static LogicalResult checkInit(StringAttr init, Type element, Location loc) {
  StringRef text = init ? init.getValue() : StringRef("zero");
  if (text == "zero" || text == "one")
    return success();
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return emitError(loc) << "expected '" << kInitAttr << "' of integers to be zero or one, but got "
                          << init;
  // A normal draw is at most 8.6 times its deviation (53 bits of the uniform one).
  double reach = text.consume_front("normal:") ? 8.6 : (text.consume_front("uniform:"), 1.0);
  double scale = 0;
  (void)text.getAsDouble(scale); // verified by the dialect
  double largest = APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  if (std::isfinite(scale) && scale <= largest / reach)
    return success();
  return emitError(loc) << "expected '" << kInitAttr << "' to give numbers of " << type
                        << ", up to " << llvm::formatv("{0:e2}", largest).str()
                        << ", but got " << init;
}

/// The range of an index, and the one value outside of it, are of its type.
static LogicalResult checkIndexRange(func::FuncOp function, unsigned i, Type element,
                                     Location loc) {
  auto limit = function.getArgAttrOfType<IntegerAttr>(i, kIndexLimitAttr);
  auto ignored = function.getArgAttrOfType<IntegerAttr>(i, kIndexIgnoreAttr);
  if (limit && limit.getInt() < 1)
    return emitError(loc) << "expected '" << kIndexLimitAttr << "' of at least 1, but got "
                          << limit.getInt();
  if (ignored && !limit)
    return emitError(loc) << "expected '" << kIndexLimitAttr << "' beside '" << kIndexIgnoreAttr
                          << "', which is the one value outside of it that is allowed";
  if (!limit)
    return success();
  unsigned bits = element.getIntOrFloatBitWidth();
  int64_t largest = bits == 1 ? 1 : APInt::getSignedMaxValue(bits).getSExtValue();
  if (limit.getInt() - 1 > largest)
    return emitError(loc) << "expected '" << kIndexLimitAttr << "' of at most " << largest
                          << " + 1, as the elements are " << element << ", but got "
                          << limit.getInt();
  if (ignored && (ignored.getInt() > largest || ignored.getInt() < -largest - 1))
    return emitError(loc) << "expected '" << kIndexIgnoreAttr << "' to be a number of "
                          << element << ", but got " << ignored.getInt();
  return success();
}

/// What TTDialect does not ask of an argument's attributes: that they say something.
static LogicalResult checkArgument(func::FuncOp function, unsigned i, Location loc) {
  auto tensor = cast<RankedTensorType>(function.getArgumentTypes()[i]);
  auto has = [&](StringRef name) { return bool(function.getArgAttr(i, name)); };
  auto ofOther = [&](StringRef name, StringRef elements) {
    return emitError(loc) << "expected '" << name << "' on a tensor of " << elements
                          << ", but argument " << i << " has type " << tensor;
  };
  auto ofNone = [&](StringRef name, StringRef where, StringRef missing) {
    return emitError(loc) << "expected '" << name << "' on " << where << ", but argument " << i
                          << " has no " << missing;
  };
  bool isInteger = tensor.getElementType().isInteger();
  for (StringRef name : {kIndexLimitAttr, kIndexIgnoreAttr})
    if (has(name) && !isInteger)
      return ofOther(name, "integers");
  if (failed(checkIndexRange(function, i, tensor.getElementType(), loc)))
    return failure();
  if (has(kInitAttr) && !has(kParamAttr) && !has(kStateAttr))
    return ofNone(kInitAttr, "a parameter or state", "'tt.param' and no 'tt.state'");
  if (failed(checkInit(function.getArgAttrOfType<StringAttr>(i, kInitAttr),
                       tensor.getElementType(), loc)))
    return failure();
  if (has(kFrozenAttr) && !has(kParamAttr))
    return ofNone(kFrozenAttr, "a parameter", "'tt.param'");
  Attribute range = function.getArgAttr(i, kCheckRangeAttr);
  if (!range)
    return success();
  std::optional<CheckRange> values = readCheckRange(range);
  if (!values || !(values->low <= values->high))
    return emitError(loc) << "expected 'check.range' to be [LOW, HIGH], two floats, but got "
                          << range;
  return isInteger ? ofOther(kCheckRangeAttr, "floats") : success();
}

/// The argument that `tt.updates = name` may stand for, or its number of arguments.
static unsigned findTarget(func::FuncOp function, StringAttr name,
                           SmallVectorImpl<StringRef> &known) {
  unsigned target = function.getNumArguments();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef role : {kParamAttr, kStateAttr})
      if (auto text = function.getArgAttrOfType<StringAttr>(i, role)) {
        known.push_back(text);
        target = text == name ? i : target;
      }
  return target;
}

/// A result that updates a parameter or state: one that is there, of its type, once.
static LogicalResult checkUpdate(func::FuncOp function, unsigned i,
                                 llvm::StringMap<unsigned> &updated) {
  auto name = function.getResultAttrOfType<StringAttr>(i, kUpdatesAttr);
  if (!name)
    return success();
  auto refuse = [&] {
    return emitError(function.getLoc())
           << "result " << i << " of @" << function.getSymName() << ": expected ";
  };
  if (function.getResultAttr(i, kOutputAttr))
    return refuse() << "one of " << kOutputAttr << " and " << kUpdatesAttr << ", but got both";
  SmallVector<StringRef> known;
  unsigned target = findTarget(function, name, known);
  if (target == function.getNumArguments()) {
    for (unsigned k = 0; k < target; ++k)
      if (function.getArgAttr(k, kInputAttr) == name)
        return refuse() << kUpdatesAttr << " to name a parameter or state, but " << name
                        << " is the input of argument " << k;
    return refuse() << kUpdatesAttr << " to name a parameter or state of an argument, but got "
                    << name << (known.empty() ? ": there is none" : didYouMean(name, known));
  }
  Type type = function.getArgumentTypes()[target];
  if (type != function.getResultTypes()[i])
    return refuse() << type << ", the type of " << name << " (argument " << target
                    << "), but got " << function.getResultTypes()[i];
  auto [other, isNew] = updated.try_emplace(name.getValue(), i);
  return isNew ? success()
               : LogicalResult(refuse() << "one update of " << name << ", but got result "
                                        << other->second << ", too");
}

static LogicalResult checkSignature(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Location loc = function.isExternal() ? function.getLoc() : function.getArgument(i).getLoc();
    for (NamedAttribute attribute : mlir::function_interface_impl::getArgAttrs(function, i))
      if (!llvm::is_contained(onArguments, attribute.getName().getValue()))
        return refuse(loc, "argument " + Twine(i), attribute.getName(), onArguments);
    if (failed(checkArgument(function, i, loc)))
      return failure();
  }
  static constexpr StringRef onResults[] = {kOutputAttr, kUpdatesAttr};
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attribute : mlir::function_interface_impl::getResultAttrs(function, i)) {
      StringRef name = attribute.getName();
      if (!llvm::is_contained(onResults, name))
        return refuse(function.getLoc(), "result " + Twine(i), name, onResults);
      auto text = dyn_cast<StringAttr>(attribute.getValue());
      if (!text || !isTensorName(text))
        return emitError(function.getLoc()) << "result " << i << ": expected '" << name
                                            << "' to be " << kTensorNameText << ", but got "
                                            << attribute.getValue();
      if (text.getValue() == kReservedTensorName)
        return emitError(function.getLoc())
               << "result " << i << ": expected another name than " << text
               << ", which safetensors files keep for themselves";
    }
  llvm::StringMap<unsigned> updated;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (failed(checkUpdate(function, i, updated)))
      return failure();
  return success();
}

LogicalResult tt::checkAttributes(ModuleOp module) {
  WalkResult walk = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<KernelOp, StepOp>(op)) // the compiler's own
      return WalkResult::skip();
    auto function = dyn_cast<func::FuncOp>(op);
    if (failed(checkOp(op)) || (function && failed(checkSignature(function))))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
