//===- MatmulThin.cpp - Tiles of few rows without packing -----------------===//
//
// With few rows every element of B is used only a few times, so packing would
// cost as much as the product. B that runs along k is read in squares of 8 x 8
// that are transposed in registers: lanes are columns again, and every column
// keeps its chain of FMAs in increasing k.
//
//===----------------------------------------------------------------------===//
#include "IndexMath.h"
#include "MatmulPlan.h"
#include "Transpose.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tt/Lowering/CPU/VectorMath.h"

using namespace mlir;
using namespace tt::cpu;

static constexpr int64_t kSide = 8;

/// Rows [first, first + 8) of the transposed square: 8 columns from `first`,
/// of which those from `columns` on do not exist, k steps [k, k + count).
static SmallVector<Value> loadSquare(OpBuilder &builder, Location loc,
                                     const TileSource &source, Value k,
                                     int64_t first, int64_t columns,
                                     int64_t count) {
  IndexMath math(builder, loc);
  VectorType type = VectorType::get({kSide}, builder.getF32Type());
  Value zero = splatConstant(builder, loc, type, 0.0);
  SmallVector<Value> square(kSide, zero);
  Value base = math.add(source.bBase, k);
  for (int64_t i = 0; i < kSide && first + i < columns; ++i) {
    Value index = math.add(base, (first + i) * source.bCol);
    if (count == kSide) {
      square[i] = vector::LoadOp::create(builder, loc, type, source.b,
                                         ValueRange{index});
      continue;
    }
    Value mask = vector::CreateMaskOp::create(
        builder, loc, VectorType::get({kSide}, builder.getI1Type()),
        ValueRange{math.constant(count)});
    square[i] = vector::MaskedLoadOp::create(builder, loc, type, source.b,
                                             index, mask, zero);
  }
  emitTranspose(builder, loc, square);
  return square;
}

SmallVector<Value> tt::cpu::emitThinProduct(OpBuilder &builder, Location loc,
                                            const MatmulPlan &plan,
                                            const TileSource &source,
                                            Value kLength, int64_t rows,
                                            int64_t tailLanes) {
  assert(source.bRow == 1 && "B must be contiguous along k");
  IndexMath math(builder, loc);
  int64_t columns = tailLanes ? tailLanes : kLanes;
  constexpr int64_t halves = kLanes / kSide;
  VectorType halfType = VectorType::get({kSide}, builder.getF32Type());
  Value zero = splatConstant(builder, loc, halfType, 0.0);
  SmallVector<Value> acc(rows * halves, zero);

  // acc[r][h] takes k steps [k, k + count).
  auto emitSteps = [&](OpBuilder &inner, Value k, int64_t count,
                       SmallVectorImpl<Value> &sums) {
    IndexMath innerMath(inner, loc);
    SmallVector<SmallVector<Value>> squares;
    for (int64_t h = 0; h < halves; ++h)
      squares.push_back(
          loadSquare(inner, loc, source, k, h * kSide, columns, count));
    Value aIndex = innerMath.add(source.aBase, innerMath.mul(k, source.aCol));
    for (int64_t q = 0; q < count; ++q)
      for (int64_t r = 0; r < rows; ++r) {
        Value element = memref::LoadOp::create(
            inner, loc, source.a,
            innerMath.add(aIndex, q * source.aCol + r * source.aRow));
        Value a = vector::BroadcastOp::create(inner, loc, halfType, element);
        for (int64_t h = 0; h < halves; ++h) {
          Value &sum = sums[r * halves + h];
          sum = math::FmaOp::create(inner, loc, a, squares[h][q], sum);
        }
      }
  };

  Value main = math.mul(math.div(kLength, kSide), kSide);
  auto loop = scf::ForOp::create(
      builder, loc, math.constant(0), main, math.constant(kSide), acc,
      [&](OpBuilder &inner, Location, Value k, ValueRange carried) {
        SmallVector<Value> sums(carried);
        emitSteps(inner, k, kSide, sums);
        scf::YieldOp::create(inner, loc, sums);
      });
  acc.assign(loop.result_begin(), loop.result_end());
  if (int64_t tail = plan.lastK % kSide) {
    auto rest = scf::IfOp::create(
        builder, loc, math.less(main, kLength),
        [&](OpBuilder &inner, Location) {
          SmallVector<Value> sums(acc);
          emitSteps(inner, main, tail, sums);
          scf::YieldOp::create(inner, loc, sums);
        },
        [&](OpBuilder &inner, Location) {
          scf::YieldOp::create(inner, loc, acc);
        });
    acc.assign(rest.result_begin(), rest.result_end());
  }

  SmallVector<int64_t> both;
  for (int64_t i = 0; i < kLanes; ++i)
    both.push_back(i);
  SmallVector<Value> lanes;
  for (int64_t r = 0; r < rows; ++r)
    lanes.push_back(vector::ShuffleOp::create(builder, loc, acc[r * halves],
                                              acc[r * halves + 1], both));
  return lanes;
}
