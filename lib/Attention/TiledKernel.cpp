//===- TiledKernel.cpp - What a tiled attention kernel says ---------------===//
#include "tt/Attention/TiledKernel.h"
#include "tt/IR/Emit.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tt;
using namespace tt::attention;

using ByRole = SmallVector<std::pair<StringRef, Value>>;

ByRole tt::attention::operandsByRole(Operation *op) {
  AttentionMask mask = AttentionMask::of(op);
  ByRole operands = {{"q", op->getOperand(0)},       {"k", op->getOperand(1)},
                     {"v", op->getOperand(2)},       {"q_segments", mask.qSegments},
                     {"k_segments", mask.kSegments}, {"slopes", mask.slopes},
                     {"bias", mask.bias},            {"key", mask.key}};
  if (isa<AttentionOp>(op)) {
    operands.push_back({"sinks", mask.sinks});
    return operands;
  }
  auto adjoint = cast<AttentionBwdOp>(op);
  operands.append({{"output", adjoint.getOutput()},
                   {"lse", adjoint.getLse()},
                   {"d_output", adjoint.getDOutput()},
                   {"d_lse", adjoint.getDLse()}});
  return operands;
}

ByRole tt::attention::resultsByRole(Operation *op) {
  static constexpr StringLiteral forward[] = {"output", "lse"},
                                 adjoint[] = {"dq", "dk", "dv", "d_bias"};
  ByRole results;
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    results.push_back({isa<AttentionOp>(op) ? forward[i] : adjoint[i], result});
  return results;
}

std::optional<TiledKernel> TiledKernel::get(KernelOp kernel) {
  DictionaryAttr numerics = kernel.getNumerics();
  auto roles = kernel->getAttrOfType<DictionaryAttr>(kRolesAttr);
  auto scale = numerics.getAs<FloatAttr>("scale");
  auto blockK = numerics.getAs<IntegerAttr>("block_k");
  auto blockQ = kernel.getSchedule().getAs<IntegerAttr>("block_q");
  if (!roles || !scale || !blockK || !blockQ)
    return std::nullopt;
  auto number = [&](StringRef name) {
    auto found = numerics.getAs<IntegerAttr>(name);
    return found ? std::optional<int64_t>(found.getInt()) : std::nullopt;
  };
  auto real = [&](StringRef name) {
    auto found = numerics.getAs<FloatAttr>(name);
    return found ? found.getValueAsDouble() : 0.0;
  };
  AttentionMask mask;
  mask.scale = scale.getValueAsDouble();
  mask.causal = numerics.contains("causal");
  mask.left = number("window_left");
  mask.right = mask.causal ? std::optional<int64_t>(0) : number("window_right");
  mask.prefix = number("prefix").value_or(0);
  mask.softcap = real("softcap");
  mask.dropout = real("dropout_p");
  mask.site = number("site").value_or(0);
  return TiledKernel{mask, blockQ.getInt(), blockK.getInt(), roles};
}

TiledKernel TiledKernel::of(Operation *op, DictionaryAttr roles) {
  auto size = [&](StringRef name, int64_t otherwise) {
    auto given = op->getAttrOfType<IntegerAttr>(name);
    return given ? given.getInt() : otherwise;
  };
  AttentionMask mask = AttentionMask::of(op);
  for (Value *operand : {&mask.qSegments, &mask.kSegments, &mask.slopes, &mask.bias,
                         &mask.sinks, &mask.key})
    *operand = Value();
  return {mask, size("block_q", kDefaultBlockQ), size("block_k", kDefaultBlockK), roles};
}

TilePlan TiledKernel::planOf(Operation *op) {
  TilePlan plan = of(op, {}).plan(shapeOf(op->getOperand(0))[2], shapeOf(op->getOperand(1))[2]);
  plan.hidesAtRunTime = AttentionMask::of(op).hidesAtRunTime();
  return plan;
}

TilePlan TiledKernel::plan(int64_t queries, int64_t keys) const {
  TilePlan plan;
  plan.queries = queries;
  plan.keys = keys;
  plan.causal = mask.causal;
  plan.blockQ = std::max<int64_t>(std::min(blockQ, queries), 1);
  plan.blockK = std::max<int64_t>(std::min(blockK, keys), 1);
  plan.windowLeft = mask.left.value_or(kNoWindow);
  plan.windowRight = mask.right.value_or(kNoWindow);
  plan.prefix = mask.prefix;
  return plan;
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
  SmallVector<NamedAttribute> numerics;
  auto add = [&](StringRef name, Attribute value) {
    numerics.push_back(b.getNamedAttr(name, value));
  };
  add("block_k", b.getI64IntegerAttr(blockK));
  add("scale", b.getF64FloatAttr(mask.scale));
  if (mask.causal)
    add("causal", b.getUnitAttr());
  if (mask.left)
    add("window_left", b.getI64IntegerAttr(*mask.left));
  if (mask.right && !mask.causal)
    add("window_right", b.getI64IntegerAttr(*mask.right));
  if (mask.prefix)
    add("prefix", b.getI64IntegerAttr(mask.prefix));
  if (mask.softcap > 0)
    add("softcap", b.getF64FloatAttr(mask.softcap));
  if (mask.dropout > 0) {
    add("dropout_p", b.getF64FloatAttr(mask.dropout));
    add("site", b.getI64IntegerAttr(mask.site));
  }
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
