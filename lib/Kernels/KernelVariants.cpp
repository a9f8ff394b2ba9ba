//===- KernelVariants.cpp - Kernels for given storage layouts -------------===//
#include "KernelVariants.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tt;

static ArrayRef<int64_t> shapeOfType(Type type) {
  return cast<RankedTensorType>(type).getShape();
}

static bool allDense(ArrayRef<Type> types, ArrayRef<Strides> strides) {
  return llvm::all_of(llvm::zip(types, strides), [](auto pair) {
    return isDense(shapeOfType(std::get<0>(pair)), std::get<1>(pair));
  });
}

static std::string describe(StringRef name, ArrayRef<Strides> arguments,
                            ArrayRef<Strides> results) {
  std::string key;
  llvm::raw_string_ostream out(key);
  out << name;
  for (ArrayRef<Strides> list : {arguments, results}) {
    out << "|";
    for (const Strides &strides : list) {
      out << "[";
      llvm::interleaveComma(strides, out);
      out << "]";
    }
  }
  return key;
}

std::string KernelVariants::get(KernelOp kernel, ArrayRef<Strides> arguments,
                                ArrayRef<Strides> results) {
  if (allDense(kernel.getArgumentTypes(), arguments) &&
      allDense(kernel.getResultTypes(), results))
    return kernel.getSymName().str();
  std::string key = describe(kernel.getSymName(), arguments, results);
  auto [entry, isNew] = symbols.try_emplace(key);
  if (!isNew)
    return entry->second;

  Builder b(module.getContext());
  KernelOp variant = kernel.clone();
  std::string name;
  for (unsigned i = 1; name.empty() || module.lookupSymbol(name); ++i)
    name = (kernel.getSymName() + "_v" + Twine(i)).str();
  variant.setSymName(name);
  for (auto [i, type, strides] : llvm::enumerate(kernel.getArgumentTypes(), arguments))
    if (!isDense(shapeOfType(type), strides))
      variant.setArgAttr(i, kStridesAttr, b.getDenseI64ArrayAttr(strides));
  for (auto [i, type, strides] : llvm::enumerate(kernel.getResultTypes(), results))
    if (!isDense(shapeOfType(type), strides))
      variant.setResultAttr(i, kStridesAttr, b.getDenseI64ArrayAttr(strides));
  module.push_back(variant);
  entry->second = name;
  return name;
}

std::string KernelVariants::getCopy(RankedTensorType type, Location loc,
                                    const Strides &from, const Strides &to) {
  std::string key;
  llvm::raw_string_ostream(key) << "copy " << type;
  auto [entry, isNew] = symbols.try_emplace(key);
  if (isNew) {
    OpBuilder builder(module.getContext());
    builder.setInsertionPointToEnd(module.getBody());
    std::string name;
    for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
      name = ("copy_" + Twine(i)).str();
    auto kernel = KernelOp::create(
        builder, loc, builder.getStringAttr(name),
        TypeAttr::get(builder.getFunctionType({type}, {type})), ArrayAttr(),
        ArrayAttr(), builder.getStringAttr("elementwise"),
        builder.getDictionaryAttr({}), builder.getDictionaryAttr({}));
    Block *body = builder.createBlock(&kernel.getBody());
    Value argument = body->addArgument(type, loc);
    YieldOp::create(builder, loc, argument);
    entry->second = name;
  }
  auto kernel = module.lookupSymbol<KernelOp>(entry->second);
  return get(kernel, {from}, {to});
}
