//===- TileLoops.h - Loops over the tiles of an attention -------*- C++ -*-===//
//
// The frame that forward and adjoint share: loops over heads, query blocks and
// key blocks, their bounds, and the tiles that they read and write.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_ATTENTION_TILELOOPS_H
#define TT_LIB_ATTENTION_TILELOOPS_H

#include "tt/Attention/TilePlan.h"
#include "tt/IR/AttentionMask.h"
#include "tt/IR/Emit.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace tt::attention {

/// Indices of a query head, and of the key head that it reads.
struct Head {
  mlir::Value batch, query, key;
};

/// Block `block` of queries or keys: tokens [start, start + size).
struct TokenBlock {
  mlir::Value block, start;
  int64_t size;
};

class TileLoops {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// q is [B, H, T, D], k is [B, Hk, S, D].
  TileLoops(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value q,
            mlir::Value k, const TilePlan &plan, const AttentionMask &mask);
  ~TileLoops();

  /// Loops that carry tensors: `body` maps the carried values of one iteration
  /// to those of the next.
  Values forEachHead(
      Values carried,
      llvm::function_ref<Values(Head, mlir::ValueRange)> body);
  Values forEachQueryBlock(
      Values carried,
      llvm::function_ref<Values(TokenBlock, mlir::ValueRange)> body);
  /// The key blocks that `queries` see. `masked`: not all scores are visible.
  /// Blocks whose segments do not meet those of `queries` are passed over.
  Values forEachKeyBlock(
      Head head, TokenBlock queries, Values carried,
      llvm::function_ref<Values(TokenBlock, bool masked, mlir::ValueRange)>
          body);

  /// Tokens `tokens` of a head of `from` ([B, H, T, D] or [B, H, T]), in the
  /// element type of sums; and the way back.
  mlir::Value read(mlir::Value from, mlir::Value batch, mlir::Value head,
                   TokenBlock tokens);
  mlir::Value write(mlir::Value tile, mlir::Value to, mlir::Value batch,
                    mlir::Value head, TokenBlock tokens);

  mlir::Value product(mlir::Value a, mlir::Value b, bool transposeA,
                      bool transposeB);
  mlir::Value splat(llvm::ArrayRef<int64_t> shape, double value);
  /// A whole tensor of unset elements in the type of `like`.
  mlir::Value empty(mlir::Value like);
  /// Some query may see no key.
  bool hasDeadRows() const { return deadRows; }
  /// A constant at the top of the function, one for each number.
  mlir::Value index(int64_t value);
  /// A folded index op.
  template <typename Op>
  mlir::Value fold(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<Op>(loc, a, b);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  Emit emit;
  const TilePlan plan;
  const AttentionMask mask;
  int64_t batches, heads, keyHeads, headSize;
  mlir::Type sumType; // f32, or f64 for f64

private:
  using KeyBody =
      llvm::function_ref<Values(TokenBlock, bool masked, mlir::ValueRange)>;
  /// The smallest and the largest segment of the tokens.
  std::pair<mlir::Value, mlir::Value> segmentRange(mlir::Value segments,
                                                   mlir::Value batch, TokenBlock tokens);
  /// `body`, or `carried` where the segments do not meet.
  Values ifSegmentsMeet(std::pair<mlir::Value, mlir::Value> ofQueries, Head head,
                        TokenBlock keys, mlir::ValueRange carried,
                        llvm::function_ref<Values()> body);
  mlir::Value evaluate(const BlockBound &bound, mlir::Value block);
  TokenBlock tokens(mlir::Value block, int64_t blockSize, int64_t size);
  Values loop(mlir::Value begin, mlir::Value end, Values carried,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);

  bool deadRows;
  mlir::Block *top;
  mlir::Operation *lastConstant = nullptr;
  std::map<int64_t, mlir::Value> constants;
};

} // namespace tt::attention

#endif // TT_LIB_ATTENTION_TILELOOPS_H
