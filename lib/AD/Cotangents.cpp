//===- Cotangents.cpp - Accumulation of cotangents ------------------------===//
#include "tt/AD/Cotangents.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;

void Cotangents::add(Value primal, Value contribution) {
  parts[primal].push_back(contribution);
}

/// pad(a), pad(b), ... that tile one dimension without gap or overlap ->
/// concat(a, b, ...); null if they do not.
static Value concatOfPads(OpBuilder &builder, ArrayRef<Value> values) {
  SmallVector<PadOp> pads;
  for (Value value : values) {
    auto pad = value.getDefiningOp<PadOp>();
    if (!pad)
      return {};
    if (!pads.empty() && pad.getDim() != pads[0].getDim())
      return {};
    pads.push_back(pad);
  }
  llvm::sort(pads, [](PadOp a, PadOp b) { return a.getLow() < b.getLow(); });
  auto sizeOf = [](PadOp pad) {
    return cast<RankedTensorType>(pad.getInput().getType()).getDimSize(pad.getDim());
  };
  int64_t position = 0;
  SmallVector<Value> inputs;
  for (PadOp pad : pads) {
    if (int64_t(pad.getLow()) != position)
      return {};
    position += sizeOf(pad);
    inputs.push_back(pad.getInput());
  }
  if (pads.back().getHigh() != 0)
    return {};
  // The pads stay: one may be a contribution to another value too.
  return ConcatOp::create(builder, pads[0].getLoc(), inputs, pads[0].getDim())
      .getOutput();
}

Value Cotangents::take(OpBuilder &builder, Value primal) {
  auto found = parts.find(primal);
  if (found == parts.end())
    return {};
  SmallVector<Value, 2> values = std::move(found->second);
  parts.erase(found);
  if (values.size() > 1)
    if (Value joined = concatOfPads(builder, values))
      return joined;
  Value sum = values[0];
  for (Value value : ArrayRef<Value>(values).drop_front())
    sum = AddOp::create(builder, value.getLoc(), sum, value);
  return sum;
}
