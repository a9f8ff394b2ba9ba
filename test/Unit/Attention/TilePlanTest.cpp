//===- TilePlanTest.cpp ---------------------------------------------------===//
#include "tt/Attention/TilePlan.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace tt::attention;

namespace {

/// The class of a tile from the mask, score by score.
TileClass classifyByHand(const TilePlan &plan, int64_t queryBlock,
                         int64_t keyBlock) {
  int64_t seen = 0, queries = 0;
  for (int64_t r = 0; r < plan.blockQ; ++r) {
    int64_t i = queryBlock * plan.blockQ + r;
    queries += i < plan.queries;
    for (int64_t c = 0; c < plan.blockK; ++c) {
      int64_t j = keyBlock * plan.blockK + c;
      bool exists = i < plan.queries && j < plan.keys;
      seen += exists && (!plan.causal || j <= i + plan.keys - plan.queries);
    }
  }
  if (seen == 0)
    return TileClass::Skipped;
  return seen == queries * plan.blockK ? TileClass::Full : TileClass::Partial;
}

TEST(TilePlan, SquareCausalVisitsTheLowerTriangle) {
  for (int64_t n : {1, 2, 7, 16}) {
    TilePlan plan{64 * n, 64 * n, /*causal=*/true, 64, 64};
    EXPECT_EQ(plan.countVisited(), n * (n + 1) / 2);
    EXPECT_EQ(plan.countFull(), n * (n - 1) / 2);
  }
}

TEST(TilePlan, WithoutMaskAllTilesAreVisited) {
  TilePlan plan{100, 130, /*causal=*/false, 32, 64};
  EXPECT_EQ(plan.countVisited(), 4 * 3);
  EXPECT_EQ(plan.countFull(), 4 * 2);
  EXPECT_EQ(plan.classify(0, 2), TileClass::Partial); // 2 of 64 keys exist
}

TEST(TilePlan, QueriesBeforeTheFirstKeyHaveNoTiles) {
  TilePlan plan{200, 72, /*causal=*/true, 32, 32}; // queries 0..127 see nothing
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(plan.keyBlocks(i).size(), 0);
  EXPECT_EQ(plan.keyBlocks(4).size(), 1);
  EXPECT_EQ(plan.queryBlocks(0).begin, 4);
}

TEST(TilePlan, EveryTileAgreesWithTheMask) {
  for (bool causal : {false, true})
    for (int64_t queries : {1, 5, 31, 32, 33, 100})
      for (int64_t keys : {1, 7, 32, 65, 130})
        for (int64_t blockQ : {8, 32, 48})
          for (int64_t blockK : {16, 32, 33}) {
            TilePlan plan{queries, keys, causal, blockQ, blockK};
            for (int64_t i = 0; i < plan.numQueryBlocks(); ++i)
              for (int64_t j = 0; j < plan.numKeyBlocks(); ++j) {
                TileClass wanted = classifyByHand(plan, i, j);
                ASSERT_EQ(plan.classify(i, j), wanted)
                    << queries << 'x' << keys << " tiles " << blockQ << 'x'
                    << blockK << " at " << i << ',' << j;
                BlockRange seenBy = plan.queryBlocks(j);
                bool inRange = i >= seenBy.begin && i < seenBy.end;
                ASSERT_EQ(inRange, wanted != TileClass::Skipped);
              }
          }
}

} // namespace
