#include "tt/Trainer/BigramBaseline.h"

#include <cmath>
#include <unordered_map>

using namespace tt::trainer;

double tt::trainer::bigramCrossEntropy(TokenSpan training, TokenSpan validation,
                                       int64_t vocabulary) {
  std::vector<uint64_t> counts(vocabulary);
  std::unordered_map<uint64_t, uint64_t> pairCounts;
  auto pair = [](const int32_t *at) {
    return uint64_t(uint32_t(at[0])) << 32 | uint32_t(at[1]);
  };
  for (size_t i = 0; i + 1 < training.size; ++i) {
    ++counts[training.data[i]];
    ++pairCounts[pair(training.data + i)];
  }
  double sum = 0;
  for (size_t i = 0; i + 1 < validation.size; ++i) {
    auto found = pairCounts.find(pair(validation.data + i));
    double both =
        found == pairCounts.end() ? 0 : static_cast<double>(found->second);
    auto first = static_cast<double>(counts[validation.data[i]]);
    sum -= std::log((both + 1) / (first + static_cast<double>(vocabulary)));
  }
  return sum / static_cast<double>(validation.size - 1);
}
