// A look at .mlir text before MLIR's parser gets it.
#include "tt/Support/SourcePrescan.h"

#include "AliasGraph.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tt::support;

std::string PrescanError::message(std::string_view name) const {
  return std::string(name) + ":" + std::to_string(line) + ":" +
         std::to_string(column) + ": error: expected " + wanted + ", but got " +
         found;
}

/// Operators of one affine expression: MLIR's parser recurses into each.
static constexpr uint32_t kMaxOperators = 256;
/// Positions are kept in 32 bits.
static constexpr uint64_t kSizeLimit = UINT32_MAX;

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
static bool isWordByte(char c) {
  return isLetter(c) || isDigit(c) || c == '$' || c == '.';
}
/// What MLIR's lexer takes into a name after '#', '!', '%' or '^'.
static bool isNameByte(char c) { return isWordByte(c) || c == '-'; }

namespace {

/// Walks over the text's tokens, counting brackets and collecting aliases.
class Scanner {
public:
  Scanner(std::string_view text, const PrescanLimits &limits)
      : text(text), limits(limits),
        aliases(limits.maxAliasUses, limits.maxDepth) {}

  std::optional<PrescanError> run();

private:
  struct Bracket {
    char open;
    uint32_t operators; // since the last comma
  };
  /// Where we are in an alias's definition: "#name = value".
  enum class Body { None, WantsValue, HasValue };

  bool scanToken();
  bool scanPunctuation();
  bool scanAlias();
  bool scanWord();
  void scanString();
  void skipComment();
  void skipName();
  bool open();
  void close(char opener);
  void closeAngle();
  bool countOperator();
  bool startsDefinition(size_t nameEnd) const;
  bool isOutermost() const { return brackets.size() == bodyDepth; }
  void valueToken();
  void continueBody();
  bool checkReferences();
  bool fail(size_t where, std::string found, std::string wanted);
  bool failAliases();

  std::string_view text;
  const PrescanLimits &limits;
  AliasGraph aliases;
  size_t at = 0;
  bool hasToken = false;
  std::vector<Bracket> brackets;
  Body body = Body::None;
  size_t bodyDepth = 0;
  std::vector<uint32_t> references; // positions of those outside of bodies
  std::optional<PrescanError> error;
};

} // namespace

bool Scanner::fail(size_t where, std::string found, std::string wanted) {
  PrescanError result;
  result.found = std::move(found);
  result.wanted = std::move(wanted);
  std::string_view before = text.substr(0, where);
  result.line += std::count(before.begin(), before.end(), '\n');
  size_t newline = before.rfind('\n');
  result.column =
      newline == std::string_view::npos ? where + 1 : where - newline;
  error = std::move(result);
  return false;
}

bool Scanner::failAliases() {
  const AliasGraph::Problem &problem = aliases.problem();
  return fail(problem.position, problem.found, problem.wanted);
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

/// A token that can be a value, outside of brackets: an alias's body waits for
/// it, or has one and so has ended before it.
void Scanner::valueToken() {
  if (body == Body::None || !isOutermost())
    return;
  body = body == Body::WantsValue ? Body::HasValue : Body::None;
}

/// ":", "->" and "::" make a body go on.
void Scanner::continueBody() {
  if (body == Body::HasValue && isOutermost())
    body = Body::WantsValue;
}

/// True if only space and comments stand between `nameEnd` and a single '='.
bool Scanner::startsDefinition(size_t nameEnd) const {
  for (size_t i = nameEnd; i < text.size();) {
    if (isSpace(text[i]))
      ++i;
    else if (text.compare(i, 2, "//") == 0)
      i = std::min(text.find('\n', i), text.size());
    else
      return text[i] == '=' && text.compare(i, 2, "==") != 0;
  }
  return false;
}

void Scanner::skipName() {
  for (++at; at < text.size() && isNameByte(text[at]);)
    ++at;
}

/// At '#' or '!'. A name with a dot belongs to a dialect and is no alias.
bool Scanner::scanAlias() {
  size_t start = at;
  skipName();
  std::string_view name = text.substr(start, at - start);
  if (name.size() == 1)
    return true;
  bool isAlias = name.find('.') == std::string_view::npos;
  if (isAlias && startsDefinition(at)) {
    if (!aliases.define(name, start))
      return failAliases();
    body = Body::WantsValue;
    bodyDepth = brackets.size();
    return true; // '=' is punctuation like any other
  }
  valueToken();
  if (!isAlias)
    return true;
  if (body == Body::None) {
    references.push_back(static_cast<uint32_t>(start));
    return true;
  }
  uint32_t depth = static_cast<uint32_t>(brackets.size() - bodyDepth);
  return aliases.refer(name, start, depth) || failAliases();
}

/// References in operations count too: each may be printed or walked whole.
bool Scanner::checkReferences() {
  if (!aliases.evaluate())
    return failAliases();
  if (!aliases.hasNesting())
    return true;
  for (uint32_t start : references) {
    at = start;
    skipName();
    if (!aliases.referFromOp(text.substr(start, at - start), start))
      return failAliases();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Scanner::scanString() {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') {
      ++at;
      break;
    }
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
      ++at;
  } // MLIR's lexer refuses a newline in a string
  valueToken();
}

void Scanner::skipComment() { at = std::min(text.find('\n', at), text.size()); }

bool Scanner::scanWord() {
  size_t start = at;
  while (at < text.size() && isWordByte(text[at]))
    ++at;
  std::string_view word = text.substr(start, at - start);
  if (word == "mod" || word == "floordiv" || word == "ceildiv")
    return countOperator();
  valueToken();
  return true;
}

/// A chain of operators is as deep for MLIR's parser as brackets are. Between
/// braces there are no affine expressions, but long regions.
bool Scanner::countOperator() {
  if (brackets.empty() || brackets.back().open == '{' ||
      ++brackets.back().operators <= kMaxOperators)
    return true;
  return fail(at, "one more",
              "at most " + std::to_string(kMaxOperators) +
                  " operators in one expression");
}

bool Scanner::open() {
  if (body == Body::WantsValue && isOutermost())
    body = Body::HasValue;
  if (brackets.size() >= limits.maxDepth)
    return fail(at, "one more",
                "brackets nested at most " + std::to_string(limits.maxDepth) +
                    " deep");
  brackets.push_back({text[at++], 0});
  if (body != Body::None)
    aliases.noteDepth(static_cast<uint32_t>(brackets.size() - bodyDepth));
  return true;
}

/// A '<' that is still open inside is no bracket after all. Any other bracket
/// that is open inside is an error, which MLIR reports.
void Scanner::close(char opener) {
  ++at;
  size_t i = brackets.size();
  while (i > 0 && brackets[i - 1].open == '<')
    --i;
  if (i == 0 || brackets[i - 1].open != opener)
    return;
  brackets.resize(i - 1);
  if (brackets.size() < bodyDepth)
    body = Body::None;
}

void Scanner::closeAngle() {
  ++at;
  if (!brackets.empty() && brackets.back().open == '<' &&
      (body == Body::None || brackets.size() > bodyDepth))
    brackets.pop_back();
}

bool Scanner::scanPunctuation() {
  char next = at + 1 < text.size() ? text[at + 1] : '\0';
  switch (text[at]) {
  case '<':
    if (next != '=')
      return open();
    at += 2;
    return true;
  case '>':
    if (next != '=')
      return closeAngle(), true;
    at += 2;
    return true;
  case '-':
    if (next == '>') {
      at += 2;
      continueBody();
      return true;
    }
    ++at;
    return countOperator();
  case '+':
  case '*':
    ++at;
    return countOperator();
  case ',':
    if (!brackets.empty())
      brackets.back().operators = 0;
    break;
  case ':':
    continueBody();
    break;
  default:
    break;
  }
  ++at;
  return true;
}

bool Scanner::scanToken() {
  char c = text[at];
  if (isSpace(c)) {
    ++at;
    return true;
  }
  if (c == '/' && text.compare(at, 2, "//") == 0) {
    skipComment();
    return true;
  }
  hasToken = true;
  if (isLetter(c) || isDigit(c))
    return scanWord();
  switch (c) {
  case '"':
    scanString();
    return true;
  case '(':
  case '[':
  case '{':
    return open();
  case ')':
    close('(');
    return true;
  case ']':
    close('[');
    return true;
  case '}':
    close('{');
    return true;
  case '#':
  case '!':
    return scanAlias();
  case '%':
  case '^':
    skipName();
    valueToken();
    return true;
  default:
    return scanPunctuation();
  }
}

std::optional<PrescanError> Scanner::run() {
  uint64_t maxBytes = std::min(limits.maxBytes, kSizeLimit);
  if (text.size() > maxBytes) {
    error = PrescanError{1, 1, std::to_string(text.size()) + " bytes",
                         "at most " + std::to_string(maxBytes)};
    return error;
  }
  if (text.substr(0, 4) == "ML\xefR") {
    fail(0, "MLIR bytecode (bytecode input rejected)", "MLIR text");
    return error;
  }
  size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    fail(nul, "a NUL byte", "MLIR text");
    return error;
  }
  while (at < text.size())
    if (!scanToken())
      return error;
  if (!hasToken)
    fail(text.size(), "a text without any operation", "MLIR text");
  else
    checkReferences();
  return error;
}

std::optional<PrescanError>
tt::support::prescanSource(std::string_view text, const PrescanLimits &limits) {
  return Scanner(text, limits).run();
}
