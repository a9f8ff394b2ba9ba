//===- TTDialect.cpp - The tt dialect -------------------------------------===//
#include "tt/IR/TTDialect.h"
#include "tt/IR/NearestName.h"
#include "tt/IR/TTOps.h"
#include "tt/IR/TensorName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;

#include "tt/IR/TTDialect.cpp.inc"
#include "tt/IR/TTEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tt/IR/TTTypes.cpp.inc"

void TTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tt/IR/TTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tt/IR/TTOps.cpp.inc"
      >();
}

bool tt::hasBoundedSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return true;
  int64_t bytes = (tensor.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : tensor.getShape())
    if (size > int64_t(1) << 40 ||
        __builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes) ||
        bytes > int64_t(1) << 47)
      return false;
  return true;
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

/// The place of an argument; that of `op` if it has no body.
static Location placeOf(Operation *op, unsigned region, unsigned argument) {
  Region &body = op->getRegion(region);
  return !body.empty() && argument < body.getNumArguments()
             ? body.getArgument(argument).getLoc()
             : op->getLoc();
}

/// Checks the role attributes of an entry function's arguments.
LogicalResult TTDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                  unsigned argument,
                                                  NamedAttribute attribute) {
  auto refuse = [&] {
    return emitError(placeOf(op, region, argument))
           << "'" << op->getName() << "' op argument " << argument << ": ";
  };
  StringRef name = attribute.getName();
  if (name == kParamAttr || name == kInputAttr || name == kStateAttr) {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    if (!text || !isTensorName(text))
      return refuse() << "expected '" << name << "' to be " << kTensorNameText
                      << ", but got " << attribute.getValue();
    return success();
  }
  if (name == kFrozenAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return refuse() << "expected 'tt.frozen' without a value";
    return success();
  }
  if (name == kIndexLimitAttr || name == kIndexIgnoreAttr) {
    if (!isa<IntegerAttr>(attribute.getValue()))
      return refuse() << "expected '" << name << "' to be an integer";
    return success();
  }
  if (name == kInitAttr) {
    auto text = dyn_cast<StringAttr>(attribute.getValue());
    StringRef value = text ? text.getValue() : StringRef();
    double scale = 0;
    bool ok = value == "zero" || value == "one" ||
              ((value.consume_front("normal:") ||
                value.consume_front("uniform:")) &&
               !value.getAsDouble(scale) && scale >= 0);
    if (!ok)
      return refuse() << "expected 'tt.init' to be zero, one, normal:STD or "
                         "uniform:BOUND, but got "
                      << attribute.getValue();
    return success();
  }
  if (name == kStridesAttr)
    return success();
  if (name == kUpdatesAttr || name == kOutputAttr) {
    auto function = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return refuse() << "expected '" << name << "' on a result of @"
                    << (function ? function.getValue() : "") << ", but an argument has it";
  }
  return refuse() << "unknown tt attribute '" << name << "'"
                  << didYouMean(name, {kParamAttr, kInputAttr, kStateAttr, kFrozenAttr,
                                       kInitAttr, kIndexLimitAttr, kIndexIgnoreAttr});
}
