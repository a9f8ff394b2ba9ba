#include "tt/Trainer/BatchSampler.h"

#include "tt/runtime/Philox.h"

#include <algorithm>

using namespace tt::trainer;

/// Keeps our numbers apart from those that the model draws for (seed, step).
static constexpr uint32_t kStream = 0x74657874; // "text"

uint64_t BatchSampler::start(int64_t step, int64_t sample) const {
  auto position = static_cast<uint64_t>(step);
  runtime::PhiloxBlock bits = runtime::philox4x32(
      {{static_cast<uint32_t>(sample), static_cast<uint32_t>(position),
        static_cast<uint32_t>(position >> 32), kStream}},
      static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32));
  uint64_t number = uint64_t(bits.word[1]) << 32 | bits.word[0];
  uint64_t numStarts = tokens.size - shape.context;
  using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide(number) * numStarts >> 64);
}

static void resize(Batch &batch, BatchShape shape) {
  batch.tokens.assign(shape.batch * shape.context, 0);
  batch.targets.assign(shape.batch * shape.context, kIgnoredTarget);
  batch.numTargets = 0;
}

void BatchSampler::fill(int64_t step, Batch &batch) const {
  resize(batch, shape);
  for (int64_t sample = 0; sample < shape.batch; ++sample) {
    const int32_t *from = tokens.data + start(step, sample);
    int64_t to = sample * shape.context;
    std::copy_n(from, shape.context, batch.tokens.begin() + to);
    std::copy_n(from + 1, shape.context, batch.targets.begin() + to);
  }
  batch.numTargets = shape.batch * shape.context;
}

EvalBatches::EvalBatches(TokenSpan tokens, BatchShape shape, int64_t maxBatches)
    : tokens(tokens), shape(shape) {
  auto numTargets = static_cast<int64_t>(tokens.size) - 1;
  numPieces = (numTargets + shape.context - 1) / shape.context;
  int64_t all = (numPieces + shape.batch - 1) / shape.batch;
  numBatches = maxBatches > 0 ? std::min(maxBatches, all) : all;
  numUsed = std::min(numPieces, numBatches * shape.batch);
}

void EvalBatches::fillPiece(int64_t piece, int32_t *to, int32_t *targets,
                            int64_t &numTargets) const {
  int64_t at = piece * shape.context;
  auto left = static_cast<int64_t>(tokens.size) - 1 - at;
  int64_t count = std::min(shape.context, left);
  std::copy_n(tokens.data + at, count, to);
  std::copy_n(tokens.data + at + 1, count, targets);
  numTargets += count;
}

void EvalBatches::fill(int64_t index, Batch &batch) const {
  resize(batch, shape);
  for (int64_t sample = 0; sample < shape.batch; ++sample) {
    int64_t place = index * shape.batch + sample;
    if (place >= numUsed)
      break;
    using Wide = __int128;
    auto piece = static_cast<int64_t>(Wide(place) * numPieces / numUsed);
    fillPiece(piece, batch.tokens.data() + sample * shape.context,
              batch.targets.data() + sample * shape.context, batch.numTargets);
  }
}
