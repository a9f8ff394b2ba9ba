// What a model that looks at one token only would reach.
#ifndef TT_TRAINER_BIGRAMBASELINE_H
#define TT_TRAINER_BIGRAMBASELINE_H

#include "tt/Trainer/TextData.h"

namespace tt::trainer {

/// Mean cross-entropy in nats, over all targets of `validation` (all tokens
/// but the first), of p(b | a) = (count(a b) + 1) / (count(a) + vocabulary)
/// with the counts of pairs in `training`.
double bigramCrossEntropy(TokenSpan training, TokenSpan validation,
                          int64_t vocabulary);

} // namespace tt::trainer
#endif
