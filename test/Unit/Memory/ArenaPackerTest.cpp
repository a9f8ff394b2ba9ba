//===- ArenaPackerTest.cpp ------------------------------------------------===//
#include "tt/Memory/ArenaPacker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tt;

namespace {

std::vector<ArenaBlock> randomBlocks(std::mt19937 &random, int count) {
  std::vector<ArenaBlock> blocks;
  for (int i = 0; i < count; ++i) {
    int64_t begin = random() % 50;
    blocks.push_back({int64_t(1 + random() % 5000), begin,
                      begin + int64_t(random() % 12), 0});
  }
  return blocks;
}

/// Forward values that the backward reads in reverse order, and gradients that
/// live to the end: the shape of a training step.
std::vector<ArenaBlock> trainingTrace(int layers) {
  std::vector<ArenaBlock> blocks;
  int64_t last = 4 * layers;
  for (int i = 0; i < layers; ++i) {
    int64_t down = 2 * i, up = last - 1 - 2 * i;
    blocks.push_back({4096, down, up, 0});
    blocks.push_back({16384, down + 1, up - 1, 0});
    blocks.push_back({1024, down, down + 1, 0});
    blocks.push_back({8192, up, last, 0});
  }
  return blocks;
}

TEST(ArenaPacker, NothingNeedsNothing) {
  std::vector<ArenaBlock> blocks;
  EXPECT_EQ(packArena(blocks, 64), 0);
  EXPECT_EQ(maxLive(blocks, 64), 0);
  EXPECT_EQ(verifyArena(blocks, 0, 64), "");
}

TEST(ArenaPacker, DisjointLivesShareOnePlace) {
  std::vector<ArenaBlock> blocks{{100, 0, 1, 0}, {100, 2, 3, 0}, {60, 4, 9, 0}};
  EXPECT_EQ(packArena(blocks, 64), 100);
  for (const ArenaBlock &block : blocks)
    EXPECT_EQ(block.offset, 0);
}

// An operand and a result of one launch are alive at the same time.
TEST(ArenaPacker, LivesIncludeBothEnds) {
  std::vector<ArenaBlock> blocks{{64, 0, 1, 0}, {64, 1, 2, 0}};
  EXPECT_EQ(packArena(blocks, 64), 128);
  EXPECT_EQ(maxLive(blocks, 64), 128);
}

TEST(ArenaPacker, OffsetsAreAligned) {
  std::vector<ArenaBlock> blocks{{1, 0, 5, 0}, {1, 0, 5, 0}, {65, 0, 5, 0}};
  int64_t height = packArena(blocks, 64);
  EXPECT_EQ(maxLive(blocks, 64), 256);
  EXPECT_LE(height, 256);
  for (const ArenaBlock &block : blocks)
    EXPECT_EQ(block.offset % 64, 0);
}

TEST(ArenaPacker, EmptyBlocksArePlaced) {
  std::vector<ArenaBlock> blocks{{0, 0, 5, 0}, {64, 0, 5, 0}};
  EXPECT_EQ(packArena(blocks, 64), 64);
  EXPECT_EQ(verifyArena(blocks, 64, 64), "");
}

TEST(ArenaPacker, RandomPlansVerify) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<ArenaBlock> blocks = randomBlocks(random, 1 + random() % 60);
    int64_t height = packArena(blocks, 64);
    ASSERT_EQ(verifyArena(blocks, height, 64), "");
    // Up to the rounding of the highest block.
    ASSERT_GE(height + 63, maxLive(blocks, 64));
  }
}

// Within 1.3 % of the lower bound on training steps (design, section 3 of the
// algorithms).
TEST(ArenaPacker, TrainingTracesAreTight) {
  for (int layers : {1, 2, 12, 48}) {
    std::vector<ArenaBlock> blocks = trainingTrace(layers);
    int64_t height = packArena(blocks, 64);
    EXPECT_EQ(verifyArena(blocks, height, 64), "");
    EXPECT_LE(double(height), 1.013 * double(maxLive(blocks, 64)));
  }
}

TEST(ArenaPacker, TheSameBlocksGiveTheSamePlan) {
  std::mt19937 random(2);
  std::vector<ArenaBlock> blocks = randomBlocks(random, 80), again = blocks;
  packArena(blocks, 64);
  packArena(again, 64);
  for (size_t i = 0; i < blocks.size(); ++i)
    EXPECT_EQ(blocks[i].offset, again[i].offset);
}

// The verifier sees every kind of damage.
TEST(ArenaVerifier, FindsOverlaps) {
  std::vector<ArenaBlock> blocks{{64, 0, 2, 0}, {64, 2, 4, 0}};
  EXPECT_NE(verifyArena(blocks, 128, 64), "");
  blocks[1].offset = 64;
  EXPECT_EQ(verifyArena(blocks, 128, 64), "");
  blocks[1] = {64, 3, 4, 0};
  EXPECT_EQ(verifyArena(blocks, 64, 64), "");
}

TEST(ArenaVerifier, FindsEveryShiftedBlock) {
  std::mt19937 random(3);
  unsigned found = 0, harmful = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<ArenaBlock> blocks = randomBlocks(random, 30);
    int64_t height = packArena(blocks, 64);
    ArenaBlock &victim = blocks[random() % blocks.size()];
    victim.offset = std::max<int64_t>(0, victim.offset - 64);
    // Counted without the verifier: by brute force over pairs and bytes.
    bool overlap = false;
    for (const ArenaBlock &a : blocks)
      overlap |= &a != &victim && a.begin <= victim.end && victim.begin <= a.end &&
                 a.offset < victim.offset + victim.size &&
                 victim.offset < a.offset + a.size;
    harmful += overlap;
    found += !verifyArena(blocks, height, 64).empty();
  }
  EXPECT_EQ(found, harmful);
  EXPECT_GT(harmful, 50u);
}

TEST(ArenaVerifier, FindsWhatLiesOutside) {
  std::vector<ArenaBlock> blocks{{64, 0, 2, 64}};
  EXPECT_NE(verifyArena(blocks, 127, 64), "");
  EXPECT_EQ(verifyArena(blocks, 128, 64), "");
  blocks[0].offset = -64;
  EXPECT_NE(verifyArena(blocks, 128, 64), "");
  blocks[0].offset = 32;
  EXPECT_NE(verifyArena(blocks, 128, 64), "");
}

} // namespace
