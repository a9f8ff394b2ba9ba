//===- AttentionTiles.h - Pieces of the attention emitters ------*- C++ -*-===//
//
// Score tiles are transposed: [keys][queries], 16 queries to a vector. All five
// products of attention then have the same form: a scalar, broadcast, times
// vectors, summed over a depth; see emitProducts.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_ATTENTIONTILES_H
#define TT_LIB_LOWERING_CPU_ATTENTIONTILES_H

#include "LoopEmitter.h"
#include "ExpExpansion.h"
#include "tt/Attention/TilePlan.h"
#include "tt/Lowering/CPU/Attention.h"
#include <limits>

namespace tt::cpu {

/// Queries per tile when the spec gives none.
inline constexpr int64_t kQueryTile = 64;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kLn2 = 0.6931471805599453;

/// Accumulators of a product: rows x vectors of 16 lanes. Schedule.
struct RegisterTile {
  int64_t rows, vectors;

  int64_t width() const { return vectors * kLanes; }
};
RegisterTile getAttentionTile(const Target &target);

/// Scalar (row, depth) at base + row * rowStride + depth * depthStride.
struct ScalarSource {
  mlir::Value memref, base;
  int64_t rowStride, depthStride;
};

/// Vector v of a depth at base + depth * depthStride + 16 * v.
struct LanesSource {
  mlir::Value memref, base;
  int64_t depthStride;
};

/// acc[row][vector] (row-major) after the FMA chains over [begin, end).
llvm::SmallVector<mlir::Value> emitProducts(LoopEmitter &e, RegisterTile tile,
                                            mlir::Value begin, mlir::Value end,
                                            const ScalarSource &scalars,
                                            const LanesSource &lanes,
                                            mlir::ValueRange acc);

/// Calls body(row, count) for tiles of `rows` rows over [begin, end) and once
/// for what is left. `begin` is a multiple of rows and not above `end`;
/// `remainders` are the possible values of end modulo rows.
void forEachRowTile(LoopEmitter &e, mlir::Value begin, mlir::Value end,
                    int64_t rows, llvm::ArrayRef<int64_t> remainders,
                    llvm::function_ref<void(mlir::Value, int64_t)> body);

/// Calls body(column, vectors) for groups that cover the first `valid` of
/// `columns` lanes.
void forEachColumnGroup(LoopEmitter &e, int64_t columns, mlir::Value valid,
                        int64_t vectors,
                        llvm::function_ref<void(mlir::Value, int64_t)> body);

/// Calls body(element, width) for steps of 16 over the head size; width is 16
/// but for the rest.
void forEachElements(LoopEmitter &e, int64_t headSize,
                     llvm::function_ref<void(mlir::Value, int64_t)> body);

/// 2^x with relative error below 1.7e-7; 0 for x < -126.5 and for -inf, 1 for
/// 0, NaN for NaN. x must be below 127.
mlir::Value emitExp2(LoopEmitter &e, mlir::Value x);

/// A block of tokens of one head in memory: element (t, d) at
/// base + t * token + d for t < valid. `whole`: valid is always `block`.
struct TokenBlock {
  mlir::Value memref, base;
  int64_t token;
  mlir::Value valid;
  int64_t block;
  bool whole;
  int64_t headSize;
};

/// Reads the block in squares of 16 tokens x 16 elements and hands out the 16
/// token rows; tokens from `valid` on and elements from headSize on read as 0.
/// `width` is the number of elements that exist.
using SquareUse =
    llvm::function_ref<void(mlir::Value token, mlir::Value element,
                            int64_t width, llvm::ArrayRef<mlir::Value> rows)>;
void readSquares(LoopEmitter &e, const TokenBlock &from, SquareUse use);

/// Stores squares as [headSize][block], the transpose.
void storeTransposed(LoopEmitter &e, llvm::ArrayRef<mlir::Value> rows,
                     mlir::Value memref, mlir::Value token, mlir::Value element,
                     int64_t width, int64_t block);

/// Writes the transpose of a [headSize][block] scratch tile to a token block;
/// the lanes of tokens t..t+15 are first multiplied by factor(t).
void writeTransposed(LoopEmitter &e, mlir::Value memref, const TokenBlock &to,
                     llvm::function_ref<mlir::Value(mlir::Value)> factor);

/// The sizes and bounds of one attention kernel.
class AttentionFrame {
public:
  /// `blockQ` is for a spec that gives none.
  AttentionFrame(const AttentionSpec &spec, int64_t blockQ, int64_t blockK);

  /// The whole operand as one flat memref.
  mlir::Value open(LoopEmitter &e, const HeadsOperand &operand, int64_t heads,
                   int64_t tokens) const;
  /// A bias or its gradient.
  mlir::Value openBias(LoopEmitter &e, const HeadsOperand &operand) const;
  /// f32 scratch of the worker; counts the bytes in workerBytes.
  mlir::Value allocate(LoopEmitter &e, int64_t elements);
  mlir::Value emitBound(LoopEmitter &e, const attention::BlockBound &bound,
                        mlir::Value block) const;
  /// Calls body(key block) for the blocks of [begin, end) that a query block
  /// sees by the plan. Null bounds: all blocks.
  void forEachKeyBlock(LoopEmitter &e, mlir::Value queryBlock, mlir::Value begin,
                       mlir::Value end,
                       llvm::function_ref<void(mlir::Value)> body) const;

  /// Rows that a key block can leave after whole register tiles.
  llvm::SmallVector<int64_t> keyRemainders(int64_t rows) const;

  const AttentionSpec &spec;
  attention::TilePlan plan;
  /// All rows of a tile are written for all lanes, hidden ones as 0 or -inf.
  /// Otherwise rows that no lane of a group sees are left out.
  bool wholeTiles;
  int64_t workerBytes = 0;
};

/// Where a column group of a score tile stands: `column` is the group's first
/// lane, the tile's first query and key are firstQuery and firstKey.
struct GroupMask {
  /// Rows (keys) of the tile that lane groups see: all lanes see rows from
  /// `fullBegin` (null: 0) to below `full`, some lane sees those below `some`.
  mlir::Value full, some;
  /// Row r is seen by lane l of the group when l >= r + threshold, and when
  /// l <= r + leftThreshold, and anyhow if r < prefix. Null: no such limit.
  mlir::Value threshold;
  mlir::Value fullBegin, leftThreshold, prefix;
};
GroupMask emitGroupMask(LoopEmitter &e, const AttentionFrame &frame,
                        mlir::Value firstQuery, mlir::Value firstKey,
                        mlir::Value rows, mlir::Value column, int64_t vectors);

/// vector<16xi1> per vector of the group: the lanes that see row `row` by the
/// plan; null where that is all.
llvm::SmallVector<mlir::Value> emitVisible(LoopEmitter &e,
                                           const GroupMask &mask,
                                           mlir::Value row, int64_t vectors);

/// Calls body(row, count, masked) for the register tiles of a column group:
/// those that all lanes see, then those that need the mask.
void forEachScoreTile(
    LoopEmitter &e, const AttentionFrame &frame, const GroupMask &mask,
    mlir::Value rows, int64_t tileRows,
    llvm::function_ref<void(mlir::Value, int64_t, bool)> body);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ATTENTIONTILES_H
