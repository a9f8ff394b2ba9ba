// Seeded mutations of bytes, for the parsers' tests.
#ifndef TT_TEST_UNIT_RUNTIME_MUTATOR_H
#define TT_TEST_UNIT_RUNTIME_MUTATOR_H

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt::test {

/// A copy without a byte to spare, so that ASan sees every read past it.
class ExactBytes {
public:
  explicit ExactBytes(std::string_view bytes)
      : data(new char[bytes.size()]), size(bytes.size()) {
    bytes.copy(data.get(), bytes.size());
  }
  const char *begin() const { return data.get(); }

private:
  std::unique_ptr<char[]> data;

public:
  size_t size;
};

class Mutator {
public:
  explicit Mutator(uint64_t seed) : state(seed) {}

  /// A number in [0, limit).
  uint64_t below(uint64_t limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t mixed = state ^ (state >> 33);
    return limit == 0 ? 0 : (mixed * 0x9e3779b97f4a7c15ull >> 20) % limit;
  }

  /// One to four edits: flip, insert, delete, repeat, or a word put in.
  std::string mutate(std::string text, const std::vector<std::string> &words) {
    for (uint64_t edits = 1 + below(4); edits > 0; --edits) {
      size_t at = below(text.size() + 1), count = 1 + below(8);
      switch (below(5)) {
      case 0:
        if (at < text.size())
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.erase(at, count);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), count));
        break;
      default:
        text.replace(at, below(4), words[below(words.size())]);
        break;
      }
    }
    return text;
  }

private:
  uint64_t state;
};

/// Calls `body` until `seconds` have passed; returns the number of calls.
template <typename Body> uint64_t repeatFor(double seconds, Body body) {
  auto start = std::chrono::steady_clock::now();
  uint64_t count = 0;
  std::chrono::duration<double> spent{};
  while (spent.count() < seconds) {
    for (int i = 0; i < 100; ++i, ++count)
      body();
    spent = std::chrono::steady_clock::now() - start;
  }
  return count;
}

} // namespace tt::test
#endif
