//===- MatmulTest.cpp - The numerics of matmul, bit for bit ---------------===//
#include "tt/Lowering/CPU/Matmul.h"
#include "KernelRunner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "tt/Lowering/CPU/VectorMath.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace tt::cpu;
using namespace mlir;

namespace {

enum class Layout { NN, NT, TN, TT };

/// Strides of contiguous operands of one layout.
MatmulSpec makeSpec(Layout layout, int64_t m, int64_t n, int64_t k,
                    int64_t batch = 1) {
  MatmulSpec spec;
  spec.batch = batch;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  bool ta = layout == Layout::TN || layout == Layout::TT;
  bool tb = layout == Layout::NT || layout == Layout::TT;
  spec.aBatch = m * k;
  spec.aRow = ta ? 1 : k;
  spec.aCol = ta ? m : 1;
  spec.bBatch = k * n;
  spec.bRow = tb ? 1 : n;
  spec.bCol = tb ? k : 1;
  spec.outputs.push_back({2, {}, m * n, n});
  return spec;
}

class MatmulTest : public ::testing::Test {
protected:
  MatmulTest() {
    DialectRegistry registry;
    registerKernelDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  static FloatBuffer randomBuffer(int64_t count, unsigned seed) {
    FloatBuffer buffer(count);
    std::mt19937 random(seed);
    for (int64_t i = 0; i < count; ++i)
      buffer[i] = float(int32_t(random())) * 0x1p-31f;
    return buffer;
  }

  static int64_t extent(int64_t b, int64_t bs, int64_t r, int64_t rs, int64_t c,
                        int64_t cs) {
    return 1 + (b - 1) * bs + (r - 1) * rs + (c - 1) * cs;
  }

  static int64_t sizeA(const MatmulSpec &s) {
    return extent(s.batch, s.aBatch, s.m, s.aRow, s.k, s.aCol);
  }
  static int64_t sizeB(const MatmulSpec &s) {
    return extent(s.batch, s.bBatch, s.k, s.bRow, s.n, s.bCol);
  }
  static int64_t sizeC(const MatmulSpec &s, size_t output = 0) {
    return extent(s.batch, s.outputs[output].batchStride, s.m,
                  s.outputs[output].rowStride, s.n, 1);
  }

  /// The definition: chunk sums by increasing-k FMA chains, added in order.
  static float element(const MatmulSpec &s, const float *a, const float *b,
                       int64_t batch, int64_t row, int64_t col) {
    const float *x = a + batch * s.aBatch + row * s.aRow;
    const float *y = b + batch * s.bBatch + col * s.bCol;
    float total = 0;
    for (int64_t k0 = 0; k0 < s.k; k0 += kChunk) {
      float sum = 0;
      for (int64_t k = k0; k < std::min(s.k, k0 + kChunk); ++k)
        sum = std::fma(x[k * s.aCol], y[k * s.bRow], sum);
      total = k0 == 0 ? sum : total + sum;
    }
    return total;
  }

  /// Runs on every level that this machine has and compares all of output 0.
  void check(const MatmulSpec &spec, const MatmulSchedule *schedule = nullptr) {
    FloatBuffer a = randomBuffer(sizeA(spec), 1);
    FloatBuffer b = randomBuffer(sizeB(spec), 2);
    FloatBuffer want(sizeC(spec));
    for (int64_t i = 0; i < spec.batch; ++i)
      for (int64_t r = 0; r < spec.m; ++r)
        for (int64_t c = 0; c < spec.n; ++c)
          want[i * spec.outputs[0].batchStride + r * spec.outputs[0].rowStride +
               c] = element(spec, a.data(), b.data(), i, r, c);
    for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
      const Target &target = getTarget(isa);
      OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
      EmittedKernel kernel =
          emitMatmul(*module, module->getLoc(), "mm", target, spec, nullptr,
                     schedule ? *schedule : chooseMatmulSchedule(spec, target));
      LoadedKernel loaded(*module, target, kernel);
      ASSERT_EQ(loaded.error(), "");
      if (!hostSupports(target))
        continue;
      for (unsigned seed : {0u, 7u}) {
        FloatBuffer got(sizeC(spec));
        loaded.run({a.data(), b.data(), got.data()}, seed);
        // Bytes between the rows must keep their old contents, too.
        ASSERT_EQ(std::memcmp(got.data(), want.data(), got.size() * 4), 0)
            << target.suffix.str() << " " << spec.batch << " x " << spec.m
            << "x" << spec.n << "x" << spec.k << " seed " << seed;
      }
    }
  }

  MLIRContext context;
};

TEST_F(MatmulTest, layoutsAndEdges) {
  for (Layout layout : {Layout::NN, Layout::NT, Layout::TN, Layout::TT}) {
    check(makeSpec(layout, 64, 96, 64));
    check(makeSpec(layout, 61, 101, 59));
    check(makeSpec(layout, 24, 65, 400));
    check(makeSpec(layout, 50, 70, 769));
  }
}

TEST_F(MatmulTest, tinyAndThin) {
  for (Layout layout : {Layout::NN, Layout::NT, Layout::TN})
    for (int64_t m : {1, 2, 3, 5, 8, 9}) {
      check(makeSpec(layout, m, 1, 1));
      check(makeSpec(layout, m, 17, 31));
      check(makeSpec(layout, m, 200, 391));
      check(makeSpec(layout, m, 1037, 801));
    }
}

TEST_F(MatmulTest, manyColumns) {
  check(makeSpec(Layout::NN, 40, 50257, 32));
  check(makeSpec(Layout::NT, 33, 7001, 100));
  check(makeSpec(Layout::TN, 6007, 49, 50));
}

TEST_F(MatmulTest, batches) {
  for (Layout layout : {Layout::NN, Layout::NT, Layout::TN})
    check(makeSpec(layout, 37, 53, 29, /*batch=*/6));
  check(makeSpec(Layout::NT, 130, 300, 500, /*batch=*/4));
  MatmulSpec broadcast = makeSpec(Layout::NN, 20, 30, 40, 3);
  broadcast.bBatch = 0;
  check(broadcast);
}

TEST_F(MatmulTest, stridedRows) {
  MatmulSpec spec = makeSpec(Layout::NN, 31, 45, 70);
  spec.aRow = 91; // column slices of wider arrays
  spec.bRow = 77;
  spec.outputs[0].rowStride = 64;
  check(spec);
  spec.aRow = 3 * 70; // neither stride is 1
  spec.aCol = 3;
  spec.bRow = 2 * 45;
  spec.bCol = 2;
  check(spec);
}

/// No choice of the schedule changes a bit.
TEST_F(MatmulTest, schedules) {
  for (Layout layout : {Layout::NN, Layout::NT, Layout::TN}) {
    MatmulSpec spec = makeSpec(layout, 101, 203, 900, 2);
    for (bool packA : {false, true})
      for (bool packB : {false, true}) {
        MatmulSchedule schedule;
        schedule.tileRows = packB ? 4 : 6;
        schedule.tileVectors = !packB && spec.bCol != 1 ? 1 : 3;
        schedule.packA = packA;
        schedule.packB = packB;
        schedule.superRows = 72; // a multiple of 6 and 8
        schedule.superColumns = 96;
        schedule.batches = packA ? 1 : 2;
        schedule.chunks = packB ? 2 : 3;
        schedule.taskRows = 24;
        schedule.taskColumns = 48;
        check(spec, &schedule);
      }
  }
}

/// Two outputs; the epilogue adds a bias, and output 1 takes C before.
TEST_F(MatmulTest, epilogueAndSharedPartials) {
  for (bool shared : {false, true}) {
    MatmulSpec spec = makeSpec(Layout::NT, 45, 83, 800);
    spec.numOperands = 5;
    spec.outputs.push_back({3, {}, 45 * 83, 83});
    spec.partialsInShared = shared;
    auto epilogue = [&](PhaseShell &shell, OpBuilder &builder, Location loc,
                        Value acc, Value batch, Value row, Value col,
                        Value mask, SmallVectorImpl<Value> &outputs) {
      Value bias =
          shell.operand(4, MemRefType::get({83}, builder.getF32Type()));
      Value add = loadLanes(builder, loc, bias, col, mask);
      outputs.push_back(arith::AddFOp::create(builder, loc, acc, add));
      outputs.push_back(arith::MulFOp::create(builder, loc, acc, acc));
    };
    FloatBuffer a = randomBuffer(sizeA(spec), 1);
    FloatBuffer b = randomBuffer(sizeB(spec), 2);
    FloatBuffer bias = randomBuffer(83, 3);
    for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
      const Target &target = getTarget(isa);
      if (!hostSupports(target))
        continue;
      OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
      EmittedKernel kernel =
          emitMatmul(*module, module->getLoc(), "mm", target, spec, epilogue);
      LoadedKernel loaded(*module, target, kernel);
      ASSERT_EQ(loaded.error(), "");
      FloatBuffer sums(sizeC(spec)), squares(sizeC(spec));
      loaded.run(
          {a.data(), b.data(), sums.data(), squares.data(), bias.data()});
      for (int64_t r = 0; r < spec.m; ++r)
        for (int64_t c = 0; c < spec.n; ++c) {
          float want = element(spec, a.data(), b.data(), 0, r, c);
          ASSERT_EQ(sums[r * 83 + c], want + bias[c]);
          ASSERT_EQ(squares[r * 83 + c], want * want);
        }
    }
  }
}

} // namespace
