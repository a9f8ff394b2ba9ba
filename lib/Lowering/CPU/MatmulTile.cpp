//===- MatmulTile.cpp - The register tile ---------------------------------===//
#include "IndexMath.h"
#include "MatmulPlan.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tt/Lowering/CPU/VectorMath.h"

using namespace mlir;
using namespace tt::cpu;

/// acc[r][v] = fma(a[r], b[v], acc[r][v]) for step k of the chunk.
static void emitStep(OpBuilder &builder, Location loc, const TileSource &source,
                     Value k, int64_t offset, int64_t rows, int64_t vectors,
                     Value tailMask, SmallVectorImpl<Value> &acc) {
  IndexMath math(builder, loc);
  Value aIndex = math.add(source.aBase, math.mul(k, source.aCol));
  Value bIndex = math.add(source.bBase, math.mul(k, source.bRow));
  SmallVector<Value> b;
  for (int64_t v = 0; v < vectors; ++v) {
    bool masked = v + 1 == vectors && tailMask;
    Value index = math.add(bIndex, offset * source.bRow + v * kLanes);
    b.push_back(
        loadLanes(builder, loc, source.b, index, masked ? tailMask : Value()));
  }
  for (int64_t r = 0; r < rows; ++r) {
    Value index = math.add(aIndex, offset * source.aCol + r * source.aRow);
    Value a = broadcastLanes(
        builder, loc, memref::LoadOp::create(builder, loc, source.a, index));
    for (int64_t v = 0; v < vectors; ++v) {
      Value &sum = acc[r * vectors + v];
      sum = math::FmaOp::create(builder, loc, a, b[v], sum);
    }
  }
}

SmallVector<Value> tt::cpu::emitTileProduct(OpBuilder &builder, Location loc,
                                            const MatmulPlan &plan,
                                            const TileSource &source,
                                            Value kLength, int64_t rows,
                                            int64_t vectors,
                                            int64_t tailLanes) {
  constexpr int64_t kUnroll = 4;
  IndexMath math(builder, loc);
  Value tailMask;
  if (tailLanes && source.maskTail)
    tailMask = firstLanes(builder, loc, math.constant(tailLanes));
  Value zero =
      splatConstant(builder, loc, getLanesType(builder.getF32Type()), 0);
  SmallVector<Value> acc(rows * vectors, zero);
  auto emitLoop = [&](Value lower, Value upper, int64_t unroll) {
    auto loop = scf::ForOp::create(
        builder, loc, lower, upper, math.constant(unroll), acc,
        [&](OpBuilder &inner, Location, Value k, ValueRange carried) {
          SmallVector<Value> sums(carried);
          for (int64_t u = 0; u < unroll; ++u)
            emitStep(inner, loc, source, k, u, rows, vectors, tailMask, sums);
          scf::YieldOp::create(inner, loc, sums);
        });
    acc.assign(loop.result_begin(), loop.result_end());
  };
  // kChunk is a multiple of the unroll; only the last chunk can have a rest.
  if (plan.lastK % kUnroll == 0) {
    emitLoop(math.constant(0), kLength, kUnroll);
  } else {
    Value main = math.mul(math.div(kLength, kUnroll), kUnroll);
    emitLoop(math.constant(0), main, kUnroll);
    emitLoop(main, kLength, 1);
  }
  return acc;
}
