//===- TiledKernel.cpp - What a tiled attention kernel says ---------------===//
#include "tt/Attention/TiledKernel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tt;
using namespace tt::attention;

std::optional<TiledKernel> TiledKernel::get(KernelOp kernel) {
  auto roles = kernel->getAttrOfType<DictionaryAttr>(kRolesAttr);
  auto scale = kernel.getNumerics().getAs<FloatAttr>("scale");
  auto blockK = kernel.getNumerics().getAs<IntegerAttr>("block_k");
  auto blockQ = kernel.getSchedule().getAs<IntegerAttr>("block_q");
  if (!roles || !scale || !blockK || !blockQ)
    return std::nullopt;
  return TiledKernel{kernel.getNumerics().contains("causal"),
                     scale.getValueAsDouble(), blockQ.getInt(), blockK.getInt(),
                     roles};
}

template <typename Op>
static TiledKernel describe(Op op, DictionaryAttr roles) {
  return {op.getCausal(), op.getScale().convertToDouble(),
          int64_t(op.getBlockQ().value_or(kDefaultBlockQ)),
          int64_t(op.getBlockK().value_or(kDefaultBlockK)), roles};
}

TiledKernel TiledKernel::of(Operation *op, DictionaryAttr roles) {
  if (auto forward = dyn_cast<AttentionOp>(op))
    return describe(forward, roles);
  return describe(cast<AttentionBwdOp>(op), roles);
}

/// `to` with these entries; others stay.
static DictionaryAttr with(DictionaryAttr to, ArrayRef<NamedAttribute> entries) {
  NamedAttrList list(to);
  for (NamedAttribute entry : entries)
    list.set(entry.getName(), entry.getValue());
  return list.getDictionary(to.getContext());
}

void TiledKernel::writeTo(KernelOp kernel) const {
  Builder b(kernel.getContext());
  SmallVector<NamedAttribute> numerics = {
      b.getNamedAttr("block_k", b.getI64IntegerAttr(blockK)),
      b.getNamedAttr("scale", b.getF64FloatAttr(scale))};
  if (causal)
    numerics.push_back(b.getNamedAttr("causal", b.getUnitAttr()));
  kernel.setNumericsAttr(with(kernel.getNumerics(), numerics));
  kernel.setScheduleAttr(
      with(kernel.getSchedule(),
           b.getNamedAttr("block_q", b.getI64IntegerAttr(blockQ))));
  kernel->setAttr(kRolesAttr, roles);
}

std::optional<unsigned> TiledKernel::operand(StringRef role) const {
  auto number = roles.getAs<IntegerAttr>(role);
  return number ? std::optional<unsigned>(number.getInt()) : std::nullopt;
}
