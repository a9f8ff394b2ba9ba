//===- CommandWords.cpp - The words of a command line ---------------------===//
#include "CommandWords.h"

#include "tt/Support/NearestName.h"

#include <algorithm>
#include <cctype>
#include <optional>

using namespace tt;
using namespace tt::tools;

namespace {
/// "--name=value", "--name", "-nvalue" or "-n".
struct Spelling {
  std::string name;
  std::optional<std::string> value;
};

struct GivenOption {
  const CLI::Option *option;
  Spelling spelling;
};

class WordReader {
public:
  WordReader(const CLI::App &app, const std::vector<std::string> &mayBeEmpty)
      : app(app), options(app.get_options()), mayBeEmpty(mayBeEmpty) {}

  std::string read(std::vector<std::string> &words);

private:
  void readWord(const std::vector<std::string> &words, size_t &i);
  void readOption(const CLI::Option *option, Spelling spelling,
                  const std::vector<std::string> &words, size_t &i);
  bool takesNext(const CLI::Option *option, const std::string &next) const;
  const CLI::Option *find(const std::string &name) const;
  Spelling split(const std::string &word) const;
  void report(const std::string &text) { problem = problem.empty() ? text : problem; }

  std::string unknownOptions() const;
  std::string wrongFiles() const;
  std::string missingOption() const;
  std::string wrongTogether() const;
  bool isGiven(const CLI::Option *option) const;
  std::string spellingOf(const CLI::Option *option) const;
  std::vector<std::string> plainForm() const;

  const CLI::App &app;
  std::vector<const CLI::Option *> options;
  const std::vector<std::string> &mayBeEmpty;
  bool onlyFiles = false; // after "--"
  std::vector<GivenOption> given;
  std::vector<std::string> files, unknown;
  std::string problem; // the first one
};
} // namespace

//===----------------------------------------------------------------------===//
// One word
//===----------------------------------------------------------------------===//

/// A number may start with a minus, and "-" is a file.
static bool looksLikeOption(const std::string &word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' &&
         !std::isdigit(static_cast<unsigned char>(word[1]));
}

static bool takesValue(const CLI::Option *option) {
  return option->get_items_expected_max() > 0;
}

/// "-o" and "--output" of one option: the one that says more.
static std::string longNameOf(const CLI::Option *option) {
  if (!option->get_lnames().empty())
    return "--" + option->get_lnames().front();
  return "-" + option->get_snames().front();
}

const CLI::Option *WordReader::find(const std::string &name) const {
  for (const CLI::Option *option : options) {
    for (const std::string &known : option->get_lnames())
      if (name == "--" + known)
        return option;
    for (const std::string &known : option->get_snames())
      if (name == "-" + known)
        return option;
  }
  return nullptr;
}

Spelling WordReader::split(const std::string &word) const {
  size_t equals = word.find('=');
  if (equals != std::string::npos)
    return {word.substr(0, equals), word.substr(equals + 1)};
  bool isShort = word[1] != '-' && word.size() > 2;
  if (isShort && find(word.substr(0, 2)))
    return {word.substr(0, 2), word.substr(2)};
  return {word, std::nullopt};
}

bool WordReader::takesNext(const CLI::Option *option, const std::string &next) const {
  if (option->get_items_expected_min() > 0)
    return !next.empty() && !(looksLikeOption(next) && find(split(next).name)) &&
           next.substr(0, 2) != "--";
  // A value that may be left away is a number; a file may follow instead.
  return !next.empty() && std::all_of(next.begin(), next.end(), [](unsigned char letter) {
    return std::isdigit(letter);
  });
}

void WordReader::readOption(const CLI::Option *option, Spelling spelling,
                            const std::vector<std::string> &words, size_t &i) {
  const std::string &name = spelling.name;
  bool isEmptyText = std::count(mayBeEmpty.begin(), mayBeEmpty.end(), longNameOf(option));
  if (!takesValue(option)) {
    if (spelling.value)
      report("expected no value after '" + name + "', found '" + *spelling.value + "'");
  } else if (spelling.value) {
    if (spelling.value->empty() && !isEmptyText)
      report("expected a value after '" + name + "=', found nothing");
  } else if (i + 1 < words.size() &&
             (takesNext(option, words[i + 1]) || (isEmptyText && words[i + 1].empty()))) {
    spelling.value = words[++i];
  } else if (option->get_items_expected_min() > 0) {
    const char *one = name[1] == '-' ? "=" : "";
    if (i + 1 == words.size())
      report("expected a value after '" + name + "', found nothing");
    else if (words[i + 1].empty())
      report("expected a value after '" + name + "', found an empty one");
    else
      report("expected a value after '" + name + "', found the option " + words[i + 1] + " ('" +
             name + one + words[i + 1] + "' makes it a value)");
  }
  given.push_back({option, spelling});
}

void WordReader::readWord(const std::vector<std::string> &words, size_t &i) {
  const std::string &word = words[i];
  if (onlyFiles || !looksLikeOption(word)) {
    files.push_back(word);
    return;
  }
  if (word == "--") {
    onlyFiles = true;
    return;
  }
  Spelling spelling = split(word);
  if (const CLI::Option *option = find(spelling.name))
    readOption(option, spelling, words, i);
  else
    unknown.push_back(spelling.name);
}

//===----------------------------------------------------------------------===//
// All words
//===----------------------------------------------------------------------===//

static std::string listOf(const std::vector<std::string> &parts) {
  std::string list;
  for (size_t i = 0; i < parts.size(); ++i)
    list += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return list;
}

/// The description of an option as the end of a sentence.
static std::string whatFor(const CLI::Option *option) {
  std::string text = option->get_description();
  size_t defaults = text.find(" (default");
  return text.empty() ? "" : ": " + text.substr(0, defaults);
}

std::string WordReader::unknownOptions() const {
  if (unknown.empty())
    return "";
  std::vector<std::string> names; // a letter is near to any other
  for (const CLI::Option *option : options)
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  std::string nearest;
  for (size_t i = 0; i < unknown.size() && nearest.empty(); ++i)
    nearest = support::didYouMean(unknown[i], names);
  return "found the unknown option" + std::string(unknown.size() > 1 ? "s " : " ") +
         listOf(unknown) + ", wanted those of " + app.get_name() + nearest;
}

std::string WordReader::wrongFiles() const {
  std::vector<const CLI::Option *> places;
  for (const CLI::Option *option : options)
    if (option->get_positional())
      places.push_back(option);
  if (files.size() < places.size()) {
    const CLI::Option *missing = places[files.size()];
    return missing->get_required()
               ? "found no " + missing->get_name() + ", wanted one" + whatFor(missing)
               : "";
  }
  std::vector<std::string> extra;
  for (size_t i = places.size(); i < files.size(); ++i)
    extra.push_back("'" + files[i] + "'");
  if (extra.empty())
    return "";
  std::string found = "found the word" + std::string(extra.size() > 1 ? "s " : " ") + listOf(extra);
  return places.empty() ? found + ", wanted only options"
                        : found + " after '" + files[places.size() - 1] + "', wanted one " +
                              places.back()->get_name() + whatFor(places.back());
}

bool WordReader::isGiven(const CLI::Option *option) const {
  return option->get_positional() ||
         std::any_of(given.begin(), given.end(),
                     [&](const GivenOption &one) { return one.option == option; });
}

std::string WordReader::spellingOf(const CLI::Option *option) const {
  for (const GivenOption &one : given)
    if (one.option == option)
      return one.spelling.name;
  return longNameOf(option);
}

std::string WordReader::missingOption() const {
  for (const CLI::Option *option : options)
    if (option->get_required() && !isGiven(option))
      return longNameOf(option) + ": found nothing, wanted " + option->get_type_name() +
             whatFor(option);
  return "";
}

std::string WordReader::wrongTogether() const {
  for (size_t i = 0; i < given.size(); ++i) {
    const CLI::Option *option = given[i].option;
    const std::string &name = given[i].spelling.name;
    size_t count = std::count_if(given.begin(), given.end(), [&](const GivenOption &one) {
      return one.option == option;
    });
    if (count > 1 && option->get_items_expected_max() == 1 &&
        option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
      return name + ": found it " + std::to_string(count) + " times, wanted it once";
    for (const CLI::Option *needed : option->get_needs())
      if (!isGiven(needed))
        return name + ": found no " + longNameOf(needed) + " with it, wanted both or none";
    for (const CLI::Option *other : option->get_excludes())
      if (isGiven(other))
        return name + ": found " + spellingOf(other) + " with it, wanted one of them";
  }
  return "";
}

std::vector<std::string> WordReader::plainForm() const {
  std::vector<std::string> words;
  for (const std::string &file : files) // one that starts with a minus came after "--"
    words.push_back(file.size() > 1 && file[0] == '-' ? "./" + file : file);
  for (const GivenOption &one : given) {
    const auto &[name, value] = one.spelling;
    bool isJoined = value && !value->empty() && name[1] == '-';
    words.push_back(isJoined ? name + "=" + *value : name);
    if (value && !isJoined)
      words.push_back(*value);
  }
  return words;
}

std::string WordReader::read(std::vector<std::string> &words) {
  for (size_t i = 0; i < words.size(); ++i)
    readWord(words, i);
  for (const CLI::Option *help : {app.get_help_ptr(), app.get_version_ptr()})
    if (help && isGiven(help)) {
      words = {longNameOf(help)};
      return "";
    }
  for (const std::string &text :
       {unknownOptions(), problem, wrongFiles(), missingOption(), wrongTogether()})
    if (!text.empty())
      return text;
  words = plainForm();
  return "";
}

std::string tt::tools::readWords(const CLI::App &app, const std::vector<std::string> &mayBeEmpty,
                                 std::vector<std::string> &words) {
  return WordReader(app, mayBeEmpty).read(words);
}
