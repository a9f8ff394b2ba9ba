//===- AttentionBackwardInputs.cpp - What a query block needs -------------===//
#include "AttentionBackward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tt::cpu;

void BackwardEmitter::openOperands() {
  auto open = [&](const HeadsOperand &operand, bool ofKeys) {
    return frame.open(e, operand, ofKeys ? spec.kvHeads : spec.heads,
                      ofKeys ? spec.keys : spec.queries);
  };
  q = open(spec.q, false);
  k = open(spec.k, true);
  v = open(spec.v, true);
  out = open(spec.out, false);
  dOut = open(spec.dOut, false);
  lse = e.shell.operand(
      spec.lseOperand, MemRefType::get({spec.batch * spec.heads * spec.queries},
                                       e.b.getF32Type()));
  if (spec.dLse)
    dLse = e.shell.operand(
        spec.dLse->operand,
        MemRefType::get({(spec.batch - 1) * spec.dLse->batch + // checked: last element
                         (spec.heads - 1) * spec.dLse->head + spec.queries},
                        e.b.getF32Type()));
  int64_t blockQ = frame.plan.blockQ, blockK = frame.plan.blockK;
  if (products == Products::Bias) {
    dBias = frame.openBias(e, *spec.dBias);
    blockK = (blockK + kLanes - 1) / kLanes * kLanes; // ds is read in squares
  }
  qTile = frame.allocate(e, spec.headSize * blockQ);
  dOutTile = frame.allocate(e, spec.headSize * blockQ);
  p = frame.allocate(e, blockK * blockQ);
  ds = frame.allocate(e, blockK * blockQ);
  delta = frame.allocate(e, blockQ);
  lse2 = frame.allocate(e, blockQ);
  if (seesWholeRows())
    for (Value *sums : {&rowSum, &rowMass, &reach})
      *sums = frame.allocate(e, blockQ);
  if (spec.softcap > 0)
    capSlope = frame.allocate(e, blockK * blockQ);
  if (spec.dropout > 0) // kept rows come in fours
    kept = frame.allocate(e, (blockK + 3) / 4 * 4 * blockQ);
  features.open();
  if (writesKeys()) {
    dk = open(spec.dk, true);
    dv = open(spec.dv, true);
    qRows = frame.allocate(e, blockQ * rowPitch);
    dOutRows = frame.allocate(e, blockQ * rowPitch);
  }
  if (writesQueries()) {
    dq = open(spec.dq, false);
    dqTile = frame.allocate(e, spec.headSize * blockQ);
  }
}

/// Zeros to dk and dv for the keys [begin, end).
void BackwardEmitter::clearGradients(Value begin, Value end) {
  Value zero = e.splat(0.0);
  e.loop(begin, end, 1, [&](Value token) {
    forEachElements(e, spec.headSize, [&](Value element, int64_t width) {
      Value mask = e.firstLanesOrNull(width);
      Value at = e.add(e.mul(token, spec.dk.token), element);
      e.store(zero, dk, e.add(dkBase, at), mask);
      at = e.add(e.mul(token, spec.dv.token), element);
      e.store(zero, dv, e.add(dvBase, at), mask);
    });
  });
}

/// One operand block as [D][blockQ] and, when `rows` is given, as rows.
void BackwardEmitter::readRows(Value memref, Value base, int64_t token,
                               Value transposed, double transposedFactor,
                               Value rows, double rowFactor) {
  int64_t block = frame.plan.blockQ;
  auto scale = [&](ArrayRef<Value> values, double factor) {
    SmallVector<Value> scaled(values);
    if (factor != 1.0)
      for (Value &value : scaled)
        value = e.mulF(value, e.splat(factor));
    return scaled;
  };
  TokenBlock from{memref,       base,  token,
                  valid,        block, frame.plan.queries % block == 0,
                  spec.headSize};
  // What a row without keys holds must not reach the products.
  auto withoutDeadRows = [&](Value first, ArrayRef<Value> square) {
    SmallVector<Value> alive(square);
    Value dead = e.splat(kInfinity), zero = e.splat(0.0);
    for (auto [i, row] : llvm::enumerate(alive)) {
      Value rowLse = memref::LoadOp::create(e.b, e.loc, lse2, e.add(first, i));
      row = e.selectEqual(broadcastLanes(e.b, e.loc, rowLse), dead, zero, row);
    }
    return alive;
  };
  readSquares(
      e, from,
      [&](Value first, Value element, int64_t width, ArrayRef<Value> square) {
        SmallVector<Value> alive;
        if (spec.mayHideRowsAnyhow())
          square = alive = withoutDeadRows(first, square);
        storeTransposed(e, scale(square, transposedFactor), transposed, first,
                        element, width, block);
        if (!rows)
          return;
        for (auto [i, row] : llvm::enumerate(scale(square, rowFactor)))
          e.store(row, rows, e.add(e.mul(e.add(first, i), rowPitch), element));
      });
}

/// 16 lanes of d_lse of the block; 0 past its end.
Value BackwardEmitter::loadLseChange(Value lane) {
  Value mask = firstLanes(e.b, e.loc, e.sub(valid, lane));
  return e.load(dLse, e.add(dLseBase, lane), mask);
}

/// delta = sum over d of dOut * out, and reach the sum of its terms' magnitudes: 16
/// partial FMA chains each, and their tree.
void BackwardEmitter::emitDelta(Value outBase, Value dOutBase) {
  SmallVector<Value> to = {delta};
  if (seesWholeRows())
    to.push_back(reach);
  SmallVector<Value> zeros(to.size(), e.splat(0.0));
  e.loop(e.index(0), valid, 1, [&](Value token) {
    Value outAt = e.add(outBase, e.mul(token, spec.out.token));
    Value dOutAt = e.add(dOutBase, e.mul(token, spec.dOut.token));
    SmallVector<Value> sums = forEachLanes(
        e.b, e.loc, spec.headSize, zeros,
        [&](OpBuilder &inner, Value element, Value mask, ValueRange carried,
            SmallVectorImpl<Value> &next) {
          auto load = [&](Value memref, Value at) {
            Value position = arith::AddIOp::create(inner, e.loc, at, element);
            return loadLanes(inner, e.loc, memref, position, mask);
          };
          auto magnitude = [&](Value lanes) {
            return math::AbsFOp::create(inner, e.loc, lanes);
          };
          Value dOuts = load(dOut, dOutAt), outs = load(out, outAt);
          next.push_back(math::FmaOp::create(inner, e.loc, dOuts, outs, carried[0]));
          if (seesWholeRows())
            next.push_back(math::FmaOp::create(inner, e.loc, magnitude(dOuts),
                                               magnitude(outs), carried[1]));
        });
    for (auto [sum, memref] : llvm::zip_equal(sums, to))
      memref::StoreOp::create(e.b, e.loc, horizontalSum(e.b, e.loc, sum), memref, token);
  });
}

void BackwardEmitter::readQueryBlock() {
  if (spec.mayHideRowsAnyhow()) // readRows asks it
    emitLse();
  double drop = features.getDropScale();
  readRows(q, qBase, spec.q.token, qTile, features.getQueryFactor(), qRows,
           spec.scale);
  readRows(dOut, dOutBase, spec.dOut.token, dOutTile, drop, dOutRows, drop);
  int64_t block = frame.plan.blockQ;
  Value zero = e.splat(0.0);
  SmallVector<Value> perQuery = {delta};
  if (seesWholeRows())
    perQuery.append({rowSum, rowMass, reach});
  if (frame.plan.queries % block || seesWholeRows())
    e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
      for (Value sums : perQuery)
        e.store(zero, sums, lane);
    });
  emitDelta(outBase, dOutBase);
  if (spec.dLse && !seesWholeRows())
    e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
      e.store(e.subF(e.load(delta, lane), loadLseChange(lane)), delta, lane);
    });
  if (!spec.mayHideRowsAnyhow())
    emitLse();
  if (writesQueries())
    e.loop(e.index(0), e.index(spec.headSize * block), kLanes,
           [&](Value at) { e.store(zero, dqTile, at); });
}

/// lse in base 2 to scratch.
void BackwardEmitter::emitLse() {
  int64_t block = frame.plan.blockQ;
  // +inf makes the probabilities of a row without keys, or past the end, 0.
  Value lowest = e.splat(-kInfinity), highest = e.splat(kInfinity);
  e.loop(e.index(0), e.index(block), kLanes, [&](Value lane) {
    Value mask = firstLanes(e.b, e.loc, e.sub(valid, lane));
    Value value = loadLanes(e.b, e.loc, lse, e.add(lseBase, lane), mask,
                            /*passThru=*/-kInfinity);
    Value base2 = e.mulF(value, e.splat(kLog2E));
    e.store(e.selectEqual(value, lowest, highest, base2), lse2, lane);
  });
}
