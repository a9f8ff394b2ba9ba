//===- AttentionBackwardBias.cpp - The gradient of a bias -----------------===//
#include "AttentionBackward.h"
#include "Transpose.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tt::cpu;

/// Zeros to `tokens` rows of d_bias.
void BackwardEmitter::clearBias(Value base, Value tokens) {
  Value zero = e.splat(0.0);
  e.loop(e.index(0), tokens, 1, [&](Value token) {
    Value row = e.add(base, e.mul(token, spec.dBias->token));
    forEachElements(e, spec.keys, [&](Value key, int64_t width) {
      e.store(zero, dBias, e.add(row, key), e.firstLanesOrNull(width));
    });
  });
}

/// d_bias[query][key] += ds[key][query] in squares.
void BackwardEmitter::accumulateBias() {
  int64_t block = frame.plan.blockQ;
  auto addSquare = [&](Value token, Value key) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < kLanes; ++i)
      rows.push_back(e.load(ds, e.add(e.mul(e.add(key, i), block), token)));
    emitTranspose(e.b, e.loc, rows);
    Value left = e.sub(keyRows, key); // what is beyond it is not read
    for (int64_t i = 0; i < kLanes; ++i) {
      Value query = e.add(token, i);
      Value exists = e.isLessOrEqual(valid, query);
      Value width = arith::SelectOp::create(e.b, e.loc, exists, e.index(0), left);
      Value mask = firstLanes(e.b, e.loc, width);
      Value at = e.add(e.add(e.add(dBiasBase, e.mul(query, spec.dBias->token)), firstKey),
                       key);
      e.store(e.addF(e.load(dBias, at, mask), rows[i]), dBias, at, mask);
    }
  };
  e.loop(e.index(0), e.index(block), kLanes, [&](Value token) {
    e.loop(e.index(0), keyRows, kLanes, [&](Value key) { addSquare(token, key); });
  });
}
