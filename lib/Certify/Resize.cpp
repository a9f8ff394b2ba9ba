//===- Resize.cpp - Gives a graph other sizes -----------------------------===//
#include "Resize.h"

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tt;
using namespace tt::certify;

namespace {

class Resizer {
public:
  Resizer(DimGraph &graph, ArrayRef<int64_t> sizes, bool smallBlocks)
      : graph(graph), sizes(sizes), smallBlocks(smallBlocks) {}

  void value(Value value);
  void attributes(Operation *op);
  void function(FunctionOpInterface function);

private:
  Attribute number(Operation *op, int64_t value) {
    return IntegerAttr::get(IntegerType::get(op->getContext(), 64), value);
  }
  int64_t newSize(Value value, unsigned dim) { return sizes[graph.of(value, dim)]; }
  void attention(Operation *op, Value q, Value k);
  void indexLimit(FunctionOpInterface function, unsigned argument);

  DimGraph &graph;
  ArrayRef<int64_t> sizes;
  bool smallBlocks;
};

} // namespace

void Resizer::value(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  SmallVector<int64_t> shape;
  for (unsigned i = 0; i < type.getRank(); ++i)
    shape.push_back(newSize(value, i));
  value.setType(RankedTensorType::get(shape, type.getElementType()));
}

/// A window stays a window: narrower than the keys if it was. Small blocks, so
/// that there are several tiles and a partial one.
void Resizer::attention(Operation *op, Value q, Value k) {
  if (!smallBlocks)
    return;
  int64_t keys = graph.size(graph.of(k, 2)), newKeys = newSize(k, 2);
  auto shorten = [&](StringRef name, int64_t limit) {
    auto attr = op->getAttrOfType<IntegerAttr>(name);
    if (!attr)
      return;
    int64_t old = attr.getInt();
    op->setAttr(name, number(op, old >= keys ? newKeys : std::min(old, limit)));
  };
  int64_t third = std::max<int64_t>(newKeys / 3, 1);
  shorten("window_left", third);
  shorten("window_right", third);
  shorten("prefix", std::max<int64_t>(newKeys / 2, 1));
  for (StringRef name : {"block_q", "block_k"})
    op->setAttr(name, number(op, 4));
}

void Resizer::attributes(Operation *op) {
  for (StringRef name : {"start", "low", "high", "rows", "samples", "groups", "size", "k"})
    if (graph.hasAttribute(op, name)) {
      int64_t size = sizes[graph.attribute(op, name)];
      auto old = op->getAttrOfType<IntegerAttr>(name);
      op->setAttr(name, number(op, old && old.getInt() == 0 ? 0 : size));
    }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](SliceOp slice) {
        slice->setAttr("size", number(op, newSize(slice.getOutput(), slice.getDim())));
      })
      .Case<AttentionOp>([&](auto attention) {
        this->attention(op, attention.getQ(), attention.getK());
      })
      .Case<AttentionBwdOp>([&](auto attention) {
        this->attention(op, attention.getQ(), attention.getK());
      })
      .Case<LinearCrossEntropyOp, LinearCrossEntropyBwdOp>([&](auto loss) {
        // At least two rows, one more in some chunks: chunks that differ.
        loss->setAttr("chunks", number(op, std::min<int64_t>(loss.getChunks(), 2)));
      })
      .Case([&](EmbeddingOp embedding) {
        int64_t rows = newSize(embedding.getTable(), 0);
        if (auto index = embedding.getPaddingIndex(); index && int64_t(*index) >= rows)
          embedding->setAttr("padding_index", number(op, rows - 1));
      })
      .Case<ConstantOp, arith::ConstantOp>([&](auto constant) {
        auto old = dyn_cast<DenseElementsAttr>(constant.getValueAttr());
        auto type = dyn_cast<RankedTensorType>(constant->getResult(0).getType());
        if (old && type && old.isSplat())
          constant->setAttr("value", old.resizeSplat(type));
      });
}

/// The smallest of the tables that were large enough for the old limit.
void Resizer::indexLimit(FunctionOpInterface function, unsigned argument) {
  auto limit = function.getArgAttrOfType<IntegerAttr>(argument, kIndexLimitAttr);
  if (!limit)
    return;
  int64_t least = limit.getInt();
  for (DimGraph::Dim table : graph.tables())
    if (graph.size(table) >= limit.getInt())
      least = std::min(least, sizes[graph.find(table)]);
  function.setArgAttr(argument, kIndexLimitAttr, IntegerAttr::get(limit.getType(), least));
}

void Resizer::function(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  Block &block = function.getFunctionBody().front();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    indexLimit(function, i);
  function.setType(FunctionType::get(function->getContext(), block.getArgumentTypes(),
                                     block.getTerminator()->getOperandTypes()));
}

void tt::certify::resize(Operation *root, DimGraph &graph, ArrayRef<int64_t> sizes,
                         bool smallBlocks) {
  Resizer resizer(graph, sizes, smallBlocks);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          resizer.value(argument);
    for (Value result : op->getResults())
      resizer.value(result);
  });
  root->walk([&](Operation *op) { resizer.attributes(op); });
  root->walk([&](FunctionOpInterface function) { resizer.function(function); });
}
