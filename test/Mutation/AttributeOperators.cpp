//===- AttributeOperators.cpp - Changes of axes, offsets and flags --------===//
#include "Operators.h"

#include "tt/IR/TTOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

static Operator setAttribute(std::string name, StringRef key, Attribute value) {
  return {std::move(name), [key = key.str(), value](Operation *op) { op->setAttr(key, value); }};
}

static void addAxes(Operation *op, std::vector<Operator> &operators) {
  Builder b(op->getContext());
  auto rankOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  if (auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims")) {
    // Every entry moved to each axis next to it; most do not verify.
    for (int64_t i = 0; i < int64_t(dims.size()); ++i)
      for (int64_t step : {-1, 1}) {
        SmallVector<int64_t> moved(dims.asArrayRef());
        moved[i] += step;
        operators.push_back(setAttribute("wrong axis", "dims", b.getDenseI64ArrayAttr(moved)));
      }
  }
  // A pad that adds nothing has no axis.
  auto pad = dyn_cast<PadOp>(op);
  if (pad && pad.getLow() == 0 && pad.getHigh() == 0)
    return;
  if (auto dim = op->getAttrOfType<IntegerAttr>("dim"); dim && op->getNumOperands())
    for (int64_t other = 0; other < rankOf(op->getOperand(0)); ++other)
      if (other != dim.getInt())
        operators.push_back(setAttribute("wrong axis", "dim", b.getI64IntegerAttr(other)));
  if (auto order = op->getAttrOfType<DenseI64ArrayAttr>("permutation"))
    for (int64_t i = 0; i + 1 < int64_t(order.size()); ++i) {
      SmallVector<int64_t> swapped(order.asArrayRef());
      std::swap(swapped[i], swapped[i + 1]);
      operators.push_back(
          setAttribute("wrong axis", "permutation", b.getDenseI64ArrayAttr(swapped)));
    }
}

static void addOffsets(Operation *op, std::vector<Operator> &operators) {
  Builder b(op->getContext());
  for (int64_t step : {-1, 1}) {
    if (auto slice = dyn_cast<SliceOp>(op))
      operators.push_back(setAttribute("slice off by one", "start",
                                       b.getI64IntegerAttr(slice.getStart() + step)));
    if (auto pad = dyn_cast<PadOp>(op)) {
      int64_t low = pad.getLow() + step, high = pad.getHigh() - step;
      operators.push_back({"pad off by one", [low, high](Operation *op) {
                             Builder b(op->getContext());
                             op->setAttr("low", b.getI64IntegerAttr(low));
                             op->setAttr("high", b.getI64IntegerAttr(high));
                           }});
    }
  }
}

static void addFlags(Operation *op, std::vector<Operator> &operators) {
  Builder b(op->getContext());
  for (StringRef flag : {"transpose_lhs", "transpose_rhs", "causal", "inverse"}) {
    bool isSet = op->hasAttr(flag);
    bool isKnown = isSet || (isa<MatmulOp>(op) && flag.starts_with("transpose")) ||
                   (isa<AttentionBwdOp>(op) && flag == "causal") ||
                   (isa<RopeOp>(op) && flag == "inverse");
    if (!isKnown)
      continue;
    operators.push_back({(isSet ? "without " : "with ") + flag.str(),
                         [flag = flag.str(), isSet](Operation *op) {
                           if (isSet)
                             op->removeAttr(flag);
                           else
                             op->setAttr(flag, UnitAttr::get(op->getContext()));
                         }});
  }
  for (StringRef name : {"scale", "theta", "softcap", "eps", "p"})
    if (auto value = op->getAttrOfType<FloatAttr>(name))
      operators.push_back(setAttribute(name.str() + " of 1.25 times", name,
                                       b.getF64FloatAttr(1.25 * value.getValueAsDouble())));
  for (StringRef name : {"window_left", "window_right", "prefix", "ignore_index",
                         "padding_index", "site"})
    if (auto value = op->getAttrOfType<IntegerAttr>(name))
      operators.push_back(setAttribute(
          (value.getInt() < -1 ? "negative " : "") + name.str() + " off by one", name,
          b.getI64IntegerAttr(value.getInt() + 1)));
}

/// The other cases of an enum.
template <typename Attr, typename Enum>
static void addCases(Operation *op, StringRef name, std::initializer_list<Enum> cases,
                     std::vector<Operator> &operators) {
  auto current = op->getAttrOfType<Attr>(name);
  for (Enum other : cases)
    if (current && current.getValue() != other)
      operators.push_back(setAttribute(
          name.str() + " " + stringifyEnum(other).str() + " for " +
              stringifyEnum(current.getValue()).str(), name,
                                       Attr::get(op->getContext(), other)));
}

void tt::test::addAttributeOperators(Operation *op, std::vector<Operator> &operators) {
  addAxes(op, operators);
  addOffsets(op, operators);
  addFlags(op, operators);
  if (isa<CompareOp>(op))
    addCases<ComparePredicateAttr>(op, "predicate",
                                   {ComparePredicate::LT, ComparePredicate::LE,
                                    ComparePredicate::GT, ComparePredicate::GE},
                                   operators);
  if (isa<CrossEntropyBwdOp>(op))
    addCases<ReductionAttr>(op, "reduction", {Reduction::Mean, Reduction::Sum}, operators);
  if (isa<LinearOp>(op))
    addCases<WeightLayoutAttr>(op, "layout", {WeightLayout::InOut, WeightLayout::OutIn},
                               operators);
  if (isa<RopeOp>(op))
    addCases<RopeLayoutAttr>(op, "layout", {RopeLayout::HalfSplit, RopeLayout::Interleaved},
                             operators);
  if (isa<GeluBwdOp>(op))
    addCases<GeluApproxAttr>(op, "approx", {GeluApprox::Erf, GeluApprox::Tanh}, operators);
}
