// A small JSON document over the runtime's strict parser.
#include "tt/Support/JsonDocument.h"

#include "tt/Support/Escape.h"
#include "tt/runtime/ErrorText.h"
#include "tt/runtime/Json.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>

using namespace tt::support;
using tt::runtime::JsonEvent;
using tt::runtime::JsonReader;
using tt::runtime::JsonText;

using Error = JsonDocument::Error;

static void setError(Error &error, std::string text) {
  if (error.empty())
    error = std::move(text);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const JsonValue *JsonValue::find(std::string_view key) const {
  for (const JsonMember &member : objectMembers)
    if (member.first == key)
      return &member.second;
  return nullptr;
}

static std::string formatNumber(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

std::string JsonValue::describe() const {
  switch (valueKind) {
  case Kind::Null:
    return "null";
  case Kind::Bool:
    return integerValue ? "true" : "false";
  case Kind::Integer:
    return std::to_string(integerValue);
  case Kind::Number:
    return formatNumber(numberValue);
  case Kind::String:
    return "string";
  case Kind::Array:
    return "array";
  case Kind::Object:
    return "object";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace tt::support {
/// Turns events into values. Recursion is bounded by the reader's depth limit.
class JsonBuilder {
public:
  JsonBuilder(JsonReader &reader, std::string_view source)
      : reader(reader), source(source) {}

  bool build(JsonValue &value) { return fill(value, reader.next()); }

private:
  bool fill(JsonValue &value, JsonEvent event);
  bool fillArray(JsonValue &value);
  bool fillObject(JsonValue &value);
  bool fillNumber(JsonValue &value);
  std::string decodeText() const;
  uint32_t currentLine();

  JsonReader &reader;
  std::string_view source;
  size_t counted = 0; // bytes before this are in `line`
  uint32_t line = 1;
};
} // namespace tt::support

std::string JsonBuilder::decodeText() const {
  JsonText text = reader.text();
  std::string out(text.size, '\0');
  out.resize(tt::runtime::jsonDecode(text, out.data(), out.size()));
  return out;
}

/// That of the reader's last token; tokens come in the order of the text.
uint32_t JsonBuilder::currentLine() {
  std::string_view next = source.substr(counted, reader.position() - counted);
  line += std::count(next.begin(), next.end(), '\n');
  counted = reader.position();
  return line;
}

bool JsonBuilder::fillNumber(JsonValue &value) {
  JsonText text = reader.text();
  value.valueKind = JsonValue::Kind::Number;
  auto result =
      std::from_chars(text.data, text.data + text.size, value.numberValue);
  if (result.ec == std::errc())
    return true;
  // Too large or too small for a double; the latter reads as zero.
  std::string copy(text.data, text.size);
  size_t exponent = copy.find_first_of("eE");
  bool tiny = exponent != std::string::npos && copy[exponent + 1] == '-';
  value.numberValue = 0;
  return tiny || reader.fail("a number in the range of a double");
}

bool JsonBuilder::fillArray(JsonValue &value) {
  value.valueKind = JsonValue::Kind::Array;
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::ArrayEnd)
      return true;
    if (event == JsonEvent::Error ||
        !fill(value.arrayElements.emplace_back(), event))
      return false;
  }
}

bool JsonBuilder::fillObject(JsonValue &value) {
  value.valueKind = JsonValue::Kind::Object;
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::ObjectEnd)
      return true;
    if (event == JsonEvent::Error)
      return false;
    JsonMember &member =
        value.objectMembers.emplace_back(decodeText(), JsonValue());
    member.second.lineNumber = currentLine();
    if (!build(member.second))
      return false;
  }
}

bool JsonBuilder::fill(JsonValue &value, JsonEvent event) {
  switch (event) {
  case JsonEvent::ObjectBegin:
    return fillObject(value);
  case JsonEvent::ArrayBegin:
    return fillArray(value);
  case JsonEvent::String:
    value.valueKind = JsonValue::Kind::String;
    value.text = decodeText();
    return true;
  case JsonEvent::Integer:
    value.valueKind = JsonValue::Kind::Integer;
    value.integerValue = reader.integer();
    return true;
  case JsonEvent::Number:
    return fillNumber(value);
  case JsonEvent::True:
  case JsonEvent::False:
    value.valueKind = JsonValue::Kind::Bool;
    value.integerValue = event == JsonEvent::True;
    return true;
  case JsonEvent::Null:
    return true;
  default:
    return false;
  }
}

std::optional<JsonDocument> JsonDocument::parse(std::string_view text,
                                                std::string name, Error &error,
                                                JsonDocumentLimits limits) {
  if (text.size() > limits.maxBytes) {
    setError(error, name + ": found " + std::to_string(text.size()) +
                        " bytes, wanted at most " +
                        std::to_string(limits.maxBytes));
    return std::nullopt;
  }
  std::vector<uint32_t> keys(text.size() / 5 + 1);
  char message[512] = "";
  tt::runtime::JsonLimits readerLimits;
  readerLimits.maxDepth = limits.maxDepth;
  JsonReader reader(text.data(), text.size(), keys.data(), keys.size(),
                    {message, sizeof message}, readerLimits);
  JsonDocument document;
  document.documentName = std::move(name);
  if (JsonBuilder(reader, text).build(document.rootValue) &&
      reader.next() == JsonEvent::End)
    return document;
  std::string_view before = text.substr(0, reader.position());
  size_t line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t newline = before.rfind('\n');
  size_t column = newline == std::string_view::npos ? before.size() + 1
                                                    : before.size() - newline;
  setError(error, document.documentName + ":" + std::to_string(line) + ":" +
                      std::to_string(column) + ": " + message);
  return std::nullopt;
}

std::optional<JsonDocument> JsonDocument::load(const std::string &path,
                                               Error &error,
                                               JsonDocumentLimits limits) {
  auto fail = [&](int code) {
    setError(error, path + ": cannot read: " + std::strerror(code));
    return std::nullopt;
  };
  // A device may have no end, and a pipe no writer. A directory says so when read.
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISDIR(status.st_mode)) {
    setError(error, path + ": found " + tt::runtime::fileKind(status.st_mode) +
                        ", wanted a regular file");
    return std::nullopt;
  }
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rbe"),
                                              std::fclose);
  if (!file)
    return fail(errno);
  std::string text;
  char part[65536];
  size_t count;
  while (text.size() <= limits.maxBytes &&
         (count = std::fread(part, 1, sizeof part, file.get())) > 0)
    text.append(part, count);
  if (std::ferror(file.get()))
    return fail(errno);
  return parse(text, path.substr(path.rfind('/') + 1), error, limits);
}

//===----------------------------------------------------------------------===//
// Getters
//===----------------------------------------------------------------------===//

/// Limits such as 2^20 are easier to read than their digits.
static std::string formatLimit(int64_t limit) {
  if (limit == INT64_MAX)
    return "2^63 - 1";
  if (limit == INT64_MIN)
    return "-2^63";
  bool power = limit >= (1 << 16) && (limit & (limit - 1)) == 0;
  return power ? "2^" + std::to_string(__builtin_ctzll(limit))
               : std::to_string(limit);
}

std::string JsonDocument::place(std::string_view key) const {
  const JsonValue *value = rootValue.find(key);
  return value ? documentName + ":" + std::to_string(value->line())
               : documentName;
}

void JsonDocument::report(std::string_view key, std::string_view found,
                          std::string_view wanted, Error &error) const {
  std::string text = place(key) + ": key \"";
  text += escapeTerminal(key);
  text += "\": found ";
  text += found;
  text += ", wanted ";
  text += wanted;
  setError(error, std::move(text));
}

bool JsonDocument::has(std::string_view key) const {
  return rootValue.find(key) != nullptr;
}

bool JsonDocument::isAbsent(std::string_view key) const {
  const JsonValue *value = rootValue.find(key);
  return !value || value->isNull();
}

const JsonValue *JsonDocument::require(std::string_view key,
                                       std::string_view wanted,
                                       Error &error) const {
  const JsonValue *value = rootValue.find(key);
  if (!value)
    report(key, "nothing", wanted, error);
  return value;
}

std::optional<int64_t> JsonDocument::getInteger(std::string_view key,
                                                int64_t low, int64_t high,
                                                Error &error) const {
  std::string wanted =
      "integer in [" + formatLimit(low) + ", " + formatLimit(high) + "]";
  const JsonValue *value = require(key, wanted, error);
  if (!value)
    return std::nullopt;
  if (value->isInteger() && value->integer() >= low && value->integer() <= high)
    return value->integer();
  report(key, value->describe(), wanted, error);
  return std::nullopt;
}

std::optional<int64_t> JsonDocument::getInteger(std::string_view key,
                                                int64_t low, int64_t high,
                                                int64_t otherwise,
                                                Error &error) const {
  return isAbsent(key) ? otherwise : getInteger(key, low, high, error);
}

std::optional<double> JsonDocument::getNumber(std::string_view key, double low,
                                              double high, Error &error) const {
  std::string wanted =
      "number in [" + formatNumber(low) + ", " + formatNumber(high) + "]";
  const JsonValue *value = require(key, wanted, error);
  if (!value)
    return std::nullopt;
  if (value->isNumber() && value->number() >= low && value->number() <= high)
    return value->number();
  report(key, value->describe(), wanted, error);
  return std::nullopt;
}

std::optional<double> JsonDocument::getNumber(std::string_view key, double low,
                                              double high, double otherwise,
                                              Error &error) const {
  return isAbsent(key) ? otherwise : getNumber(key, low, high, error);
}

std::optional<bool> JsonDocument::getBool(std::string_view key,
                                          Error &error) const {
  const JsonValue *value = require(key, "true or false", error);
  if (!value)
    return std::nullopt;
  if (value->isBool())
    return value->boolean();
  report(key, value->describe(), "true or false", error);
  return std::nullopt;
}

std::optional<bool> JsonDocument::getBool(std::string_view key, bool otherwise,
                                          Error &error) const {
  return isAbsent(key) ? otherwise : getBool(key, error);
}

std::optional<std::string> JsonDocument::getString(std::string_view key,
                                                   Error &error) const {
  const JsonValue *value = require(key, "string", error);
  if (!value)
    return std::nullopt;
  if (value->isString())
    return value->string();
  report(key, value->describe(), "string", error);
  return std::nullopt;
}

std::optional<std::string> JsonDocument::getString(std::string_view key,
                                                   std::string otherwise,
                                                   Error &error) const {
  return isAbsent(key) ? std::move(otherwise) : getString(key, error);
}

std::optional<std::string>
JsonDocument::getChoice(std::string_view key,
                        const std::vector<std::string> &choices,
                        Error &error) const {
  std::string wanted;
  for (const std::string &choice : choices)
    wanted += (wanted.empty() ? "\"" : " or \"") + choice + "\"";
  const JsonValue *value = require(key, wanted, error);
  if (!value)
    return std::nullopt;
  if (!value->isString()) {
    report(key, value->describe(), wanted, error);
    return std::nullopt;
  }
  for (const std::string &choice : choices)
    if (value->string() == choice)
      return choice;
  report(key, "\"" + escapeTerminal(value->string()).substr(0, 64) + "\"",
         wanted, error);
  return std::nullopt;
}

bool JsonDocument::checkKeys(const std::vector<std::string_view> &known,
                             Error &error) const {
  if (!rootValue.isObject()) {
    setError(error, documentName + ": found " + rootValue.describe() +
                        ", wanted object");
    return false;
  }
  for (const JsonMember &member : rootValue.members()) {
    if (std::find(known.begin(), known.end(), member.first) != known.end())
      continue;
    report(member.first, "an unknown key", "only known ones", error);
    return false;
  }
  return true;
}
