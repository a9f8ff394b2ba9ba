// Making names and texts from files safe to show.
#include "tt/Support/Escape.h"

#include <cstdint>
#include <cstdio>

using namespace tt::support;

namespace {
/// One code point, or one byte that is not part of valid UTF-8.
struct CodePoint {
  uint32_t value;
  unsigned size;
  bool valid;
};
} // namespace

static CodePoint decode(std::string_view text) {
  auto byteAt = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  uint8_t lead = byteAt(0);
  if (lead < 0x80)
    return {lead, 1, true};
  unsigned size = lead < 0xc2   ? 0
                  : lead < 0xe0 ? 2
                  : lead < 0xf0 ? 3
                  : lead < 0xf5 ? 4
                                : 0;
  if (size == 0 || text.size() < size)
    return {lead, 1, false};
  uint32_t value = lead & (0xffu >> (size + 1));
  for (unsigned i = 1; i < size; ++i) {
    if ((byteAt(i) & 0xc0) != 0x80)
      return {lead, 1, false};
    value = value << 6 | (byteAt(i) & 0x3f);
  }
  bool overlong =
      (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff)
    return {lead, 1, false};
  return {value, size, true};
}

/// Calls `emit(point, bytes)` for each code point of the text.
template <typename Emit> static void forEach(std::string_view text, Emit emit) {
  while (!text.empty()) {
    CodePoint point = decode(text);
    emit(point, text.substr(0, point.size));
    text.remove_prefix(point.size);
  }
}

static constexpr std::string_view kReplacement = "\xef\xbf\xbd";

static bool isControl(uint32_t value) {
  return value < 0x20 || (value >= 0x7f && value < 0xa0);
}

/// Marks, embeddings, overrides and isolates that change the shown order, and
/// the separators that break lines.
static bool reordersText(uint32_t value) {
  return value == 0x061c || (value >= 0x200e && value <= 0x200f) ||
         (value >= 0x2028 && value <= 0x202e) ||
         (value >= 0x2066 && value <= 0x2069);
}

static std::string format(const char *pattern, uint32_t value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

/// HTML and XML share all but the name of the apostrophe and what is no
/// character in XML at all.
static std::string escapeMarkup(std::string_view text, bool xml) {
  std::string out;
  out.reserve(text.size());
  forEach(text, [&](CodePoint point, std::string_view bytes) {
    uint32_t value = point.value;
    bool refused = !point.valid || reordersText(value) ||
                   (isControl(value) && value != '\t' && value != '\n') ||
                   (xml && (value == 0xfffe || value == 0xffff));
    if (refused)
      out += kReplacement;
    else if (value == '&')
      out += "&amp;";
    else if (value == '<')
      out += "&lt;";
    else if (value == '>')
      out += "&gt;";
    else if (value == '"')
      out += "&quot;";
    else if (value == '\'')
      out += xml ? "&apos;" : "&#39;";
    else
      out += bytes;
  });
  return out;
}

std::string tt::support::escapeHtml(std::string_view text) {
  return escapeMarkup(text, /*xml=*/false);
}

std::string tt::support::escapeXml(std::string_view text) {
  return escapeMarkup(text, /*xml=*/true);
}

std::string tt::support::escapeJson(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  forEach(text, [&](CodePoint point, std::string_view bytes) {
    uint32_t value = point.value;
    if (!point.valid)
      out += kReplacement;
    else if (value == '"')
      out += "\\\"";
    else if (value == '\\')
      out += "\\\\";
    else if (value == '\n')
      out += "\\n";
    else if (value == '\t')
      out += "\\t";
    else if (isControl(value) || reordersText(value) || value == '<' ||
             value == '>' || value == '&')
      out += format("\\u%04x", value); // all of these are below U+10000
    else
      out += bytes;
  });
  return out;
}

std::string tt::support::escapeTerminal(std::string_view text,
                                        bool keepNewlines) {
  std::string out;
  out.reserve(text.size());
  forEach(text, [&](CodePoint point, std::string_view bytes) {
    uint32_t value = point.value;
    if (value == '\n' && keepNewlines)
      out += '\n';
    else if (!point.valid || value < 0x20 || value == 0x7f)
      out += format("\\x%02x", value);
    else if (isControl(value) || reordersText(value))
      out += format("\\u{%04x}", value);
    else
      out += bytes;
  });
  return out;
}
