//===- AttentionTiles.cpp - Products, exp2 and transposes -----------------===//
#include "AttentionTiles.h"
#include "Transpose.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tt/runtime/ModelTable.h"

using namespace mlir;
using namespace tt::cpu;

HeadsOperand HeadsOperand::dense(unsigned operand, int64_t heads,
                                 int64_t tokens, int64_t headSize) {
  return {operand, heads * tokens * headSize, tokens * headSize, headSize};
}

RegisterTile tt::cpu::getAttentionTile(const Target &target) {
  // 16 of 32 zmm, or 12 of 16 ymm, hold sums.
  return target.isa == TT_ISA_V4 ? RegisterTile{8, 2} : RegisterTile{6, 1};
}

SmallVector<Value> tt::cpu::emitProducts(LoopEmitter &e, RegisterTile tile,
                                         Value begin, Value end,
                                         const ScalarSource &scalars,
                                         const LanesSource &lanes,
                                         ValueRange acc) {
  auto step = [&](Value depth, ValueRange sums) {
    SmallVector<Value> next(sums);
    Value at = e.add(lanes.base, e.mul(depth, lanes.depthStride));
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < tile.vectors; ++v)
      vectors.push_back(e.load(lanes.memref, e.add(at, v * kLanes)));
    Value from = e.add(scalars.base, e.mul(depth, scalars.depthStride));
    for (int64_t row = 0; row < tile.rows; ++row) {
      Value position = e.add(from, row * scalars.rowStride);
      Value scalar =
          memref::LoadOp::create(e.b, e.loc, scalars.memref, position);
      Value factor = broadcastLanes(e.b, e.loc, scalar);
      for (int64_t v = 0; v < tile.vectors; ++v) {
        Value &sum = next[row * tile.vectors + v];
        sum = e.fma(factor, vectors[v], sum);
      }
    }
    return next;
  };
  return e.loop(begin, end, 1, acc, step);
}

void tt::cpu::forEachRowTile(LoopEmitter &e, Value begin, Value end,
                             int64_t rows, ArrayRef<int64_t> remainders,
                             function_ref<void(Value, int64_t)> body) {
  Value left = e.rem(end, rows);
  Value wholeEnd = e.sub(end, left);
  e.loop(begin, wholeEnd, rows, [&](Value row) { body(row, rows); });
  for (int64_t remainder : remainders)
    if (remainder)
      e.ifThen(e.isEqual(left, remainder), [&] { body(wholeEnd, remainder); });
}

void tt::cpu::forEachColumnGroup(LoopEmitter &e, int64_t columns, Value valid,
                                 int64_t vectors,
                                 function_ref<void(Value, int64_t)> body) {
  int64_t width = vectors * kLanes;
  int64_t whole = columns / width * width;
  e.loop(e.index(0), e.min(valid, e.index(whole)), width,
         [&](Value column) { body(column, vectors); });
  if (int64_t left = (columns - whole + kLanes - 1) / kLanes)
    body(e.index(whole), left);
}

Value tt::cpu::emitExp2(LoopEmitter &e, Value x) {
  // 2^x = 2^n * 2^f with n = round(x); n = -127 gives 0.
  Value bounded = emitMax(e.b, e.loc, e.splat(-127.0), x); // keeps NaN
  Value magic = e.splat(kRoundToWhole);
  Value shifted = e.addF(bounded, magic);
  Value f = e.subF(bounded, e.subF(shifted, magic));
  // Minimax for the relative error on [-0.5, 0.5], exact at 0.
  static constexpr double coefficients[] = {
      0.009671512991189957, 0.05550733581185341, 0.24022242426872253,
      0.6931470036506653, 1.0};
  Value power = e.splat(0.001326472731307149);
  for (double coefficient : coefficients)
    power = e.fma(power, f, e.splat(coefficient));
  return e.mulF(power, emitPowerOfTwo(e.b, e.loc, shifted));
}

void tt::cpu::forEachElements(LoopEmitter &e, int64_t headSize,
                              function_ref<void(Value, int64_t)> body) {
  int64_t whole = headSize / kLanes * kLanes;
  e.loop(e.index(0), e.index(whole), kLanes,
         [&](Value element) { body(element, kLanes); });
  if (whole < headSize)
    body(e.index(whole), headSize - whole);
}

/// `width` when token `token` of the block exists, else 0.
static Value existingLanes(LoopEmitter &e, const TokenBlock &block, Value token,
                           int64_t width) {
  Value beyond = e.isLessOrEqual(block.valid, token);
  Value count =
      arith::SelectOp::create(e.b, e.loc, beyond, e.index(0), e.index(width));
  return firstLanes(e.b, e.loc, count);
}

void tt::cpu::readSquares(LoopEmitter &e, const TokenBlock &from,
                          SquareUse use) {
  auto read = [&](Value token, Value element, int64_t width, bool whole) {
    SmallVector<Value> rows;
    Value mask = e.firstLanesOrNull(width);
    for (int64_t i = 0; i < kLanes; ++i) {
      Value t = e.add(token, i);
      Value at = e.add(from.base, e.add(e.mul(t, from.token), element));
      rows.push_back(e.load(from.memref, at,
                            whole ? mask : existingLanes(e, from, t, width)));
    }
    use(token, element, width, rows);
  };
  e.loop(e.index(0), e.index(from.block), kLanes, [&](Value token) {
    forEachElements(e, from.headSize, [&](Value element, int64_t width) {
      if (from.whole)
        return read(token, element, width, /*whole=*/true);
      e.ifElse(
          e.isLessOrEqual(e.add(token, kLanes), from.valid),
          [&] { read(token, element, width, /*whole=*/true); },
          [&] { read(token, element, width, /*whole=*/false); });
    });
  });
}

void tt::cpu::storeTransposed(LoopEmitter &e, ArrayRef<Value> rows,
                              Value memref, Value token, Value element,
                              int64_t width, int64_t block) {
  SmallVector<Value> columns(rows);
  emitTranspose(e.b, e.loc, columns);
  for (int64_t i = 0; i < width; ++i)
    e.store(columns[i], memref, e.add(e.mul(e.add(element, i), block), token));
}

void tt::cpu::writeTransposed(LoopEmitter &e, Value memref,
                              const TokenBlock &to,
                              function_ref<Value(Value)> factor) {
  auto write = [&](Value token, Value element, int64_t width,
                   ArrayRef<Value> rows, bool whole) {
    Value mask = e.firstLanesOrNull(width);
    for (int64_t i = 0; i < kLanes; ++i) {
      Value t = e.add(token, i);
      Value at = e.add(to.base, e.add(e.mul(t, to.token), element));
      e.store(rows[i], to.memref, at,
              whole ? mask : existingLanes(e, to, t, width));
    }
  };
  e.loop(e.index(0), e.index(to.block), kLanes, [&](Value token) {
    Value scale = factor(token);
    forEachElements(e, to.headSize, [&](Value element, int64_t width) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < kLanes; ++i) {
        if (i >= width) {
          rows.push_back(e.splat(0.0));
          continue;
        }
        Value at = e.add(e.mul(e.add(element, i), to.block), token);
        rows.push_back(e.mulF(e.load(memref, at), scale));
      }
      emitTranspose(e.b, e.loc, rows);
      if (to.whole)
        return write(token, element, width, rows, /*whole=*/true);
      e.ifElse(
          e.isLessOrEqual(e.add(token, kLanes), to.valid),
          [&] { write(token, element, width, rows, /*whole=*/true); },
          [&] { write(token, element, width, rows, /*whole=*/false); });
    });
  });
}
