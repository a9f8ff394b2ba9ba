//===- CommandLine.h - What a command line gets wrong -----------*- C++ -*-===//
//
// CLI11 has words of its own for a value that cannot be ("Value 0 not in range").
// These say what was found and what was wanted, as all other errors do; CommandWords.h
// has what is missing, unknown or too much. For the mains of tools only: CLI11 reports
// through exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TOOLS_COMMANDLINE_H
#define TT_TOOLS_COMMANDLINE_H

#include "tt/Support/Escape.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tt::tools {

/// Lines for a terminal: names and paths in them may hold anything.
inline std::string safe(const std::string &lines) {
  return support::escapeTerminal(lines, /*keepNewlines=*/true);
}

inline std::string foundWanted(const std::string &found, const std::string &wanted) {
  return "found " + (found.empty() ? "nothing" : found) + ", wanted " + wanted;
}

template <typename Int> bool isWhole(const std::string &text, Int &value) {
  const char *end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

inline bool isNumber(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}

/// A whole number in [low, high].
template <typename Int> CLI::Validator wholeIn(Int low, Int high) {
  std::string range = "[" + std::to_string(low) + ", " + std::to_string(high) + "]";
  return CLI::Validator(
      [=](std::string &text) {
        Int value;
        bool isGood = isWhole(text, value) && value >= low && value <= high;
        return isGood ? "" : foundWanted(text, "a whole number in " + range);
      },
      range);
}

/// A finite number in [low, high], which NaN is not; `wanted` says so, --help `range`.
inline CLI::Validator numberIn(double low, double high, const std::string &wanted,
                               const std::string &range) {
  return CLI::Validator(
      [=](std::string &text) {
        double value;
        bool isGood = isNumber(text, value) && std::isfinite(value) && value >= low &&
                      value <= high;
        return isGood ? "" : foundWanted(text, "a number " + wanted);
      },
      range);
}
inline CLI::Validator numberIn(double low, double high) {
  std::ostringstream range;
  range << "[" << low << ", " << high << "]";
  return numberIn(low, high, "in " + range.str(), range.str());
}
inline CLI::Validator atLeast(double low) {
  std::ostringstream text;
  text << low;
  return numberIn(low, HUGE_VAL, "of at least " + text.str(), "[" + text.str() + ", inf)");
}

inline CLI::Validator oneOf(const std::vector<std::string> &names) {
  std::string wanted, list;
  for (size_t i = 0; i < names.size(); ++i) {
    wanted += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    list += (i ? "," : "") + names[i];
  }
  return CLI::Validator(
      [=](std::string &text) {
        for (const std::string &name : names)
          if (text == name)
            return std::string();
        return foundWanted(text, wanted);
      },
      "{" + list + "}");
}

/// A seed: any 64 bits.
inline CLI::Validator seed() {
  return CLI::Validator(
      [](std::string &text) {
        uint64_t value;
        return isWhole(text, value) ? "" : foundWanted(text, "a whole number in [0, 2^64)");
      },
      "");
}

/// "TOOL: error: TEXT" on stderr; the exit status of it.
int printError(const std::string &tool, const std::string &text);
/// The same for a text of the compiler: one that starts with a place stays as it is.
int printCompilerError(const std::string &tool, const std::string &text);

/// For an option whose variable holds no default before the command line is read.
CLI::Option *withoutDefault(CLI::Option *option);

/// The exit status if the command line asks for --help or --version or is wrong;
/// then everything is said. --help gets the defaults. The options named in
/// `mayBeEmpty` take an empty text.
std::optional<int> parseCommandLine(CLI::App &app, const std::string &tool, int argc, char **argv,
                                    const std::vector<std::string> &mayBeEmpty = {});

} // namespace tt::tools

#endif
