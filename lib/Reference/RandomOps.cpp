//===- RandomOps.cpp - Counter-based random ops ---------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

#include <array>
#include <cmath>

using namespace tt;
using namespace tt::reference;

using Words = std::array<uint32_t, 4>;

/// Philox4x32-10 of Salmon et al., SC 2011; written again here on purpose.
static Words philox(Words c, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    uint64_t product0 = uint64_t(0xD2511F53u) * c[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * c[2];
    uint32_t high0 = product0 >> 32, high1 = product1 >> 32;
    c = {high1 ^ c[1] ^ key0, uint32_t(product1), high0 ^ c[3] ^ key1,
         uint32_t(product0)};
  }
  return c;
}

static uint32_t low(int64_t value) { return uint32_t(uint64_t(value)); }
static uint32_t high(int64_t value) { return uint32_t(uint64_t(value) >> 32); }

static IntTensor asKey(const Words &words) {
  return IntTensor({2}, {int32_t(words[0]), int32_t(words[1])});
}

template <typename T> static void dropout(DropoutOp op, Frame<T> &frame) {
  Tensor<T> result = frame.floats(op.getInput());
  const IntTensor &key = frame.ints(op.getKey());
  double p = op.getP().convertToDouble();
  uint64_t threshold = uint64_t(std::nearbyint(std::ldexp(p, 32)));
  int64_t samples = op.getSamples(), perSample = result.size() / samples;
  for (int64_t n = 0; n < samples; ++n)
    for (int64_t e = 0; e < perSample; ++e) {
      Words words = philox({low(e / 4), low(n), low(op.getSite()), 0x74740002u},
                           low(key[0]), low(key[1]));
      T &x = result[n * perSample + e];
      x = words[e % 4] >= threshold ? T(x / T(1 - p)) : T(0);
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
}
TT_REFERENCE_INSTANTIATE(addRandomOps)
