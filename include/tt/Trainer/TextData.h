// A text as tokens, in a training part and a held-out validation part.
#ifndef TT_TRAINER_TEXTDATA_H
#define TT_TRAINER_TEXTDATA_H

#include "tt/Trainer/Vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tt::trainer {

struct TokenSpan {
  const int32_t *data = nullptr;
  size_t size = 0;
};

/// Reads a whole file of at most 1 GiB; an empty one is an error.
bool readTextFile(const std::string &path, std::string &text,
                  std::string &error);

/// FNV-1a, 64 bits: tells one text from another in checkpoints.
uint64_t hashText(std::string_view text);

class TextData {
public:
  /// Encodes the text; the last `validationPart` of the tokens is held out.
  /// The training part must hold a sample of `context` tokens and its last
  /// target.
  bool assign(std::string_view text, const std::string &name,
              const Vocabulary &vocabulary, double validationPart,
              int64_t context, std::string &error);

  TokenSpan training() const { return {tokens.data(), numTraining}; }
  TokenSpan validation() const {
    return {tokens.data() + numTraining, tokens.size() - numTraining};
  }

private:
  std::vector<int32_t> tokens;
  size_t numTraining = 0;
};

} // namespace tt::trainer
#endif
