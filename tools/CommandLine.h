//===- CommandLine.h - What a command line gets wrong -----------*- C++ -*-===//
//
// CLI11 has words of its own for a value that cannot be ("Value 0 not in range").
// These say what was found and what was wanted, as all other errors do. For the
// mains of tools only: CLI11 reports through exceptions.
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

/// Every option of a numeric type takes nothing else. CLI11 would say "Could not
/// convert", and take the nearest number for one that is too large.
inline void checkNumbers(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    std::string type = option->get_type_name();
    if (type.rfind("INT", 0) == 0)
      option->check([](const std::string &text) {
        int64_t value;
        return isWhole(text, value) ? "" : foundWanted(text, "a whole number of 64 bits");
      });
    else if (type.rfind("UINT", 0) == 0)
      option->check([](const std::string &text) {
        uint64_t value;
        return isWhole(text, value) ? "" : foundWanted(text, "a whole number in [0, 2^64)");
      });
    else if (type.rfind("FLOAT", 0) == 0)
      option->check([](const std::string &text) {
        double value;
        return isNumber(text, value) ? "" : foundWanted(text, "a number");
      });
  }
}

/// The exit status if the command line asks for --help or --version or is wrong;
/// then everything is said. `prefix` stands before an error.
inline std::optional<int> parseCommandLine(CLI::App &app, const std::string &prefix,
                                           int argc, char **argv) {
  checkNumbers(app);
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success &success) {
    app.exit(success);
    return 0;
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "%s%s (--help lists the options)\n", prefix.c_str(),
                 support::escapeTerminal(error.what()).c_str());
    return 1;
  }
}

} // namespace tt::tools

#endif
