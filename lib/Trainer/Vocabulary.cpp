#include "tt/Trainer/Vocabulary.h"

#include "tt/Trainer/Utf8.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

using namespace tt::trainer;

/// "NAME:LINE: byte N" of a place in a text.
static std::string place(std::string_view text, const std::string &name,
                         size_t at) {
  auto line = std::count(text.begin(), text.begin() + at, '\n') + 1;
  return fmt::format("{}:{}: byte {}", name, line, at);
}

static std::string notUtf8(std::string_view text, const std::string &name,
                           size_t at) {
  return fmt::format("{}: found 0x{:02x}, wanted UTF-8 text",
                     place(text, name, at), static_cast<uint8_t>(text[at]));
}

Vocabulary Vocabulary::bytes() { return {}; }

int32_t Vocabulary::size() const {
  return isBytes() ? 256 : static_cast<int32_t>(codePoints.size());
}

std::optional<Vocabulary> Vocabulary::fromText(std::string_view text,
                                               const std::string &name,
                                               std::string &error) {
  std::vector<bool> isUsed(0x110000);
  for (size_t at = 0; at < text.size();) {
    char32_t codePoint;
    if (!nextCodePoint(text, at, codePoint)) {
      error = notUtf8(text, name, at);
      return std::nullopt;
    }
    isUsed[codePoint] = true;
  }
  Vocabulary result;
  for (char32_t c = 0; c < isUsed.size(); ++c)
    if (isUsed[c])
      result.codePoints.push_back(c);
  if (result.codePoints.empty()) {
    error = fmt::format("{}: found no characters, wanted text", name);
    return std::nullopt;
  }
  return result;
}

std::optional<Vocabulary> Vocabulary::choose(std::string_view text,
                                             const std::string &name,
                                             Choice choice, int64_t limit,
                                             std::string &error) {
  std::optional<Vocabulary> characters;
  if (choice != Choice::Bytes) {
    characters = fromText(text, name, error);
    if (!characters || characters->size() <= limit)
      return characters;
  }
  if (choice != Choice::Characters && limit >= 256)
    return bytes();
  error = characters
              ? fmt::format("{}: found {} distinct characters, wanted at most "
                            "{}, the model's vocabulary{}",
                            name, characters->size(), limit,
                            choice == Choice::Auto ? " (bytes need one of 256)"
                                                   : "")
              : fmt::format("--vocabulary: found bytes, wanted characters: the "
                            "model's vocabulary is {}, bytes need 256",
                            limit);
  return std::nullopt;
}

std::string Vocabulary::serialize() const {
  if (isBytes())
    return "bytes";
  std::string form;
  for (size_t i = 0; i < codePoints.size();) {
    size_t last = i;
    while (last + 1 < codePoints.size() &&
           codePoints[last + 1] == codePoints[last] + 1)
      ++last;
    form += fmt::format("{}{:x}", i ? "," : "", uint32_t(codePoints[i]));
    if (last > i)
      form += fmt::format("-{:x}", uint32_t(codePoints[last]));
    i = last + 1;
  }
  return form;
}

/// Reads a code point's digits.
static bool readHex(const char *&at, const char *end, char32_t &codePoint) {
  uint32_t value;
  auto [next, status] = std::from_chars(at, end, value, 16);
  if (status != std::errc() || !isCodePoint(value))
    return false;
  at = next;
  codePoint = value;
  return true;
}

std::optional<Vocabulary> Vocabulary::parse(std::string_view form,
                                            std::string &error) {
  Vocabulary result;
  if (form == "bytes")
    return result;
  const char *at = form.data(), *end = at + form.size();
  bool isGood = true;
  while (isGood) {
    char32_t first, last;
    isGood = readHex(at, end, first);
    last = first;
    if (isGood && at != end && *at == '-')
      isGood = readHex(++at, end, last);
    if (!isGood || last < first ||
        (!result.codePoints.empty() && first <= result.codePoints.back()))
      break;
    for (char32_t c = first; c <= last; ++c)
      if (isCodePoint(c))
        result.codePoints.push_back(c);
    if (at == end)
      return result;
    isGood = *at++ == ',';
  }
  error = fmt::format("found vocabulary \"{}\", wanted \"bytes\" or rising "
                      "code points such as \"a,20-7e\"",
                      form.substr(0, 40));
  return std::nullopt;
}

int32_t Vocabulary::find(char32_t codePoint) const {
  auto found =
      std::lower_bound(codePoints.begin(), codePoints.end(), codePoint);
  return found != codePoints.end() && *found == codePoint
             ? static_cast<int32_t>(found - codePoints.begin())
             : -1;
}

bool Vocabulary::encode(std::string_view text, const std::string &name,
                        std::vector<int32_t> &tokens,
                        std::string &error) const {
  tokens.clear();
  tokens.reserve(text.size());
  if (isBytes()) {
    for (char c : text)
      tokens.push_back(static_cast<uint8_t>(c));
    return true;
  }
  for (size_t at = 0; at < text.size();) {
    size_t start = at;
    char32_t codePoint;
    if (!nextCodePoint(text, at, codePoint)) {
      error = notUtf8(text, name, at);
      return false;
    }
    int32_t id = find(codePoint);
    if (id < 0) {
      error =
          fmt::format("{}: found U+{:04X}, wanted one of the {} characters "
                      "of the vocabulary",
                      place(text, name, start), uint32_t(codePoint), size());
      return false;
    }
    tokens.push_back(id);
  }
  return true;
}

void Vocabulary::decode(int32_t id, std::string &text) const {
  if (isBytes())
    text += static_cast<char>(id);
  else
    appendUtf8(codePoints[id], text);
}

int32_t Vocabulary::startToken() const {
  if (isBytes())
    return '\n';
  int32_t newline = find('\n');
  return newline < 0 ? 0 : newline;
}
