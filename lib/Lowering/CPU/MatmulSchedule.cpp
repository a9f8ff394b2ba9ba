//===- MatmulSchedule.cpp - How to compute a product ----------------------===//
//
// Figures found with test/benchmark/matmul_bench.py. None of them may change a
// bit of the result; MatmulTest checks that.
//
//===----------------------------------------------------------------------===//
#include "IndexMath.h"
#include "tt/Lowering/CPU/Matmul.h"
#include <algorithm>

using namespace tt::cpu;

/// Up to so many rows B is not packed: each element is used too seldom.
static constexpr int64_t kThinRows = 8;
/// Up to so many rows or columns a B with contiguous columns is not packed.
static constexpr int64_t kDirectSide = 256;
/// Packed panels of one iteration.
static constexpr int64_t kPackedBytes = 12 << 20;
/// Columns, and with packed A rows, of C that an iteration computes.
static constexpr int64_t kSuperSide = 3072;
/// Bytes of C whose partial sums are kept in the workspace.
static constexpr int64_t kPartialBytes = 8 << 20;
/// Tasks per phase: enough for 16 threads, with some to balance.
static constexpr int64_t kTasks = 32;
/// Least multiply-adds per task: some 10 us.
static constexpr int64_t kTaskWork = 1 << 19;
/// Least bytes of B per task of a thin product.
static constexpr int64_t kThinTaskBytes = 1 << 17;

/// Cuts `total` into about `parts` equal pieces that are multiples of `unit`.
static int64_t cut(int64_t total, int64_t parts, int64_t unit) {
  return roundUp(ceilDiv(total, std::max<int64_t>(parts, 1)), unit);
}

/// Few rows: everything is read in place, one pass over B.
static MatmulSchedule chooseThin(const MatmulSpec &spec, const Target &target) {
  MatmulSchedule schedule;
  schedule.packA = schedule.packB = false;
  int64_t accumulators = target.gemmRows * target.gemmVectors;
  schedule.tileRows = std::min(spec.m, target.gemmRows);
  schedule.tileVectors =
      spec.bCol == 1 ? std::clamp<int64_t>(accumulators / spec.m, 1, 12) : 1;
  int64_t nr = schedule.tileVectors * kLanes;
  schedule.superRows = roundUp(spec.m, schedule.tileRows);
  schedule.superColumns = roundUp(spec.n, nr);
  schedule.batches = spec.batch;
  schedule.chunks = ceilDiv(spec.k, kChunk);
  schedule.taskRows = schedule.superRows;
  int64_t bytes = spec.n * spec.k * sizeof(float);
  int64_t blocks = std::clamp<int64_t>(bytes / kThinTaskBytes, 1, kTasks);
  schedule.taskColumns = cut(spec.n, blocks, nr);
  return schedule;
}

MatmulSchedule tt::cpu::chooseMatmulSchedule(const MatmulSpec &spec,
                                             const Target &target) {
  if (spec.m <= kThinRows && (spec.bCol == 1 || spec.bRow == 1))
    return chooseThin(spec, target);

  // Reading A in place beats packing it at nearly every shape and stride
  // measured: a register tile reads few cache lines of it per k step, all at
  // constant offsets from one address.
  MatmulSchedule schedule;
  schedule.packA = target.packStridedA && spec.aCol != 1;
  schedule.packB =
      spec.bCol != 1 || (spec.m > kDirectSide && spec.n > kDirectSide);
  schedule.tileRows = target.gemmRows;
  schedule.tileVectors = target.gemmVectors;
  int64_t mr = schedule.tileRows, nr = schedule.tileVectors * kLanes;

  int64_t chunks = ceilDiv(spec.k, kChunk);
  int64_t panelK = std::min(spec.k, kChunk);
  schedule.superColumns = cut(spec.n, ceilDiv(spec.n, kSuperSide), nr);
  schedule.superRows = schedule.packA
                           ? cut(spec.m, ceilDiv(spec.m, kSuperSide), mr)
                           : roundUp(spec.m, mr);
  int64_t rowBytes = schedule.superColumns * sizeof(float);
  if (spec.partialsInShared && chunks > 1) {
    int64_t bytes = roundUp(spec.m, mr) * rowBytes;
    schedule.superRows = std::min(
        schedule.superRows, cut(spec.m, ceilDiv(bytes, kPartialBytes), mr));
  }
  int64_t chunkBytes = schedule.packB ? panelK * rowBytes : 0;
  if (schedule.packA)
    chunkBytes += panelK * schedule.superRows * sizeof(float);
  auto fitting = [&](int64_t bytes, int64_t most) {
    return bytes ? std::clamp<int64_t>(kPackedBytes / bytes, 1, most) : most;
  };
  schedule.chunks = fitting(chunkBytes, chunks);
  schedule.chunks = ceilDiv(chunks, ceilDiv(chunks, schedule.chunks));
  int64_t productBytes = schedule.chunks * chunkBytes;
  if (spec.partialsInShared && chunks > 1)
    productBytes += schedule.superRows * rowBytes;
  schedule.batches = fitting(productBytes, spec.batch);
  while (spec.batch % schedule.batches != 0)
    --schedule.batches;

  int64_t rows = std::min(schedule.superRows, spec.m);
  int64_t columns = std::min(schedule.superColumns, spec.n);
  int64_t columnBlocks = ceilDiv(columns, target.gemmBlockColumns);
  schedule.taskColumns = cut(columns, columnBlocks, nr);
  columnBlocks = ceilDiv(columns, schedule.taskColumns);
  int64_t work = rows * schedule.taskColumns * panelK;
  int64_t rowBlocks = std::min(ceilDiv(kTasks, columnBlocks * schedule.batches),
                               std::max<int64_t>(work / kTaskWork, 1));
  schedule.taskRows = cut(rows, rowBlocks, mr);
  return schedule;
}
