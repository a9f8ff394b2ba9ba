// Which pieces of the text make a batch.
#ifndef TT_TRAINER_BATCHSAMPLER_H
#define TT_TRAINER_BATCHSAMPLER_H

#include "tt/Trainer/TextData.h"

namespace tt::trainer {

/// A target that does not count in the loss.
constexpr int32_t kIgnoredTarget = -100;

struct BatchShape {
  int64_t batch = 0;   // B
  int64_t context = 0; // T
};

struct Batch {
  std::vector<int32_t> tokens;  // [B, T]
  std::vector<int32_t> targets; // [B, T], the tokens one further on
  int64_t numTargets = 0;       // those that count
};

/// Training batches: B pieces that start anywhere, each place as likely as any
/// other. A piece is a function of (seed, step, its number in the batch) by a
/// counter-based generator, so nothing has to be saved to resume.
class BatchSampler {
public:
  /// `tokens` has more than shape.context elements.
  BatchSampler(TokenSpan tokens, BatchShape shape, uint64_t seed)
      : tokens(tokens), shape(shape), seed(seed) {}

  uint64_t start(int64_t step, int64_t sample) const;
  void fill(int64_t step, Batch &batch) const;

private:
  TokenSpan tokens;
  BatchShape shape;
  uint64_t seed;
};

/// Validation batches: the text cut into pieces of T, each target once. With
/// `maxBatches`, that many batches of pieces spread evenly; 0: all.
class EvalBatches {
public:
  EvalBatches(TokenSpan tokens, BatchShape shape, int64_t maxBatches);

  int64_t count() const { return numBatches; }
  void fill(int64_t index, Batch &batch) const;

private:
  void fillPiece(int64_t piece, int32_t *to, int32_t *targets,
                 int64_t &numTargets) const;

  TokenSpan tokens;
  BatchShape shape;
  int64_t numPieces;
  int64_t numUsed; // of the pieces
  int64_t numBatches;
};

} // namespace tt::trainer
#endif
