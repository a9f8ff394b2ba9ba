//===- StridesTest.cpp ----------------------------------------------------===//
#include "tt/IR/Strides.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace tt;
using Shape = std::vector<int64_t>;

namespace {

/// Positions in storage of all elements, row-major.
std::vector<int64_t> positions(const Shape &shape, llvm::ArrayRef<int64_t> strides) {
  std::vector<int64_t> out{0};
  for (size_t d = 0; d < shape.size(); ++d) {
    std::vector<int64_t> next;
    for (int64_t base : out)
      for (int64_t i = 0; i < shape[d]; ++i)
        next.push_back(base + i * strides[d]);
    out = next;
  }
  return out;
}

Strides of(std::initializer_list<int64_t> list) { return Strides(list); }

TEST(Strides, DenseIsRowMajor) {
  EXPECT_EQ(denseStrides({2, 3, 4}), of({12, 4, 1}));
  EXPECT_EQ(denseStrides({}), of({}));
  EXPECT_EQ(denseStrides({5}), of({1}));
}

TEST(Strides, ADimensionOfOneHasAnyStride) {
  EXPECT_TRUE(isDense({2, 1, 4}, {4, 99, 1}));
  EXPECT_TRUE(isDense({}, {}));
  EXPECT_FALSE(isDense({2, 4}, {8, 1}));
  EXPECT_FALSE(isDense({2, 4}, {1, 2}));
}

TEST(Strides, ReshapeOfDenseIsDense) {
  EXPECT_EQ(reshapeStrides({2, 3, 4}, {12, 4, 1}, {6, 4}), of({4, 1}));
  EXPECT_EQ(reshapeStrides({24}, {1}, {2, 3, 4}), of({12, 4, 1}));
  EXPECT_EQ(reshapeStrides({}, {}, {1, 1}), of({1, 1}));
}

// Rows of a slice of columns: dimensions merge only where storage has no gap.
TEST(Strides, ReshapeOfASlice) {
  EXPECT_EQ(reshapeStrides({2, 3, 8}, {72, 24, 1}, {6, 8}), of({24, 1}));
  EXPECT_EQ(reshapeStrides({6, 8}, {24, 1}, {2, 3, 8}), of({72, 24, 1}));
  EXPECT_EQ(reshapeStrides({6, 8}, {24, 1}, {6, 2, 4}), of({24, 4, 1}));
  EXPECT_EQ(reshapeStrides({6, 8}, {24, 1}, {48}), std::nullopt);
}

// [B, T, H, D] seen as [B, H, T, D] splits but does not merge.
TEST(Strides, ReshapeOfATranspose) {
  Shape shape{2, 4, 3, 8};
  Strides strides = permute(denseStrides({2, 3, 4, 8}), {0, 2, 1, 3});
  EXPECT_EQ(strides, of({96, 8, 32, 1}));
  EXPECT_EQ(reshapeStrides(shape, strides, {2, 2, 2, 3, 8}), of({96, 16, 8, 32, 1}));
  EXPECT_EQ(reshapeStrides(shape, strides, {8, 3, 8}), std::nullopt);
  EXPECT_EQ(reshapeStrides(shape, strides, {2, 12, 8}), std::nullopt);
}

TEST(Strides, PermuteBackUndoesPermute) {
  Strides strides = of({60, 20, 5, 1});
  for (Shape permutation : {Shape{0, 1, 2, 3}, Shape{2, 0, 3, 1}, Shape{3, 2, 1, 0}})
    EXPECT_EQ(permuteBack(permute(strides, permutation), permutation), strides);
}

// Whatever reshapeStrides answers shows the same elements in the same order.
TEST(Strides, RandomReshapesShowTheSameElements) {
  std::mt19937 random(1);
  unsigned answered = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    // A dense tensor, permuted and sliced.
    Shape base, shape;
    for (int d = 0, rank = 1 + random() % 4; d < rank; ++d)
      base.push_back(1 + random() % 4);
    Strides strides = denseStrides(base);
    shape = base;
    for (size_t i = shape.size(); i-- > 1;) {
      size_t j = random() % 2 ? random() % (i + 1) : i;
      std::swap(shape[i], shape[j]);
      std::swap(strides[i], strides[j]);
    }
    if (random() % 3 == 0 && shape[0] > 1)
      shape[0] -= 1;
    // Random factors of the same number of elements.
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    Shape target;
    for (int64_t rest = count; rest > 1;) {
      int64_t factor = rest;
      for (int64_t f = 2; f <= rest; ++f)
        if (rest % f == 0 && random() % 2) {
          factor = f;
          break;
        }
      target.push_back(factor);
      rest /= factor;
    }
    if (random() % 2)
      target.insert(target.begin() + random() % (target.size() + 1), 1);
    auto result = reshapeStrides(shape, strides, target);
    if (!result) {
      ++refused;
      continue;
    }
    ++answered;
    ASSERT_EQ(positions(target, *result), positions(shape, strides));
  }
  EXPECT_GT(answered, 500u);
  EXPECT_GT(refused, 100u);
}

} // namespace
