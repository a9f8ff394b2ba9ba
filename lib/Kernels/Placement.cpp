//===- Placement.cpp - Where each value of a flat entry lies --------------===//
#include "Placement.h"

#include "tt/IR/Emit.h"

using namespace mlir;
using namespace tt;

int64_t tt::elementBytes(Type element) {
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

const Place *Placement::find(Value value) const {
  auto found = places.find(value);
  return found == places.end() ? nullptr : &found->second;
}

Place Placement::newRoot(RankedTensorType type, Root root) {
  root.bytes = type.getNumElements() * elementBytes(type.getElementType());
  roots.push_back(std::move(root));
  return {int(roots.size()) - 1, 0, denseStrides(type.getShape())};
}

std::optional<Place> Placement::placeOfView(Operation *view) const {
  const Place *source = find(view->getOperand(0));
  if (!source)
    return std::nullopt;
  Place place = *source;
  if (auto transpose = dyn_cast<TransposeOp>(view)) {
    place.strides = permute(source->strides, transpose.getPermutation());
  } else if (auto reshape = dyn_cast<ReshapeOp>(view)) {
    std::optional<Strides> strides = reshapeStrides(
        shapeOf(reshape.getInput()), source->strides, shapeOf(reshape.getOutput()));
    if (!strides)
      return std::nullopt;
    place.strides = *strides;
  } else if (auto slice = dyn_cast<SliceOp>(view)) {
    place.offset += int64_t(slice.getStart()) * source->strides[slice.getDim()];
  } // stop_gradient and remat_barrier: the same storage
  return place;
}

/// The place of a view's operand that puts its result at `place`.
std::optional<Place> Placement::behind(Operation *view, const Place &place) const {
  Place source = place;
  if (auto transpose = dyn_cast<TransposeOp>(view)) {
    source.strides = permuteBack(place.strides, transpose.getPermutation());
    return source;
  }
  if (auto reshape = dyn_cast<ReshapeOp>(view)) {
    std::optional<Strides> strides = reshapeStrides(
        shapeOf(reshape.getOutput()), place.strides, shapeOf(reshape.getInput()));
    if (!strides)
      return std::nullopt;
    source.strides = *strides;
    return source;
  }
  if (isa<StopGradientOp, RematBarrierOp>(view))
    return source;
  return std::nullopt;
}

Place Placement::placeOfConcat(ConcatOp concat, StringRef kind) {
  if (const Place *known = find(concat.getOutput()))
    return *known;
  Place place = placeForResult(concat.getOutput(), kind);
  set(concat.getOutput(), place);
  return place;
}

std::optional<Place> Placement::wantedBy(Value value, StringRef kind) {
  // A concat comes first: it would copy otherwise.
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto concat = dyn_cast<ConcatOp>(user)) {
      if (llvm::count(concat.getInputs(), value) != 1)
        continue;
      Place place = placeOfConcat(concat, kind);
      int64_t start = 0;
      for (unsigned i = 0; i < use.getOperandNumber(); ++i)
        start += shapeOf(concat.getInputs()[i])[concat.getDim()];
      place.offset += start * place.strides[concat.getDim()];
      return place;
    }
    if (isa<TransposeOp, ReshapeOp, StopGradientOp, RematBarrierOp>(user) &&
        use.getOperandNumber() == 0)
      if (std::optional<Place> place = wantedBy(user->getResult(0), kind))
        if (std::optional<Place> source = behind(user, *place))
          return source;
  }
  return std::nullopt;
}

Place Placement::placeForResult(Value value, StringRef kind) {
  if (std::optional<Place> wanted = wantedBy(value, kind))
    if (wanted->strides.empty() || wanted->strides.back() == 1)
      return *wanted;
  RankedTensorType type = tensorOf(value);
  Root root;
  root.kind = kind.str();
  Place place = newRoot(type, root);
  for (Operation *user : value.getUsers())
    if (auto transpose = dyn_cast<TransposeOp>(user)) {
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      if (permutation.back() != type.getRank() - 1)
        continue;
      place.strides = permuteBack(denseStrides(shapeOf(transpose.getOutput())),
                                  permutation);
      break;
    }
  return place;
}
