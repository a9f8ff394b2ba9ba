//===- RandomOps.cpp - Counter-based random ops ---------------------------===//
#include "Frame.h"
#include "Philox.h"
#include "tt/IR/TTOps.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;

static IntTensor asKey(const Words &words) {
  return IntTensor({2}, {int32_t(words[0]), int32_t(words[1])});
}

IntTensor tt::reference::foldKey(const IntTensor &key, int64_t site) {
  return asKey(philox({low(site), 0, 0, 0x74740001u}, low(key[0]), low(key[1])));
}

template <typename T> static void dropout(DropoutOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  const IntTensor &key = frame.ints(op.getKey());
  double p = op.getP().convertToDouble();
  DropoutMask mask{low(key[0]), low(key[1]), op.getSite(), p};
  int64_t samples = op.getSamples(), perSample = result.size() / samples;
  for (int64_t n = 0; n < samples; ++n)
    for (int64_t e = 0; e < perSample; ++e) {
      T &x = result[n * perSample + e];
      x = mask.keeps(n, e) ? T(x / T(1 - p)) : T(0);
    }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void dropoutTile(DropoutTileOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  const IntTensor &key = frame.ints(op.getKey());
  int64_t sample = frame.ints(op.getSample())[0], first = frame.ints(op.getFirst())[0];
  double p = op.getP().convertToDouble();
  DropoutMask mask{low(key[0]), low(key[1]), op.getSite(), p};
  for (int64_t r = 0; r < result.rows(); ++r)
    for (int64_t c = 0; c < result.columns(); ++c) {
      T &x = result.row(r)[c];
      bool keep = mask.keeps(sample, first + r * int64_t(op.getRowStride()) + c);
      x = keep ? T(x / T(1 - p)) : T(0);
    }
  frame.set(op.getOutput(), std::move(result));
}

/// Sets every element to function(words, e), the words those of its block of
/// four.
template <typename T, typename Op, typename Function>
static void generate(Op op, uint32_t stream, Function function, Frame<T> &frame) {
  Tensor<T> result(shapeOf(op.getOutput()));
  const IntTensor &key = frame.ints(op.getKey());
  int64_t samples = op.getSamples(), perSample = result.size() / samples;
  for (int64_t n = 0; n < samples; ++n)
    for (int64_t e = 0; e < perSample; ++e) {
      Words words = philox({low(e / 4), low(n), low(op.getSite()), stream},
                           low(key[0]), low(key[1]));
      result[n * perSample + e] = T(function(words, e % 4));
    }
  frame.set(op.getOutput(), std::move(result));
}

static double uniformOf(const Words &words, int64_t i) {
  return double(words[i] >> 8) * 0x1p-24;
}
/// Box and Muller's transform of two of the words.
static double normalOf(const Words &words, int64_t i) {
  int64_t first = i / 2 * 2;
  double radius = std::sqrt(-2 * std::log(uniformOf(words, first) + 0x1p-24));
  double angle = 2 * M_PI * uniformOf(words, first + 1);
  return radius * (i % 2 ? std::sin(angle) : std::cos(angle));
}

template <typename T> void tt::reference::addRandomOps(OpTable<T> &table) {
  table.template add<RngKeyOp>([](RngKeyOp op, Frame<T> &frame) {
    int64_t seed = frame.ints(op.getSeed())[0], step = frame.ints(op.getStep())[0];
    Words words = philox({low(step), high(step), 0, 0x74740000u}, low(seed),
                         high(seed));
    frame.set(op.getKey(), asKey(words));
  });
  table.template add<RngFoldOp>([](RngFoldOp op, Frame<T> &frame) {
    frame.set(op.getResult(), foldKey(frame.ints(op.getKey()), op.getSite()));
  });
  table.template add<DropoutOp>(dropout<T>);
  table.template add<DropoutTileOp>(dropoutTile<T>);
  table.template add<RandomUniformOp>([](RandomUniformOp op, Frame<T> &frame) {
    generate(op, 0x74740003u, uniformOf, frame);
  });
  table.template add<RandomNormalOp>([](RandomNormalOp op, Frame<T> &frame) {
    generate(op, 0x74740004u, normalOf, frame);
  });
}
TT_REFERENCE_INSTANTIATE(addRandomOps)
