//===- ChainPlanTest.cpp - Cuts of chains, in numbers ---------------------===//
#include "tt/Remat/ChainPlan.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace tt;

/// n equal layers whose tape is B boundaries of 1.
static LayerChain uniform(unsigned n, int64_t tape, bool rerunAtEnd = true) {
  LayerChain chain;
  chain.layers.assign(n, {1, tape, 0, 0, rerunAtEnd});
  return chain;
}

/// Claim R1: n = 64, the boundary is all there is to keep.
TEST(ChainPlanTest, BoundaryOnlyChain) {
  LayerChain chain = uniform(64, 1, /*rerunAtEnd=*/false);
  ChainPlan eight = planSegments(chain, 8);
  EXPECT_EQ(eight.starts, (std::vector<unsigned>{0, 8, 16, 24, 32, 40, 48, 56}));
  EXPECT_EQ(peakBytes(chain, eight), 15); // and one gradient
  EXPECT_EQ(countReplayed(chain, eight), 49u);
  // Segments that get shorter towards the end beat equal ones.
  ChainPlan best = planLeastPeak(chain);
  EXPECT_EQ(peakBytes(chain, best), 11);
  EXPECT_LT(countReplayed(chain, best), 64u);
}

/// Claim R2: L = 64 transformer layers, tape 17 times the boundary. The page
/// counts one gradient too.
TEST(ChainPlanTest, TransformerChain) {
  LayerChain chain = uniform(64, 17);
  const int64_t gradient = 1;
  EXPECT_EQ(peakBytes(chain, planNone()), 1088);
  EXPECT_EQ(countReplayed(chain, planNone()), 0u);
  ChainPlan layerSqrt = planSegments(chain, 8);
  EXPECT_EQ(peakBytes(chain, layerSqrt) + gradient, 144);
  EXPECT_EQ(peakBytes(chain, planFull(chain)) + gradient, 81);
  ChainPlan pairs = planSegments(chain, 32);
  EXPECT_EQ(peakBytes(chain, pairs) + gradient, 66);
  EXPECT_EQ(countReplayed(chain, pairs), 62u);
  ChainPlan best = planLeastPeak(chain);
  EXPECT_EQ(peakBytes(chain, best) + gradient, 56);
  EXPECT_EQ(countReplayed(chain, best), 63u);
}

/// No uniform plan is better, whatever the sizes.
TEST(ChainPlanTest, LeastPeakBeatsEqualSegments) {
  for (unsigned n : {1, 2, 3, 7, 16, 48, 96})
    for (int64_t tape : {1, 2, 5, 17, 40}) {
      LayerChain chain = uniform(n, tape);
      int64_t best = peakBytes(chain, planLeastPeak(chain));
      for (unsigned count = 1; count <= n; ++count)
        EXPECT_LE(best, peakBytes(chain, planSegments(chain, count)))
            << n << " layers, tape " << tape << ", " << count << " segments";
    }
}

static LayerChain randomChain(std::mt19937 &random, unsigned n) {
  auto upTo = [&](int64_t most) { return int64_t(random() % (most + 1)); };
  LayerChain chain;
  for (unsigned i = 0; i < n; ++i)
    chain.layers.push_back({upTo(9), upTo(30), upTo(12), upTo(8), random() % 2 == 0});
  chain.tail = upTo(60);
  chain.tailGradient = upTo(20);
  chain.floor = upTo(80);
  return chain;
}

/// Chains of unequal layers, against all 2^(n-1) sets of cuts.
TEST(ChainPlanTest, LeastPeakEqualsExhaustiveSearch) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 400; ++round) {
    unsigned n = 1 + round % 10;
    LayerChain chain = randomChain(random, n);
    int64_t least = INT64_MAX;
    for (unsigned cuts = 0; cuts < (1u << (n - 1)); ++cuts) {
      ChainPlan plan{{0}};
      for (unsigned i = 1; i < n; ++i)
        if (cuts >> (i - 1) & 1)
          plan.starts.push_back(i);
      least = std::min(least, peakBytes(chain, plan));
    }
    EXPECT_EQ(peakBytes(chain, planLeastPeak(chain)), least) << "round " << round;
  }
}

TEST(ChainPlanTest, SegmentsAreAsManyAsAsked) {
  std::mt19937 random(3);
  for (unsigned n = 1; n < 20; ++n)
    for (unsigned count = 1; count <= n; ++count) {
      ChainPlan plan = planSegments(randomChain(random, n), count);
      ASSERT_EQ(plan.starts.size(), count);
      for (unsigned s = 1; s < count; ++s)
        EXPECT_LT(plan.starts[s - 1], plan.starts[s]);
      EXPECT_LT(plan.starts.back(), n);
    }
}

/// Where the rest of the step needs more than the chain, nothing is replayed in
/// vain.
TEST(ChainPlanTest, NothingIsReplayedBelowTheFloor) {
  LayerChain chain = uniform(12, 17);
  chain.floor = 12 * 17;
  EXPECT_EQ(countReplayed(chain, planLeastPeak(chain)), 0u);
  chain.floor = 6 * 17;
  EXPECT_LE(countReplayed(chain, planLeastPeak(chain)), 7u);
  EXPECT_EQ(peakBytes(chain, planLeastPeak(chain)), 6 * 17);
}

TEST(ChainPlanTest, LongChain) {
  LayerChain chain = uniform(5000, 17);
  EXPECT_LT(peakBytes(chain, planLeastPeak(chain)), 600);
}

TEST(ChainPlanTest, Describes) {
  LayerChain chain = uniform(4, 17);
  EXPECT_EQ(describe(chain, planSegments(chain, 2)),
            "[0..1] kept [2..3] peak 35 bytes, 2 replayed");
}
