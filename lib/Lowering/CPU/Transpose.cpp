//===- Transpose.cpp - Square transposes in registers ---------------------===//
#include "Transpose.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tt::cpu;

/// Takes units of `unit` values from a and b: in every group of four values
/// (a 128-bit lane) the low or high half of both, interleaved.
static Value unpack(OpBuilder &builder, Location loc, Value a, Value b,
                    int64_t unit, bool high) {
  int64_t size = cast<VectorType>(a.getType()).getDimSize(0);
  SmallVector<int64_t> mask;
  for (int64_t lane = 0; lane < size; lane += 4)
    for (int64_t i = 0; i < 2 / unit; ++i)
      for (int64_t from : {int64_t(0), size})
        for (int64_t j = 0; j < unit; ++j)
          mask.push_back(from + lane + (high ? 2 : 0) + i * unit + j);
  return vector::ShuffleOp::create(builder, loc, a, b, mask);
}

/// Builds a vector of whole 128-bit lanes; lanes of b count on from those of a.
static Value pickLanes(OpBuilder &builder, Location loc, Value a, Value b,
                       ArrayRef<int64_t> lanes) {
  SmallVector<int64_t> mask;
  for (int64_t lane : lanes)
    for (int64_t i = 0; i < 4; ++i)
      mask.push_back(lane * 4 + i);
  return vector::ShuffleOp::create(builder, loc, a, b, mask);
}

void tt::cpu::emitTranspose(OpBuilder &builder, Location loc,
                            MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  assert((size == 8 || size == 16) && "unsupported square");
  // Within groups of four rows: lane l of rows[4g + q] becomes column 4l + q
  // of rows 4g to 4g + 3.
  for (int64_t g = 0; g < size; g += 4) {
    Value low01 = unpack(builder, loc, rows[g], rows[g + 1], 1, false);
    Value high01 = unpack(builder, loc, rows[g], rows[g + 1], 1, true);
    Value low23 = unpack(builder, loc, rows[g + 2], rows[g + 3], 1, false);
    Value high23 = unpack(builder, loc, rows[g + 2], rows[g + 3], 1, true);
    rows[g] = unpack(builder, loc, low01, low23, 2, false);
    rows[g + 1] = unpack(builder, loc, low01, low23, 2, true);
    rows[g + 2] = unpack(builder, loc, high01, high23, 2, false);
    rows[g + 3] = unpack(builder, loc, high01, high23, 2, true);
  }
  // Then whole lanes move between the groups.
  for (int64_t q = 0; q < 4; ++q) {
    if (size == 8) {
      Value a = rows[q], b = rows[4 + q];
      rows[q] = pickLanes(builder, loc, a, b, {0, 2});
      rows[4 + q] = pickLanes(builder, loc, a, b, {1, 3});
      continue;
    }
    Value a = rows[q], b = rows[4 + q], c = rows[8 + q], d = rows[12 + q];
    Value evenAB = pickLanes(builder, loc, a, b, {0, 2, 4, 6});
    Value oddAB = pickLanes(builder, loc, a, b, {1, 3, 5, 7});
    Value evenCD = pickLanes(builder, loc, c, d, {0, 2, 4, 6});
    Value oddCD = pickLanes(builder, loc, c, d, {1, 3, 5, 7});
    rows[q] = pickLanes(builder, loc, evenAB, evenCD, {0, 2, 4, 6});
    rows[4 + q] = pickLanes(builder, loc, oddAB, oddCD, {0, 2, 4, 6});
    rows[8 + q] = pickLanes(builder, loc, evenAB, evenCD, {1, 3, 5, 7});
    rows[12 + q] = pickLanes(builder, loc, oddAB, oddCD, {1, 3, 5, 7});
  }
}
