//===- AttentionTest.cpp - Attention against its formula in f64 -----------===//
#include "tt/Lowering/CPU/Attention.h"
#include "KernelRunner.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace tt::cpu;
using namespace mlir;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr uint64_t kPlainBits = 14474027172262636159u;
/// Numbers of the operands in all kernels here.
enum { Q, K, V, Out, Lse, DOut, DQ, DK, DV, NumOperands };

/// Values of cases/reported-faults.md.
float fill(int64_t i, int64_t a, int64_t b) {
  return float((a * i + b) % 129 - 64) / 64.0f;
}

/// Dense [B, H, T, D] tensors of one attention, in f64.
struct Tensors {
  std::vector<double> q, k, v, out, lse, dOut, dq, dk, dv;
};

/// The definition, score by score.
void computeReference(const AttentionSpec &s, Tensors &t) {
  int64_t group = s.heads / s.kvHeads, D = s.headSize;
  t.out.assign(s.batch * s.heads * s.queries * D, 0.0);
  t.lse.assign(s.batch * s.heads * s.queries, -double(kInf));
  t.dq.assign(t.out.size(), 0.0);
  t.dk.assign(s.batch * s.kvHeads * s.keys * D, 0.0);
  t.dv.assign(t.dk.size(), 0.0);
  std::vector<double> p(s.keys), ds(s.keys);
  for (int64_t bh = 0; bh < s.batch * s.heads; ++bh) {
    int64_t kv = bh / s.heads * s.kvHeads + bh % s.heads / group;
    for (int64_t i = 0; i < s.queries; ++i) {
      int64_t row = bh * s.queries + i;
      int64_t seen =
          s.causal ? std::min(s.keys, i + s.keys - s.queries + 1) : s.keys;
      if (seen <= 0)
        continue;
      const double *q = &t.q[row * D], *dOut = &t.dOut[row * D];
      double maximum = -kInf, sum = 0, delta = 0;
      for (int64_t j = 0; j < seen; ++j) {
        p[j] = s.scale *
               std::inner_product(q, q + D, &t.k[(kv * s.keys + j) * D], 0.0);
        maximum = std::max(maximum, p[j]);
      }
      for (int64_t j = 0; j < seen; ++j)
        sum += p[j] = std::exp(p[j] - maximum);
      t.lse[row] = maximum + std::log(sum);
      for (int64_t j = 0; j < seen; ++j) {
        const double *v = &t.v[(kv * s.keys + j) * D];
        p[j] /= sum;
        ds[j] = std::inner_product(dOut, dOut + D, v, 0.0);
        delta += p[j] * ds[j];
        for (int64_t d = 0; d < D; ++d)
          t.out[row * D + d] += p[j] * v[d];
      }
      for (int64_t j = 0; j < seen; ++j) {
        double factor = s.scale * p[j] * (ds[j] - delta);
        int64_t at = (kv * s.keys + j) * D;
        for (int64_t d = 0; d < D; ++d) {
          t.dv[at + d] += p[j] * dOut[d];
          t.dk[at + d] += factor * q[d];
          t.dq[row * D + d] += factor * t.k[at + d];
        }
      }
    }
  }
}

/// A [B, H, T, D] operand with gaps between heads and tokens; what is outside
/// the elements holds a pattern that no kernel may change.
struct HeadsBuffer {
  static constexpr int64_t kGap = 19, kMargin = 64;

  HeadsBuffer(unsigned operand, int64_t batch, int64_t heads, int64_t tokens,
              int64_t headSize, bool padded)
      : batch(batch), heads(heads), tokens(tokens), headSize(headSize),
        floats(1) {
    int64_t gap = padded ? kGap : 0;
    // Padded: [B, T, H, D] as a projection leaves it.
    where.operand = operand;
    where.head = padded ? headSize + gap : tokens * headSize;
    where.token = padded ? heads * where.head + gap : headSize;
    where.batch =
        padded ? tokens * where.token + gap : heads * tokens * headSize;
    floats = FloatBuffer(batch * where.batch + 2 * kMargin);
  }
  float &at(int64_t b, int64_t h, int64_t t, int64_t d) const {
    return floats[kMargin + b * where.batch + h * where.head + t * where.token +
                  d];
  }
  float *data() const { return floats.data() + kMargin; }
  void forEach(function_ref<void(float &, int64_t)> use) const {
    int64_t i = 0;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t t = 0; t < tokens; ++t)
          for (int64_t d = 0; d < headSize; ++d)
            use(at(b, h, t, d), i++);
  }
  std::vector<float> values() const {
    std::vector<float> dense;
    forEach([&](float &x, int64_t) { dense.push_back(x); });
    return dense;
  }
  /// True when only elements were written.
  bool isIntact() const {
    std::vector<bool> inside(floats.size());
    forEach([&](float &x, int64_t) { inside[&x - floats.data()] = true; });
    for (int64_t i = 0; i < floats.size(); ++i) {
      uint32_t bits;
      std::memcpy(&bits, &floats[i], 4);
      if (!inside[i] && bits != 0xffffffffu)
        return false;
    }
    return true;
  }

  int64_t batch, heads, tokens, headSize;
  HeadsOperand where;
  FloatBuffer floats;
};

struct Results {
  std::vector<float> out, lse, dq, dk, dv;

  bool operator==(const Results &other) const {
    auto same = [](const std::vector<float> &a, const std::vector<float> &b) {
      return a.size() == b.size() &&
             std::memcmp(a.data(), b.data(), a.size() * 4) == 0;
    };
    return same(out, other.out) && same(lse, other.lse) && same(dq, other.dq) &&
           same(dk, other.dk) && same(dv, other.dv);
  }
};

class AttentionTest : public ::testing::Test {
protected:
  AttentionTest() {
    DialectRegistry registry;
    registerKernelDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  static AttentionSpec makeSpec(int64_t heads, int64_t kvHeads, int64_t queries,
                                int64_t keys, int64_t headSize, bool causal,
                                int64_t batch = 1) {
    AttentionSpec spec;
    spec.batch = batch;
    spec.heads = heads;
    spec.kvHeads = kvHeads;
    spec.queries = queries;
    spec.keys = keys;
    spec.headSize = headSize;
    spec.causal = causal;
    spec.scale = 1.0 / std::sqrt(double(headSize));
    return spec;
  }

  /// q, k, v, dOut by the rule of the fault cases.
  static Tensors fillTensors(const AttentionSpec &s) {
    Tensors t;
    int64_t qSize = s.batch * s.heads * s.queries * s.headSize;
    int64_t kSize = s.batch * s.kvHeads * s.keys * s.headSize;
    auto make = [](std::vector<double> &x, int64_t size, int64_t a, int64_t b) {
      for (int64_t i = 0; i < size; ++i)
        x.push_back(fill(i, a, b));
    };
    make(t.q, qSize, 37, 11);
    make(t.k, kSize, 53, 29);
    make(t.v, kSize, 71, 3);
    make(t.dOut, qSize, 17, 5);
    return t;
  }

  static Tensors randomTensors(const AttentionSpec &s, double spread = 2.0) {
    Tensors t = fillTensors(s);
    std::mt19937 random(7);
    for (auto *x : {&t.q, &t.k, &t.v, &t.dOut})
      for (double &value : *x)
        value = float(double(int32_t(random())) * 0x1p-31 * spread);
    return t;
  }

  /// All tasks in random order, with scratch full of NaN and a guard after it.
  static void runKernel(const LoadedKernel &kernel,
                        const std::vector<void *> &operands, unsigned seed) {
    ASSERT_EQ(kernel.error(), "");
    int64_t floats = kernel.kernel().workerBytes / 4;
    std::mt19937 random(seed);
    for (auto [number, phase] : llvm::enumerate(kernel.kernel().phases)) {
      FloatBuffer worker(floats + 64);
      std::vector<int64_t> tasks(phase.tasks);
      std::iota(tasks.begin(), tasks.end(), 0);
      std::shuffle(tasks.begin(), tasks.end(), random);
      for (int64_t task : tasks)
        kernel.function(number)(
            reinterpret_cast<char *const *>(operands.data()), task,
            /*iteration=*/0, /*shared=*/nullptr,
            reinterpret_cast<char *>(worker.data()));
      for (int64_t i = floats; i < floats + 64; ++i)
        EXPECT_TRUE(std::isnan(worker[i])) << "written past the scratch";
    }
  }

  /// Forward, then backward, at one level.
  Results run(AttentionSpec s, const Tensors &t, unsigned isa,
              bool padded = false) {
    auto ofQueries = [&](unsigned n) {
      return HeadsBuffer(n, s.batch, s.heads, s.queries, s.headSize, padded);
    };
    auto ofKeys = [&](unsigned n) {
      return HeadsBuffer(n, s.batch, s.kvHeads, s.keys, s.headSize, padded);
    };
    HeadsBuffer q = ofQueries(Q), k = ofKeys(K), v = ofKeys(V),
                out = ofQueries(Out), dOut = ofQueries(DOut),
                dq = ofQueries(DQ), dk = ofKeys(DK), dv = ofKeys(DV);
    HeadsBuffer lse(Lse, 1, 1, 1, s.batch * s.heads * s.queries, false);
    auto write = [](const HeadsBuffer &buffer, const std::vector<double> &x) {
      buffer.forEach([&](float &f, int64_t i) { f = float(x[i]); });
    };
    write(q, t.q), write(k, t.k), write(v, t.v), write(dOut, t.dOut);
    s.q = q.where, s.k = k.where, s.v = v.where, s.out = out.where;
    s.dOut = dOut.where, s.dq = dq.where, s.dk = dk.where, s.dv = dv.where;
    s.lseOperand = Lse;
    s.numOperands = NumOperands;
    std::vector<void *> operands{q.data(),   k.data(),   v.data(),
                                 out.data(), lse.data(), dOut.data(),
                                 dq.data(),  dk.data(),  dv.data()};
    const Target &target = getTarget(isa);
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> forward = ModuleOp::create(loc);
    EmittedKernel emitted =
        emitAttentionForward(*forward, loc, "attention", target, s);
    runKernel(LoadedKernel(*forward, target, emitted), operands, 11);
    OwningOpRef<ModuleOp> backward = ModuleOp::create(loc);
    emitted = emitAttentionBackward(*backward, loc, "attention_bwd", target, s);
    runKernel(LoadedKernel(*backward, target, emitted), operands, 12);
    for (HeadsBuffer *buffer : {&q, &k, &v, &out, &lse, &dOut, &dq, &dk, &dv})
      EXPECT_TRUE(buffer->isIntact())
          << "operand " << buffer->where.operand << " is written outside";
    return {out.values(), lse.values(), dq.values(), dk.values(), dv.values()};
  }

  static void expectNear(const char *name, const std::vector<float> &found,
                         const std::vector<double> &wanted, double eps) {
    ASSERT_EQ(found.size(), wanted.size());
    double largest = 1; // gradients cancel, so not below the terms
    for (double x : wanted)
      if (std::isfinite(x))
        largest = std::max(largest, std::fabs(x));
    for (size_t i = 0; i < found.size(); ++i) {
      if (std::isinf(wanted[i])) {
        ASSERT_EQ(double(found[i]), wanted[i]) << name << '[' << i << ']';
        continue;
      }
      ASSERT_NEAR(found[i], wanted[i], eps * largest)
          << name << '[' << i << ']';
    }
  }

  /// Both levels against the reference and against each other.
  Results check(const AttentionSpec &s, Tensors t, bool padded = false) {
    computeReference(s, t);
    Results v3 = run(s, t, TT_ISA_V3, padded);
    // A few roundings of 2^-24 each, relative to the largest element.
    constexpr double eps = 2e-6;
    expectNear("out", v3.out, t.out, eps);
    expectNear("lse", v3.lse, t.lse, eps);
    expectNear("dq", v3.dq, t.dq, eps);
    expectNear("dk", v3.dk, t.dk, eps);
    expectNear("dv", v3.dv, t.dv, eps);
    if (hostSupports(getTarget(TT_ISA_V4)))
      EXPECT_TRUE(run(s, t, TT_ISA_V4, padded) == v3) << "v4 differs from v3";
    return v3;
  }

  MLIRContext context;
};

TEST_F(AttentionTest, HeadSizes) {
  for (int64_t headSize : {1, 7, 16, 24, 32, 64, 80, 128})
    for (bool causal : {false, true}) {
      if (!causal && headSize != 24 && headSize != 64)
        continue; // compiling is what takes the time
      SCOPED_TRACE("D=" + std::to_string(headSize));
      AttentionSpec s = makeSpec(2, 2, 65, 65, headSize, causal);
      check(s, randomTensors(s), /*padded=*/headSize % 3 == 1);
    }
}

TEST_F(AttentionTest, UnequalLengths) {
  for (auto [queries, keys] : {std::pair<int64_t, int64_t>{1, 1},
                               {1, 200},
                               {3, 130},
                               {130, 3},
                               {33, 97},
                               {200, 137}})
    for (bool causal : {false, true}) {
      if (!causal && queries != 33)
        continue;
      SCOPED_TRACE(std::to_string(queries) + "x" + std::to_string(keys));
      AttentionSpec s = makeSpec(2, 1, queries, keys, 24, causal);
      check(s, randomTensors(s), /*padded=*/true);
    }
}

TEST_F(AttentionTest, GroupsAndBatch) {
  AttentionSpec s = makeSpec(6, 2, 70, 70, 32, /*causal=*/true, /*batch=*/3);
  check(s, randomTensors(s), /*padded=*/true);
}

TEST_F(AttentionTest, LargeScores) {
  AttentionSpec s = makeSpec(1, 1, 150, 150, 32, /*causal=*/true);
  s.scale = 1.0;
  Tensors t = randomTensors(s, /*spread=*/8.0), reference = t;
  computeReference(s, reference);
  Results found = run(s, t, TT_ISA_V3);
  // Scores of some hundreds: their rounding is 2^-24 of that in the exponent.
  expectNear("out", found.out, reference.out, 1e-4);
  expectNear("dq", found.dq, reference.dq, 1e-4);
  expectNear("lse", found.lse, reference.lse, 1e-6);
}

/// The schedule must not change a bit.
TEST_F(AttentionTest, ScheduleDoesNotChangeBits) {
  AttentionSpec s = makeSpec(4, 2, 200, 260, 40, /*causal=*/true);
  Tensors t = randomTensors(s);
  Results wanted = run(s, t, TT_ISA_V3);
  for (auto [blockQ, blockK] :
       {std::pair<int64_t, int64_t>{16, 17}, {48, 32}, {128, 96}})
    for (bool split : {false, true}) {
      AttentionSpec other = s;
      other.blockQ = blockQ;
      other.backwardBlockK = blockK;
      other.splitBackward = split;
      EXPECT_TRUE(run(other, t, TT_ISA_V3) == wanted)
          << blockQ << 'x' << blockK << " split " << split;
    }
}

// RF-01, the causal way to rows without keys: queries 0 and 1 of 5 see nothing,
// and whatever the loss says about them is lost.
TEST_F(AttentionTest, RowsWithoutKeys) {
  for (bool split : {false, true}) {
    AttentionSpec s = makeSpec(1, 1, 5, 3, 2, /*causal=*/true);
    s.splitBackward = split;
    Tensors t = randomTensors(s);
    Results plain = check(s, t);
    for (int64_t i = 0; i < 4; ++i)
      t.dOut[i] = i % 2 ? double(kInf) : std::nan("");
    Results found = run(s, t, TT_ISA_V3);
    EXPECT_TRUE(found == plain);
    for (int64_t row : {0, 1}) {
      EXPECT_EQ(found.lse[row], -kInf);
      for (int64_t d : {0, 1}) {
        EXPECT_EQ(found.out[2 * row + d], 0.0f);
        EXPECT_EQ(found.dq[2 * row + d], 0.0f);
      }
    }
  }
}

/// RF-02: more keys than queries, aligned bottom-right.
TEST_F(AttentionTest, MoreKeysThanQueries) {
  AttentionSpec s = makeSpec(1, 1, 2, 4, 1, /*causal=*/true);
  Tensors t;
  t.q.assign(2, 0.0);
  t.k.assign(4, 0.0);
  t.v = {1, 2, 3, 4};
  t.dOut.assign(2, 1.0);
  Results found = check(s, t);
  EXPECT_NEAR(found.out[0], 2.0, 1e-6);
  EXPECT_NEAR(found.out[1], 2.5, 1e-6);
  for (int64_t j : {0, 1, 2})
    EXPECT_NEAR(found.dv[j], 0.583333, 1e-6);
  EXPECT_NEAR(found.dv[3], 0.25, 1e-6);
}

/// RF-04: dk and dv are sums over the group.
TEST_F(AttentionTest, GroupedHeads) {
  AttentionSpec one = makeSpec(4, 2, 1, 1, 1, /*causal=*/false);
  Tensors t;
  t.q.assign(4, 1.0);
  t.k.assign(2, 1.0);
  t.v.assign(2, 1.0);
  t.dOut = {1, 2, 3, 4};
  Results found = check(one, t);
  EXPECT_EQ(found.dv, (std::vector<float>{3, 7}));
  EXPECT_EQ(found.dk, (std::vector<float>{0, 0}));

  AttentionSpec s = makeSpec(4, 2, 3, 3, 2, /*causal=*/true);
  found = check(s, fillTensors(s));
  const double dk[] = {0.018787,  0.025703,  0.005936,  -0.03458,
                       -0.024723, 0.008877,  -0.002056, -0.025672,
                       0.026735,  -0.170345, -0.024679, 0.196017};
  const double dv[] = {-0.893163, 0.077381,  -0.558763, -0.157028,
                       -0.141824, 0.079646,  0.836547,  0.297329,
                       0.480475,  -0.857466, 0.089228,  -0.471114};
  for (int64_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(found.dk[i], dk[i], 1e-5 + 1e-5 * std::fabs(dk[i]));
    EXPECT_NEAR(found.dv[i], dv[i], 1e-5 + 1e-5 * std::fabs(dv[i]));
  }
}

// Plain attention does not pay for what it has not: these are the bits that it
// had before there were windows, segments and the like.
TEST_F(AttentionTest, PlainCausalKeepsItsBits) {
  AttentionSpec s = makeSpec(4, 2, 70, 90, 24, /*causal=*/true);
  Results found = run(s, fillTensors(s), TT_ISA_V3);
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (const auto *values : {&found.out, &found.lse, &found.dq, &found.dk, &found.dv})
    for (float x : *values) {
      uint32_t bits;
      std::memcpy(&bits, &x, 4);
      for (int i = 0; i < 4; ++i)
        hash = (hash ^ (bits >> (8 * i) & 0xff)) * 1099511628211u;
    }
  EXPECT_EQ(hash, kPlainBits);
}

/// RF-06: one more or less than a multiple of the tile, all tiles.
TEST_F(AttentionTest, TileEdges) {
  struct Case {
    int64_t tokens;
    double sums[4], last[4]; // out, dq, dk, dv
    int64_t windowLeft = tt::attention::kNoWindow;
  };
  const Case cases[] = {{127,
                         {244.10577, 88.54562, 64.18490, 184.97994},
                         {-0.003494, 0.005138, -0.002383, 0.003613}},
                        {129,
                         {244.56135, 88.82622, 64.44952, 185.00742},
                         {-0.000239, 0.003194, 0.000815, 0.001607}},
                        {1025,
                         {462.98347, 247.96742, 256.68029, 426.81848},
                         {-0.003905, -0.002593, -0.000057, 0.000151}},
                        {1025,
                         {792.19512, 323.91898, 355.38965, 677.96456},
                         {-0.002150, -0.006788, -0.000567, 0.001555},
                         /*windowLeft=*/99}};
  const std::pair<int64_t, int64_t> tiles[] = {
      {32, 32}, {64, 64}, {128, 128}, {32, 128}, {128, 32}};
  for (const Case &c : cases)
    for (auto [blockQ, blockK] : tiles) {
      SCOPED_TRACE("T=" + std::to_string(c.tokens) + " tiles " +
                   std::to_string(blockQ) + "x" + std::to_string(blockK));
      AttentionSpec s = makeSpec(1, 1, c.tokens, c.tokens, 64, true);
      s.blockQ = blockQ;
      s.blockK = s.backwardBlockK = blockK;
      s.windowLeft = c.windowLeft;
      Results v3 = run(s, fillTensors(s), TT_ISA_V3);
      const std::vector<float> *found[] = {&v3.out, &v3.dq, &v3.dk, &v3.dv};
      for (int64_t i = 0; i < 4; ++i) {
        double sum = 0;
        for (float x : *found[i])
          sum += std::fabs(x);
        EXPECT_NEAR(sum, c.sums[i], 1e-4 * c.sums[i]) << i;
        EXPECT_NEAR((*found[i])[(c.tokens - 1) * 64], c.last[i], 1e-5) << i;
      }
      if (c.tokens == 129 && hostSupports(getTarget(TT_ISA_V4)))
        EXPECT_TRUE(run(s, fillTensors(s), TT_ISA_V4) == v3);
    }
}

} // namespace
