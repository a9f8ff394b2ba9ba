#include "tt/Trainer/BatchSampler.h"

#include "gtest/gtest.h"

#include <map>
#include <numeric>

using namespace tt::trainer;

static std::vector<int32_t> counting(size_t size) {
  std::vector<int32_t> tokens(size);
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

TEST(BatchSampler, TargetsAreTheNextTokens) {
  std::vector<int32_t> text = counting(100);
  Batch batch;
  BatchSampler({text.data(), text.size()}, {3, 8}, 1).fill(5, batch);
  ASSERT_EQ(batch.tokens.size(), 24u);
  EXPECT_EQ(batch.numTargets, 24);
  for (size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(batch.targets[i], batch.tokens[i] + 1);
    if (i % 8)
      EXPECT_EQ(batch.tokens[i], batch.tokens[i - 1] + 1);
  }
}

TEST(BatchSampler, DependsOnSeedStepAndSampleOnly) {
  std::vector<int32_t> text = counting(1000);
  TokenSpan span = {text.data(), text.size()};
  Batch first, again;
  BatchSampler(span, {4, 16}, 7).fill(3, first);
  BatchSampler other(span, {4, 16}, 7);
  for (int64_t step = 10; step >= 3; --step)
    other.fill(step, again);
  EXPECT_EQ(first.tokens, again.tokens);
  // A larger batch begins with the smaller one's samples.
  BatchSampler large(span, {8, 16}, 7);
  EXPECT_EQ(large.start(3, 2), other.start(3, 2));
  EXPECT_NE(other.start(3, 0), BatchSampler(span, {4, 16}, 8).start(3, 0));
  EXPECT_NE(other.start(3, 0), other.start(4, 0));
  EXPECT_NE(other.start(3, 0), other.start(3, 1));
}

TEST(BatchSampler, KeepsItsOrder) {
  // A changed number here breaks every run that is to be resumed. From Philox
  // in Python: word 1 and word 0 of (sample, step, 0, "text"), times 984 /
  // 2^64.
  BatchSampler sampler({nullptr, 1000}, {4, 16}, 1);
  std::vector<uint64_t> starts;
  for (int64_t sample = 0; sample < 4; ++sample)
    starts.push_back(sampler.start(1, sample));
  EXPECT_EQ(starts, (std::vector<uint64_t>{636, 354, 278, 320}));
}

TEST(BatchSampler, ReachesEveryPlaceAboutEquallyOften) {
  BatchSampler sampler({nullptr, 24}, {1, 16}, 3); // starts 0 .. 7
  std::map<uint64_t, int> counts;
  constexpr int kDraws = 8000;
  for (int64_t step = 1; step <= kDraws; ++step)
    ++counts[sampler.start(step, 0)];
  ASSERT_EQ(counts.size(), 8u);
  EXPECT_EQ(counts.rbegin()->first, 7u);
  double chiSquare = 0;
  for (auto [start, count] : counts)
    chiSquare += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chiSquare, 24.3); // 7 degrees of freedom, p = 0.001
}

TEST(BatchSampler, TakesTheOnlyPlace) {
  std::vector<int32_t> text = counting(9);
  Batch batch;
  BatchSampler({text.data(), text.size()}, {2, 8}, 1).fill(1, batch);
  EXPECT_EQ(batch.tokens[0], 0);
  EXPECT_EQ(batch.targets[15], 8);
}

TEST(EvalBatches, CountEachTargetOnce) {
  for (size_t size : {2u, 8u, 9u, 10u, 33u, 34u, 100u}) {
    std::vector<int32_t> text = counting(size);
    EvalBatches batches({text.data(), text.size()}, {3, 8}, 0);
    std::map<int32_t, int> seen;
    int64_t numTargets = 0;
    Batch batch;
    for (int64_t i = 0; i < batches.count(); ++i) {
      batches.fill(i, batch);
      numTargets += batch.numTargets;
      for (size_t j = 0; j < batch.targets.size(); ++j)
        if (batch.targets[j] != kIgnoredTarget) {
          ++seen[batch.targets[j]];
          EXPECT_EQ(batch.targets[j], batch.tokens[j] + 1);
        }
    }
    EXPECT_EQ(numTargets, int64_t(size) - 1);
    EXPECT_EQ(seen.size(), size - 1) << size;
  }
}

TEST(EvalBatches, SpreadWhenLimited) {
  std::vector<int32_t> text = counting(8 * 100 + 1);
  EvalBatches batches({text.data(), text.size()}, {2, 8}, 5);
  ASSERT_EQ(batches.count(), 5);
  Batch batch;
  for (int64_t i = 0; i < 5; ++i) {
    batches.fill(i, batch);
    EXPECT_EQ(batch.tokens[0], i * 160);
    EXPECT_EQ(batch.tokens[8], i * 160 + 80);
    EXPECT_EQ(batch.numTargets, 16);
  }
  EXPECT_EQ(EvalBatches({text.data(), text.size()}, {2, 8}, 1000).count(), 50);
}
