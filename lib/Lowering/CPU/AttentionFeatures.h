//===- AttentionFeatures.h - What plain attention has not -------*- C++ -*-===//
//
// Softcap, bias, slopes, segments and dropout on transposed score tiles, for
// forward and backward. A feature that the spec has not leaves no code.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_ATTENTIONFEATURES_H
#define TT_LIB_LOWERING_CPU_ATTENTIONFEATURES_H

#include "AttentionTiles.h"

namespace tt::cpu {

/// A register tile of scores: rows x vectors values, row-major; the first is at
/// (row, column) of the tile that starts at firstKey.
struct RegisterScores {
  mlir::Value row, column;
  int64_t rows, vectors;
};

class ScoreFeatures {
public:
  ScoreFeatures(LoopEmitter &e, AttentionFrame &frame)
      : e(e), frame(frame), spec(frame.spec) {}

  /// Operands and scratch; once.
  void open();
  /// Sets the current batch and query head.
  void enterHead(mlir::Value batch, mlir::Value head);
  /// Sets the current query block, `valid` of whose queries exist.
  void enterQueries(mlir::Value firstQuery, mlir::Value valid);
  /// Sets the current tile of keys and reads its bias.
  void enterKeys(mlir::Value firstKey, mlir::Value keyRows);

  /// What q is multiplied by when it is read.
  double getQueryFactor() const {
    return spec.softcap > 0 ? spec.scale / spec.softcap : spec.scale * kLog2E;
  }
  /// 1 / (1 - p).
  double getDropScale() const { return 1 / (1 - spec.dropout); }

  /// The segments of the current queries meet those of the current keys; null:
  /// they always do.
  mlir::Value segmentsMeet(mlir::Value firstKey, mlir::Value keyRows);
  /// Products become scores in base 2, in place. `capSlopes`, if given, get the
  /// slopes of the softcap, or stay empty without one.
  void apply(const RegisterScores &at, llvm::MutableArrayRef<mlir::Value> scores,
             llvm::SmallVectorImpl<mlir::Value> *capSlopes = nullptr);
  /// The lanes of one row that segments and bias leave visible: ands to
  /// `visible` per vector, where null is all.
  void hide(mlir::Value row, mlir::Value column,
            llvm::MutableArrayRef<mlir::Value> visible);
  /// Segments of the queries of a column group, for `hide`.
  void enterColumns(mlir::Value column, int64_t vectors);

  /// Calls body(row, vector number, lanes that are kept) for the rows below
  /// `count`, and for some beyond it up to the next multiple of 4.
  void forEachKept(mlir::Value count, mlir::Value column, int64_t vectors,
                   llvm::function_ref<void(mlir::Value, int64_t, mlir::Value)> body);

  /// The sink of the current head in base 2, in all lanes.
  mlir::Value sink();

private:
  mlir::Value loadHeadScalar(unsigned operand, double factor);
  void readBiasRows(int64_t rows);
  mlir::Value loadBias(mlir::Value row, mlir::Value column);
  std::pair<mlir::Value, mlir::Value>
  segmentRange(mlir::Value memref, mlir::Value base, mlir::Value count);
  mlir::Value openSegments(const SegmentsOperand &operand, int64_t tokens);
  mlir::Value words(mlir::Value index, mlir::Value add);
  void keepFour(mlir::Value row, mlir::Value column, int64_t vector,
                llvm::function_ref<void(mlir::Value, int64_t, mlir::Value)> body);
  void keepOne(mlir::Value row, mlir::Value column, int64_t vector,
               llvm::function_ref<void(mlir::Value, int64_t, mlir::Value)> body);
  mlir::Value firstRowOf(mlir::Value column, int64_t vector);
  mlir::Value isKept(mlir::Value words);
  /// 0 .. 15 in lanes of `element`.
  mlir::Value laneNumbers(mlir::Type element);

  LoopEmitter &e;
  AttentionFrame &frame;
  const AttentionSpec &spec;

  mlir::Value qSegments, kSegments, bias, key0, key1; // operands
  mlir::Value biasTile;                               // scratch [blockK][blockQ]
  mlir::Value batch, head, firstQuery, valid, firstKey;
  mlir::Value qSegmentBase, kSegmentBase, biasBase, slope;
  std::pair<mlir::Value, mlir::Value> queryRange;
  llvm::SmallVector<mlir::Value> laneSegments;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ATTENTIONFEATURES_H
