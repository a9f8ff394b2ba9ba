// A small JSON document over the runtime's strict parser.
#ifndef TT_SUPPORT_JSONDOCUMENT_H
#define TT_SUPPORT_JSONDOCUMENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::support {

class JsonValue;
using JsonMember = std::pair<std::string, JsonValue>;

/// A JSON value that owns its parts. Members keep the order of the file.
class JsonValue {
public:
  enum class Kind { Null, Bool, Integer, Number, String, Array, Object };

  Kind kind() const { return valueKind; }
  bool isNull() const { return valueKind == Kind::Null; }
  bool isBool() const { return valueKind == Kind::Bool; }
  bool isInteger() const { return valueKind == Kind::Integer; }
  /// An integer is a number too.
  bool isNumber() const { return isInteger() || valueKind == Kind::Number; }
  bool isString() const { return valueKind == Kind::String; }
  bool isArray() const { return valueKind == Kind::Array; }
  bool isObject() const { return valueKind == Kind::Object; }

  bool boolean() const { return integerValue != 0; }
  int64_t integer() const { return integerValue; }
  double number() const {
    return isInteger() ? double(integerValue) : numberValue;
  }
  const std::string &string() const { return text; }
  const std::vector<JsonValue> &elements() const { return arrayElements; }
  const std::vector<JsonMember> &members() const { return objectMembers; }

  /// The member of that name; null if there is none or this is no object.
  const JsonValue *find(std::string_view key) const;

  /// The line of the file on which a member's key stands; 0 for what is no member.
  uint32_t line() const { return lineNumber; }

  /// For messages: "null", "boolean", "integer 12", "string "gelu"", ...
  std::string describe() const;

private:
  friend class JsonBuilder;

  Kind valueKind = Kind::Null;
  uint32_t lineNumber = 0;
  int64_t integerValue = 0;
  double numberValue = 0;
  std::string text;
  std::vector<JsonValue> arrayElements;
  std::vector<JsonMember> objectMembers;
};

struct JsonDocumentLimits {
  uint64_t maxBytes = uint64_t(2) << 20; // two of them can become 200
  uint32_t maxDepth = 8;
};

/// A parsed file with its name, for messages. Getters take a key of the top
/// object and on error set `error` (if it is still empty, so that the first
/// error wins) and return nothing:
///
///   config.json:7: key "n_head": found string "x", wanted integer in [1, 1024]
///
/// The optional forms give the default for an absent key; a null value counts
/// as absent there, as in configurations written by Python.
class JsonDocument {
public:
  using Error = std::string;

  /// `name` stands in messages: "config.json:3:14: found ..., wanted ...".
  static std::optional<JsonDocument> parse(std::string_view text,
                                           std::string name, Error &error,
                                           JsonDocumentLimits limits = {});
  /// Reads the file first; `name` is its path's last component.
  static std::optional<JsonDocument> load(const std::string &path, Error &error,
                                          JsonDocumentLimits limits = {});

  const std::string &name() const { return documentName; }
  const JsonValue &root() const { return rootValue; }

  bool has(std::string_view key) const;

  std::optional<int64_t> getInteger(std::string_view key, int64_t low,
                                    int64_t high, Error &error) const;
  std::optional<int64_t> getInteger(std::string_view key, int64_t low,
                                    int64_t high, int64_t otherwise,
                                    Error &error) const;
  std::optional<double> getNumber(std::string_view key, double low, double high,
                                  Error &error) const;
  std::optional<double> getNumber(std::string_view key, double low, double high,
                                  double otherwise, Error &error) const;
  std::optional<bool> getBool(std::string_view key, Error &error) const;
  std::optional<bool> getBool(std::string_view key, bool otherwise,
                              Error &error) const;
  std::optional<std::string> getString(std::string_view key,
                                       Error &error) const;
  std::optional<std::string>
  getString(std::string_view key, std::string otherwise, Error &error) const;
  /// One of `choices`.
  std::optional<std::string> getChoice(std::string_view key,
                                       const std::vector<std::string> &choices,
                                       Error &error) const;

  /// False, with a message, if the top object has a key outside `known`.
  bool checkKeys(const std::vector<std::string_view> &known,
                 Error &error) const;

  /// The document's name, and the line of a key that it has: "config.json:7".
  std::string place(std::string_view key) const;
  /// Sets `error` to a message about a key, for checks across keys.
  void report(std::string_view key, std::string_view found,
              std::string_view wanted, Error &error) const;

private:
  const JsonValue *require(std::string_view key, std::string_view wanted,
                           Error &error) const;
  bool isAbsent(std::string_view key) const;

  std::string documentName;
  JsonValue rootValue;
};

} // namespace tt::support
#endif
