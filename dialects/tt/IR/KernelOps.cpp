//===- KernelOps.cpp - Kernels and the flat step --------------------------===//
#include "tt/IR/TTOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tt;

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name),
      buildType, getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  auto yield = dyn_cast_or_null<YieldOp>(getBody().front().empty()
                                             ? nullptr
                                             : &getBody().front().back());
  if (!yield)
    return emitOpError() << "expected the body to end in tt.yield";
  if (yield.getOperandTypes() != TypeRange(getResultTypes()))
    return emitOpError() << "expected tt.yield of types (" << getResultTypes()
                         << "), but got (" << yield.getOperandTypes() << ")";
  return success();
}

void YieldOp::build(OpBuilder &, OperationState &) {}

LogicalResult CallKernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel) // (C1)
    return emitOpError() << "expected a tt.kernel of name " << getKernelAttr();
  if (TypeRange(getInputs()) != TypeRange(kernel.getArgumentTypes()) ||
      TypeRange(getOutputs()) != TypeRange(kernel.getResultTypes())) // (C2)
    return emitOpError() << "expected the kernel's type "
                         << kernel.getFunctionType();
  return success();
}

LogicalResult BufferOp::verify() {
  if (int64_t(getBytes()) < 0 || (getOffset() && (int64_t(*getOffset()) < 0 ||
                                                  *getOffset() % 64))) // (C1)
    return emitOpError() << "expected bytes and offset of at least 0 and the "
                            "offset a multiple of 64";
  if (getRegion() != MemoryRegion::Arena && !getName()) // (C2)
    return emitOpError() << "expected a name for a buffer of region "
                         << stringifyMemoryRegion(getRegion());
  return success();
}

LogicalResult ViewOp::verify() {
  auto buffer = getRoot().getDefiningOp<BufferOp>();
  auto type = cast<MemRefType>(getResult().getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return emitOpError() << "expected static strides and offset 0, but got " << type;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    if (ShapedType::isDynamic(stride))
      return emitOpError() << "expected static strides, but got " << type;
    last += (size - 1) * stride;
  }
  int64_t width = (type.getElementTypeBitWidth() + 7) / 8;
  int64_t end = int64_t(getByteOffset()) + (last + 1) * width;
  if (!buffer || int64_t(getByteOffset()) < 0 ||
      (type.getNumElements() > 0 && end > int64_t(buffer.getBytes()))) // (C1)
    return emitOpError() << "expected the view to end inside its root, but it ends at byte "
                         << end;
  return success();
}
