//===- AttentionVisitsTest.cpp - Tiles that compiled attention visits -----===//
//
// Compiled code has no trip counts to read. But a product with NaN is NaN even where
// its other factor is 0 for a hidden score, so a block of keys that holds NaN shows in
// just those blocks of queries that visit it, and the other way round.
//
//===----------------------------------------------------------------------===//
#include "../../Common/AttentionCase.h"
#include "KernelHarness.h"
#include "KernelRunner.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tt::cpu;
using tt::test::AttentionCase;

namespace {
constexpr int64_t kBlock = 64;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A kernel and its operands: arguments, then results.
struct Compiled {
  std::unique_ptr<LoadedKernel> kernel;
  std::vector<OperandBuffer> operands;

  void run() {
    std::vector<void *> pointers;
    for (OperandBuffer &operand : operands)
      pointers.push_back(operand.data());
    kernel->run(pointers);
  }
};

class AttentionVisits : public KernelTest {
protected:
  Compiled compile(const std::string &text, std::vector<OperandBuffer> arguments,
                   std::vector<size_t> results) {
    Compiled compiled{load(text, getTarget(TT_ISA_V3)), std::move(arguments)};
    for (size_t count : results)
      compiled.operands.emplace_back(count * sizeof(float));
    return compiled;
  }

  /// Which blocks of operand `result`, rows of `width`, NaN in block `from` of operand
  /// `argument` reaches.
  static std::vector<bool> reached(Compiled &compiled, unsigned argument, int64_t from,
                                  unsigned result, int64_t width) {
    OperandBuffer whole = compiled.operands[argument];
    float *values = static_cast<float *>(compiled.operands[argument].data());
    std::fill_n(values + from * kBlock * width, kBlock * width, kNaN);
    compiled.run();
    compiled.operands[argument] = whole;
    std::vector<bool> blocks;
    int64_t count = int64_t(compiled.operands[result].bytes() / sizeof(float));
    const float *found = compiled.operands[result].as<float>();
    for (int64_t at = 0; at < count; at += kBlock * width) {
      bool any = false;
      for (int64_t i = 0; i < kBlock * width; ++i)
        any |= std::isnan(found[at + i]);
      blocks.push_back(any);
    }
    return blocks;
  }

  struct Visits {
    int64_t forward = 0, ofQueries = 0, ofKeys = 0; // output; dq; dk and dv
  };

  /// Tiles of one head that each product visits.
  Visits count(AttentionCase c, const std::vector<int32_t> &segments = {}) {
    c.batch = c.heads = c.keyHeads = 1;
    c.headSize = 8;
    c.element = "f32";
    c.blockQ = c.blockK = kBlock;
    c.segments = !segments.empty();
    int64_t blocks = c.queries / kBlock, size = c.queries * c.headSize;
    std::vector<OperandBuffer> inputs = {randomBuffer(size, 1), randomBuffer(size, 2),
                                         randomBuffer(size, 3)};
    if (c.segments)
      inputs.insert(inputs.end(), 2, OperandBuffer::of(segments));
    size_t n = inputs.size();
    Compiled forward = compile(c.forwardKernel(), inputs, {size_t(size), size_t(c.queries)});
    forward.run();
    std::vector<OperandBuffer> all = inputs;
    all.push_back(forward.operands[n]);
    all.push_back(forward.operands[n + 1]);
    all.push_back(randomBuffer(size, 4));
    all.push_back(randomBuffer(c.queries, 5));
    unsigned dOutput = unsigned(n) + 2, dq = unsigned(n) + 4;
    Compiled adjoint = compile(c.adjointKernel(), all, {size_t(size), size_t(size), size_t(size)});
    enum { K = 1, V = 2 };
    Visits visits;
    for (int64_t block = 0; block < blocks; ++block) {
      visits.forward +=
          llvm::count(reached(forward, V, block, unsigned(n), c.headSize), true);
      visits.ofQueries += llvm::count(reached(adjoint, K, block, dq, c.headSize), true);
      std::vector<bool> dk = reached(adjoint, dOutput, block, dq + 1, c.headSize);
      EXPECT_EQ(dk, reached(adjoint, dOutput, block, dq + 2, c.headSize));
      visits.ofKeys += llvm::count(dk, true);
    }
    return visits;
  }

  static AttentionCase square(int64_t tokens) {
    AttentionCase c;
    c.queries = c.keys = tokens;
    return c;
  }
  void expectVisits(const AttentionCase &c, int64_t wanted,
                    const std::vector<int32_t> &segments = {}) {
    SCOPED_TRACE(c.name());
    Visits found = count(c, segments);
    EXPECT_EQ(found.forward, wanted);
    EXPECT_EQ(found.ofQueries, wanted);
    EXPECT_EQ(found.ofKeys, wanted);
  }
};

TEST_F(AttentionVisits, AllTilesWithoutAMask) { expectVisits(square(256), 16); }

TEST_F(AttentionVisits, CausalVisitsTheLowerTriangle) {
  for (int64_t n : {2, 5, 9}) {
    AttentionCase c = square(n * kBlock);
    c.causal = true;
    expectVisits(c, n * (n + 1) / 2);
  }
}

TEST_F(AttentionVisits, AWindowIsLinearInTheLength) {
  for (int64_t n : {4, 8, 16}) {
    AttentionCase c = square(n * kBlock);
    c.causal = true;
    c.left = 2 * kBlock - 1; // a block of queries, and two before it
    expectVisits(c, 3 * n - 3);
  }
}

TEST_F(AttentionVisits, PackedDocumentsCostTheSumOfTheirSquares) {
  std::vector<int32_t> segments;
  int64_t squares = 0, triangles = 0;
  for (int32_t n : {3, 1, 6, 2}) {
    segments.insert(segments.end(), size_t(n * kBlock), n);
    squares += n * n;
    triangles += n * (n + 1) / 2;
  }
  AttentionCase c = square(int64_t(segments.size()));
  expectVisits(c, squares, segments);
  c.causal = true;
  expectVisits(c, triangles, segments);
}

} // namespace
