// The boundary table of CheckedSize.
#include "tt/Support/CheckedSize.h"

#include <gtest/gtest.h>

#include <vector>

using tt::support::CheckedSize;

namespace {

constexpr int64_t kMax = INT64_MAX;

TEST(CheckedSizeTest, ProductsAtTheBoundaries) {
  struct Row {
    int64_t lhs, rhs, product; // -1: invalid
  };
  const int64_t two31 = int64_t(1) << 31, two32 = int64_t(1) << 32;
  for (Row row : {Row{0, 0, 0},
                  {0, kMax, 0},
                  {1, kMax, kMax},
                  {kMax, 1, kMax},
                  {2, kMax, -1},
                  {kMax, kMax, -1},
                  {two31 - 1, two31 - 1, (two31 - 1) * (two31 - 1)},
                  {two31, two31, int64_t(1) << 62},
                  {two31 + 1, two31 + 1, (two31 + 1) * (two31 + 1)},
                  {two32, two31, -1}, // 2^63
                  {two32, two32, -1}, // wraps to 0
                  {int64_t(1) << 62, 4, -1},
                  {3, kMax / 3, kMax / 3 * 3},
                  {3, kMax / 3 + 1, -1},
                  {-1, 1, -1},
                  {-1, -1, -1},
                  {-1, 0, -1},
                  {INT64_MIN, -1, -1}}) {
    EXPECT_EQ((CheckedSize(row.lhs) * CheckedSize(row.rhs)).value(),
              row.product)
        << row.lhs << " * " << row.rhs;
    EXPECT_EQ((CheckedSize(row.rhs) * CheckedSize(row.lhs)).value(),
              row.product);
  }
}

TEST(CheckedSizeTest, SumsAndDifferences) {
  EXPECT_EQ((CheckedSize(kMax) + 0).value(), kMax);
  EXPECT_FALSE((CheckedSize(kMax) + 1).isValid());
  EXPECT_FALSE((CheckedSize(-1) + 1).isValid());
  EXPECT_EQ((CheckedSize(5) - 5).value(), 0);
  EXPECT_FALSE((CheckedSize(5) - 6).isValid());
  EXPECT_FALSE((CheckedSize(0) - kMax).isValid());
  CheckedSize sum = 1;
  sum += 2;
  sum *= 3;
  EXPECT_EQ(sum.value(), 9);
}

TEST(CheckedSizeTest, InvalidStaysInvalid) {
  CheckedSize bad = CheckedSize(kMax) * 2;
  EXPECT_FALSE((bad * 0).isValid());
  EXPECT_FALSE((bad - bad).isValid());
  EXPECT_FALSE((bad + 1).isValid());
  EXPECT_FALSE(bad.ceilDiv(2).isValid());
  EXPECT_FALSE(bad.alignedTo(64).isValid());
  EXPECT_FALSE(bad.isTensorBytes());
  EXPECT_EQ(bad.value(), -1);
  EXPECT_EQ(bad.valueOr(7), 7);
  EXPECT_EQ(bad, CheckedSize::invalid());
  EXPECT_NE(bad, CheckedSize(0));
  EXPECT_FALSE(max(bad, CheckedSize(1)).isValid());
  EXPECT_EQ(max(CheckedSize(2), CheckedSize(1)).value(), 2);
}

TEST(CheckedSizeTest, FromUnsigned) {
  EXPECT_EQ(CheckedSize::fromUnsigned(uint64_t(kMax)).value(), kMax);
  EXPECT_FALSE(CheckedSize::fromUnsigned(uint64_t(kMax) + 1).isValid());
  EXPECT_FALSE(CheckedSize::fromUnsigned(UINT64_MAX).isValid());
}

TEST(CheckedSizeTest, Limits) {
  EXPECT_TRUE(CheckedSize(int64_t(1) << 40).isDimension());
  EXPECT_FALSE(CheckedSize((int64_t(1) << 40) + 1).isDimension());
  EXPECT_TRUE(CheckedSize(int64_t(1) << 47).isTensorBytes());
  EXPECT_FALSE(CheckedSize((int64_t(1) << 47) + 1).isTensorBytes());
  EXPECT_TRUE(CheckedSize(int64_t(1) << 47).isArenaBytes());
  EXPECT_FALSE(CheckedSize((int64_t(1) << 47) + 1).isArenaBytes());
  EXPECT_FALSE(CheckedSize::dimension((int64_t(1) << 40) + 1).isValid());
  EXPECT_FALSE(CheckedSize::dimension(-1).isValid());
}

TEST(CheckedSizeTest, ProductOfAShape) {
  int64_t big = int64_t(1) << 40;
  EXPECT_EQ(CheckedSize::product({}).value(), 1);
  EXPECT_EQ(CheckedSize::product({2, 3, 4}).value(), 24);
  EXPECT_EQ(CheckedSize::product(std::vector<int64_t>{7, 0}).value(), 0);
  // Zero in any place, with factors that would overflow without it.
  EXPECT_EQ(CheckedSize::product({0, big, big}).value(), -1);
  EXPECT_EQ(CheckedSize::product({0, big}).value(), 0);
  EXPECT_EQ(CheckedSize::product({big, 0}).value(), 0);
  EXPECT_FALSE(CheckedSize::product({0, big + 1}).isValid());
  EXPECT_FALSE(CheckedSize::product({0, -1}).isValid());
  EXPECT_FALSE(CheckedSize::product({kMax, 3}).isValid()); // fact 3
  EXPECT_FALSE(CheckedSize::product({1 << 30, 1 << 30, 1 << 30}).isValid());
}

TEST(CheckedSizeTest, Alignment) {
  EXPECT_EQ(CheckedSize(0).alignedTo(64).value(), 0);
  EXPECT_EQ(CheckedSize(1).alignedTo(64).value(), 64);
  EXPECT_EQ(CheckedSize(64).alignedTo(64).value(), 64);
  EXPECT_EQ(CheckedSize(65).alignedTo(64).value(), 128);
  EXPECT_FALSE(CheckedSize(kMax).alignedTo(64).isValid());
  EXPECT_EQ(CheckedSize(kMax).ceilDiv(2).value(), int64_t(1) << 62);
  EXPECT_FALSE(CheckedSize(1).ceilDiv(0).isValid());
  EXPECT_FALSE(CheckedSize(1).ceilDiv(-1).isValid());
}

static_assert((CheckedSize(3) * CheckedSize(4)).value() == 12,
              "usable in constants");

} // namespace
