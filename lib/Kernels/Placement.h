//===- Placement.h - Where each value of a flat entry lies ------*- C++ -*-===//
#ifndef TT_LIB_KERNELS_PLACEMENT_H
#define TT_LIB_KERNELS_PLACEMENT_H

#include "tt/IR/TTOps.h"
#include "tt/IR/Strides.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace tt {

/// A range of storage before it has an address.
struct Root {
  MemoryRegion region = MemoryRegion::Arena;
  int64_t bytes = 0;
  std::string name;          // parameters, state, io; outputs
  std::string kind;          // arena: activation, gradient
  mlir::RankedTensorType tensor; // of a named root
  mlir::DictionaryAttr attrs;    // role attributes of the argument
  mlir::ElementsAttr value;      // constants
};

/// A value's storage: elements at offset + sum(index * stride).
struct Place {
  int root = -1;
  int64_t offset = 0;
  Strides strides;
};

/// Bytes of one element in storage.
int64_t elementBytes(mlir::Type element);

/// Decides where the values of a flat function lie, so that views, concats and
/// transposes move no data where that is possible. Ask in program order.
class Placement {
public:
  std::vector<Root> roots;

  /// The place of `value` if it has one.
  const Place *find(mlir::Value value) const;
  void set(mlir::Value value, Place place) { places[value] = std::move(place); }

  /// A new dense root for a tensor of `type`.
  Place newRoot(mlir::RankedTensorType type, Root root);

  /// The place for a value that a kernel is about to write: inside a concat that
  /// reads it, or laid out so that a transpose of it is dense, or dense.
  Place placeForResult(mlir::Value value, llvm::StringRef kind);

  /// The place of a view of a placed value; nullopt if it needs a copy.
  std::optional<Place> placeOfView(mlir::Operation *view) const;

private:
  std::optional<Place> wantedBy(mlir::Value value, llvm::StringRef kind);
  Place placeOfConcat(ConcatOp concat, llvm::StringRef kind);
  std::optional<Place> behind(mlir::Operation *view, const Place &place) const;

  llvm::DenseMap<mlir::Value, Place> places;
};

} // namespace tt

#endif
