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

template <typename T> void tt::reference::addRandomOps(OpTable<T> &table) {
  table.template add<RngKeyOp>([](RngKeyOp op, Frame<T> &frame) {
    int64_t seed = frame.ints(op.getSeed())[0], step = frame.ints(op.getStep())[0];
    Words words = philox({low(step), high(step), 0, 0x74740000u}, low(seed),
                         high(seed));
    frame.set(op.getKey(), asKey(words));
  });
  table.template add<RngFoldOp>([](RngFoldOp op, Frame<T> &frame) {
    const IntTensor &key = frame.ints(op.getKey());
    Words words = philox({low(op.getSite()), 0, 0, 0x74740001u}, low(key[0]),
                         low(key[1]));
    frame.set(op.getResult(), asKey(words));
  });
  table.template add<DropoutOp>(dropout<T>);
  table.template add<DropoutTileOp>(dropoutTile<T>);
}
TT_REFERENCE_INSTANTIATE(addRandomOps)
