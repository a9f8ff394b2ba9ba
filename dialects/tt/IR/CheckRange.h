//===- CheckRange.h - The values that an argument is checked with -*- C++ -*-===//
#ifndef TT_IR_CHECKRANGE_H
#define TT_IR_CHECKRANGE_H

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace tt {

/// On a float argument: [LOW, HIGH], two floats. Checks draw its values from there,
/// where a formula is for these alone.
inline constexpr llvm::StringLiteral kCheckRangeAttr = "check.range";

struct CheckRange {
  double low, high;
};

/// What the attribute says; nothing if there is none or it is of another form.
inline std::optional<CheckRange> readCheckRange(mlir::Attribute attribute) {
  auto pair = mlir::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto low = mlir::dyn_cast<mlir::FloatAttr>(pair[0]);
  auto high = mlir::dyn_cast<mlir::FloatAttr>(pair[1]);
  if (!low || !high)
    return std::nullopt;
  return CheckRange{low.getValueAsDouble(), high.getValueAsDouble()};
}

} // namespace tt

#endif
