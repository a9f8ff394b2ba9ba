// The strict JSON pull parser.
#include "HeapSort.h"
#include "JsonBytes.h"

#include <string.h>

using namespace tt::runtime;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

JsonReader::JsonReader(const char *text, size_t size, uint32_t *keys,
                       size_t keyCapacity, ErrorText error, JsonLimits limits)
    : data(text), size(size), keys(keys), keyCapacity(keyCapacity),
      error(error), limits(limits) {
  if (this->limits.maxDepth > kDepthLimit)
    this->limits.maxDepth = kDepthLimit;
  if (size <= kSizeLimit)
    return;
  expect = Expect::Failed;
  error.fail("found %llu bytes of JSON, wanted at most %llu",
             static_cast<unsigned long long>(size),
             static_cast<unsigned long long>(kSizeLimit));
}

void JsonReader::readValueAt(size_t position) {
  if (expect == Expect::Failed)
    return;
  at = position;
  single = true;
  openCount = 0;
  keyCount = 0;
  expect = Expect::Value;
}

JsonEvent JsonReader::failAt(size_t where, const char *wanted) {
  expect = Expect::Failed;
  tokenStart = where;
  unsigned long long shown = limits.positionBase + where;
  if (where >= size) {
    error.fail("found the end of the text at byte %llu, wanted %s", shown,
               wanted);
    return JsonEvent::Error;
  }
  PrintableText byte(data + where, 1);
  error.fail("found '%s' at byte %llu, wanted %s", byte.text, shown, wanted);
  return JsonEvent::Error;
}

JsonEvent JsonReader::failHere(const char *wanted) {
  return failAt(at, wanted);
}

bool JsonReader::fail(const char *wanted) {
  if (expect == Expect::Failed)
    return false;
  size_t end = tokenEnd > tokenStart ? tokenEnd : at; // without a key's ':'
  if (end <= tokenStart) {
    failAt(tokenStart, wanted);
    return false;
  }
  expect = Expect::Failed;
  PrintableText found(data + tokenStart, end - tokenStart);
  return error.fail(
      "found %s at byte %llu, wanted %s", found.text,
      static_cast<unsigned long long>(limits.positionBase + tokenStart),
      wanted);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void JsonReader::skipSpace() {
  while (at < size && (data[at] == ' ' || data[at] == '\n' ||
                       data[at] == '\t' || data[at] == '\r'))
    ++at;
}

bool JsonReader::readHex(uint32_t &unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at) {
    int digit = at < size ? hexValue(data[at]) : -1;
    if (digit < 0) {
      failHere("a hexadecimal digit");
      return false;
    }
    unit = (unit << 4) | static_cast<uint32_t>(digit);
  }
  return true;
}

/// `at` is behind the backslash.
bool JsonReader::readEscape() {
  size_t start = at - 1;
  if (at < size && data[at] != 0 && strchr("\"\\/bfnrt", data[at])) {
    ++at;
    return true;
  }
  if (at >= size || data[at] != 'u') {
    failHere("one of \"\\/bfnrtu");
    return false;
  }
  ++at;
  uint32_t unit;
  if (!readHex(unit))
    return false;
  if (unit < 0xd800 || unit >= 0xe000)
    return true;
  if (unit >= 0xdc00) {
    failAt(start, "no second surrogate without a first one");
    return false;
  }
  if (size - at < 2 || data[at] != '\\' || data[at + 1] != 'u') {
    failHere("\\u and the second surrogate");
    return false;
  }
  size_t second = at;
  at += 2;
  if (!readHex(unit))
    return false;
  if (unit < 0xdc00 || unit >= 0xe000) {
    failAt(second, "a second surrogate in \\udc00 to \\udfff");
    return false;
  }
  return true;
}

/// `at` is at the opening quote.
bool JsonReader::readString() {
  size_t start = ++at;
  for (;;) {
    if (at >= size) {
      failHere("a closing '\"'");
      return false;
    }
    unsigned char byte = static_cast<unsigned char>(data[at]);
    if (byte == '"')
      break;
    if (byte < 0x20) {
      failHere("no control byte in a string");
      return false;
    }
    if (byte == '\\') {
      ++at;
      if (!readEscape())
        return false;
      continue;
    }
    size_t length = byte < 0x80 ? 1 : utf8Length(data + at, size - at);
    if (length == 0) {
      failHere("valid UTF-8");
      return false;
    }
    at += length;
  }
  token = {data + start, at - start};
  tokenEnd = ++at;
  return true;
}

JsonText JsonReader::stringAt(const char *text, size_t position) {
  const char *start = text + position + 1, *end = start;
  while (*end != '"')
    end += *end == '\\' ? 2 : 1;
  return {start, static_cast<size_t>(end - start)};
}

JsonEvent JsonReader::readNumber() {
  auto isDigit = [&] { return at < size && data[at] >= '0' && data[at] <= '9'; };
  bool negative = data[at] == '-';
  if (negative)
    ++at;
  if (!isDigit())
    return failHere("a digit");
  bool leadingZero = data[at] == '0';
  int64_t value = 0; // counted down, so that the smallest integer fits
  bool overflow = false;
  for (; isDigit(); ++at) {
    if (leadingZero && at > tokenStart + negative)
      return failHere("no digit after a leading zero");
    overflow |= __builtin_mul_overflow(value, int64_t(10), &value);
    overflow |=
        __builtin_sub_overflow(value, int64_t(data[at] - '0'), &value);
  }
  bool integer = true;
  if (at < size && data[at] == '.') {
    integer = false;
    ++at;
    if (!isDigit())
      return failHere("a digit");
    while (isDigit())
      ++at;
  }
  if (at < size && (data[at] == 'e' || data[at] == 'E')) {
    integer = false;
    ++at;
    if (at < size && (data[at] == '+' || data[at] == '-'))
      ++at;
    if (!isDigit())
      return failHere("a digit");
    while (isDigit())
      ++at;
  }
  token = {data + tokenStart, at - tokenStart};
  if (!integer || (negative && value == 0 && !overflow)) {
    valueDone();
    return JsonEvent::Number;
  }
  if (!negative)
    overflow |= __builtin_sub_overflow(int64_t(0), value, &value);
  if (overflow) {
    fail("an integer in [-2^63, 2^63 - 1]");
    return JsonEvent::Error;
  }
  tokenInteger = value;
  valueDone();
  return JsonEvent::Integer;
}

JsonEvent JsonReader::readWord(const char *word, JsonEvent event) {
  size_t length = strlen(word);
  if (size - at < length || memcmp(data + at, word, length) != 0)
    return failHere("a value");
  at += length;
  valueDone();
  return event;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

void JsonReader::valueDone() {
  expect = openCount == 0 ? Expect::TopEnd : Expect::CommaOrEnd;
}

JsonEvent JsonReader::open(bool isObject) {
  if (openCount >= limits.maxDepth) {
    expect = Expect::Failed;
    error.fail("found nesting deeper than %u at byte %llu, wanted at most %u",
               limits.maxDepth,
               static_cast<unsigned long long>(limits.positionBase + at),
               limits.maxDepth);
    return JsonEvent::Error;
  }
  isObjectOpen[openCount] = isObject;
  firstKey[openCount] = keyCount;
  ++openCount;
  ++at;
  expect = isObject ? Expect::KeyOrObjectEnd : Expect::ValueOrArrayEnd;
  return isObject ? JsonEvent::ObjectBegin : JsonEvent::ArrayBegin;
}

/// Sorts the keys from `first` on and looks for neighbours that are equal.
bool JsonReader::checkKeys(size_t first) {
  const char *text = data;
  size_t textSize = size;
  auto compare = [text, textSize](uint32_t lhs, uint32_t rhs) {
    // The comparison stops at the closing quotes.
    return jsonCompare({text + lhs + 1, textSize - lhs - 1},
                       {text + rhs + 1, textSize - rhs - 1});
  };
  heapSort(keys + first, keyCount - first, [compare](uint32_t l, uint32_t r) {
    return compare(l, r) < 0;
  });
  for (size_t i = first + 1; i < keyCount; ++i) {
    uint32_t one = keys[i - 1], other = keys[i];
    if (compare(one, other) != 0)
      continue;
    if (one > other) {
      uint32_t swapped = one;
      one = other;
      other = swapped;
    }
    JsonText key = stringAt(data, other);
    PrintableText shown(key.data, key.size);
    expect = Expect::Failed;
    tokenStart = other;
    unsigned long long base = limits.positionBase;
    return error.fail("found duplicate key \"%s\" at byte %llu, first at byte "
                      "%llu, wanted unique keys",
                      shown.text, base + other, base + one);
  }
  return true;
}

JsonEvent JsonReader::close(bool isObject) {
  size_t first = firstKey[openCount - 1];
  if (isObject) {
    if (!checkKeys(first))
      return JsonEvent::Error;
    closedKeyCount = keyCount - first;
    keyCount = first;
  }
  ++at;
  --openCount;
  valueDone();
  return isObject ? JsonEvent::ObjectEnd : JsonEvent::ArrayEnd;
}

JsonEvent JsonReader::readKey() {
  if (at >= size || data[at] != '"')
    return failHere(expect == Expect::Key ? "a key in quotes"
                                          : "a key in quotes or '}'");
  if (keyCount >= keyCapacity) {
    expect = Expect::Failed;
    error.fail("found more than %llu keys at byte %llu, wanted at most that "
               "many",
               static_cast<unsigned long long>(keyCapacity),
               static_cast<unsigned long long>(limits.positionBase + at));
    return JsonEvent::Error;
  }
  keys[keyCount++] = static_cast<uint32_t>(at);
  if (!readString())
    return JsonEvent::Error;
  skipSpace();
  if (at >= size || data[at] != ':')
    return failHere("':'");
  ++at;
  expect = Expect::Value;
  return JsonEvent::Key;
}

JsonEvent JsonReader::readValue() {
  if (at >= size)
    return failHere("a value");
  switch (data[at]) {
  case '{':
    return open(/*isObject=*/true);
  case '[':
    return open(/*isObject=*/false);
  case '"':
    if (!readString())
      return JsonEvent::Error;
    valueDone();
    return JsonEvent::String;
  case 't':
    return readWord("true", JsonEvent::True);
  case 'f':
    return readWord("false", JsonEvent::False);
  case 'n':
    return readWord("null", JsonEvent::Null);
  case '-':
    return readNumber();
  default:
    if (data[at] >= '0' && data[at] <= '9')
      return readNumber();
    return failHere(expect == Expect::Value ? "a value" : "a value or ']'");
  }
}

JsonEvent JsonReader::next() {
  if (expect == Expect::Failed)
    return JsonEvent::Error;
  if (expect == Expect::Finished)
    return JsonEvent::End;
  if (expect == Expect::TopEnd && single) {
    expect = Expect::Finished;
    return JsonEvent::End;
  }
  skipSpace();
  if (expect == Expect::CommaOrEnd) {
    bool inObject = isObjectOpen[openCount - 1];
    tokenStart = at;
    if (at < size && data[at] == (inObject ? '}' : ']'))
      return close(inObject);
    if (at >= size || data[at] != ',')
      return failHere(inObject ? "',' or '}'" : "',' or ']'");
    ++at;
    skipSpace();
    expect = inObject ? Expect::Key : Expect::Value;
  }
  tokenStart = at;
  switch (expect) {
  case Expect::KeyOrObjectEnd:
    if (at < size && data[at] == '}')
      return close(/*isObject=*/true);
    return readKey();
  case Expect::Key:
    return readKey();
  case Expect::ValueOrArrayEnd:
    if (at < size && data[at] == ']')
      return close(/*isObject=*/false);
    return readValue();
  case Expect::Value:
    return readValue();
  default: // TopEnd
    if (at < size)
      return failHere("the end of the text");
    expect = Expect::Finished;
    return JsonEvent::End;
  }
}

bool JsonReader::skip(JsonEvent first) {
  if (first != JsonEvent::ObjectBegin && first != JsonEvent::ArrayBegin)
    return first != JsonEvent::Error;
  for (uint32_t outside = openCount - 1; openCount != outside;)
    if (next() == JsonEvent::Error)
      return false;
  return true;
}
