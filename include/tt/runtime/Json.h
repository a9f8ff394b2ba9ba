// A strict JSON pull parser over memory of the caller. Part of the model
// library: libc only, allocates nothing, recursion-free.
#ifndef TT_RUNTIME_JSON_H
#define TT_RUNTIME_JSON_H

#include "tt/runtime/ErrorText.h"

#include <stddef.h>
#include <stdint.h>

namespace tt::runtime {

/// The bytes between the quotes of a string that the reader has accepted:
/// valid UTF-8, escapes still in place. Points into the parsed text.
struct JsonText {
  const char *data = nullptr;
  size_t size = 0;
};

/// Compares the decoded strings, bytewise: < 0, 0, > 0.
int jsonCompare(JsonText lhs, JsonText rhs);
/// Compares the decoded string with plain bytes: < 0, 0, > 0.
int jsonComparePlain(JsonText lhs, const char *plain, size_t plainSize);
/// True if the decoded string is `plain` (NUL-terminated).
bool jsonEquals(JsonText text, const char *plain);
/// Decodes into `out` (at most `outSize` bytes, no NUL is added) and returns
/// the decoded size, which is never larger than text.size.
size_t jsonDecode(JsonText text, char *out, size_t outSize);

/// True if the bytes are valid UTF-8 (no surrogates, no overlong forms).
bool isValidUtf8(const char *bytes, size_t size);

enum class JsonEvent : uint8_t {
  ObjectBegin,
  ObjectEnd,
  ArrayBegin,
  ArrayEnd,
  Key,     // text()
  String,  // text()
  Integer, // integer(): no fraction, no exponent, fits int64 and is not -0
  Number,  // text(): any other number, its grammar is checked
  True,
  False,
  Null,
  End,  // the value is complete and nothing but white space follows it
  Error // the error text is set; every later call gives Error again
};

struct JsonLimits {
  /// Objects and arrays inside one another; at most JsonReader::kDepthLimit.
  uint32_t maxDepth = 8;
  /// Added to the byte positions in error texts.
  uint64_t positionBase = 0;
};

/// Reads RFC 8259 JSON, nothing more: valid UTF-8, no byte order mark, no
/// duplicate keys within an object (after decoding), no lone surrogates,
/// integers inside int64, no trailing bytes. A duplicate key is reported at
/// the end of its object, so act on the values only after End.
///
/// `keys` is scratch for that check: one slot per key of the objects that are
/// open at the same time. size / 5 + 1 slots always suffice. The check is a
/// heap sort: n log n for any input, no hashing to attack.
class JsonReader {
public:
  static constexpr uint32_t kDepthLimit = 64;
  static constexpr uint64_t kSizeLimit = (1ull << 32) - 1;

  JsonReader(const char *text, size_t size, uint32_t *keys, size_t keyCapacity,
             ErrorText error, JsonLimits limits = {});

  /// Starts at byte `position` of the text; the value there is read as if it
  /// stood alone and End comes right after it, whatever follows.
  void readValueAt(size_t position);

  JsonEvent next();

  JsonText text() const { return token; }
  int64_t integer() const { return tokenInteger; }
  /// The byte where the last event's token begins (a string's quote), or
  /// where the error is.
  size_t position() const { return tokenStart; }
  /// The number of objects and arrays that are open.
  uint32_t depth() const { return openCount; }

  /// Steps over a value whose first event was just returned. False: Error.
  bool skip(JsonEvent first);

  /// Makes the reader fail at the current token: "found X at byte N, wanted
  /// `wanted`", unless it has failed before. Always returns false.
  bool fail(const char *wanted);

  /// The sorted positions (of the opening quotes) of the keys of the object
  /// that ended last. Valid right after ObjectEnd.
  const uint32_t *sortedKeys() const { return keys + keyCount; }
  size_t numSortedKeys() const { return closedKeyCount; }

  /// The string whose opening quote is at `position`; it was accepted before.
  static JsonText stringAt(const char *text, size_t position);

private:
  enum class Expect : uint8_t {
    Value,
    ValueOrArrayEnd,
    KeyOrObjectEnd,
    Key,
    CommaOrEnd,
    TopEnd,
    Finished,
    Failed
  };

  JsonEvent failHere(const char *wanted);
  JsonEvent failAt(size_t at, const char *wanted);
  JsonEvent open(bool isObject);
  JsonEvent close(bool isObject);
  JsonEvent readKey();
  JsonEvent readValue();
  JsonEvent readNumber();
  JsonEvent readWord(const char *word, JsonEvent event);
  bool readString();
  bool readEscape();
  bool readHex(uint32_t &unit);
  bool checkKeys(size_t first);
  void skipSpace();
  void valueDone();

  const char *data;
  size_t size;
  uint32_t *keys;
  size_t keyCapacity;
  size_t keyCount = 0;
  size_t closedKeyCount = 0;
  ErrorText error;
  JsonLimits limits;
  size_t at = 0;
  size_t tokenStart = 0;
  size_t tokenEnd = 0; // of the last string or key
  JsonText token;
  int64_t tokenInteger = 0;
  Expect expect = Expect::Value;
  bool single = false;
  uint32_t openCount = 0;
  bool isObjectOpen[kDepthLimit] = {};
  size_t firstKey[kDepthLimit] = {};
};

} // namespace tt::runtime
#endif
