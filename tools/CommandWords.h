//===- CommandWords.h - The words of a command line -------------*- C++ -*-===//
//
// CLI11 takes the next word as a value wherever one may stand: that after "--x=",
// and an option, too. Its texts for what is missing or too much do not say what was
// wanted. So the words are read here first, by plainer rules, and CLI11 gets them in
// a form that it cannot misread.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TOOLS_COMMANDWORDS_H
#define TT_TOOLS_COMMANDWORDS_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tt::tools {

/// What is wrong with the words, or "": unknown options first, then values that are
/// missing or not wanted, then words and options that are too many, too few or not
/// meant to stand together. Values themselves are CLI11's to check. The options named
/// in `mayBeEmpty` take an empty text.
/// Leaves words that CLI11 reads as meant: files first, then options with their value.
/// For an app without subcommands and option groups.
std::string readWords(const CLI::App &app, const std::vector<std::string> &mayBeEmpty,
                      std::vector<std::string> &words);

} // namespace tt::tools

#endif
