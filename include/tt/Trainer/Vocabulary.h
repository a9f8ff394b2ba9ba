// Token ids for text: one per character that occurs, or one per byte.
#ifndef TT_TRAINER_VOCABULARY_H
#define TT_TRAINER_VOCABULARY_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt::trainer {

class Vocabulary {
public:
  enum class Choice { Auto, Characters, Bytes };

  static Vocabulary bytes();
  /// The distinct characters of a UTF-8 text. `name` stands in messages:
  /// "NAME:LINE: byte N: found 0xff, wanted UTF-8".
  static std::optional<Vocabulary>
  fromText(std::string_view text, const std::string &name, std::string &error);
  /// Auto: characters if the model's `limit` ids are enough for them, else
  /// bytes.
  static std::optional<Vocabulary> choose(std::string_view text,
                                          const std::string &name,
                                          Choice choice, int64_t limit,
                                          std::string &error);

  /// For the metadata of checkpoints: "bytes" or hexadecimal code points and
  /// ranges of them, "a,20-7e".
  std::string serialize() const;
  static std::optional<Vocabulary> parse(std::string_view form,
                                         std::string &error);

  bool isBytes() const { return codePoints.empty(); }
  int32_t size() const;
  const char *unit() const { return isBytes() ? "bytes" : "characters"; }

  /// `name` as above. Fails at a character that has no id.
  bool encode(std::string_view text, const std::string &name,
              std::vector<int32_t> &tokens, std::string &error) const;
  /// Appends the token's text; `id` is in [0, size()).
  void decode(int32_t id, std::string &text) const;
  /// The id to start a sample with: the newline's, or 0.
  int32_t startToken() const;

private:
  int32_t find(char32_t codePoint) const; // -1: none

  std::vector<char32_t> codePoints; // sorted; empty: bytes
};

} // namespace tt::trainer
#endif
