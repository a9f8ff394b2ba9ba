//===- TilePlanTest.cpp ---------------------------------------------------===//
#include "tt/Attention/TilePlan.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace tt::attention;

namespace {

/// Query i sees key j.
bool sees(const TilePlan &plan, int64_t i, int64_t j) {
  int64_t last = i + plan.keys - plan.queries;
  if (j < plan.prefix)
    return true;
  if (plan.causal && j > last)
    return false;
  if (plan.windowLeft >= 0 && j < last - plan.windowLeft)
    return false;
  return plan.windowRight < 0 || j <= last + plan.windowRight;
}

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
      seen += exists && sees(plan, i, j);
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

TEST(TilePlan, SlidingWindowIsLinear) {
  auto visited = [](int64_t tokens) {
    TilePlan plan{tokens, tokens, /*causal=*/true, 64, 64};
    plan.windowLeft = 255;
    return plan.countVisited();
  };
  // Five tiles per query block but for the first four.
  EXPECT_EQ(visited(1024), 16 * 5 - 10);
  EXPECT_EQ(visited(4096) - visited(2048), 32 * 5);
  EXPECT_EQ(visited(16384) - visited(8192), 128 * 5);
}

TEST(TilePlan, PackedDocumentsCostTheSumOfTheirSquares) {
  TilePlan plan{1024, 1024, /*causal=*/false, 64, 64};
  std::vector<int64_t> segments;
  for (int64_t blocks : {4, 1, 8, 3})
    segments.insert(segments.end(), size_t(64 * blocks), blocks);
  EXPECT_EQ(plan.countVisited(segments, segments), 4 * 4 + 1 + 8 * 8 + 3 * 3);
  plan.causal = true;
  EXPECT_EQ(plan.countVisited(segments, segments), 10 + 1 + 36 + 6);
}

TEST(TilePlan, WindowsAndPrefixesAgreeWithTheMask) {
  for (auto [queries, keys] : {std::pair<int64_t, int64_t>{31, 31}, {20, 65}, {65, 20}})
    for (auto [left, right] : {std::pair<int64_t, int64_t>{0, 0}, {5, -1}, {-1, 9}, {40, 3}})
      for (int64_t prefix : {0, 1, 8, 17, 20})
        for (auto [blockQ, blockK] : {std::pair<int64_t, int64_t>{8, 8}, {16, 4}, {4, 16}}) {
          TilePlan plan{queries, keys, false, blockQ, blockK, left, right, prefix};
          for (int64_t i = 0; i < plan.numQueryBlocks(); ++i)
            for (int64_t j = 0; j < plan.numKeyBlocks(); ++j) {
              TileClass wanted = classifyByHand(plan, i, j), found = plan.classify(i, j);
              // A tile that prefix and window fill together is taken for partial.
              bool edge = j == prefix / blockK && wanted == TileClass::Full;
              ASSERT_TRUE(found == wanted || (edge && found == TileClass::Partial))
                  << queries << 'x' << keys << " window " << left << ',' << right
                  << " prefix " << prefix << " at " << i << ',' << j;
              BlockRange seenBy = plan.queryBlocks(j);
              if (i < seenBy.begin || i >= seenBy.end)
                ASSERT_EQ(wanted, TileClass::Skipped);
            }
        }
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
