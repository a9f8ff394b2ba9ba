#include "tt/Trainer/BigramBaseline.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tt::trainer;

static double entropyOf(const std::vector<int32_t> &training,
                        const std::vector<int32_t> &validation,
                        int64_t vocabulary) {
  return bigramCrossEntropy({training.data(), training.size()},
                            {validation.data(), validation.size()}, vocabulary);
}

TEST(BigramBaseline, IsAsComputedByHand) {
  // Pairs of a b a b b, with a = 0, b = 1: ab 2, ba 1, bb 1. With 3 ids:
  // p(b|a) = 3/5, p(a|b) = 2/5, p(b|b) = 2/5, p(c|b) = 1/5, p(.|c) = 1/3.
  // Validation a b c a: -(log 3/5 + log 1/5 + log 1/3) / 3.
  double wanted =
      -(std::log(3.0 / 5) + std::log(1.0 / 5) + std::log(1.0 / 3)) / 3;
  EXPECT_DOUBLE_EQ(entropyOf({0, 1, 0, 1, 1}, {0, 1, 2, 0}, 3), wanted);
}

TEST(BigramBaseline, IsUniformWithoutCounts) {
  EXPECT_DOUBLE_EQ(entropyOf({0}, {0, 1, 2}, 10), std::log(10.0));
}

TEST(BigramBaseline, NearsZeroOnWhatItKnows) {
  std::vector<int32_t> training;
  for (int i = 0; i < 100000; ++i)
    training.push_back(i % 2);
  EXPECT_LT(entropyOf(training, {0, 1, 0, 1}, 2), 1e-4);
}
