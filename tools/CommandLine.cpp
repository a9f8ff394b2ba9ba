//===- CommandLine.cpp - What a command line gets wrong -------------------===//
#include "CommandLine.h"
#include "CommandWords.h"

#include <algorithm>

using namespace tt::tools;

int tt::tools::printError(const std::string &tool, const std::string &text) {
  std::fprintf(stderr, "%s: error: %s\n", tool.c_str(), safe(text).c_str());
  return 1;
}

int tt::tools::printCompilerError(const std::string &tool, const std::string &text) {
  bool hasPlace = text.rfind("error: ", 0) != 0;
  std::fprintf(stderr, "%s%s\n", hasPlace ? "" : (tool + ": ").c_str(), safe(text).c_str());
  return 1;
}

/// Every option of a numeric type takes nothing else. CLI11 would say "Could not
/// convert", and take the nearest number for one that is too large.
static void checkNumbers(CLI::App &app) {
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

CLI::Option *tt::tools::withoutDefault(CLI::Option *option) {
  return option->default_function({});
}

/// What a variable holds before the command line is read is the option's default, and
/// --help says so, unless the description does.
static void describeDefaults(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    std::string description = option->get_description();
    if (option->get_positional() || option->get_items_expected_min() == 0 ||
        description.find("(default") != std::string::npos ||
        description.find("default: ") != std::string::npos)
      continue;
    std::string value = option->capture_default_str()->get_default_str();
    option->default_str("");
    if (!value.empty() && value != "[]")
      option->description(description + " (default: " + value + ")");
  }
}

std::optional<int> tt::tools::parseCommandLine(CLI::App &app, const std::string &tool, int argc,
                                               char **argv,
                                               const std::vector<std::string> &mayBeEmpty) {
  app.name(tool);
  checkNumbers(app);
  describeDefaults(app);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  std::string problem = readWords(app, mayBeEmpty, words);
  try {
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    if (problem.empty())
      app.parse(words);
  } catch (const CLI::Success &success) {
    app.exit(success);
    return 0;
  } catch (const CLI::ParseError &error) {
    problem = error.what();
  }
  if (problem.empty())
    return std::nullopt;
  std::fprintf(stderr, "%s: error: %s (--help lists the options)\n", tool.c_str(),
               support::escapeTerminal(problem).c_str());
  return 1;
}
