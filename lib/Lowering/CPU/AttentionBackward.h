//===- AttentionBackward.h - Emitter of the attention backward --*- C++ -*-===//
//
// Per query block: transposed and row copies of q and dOut, delta, lse in base
// 2. Per tile: p and ds again from q, k, v (2 products), then dv += p dOut,
// dk += ds q and dq += ds k. dk and dv grow in their buffers, dq in scratch.
// d_bias has a phase of its own, with the first two products.
// delta is sum dOut out. Up to kBackwardKeyTile keys a tile has whole rows, and delta
// is the sum of their p dp where both differ by the rounding of the output alone: so
// ds of a row sums to 0 as exactly as its terms allow.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_ATTENTIONBACKWARD_H
#define TT_LIB_LOWERING_CPU_ATTENTIONBACKWARD_H

#include "AttentionFeatures.h"

namespace tt::cpu {

/// Keys per tile when the spec gives none. Numerics: rows of no more are in one tile.
inline constexpr int64_t kBackwardKeyTile = 64;

/// What the tasks of a phase produce.
enum class Products { All, KeysAndValues, Queries, Bias };

class BackwardEmitter {
public:
  BackwardEmitter(PhaseShell &shell, const AttentionSpec &spec,
                  RegisterTile tile, Products products)
      : e(shell), spec(spec), tile(tile), products(products),
        frame(spec, getQueryTile(spec),
              spec.backwardBlockK && spec.keys > kBackwardKeyTile ? spec.backwardBlockK
                                                                  : kBackwardKeyTile),
        features(e, frame),
        rowPitch((spec.headSize + kLanes - 1) / kLanes * kLanes) {
    frame.wholeTiles |= products == Products::Bias;
  }

  int64_t emit(); // returns the number of tasks
  int64_t getWorkerBytes() const { return frame.workerBytes; }

private:
  /// Each query block passes over k, v, dk and dv; when a head's leave L2,
  /// wider blocks pass less often (7 % at 8192 keys).
  static int64_t getQueryTile(const AttentionSpec &spec) {
    int64_t bytes = 4 * spec.keys * spec.headSize * int64_t(sizeof(float));
    return bytes > (int64_t(1) << 20) ? 2 * kQueryTile : kQueryTile;
  }
  void openOperands();
  int64_t emitKeyTasks();
  int64_t emitQueryTasks();
  int64_t emitBiasTasks();
  void clearGradients(mlir::Value begin, mlir::Value end);
  void emitQueryBlock(mlir::Value batch, mlir::Value head, mlir::Value block,
                      mlir::Value keyBegin, mlir::Value keyEnd);
  void readQueryBlock();
  void readRows(mlir::Value memref, mlir::Value base, int64_t token,
                mlir::Value transposed, double transposedFactor,
                mlir::Value rows, double rowFactor);
  void emitLse();
  void emitDelta(mlir::Value outBase, mlir::Value dOutBase);
  mlir::Value loadLseChange(mlir::Value lane);
  void emitTile(mlir::Value keyBlock);
  void emitProductsOfTile();
  void writeKept(mlir::Value column, int64_t vectors, mlir::Value count);
  void clearBias(mlir::Value base, mlir::Value tokens);
  void accumulateBias();
  void emitScores(const GroupMask &mask, mlir::Value row, int64_t count,
                  bool masked, mlir::Value column, int64_t vectors);
  mlir::Value scoreChange(mlir::Value at, mlir::Value probability, mlir::Value change,
                          mlir::Value delta);
  void addToRowSum(mlir::Value row, int64_t count, mlir::Value column, int64_t vectors);
  mlir::Value inverseMass(mlir::Value query);
  void finishDelta(mlir::Value column, int64_t vectors);
  void finishScores(mlir::Value row, int64_t count, bool masked, mlir::Value column,
                    int64_t vectors);
  void accumulateKeyRows(mlir::Value gradient, mlir::Value base, int64_t token,
                         mlir::Value scores, mlir::Value rows);
  void accumulateQueries(mlir::Value column, int64_t vectors,
                         mlir::Value count);

  mlir::Value baseOf(const HeadsOperand &operand, mlir::Value batch,
                     mlir::Value head) {
    return e.add(e.mul(batch, operand.batch), e.mul(head, operand.head));
  }
  bool writesKeys() const {
    return products == Products::All || products == Products::KeysAndValues;
  }
  bool seesWholeRows() const { return spec.keys <= kBackwardKeyTile; }
  bool goesThroughCap() const { return spec.softcap > 0 && products != Products::Bias; }
  bool writesQueries() const {
    return products == Products::All || products == Products::Queries;
  }

  LoopEmitter e;
  const AttentionSpec &spec;
  RegisterTile tile;
  Products products;
  AttentionFrame frame;
  ScoreFeatures features;
  int64_t rowPitch; // of qRows and dOutRows

  mlir::Value q, k, v, out, lse, dOut, dq, dk, dv, dLse, dBias;
  // Scratch: [D][blockQ], [blockQ][rowPitch], [blockK][blockQ], [blockQ].
  mlir::Value qTile, dOutTile, dqTile, qRows, dOutRows, p, ds, delta, lse2;
  // Like delta: sum p dp; sum p, and from finishDelta on what p is multiplied by; the
  // terms of delta.
  mlir::Value rowSum, rowMass, reach;
  mlir::Value capSlope, kept; // like p: 1 - tanh^2; 1 or 0
  // Offsets of the current heads and blocks.
  mlir::Value kBase, vBase, dkBase, dvBase;
  mlir::Value qBase, outBase, dOutBase, lseBase, dLseBase, dBiasBase;
  mlir::Value firstQuery, valid, firstKey, keyRows;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ATTENTIONBACKWARD_H
