//===- OptionTexts.cpp - Compile options as texts -------------------------===//
#include "tt/Pipelines/Compile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt;

/// Calls visit(name, member) for each option that a module depends on.
template <typename Options, typename Visit>
static void visitOptions(Options &options, Visit visit) {
  visit("function", options.function);
  visit("checkpoint", options.checkpoint);
  visit("optimizer", options.optimizer);
  visit("beta1", options.beta1);
  visit("beta2", options.beta2);
  visit("eps", options.eps);
  visit("weight_decay", options.weightDecay);
  visit("clip_norm", options.clipNorm);
  visit("decay", options.decay);
  visit("fuse", options.fuse);
  visit("schedule", options.schedule);
  visit("loss_chunks", options.lossChunks);
  visit("target", options.target);
}

static std::string textOf(const std::string &value) { return value; }
static std::string textOf(bool value) { return value ? "true" : "false"; }
static std::string textOf(unsigned value) { return std::to_string(value); }
static std::string textOf(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value); // reads back exactly
  return text;
}

static bool read(llvm::StringRef text, std::string &value) {
  value = text.str();
  return true;
}
static bool read(llvm::StringRef text, bool &value) {
  value = text == "true";
  return value || text == "false";
}
static bool read(llvm::StringRef text, unsigned &value) {
  return !text.getAsInteger(10, value);
}
static bool read(llvm::StringRef text, double &value) {
  return !text.getAsDouble(value);
}

std::vector<std::pair<std::string, std::string>>
tt::compileOptionTexts(const CompileOptions &options) {
  std::vector<std::pair<std::string, std::string>> texts;
  visitOptions(options, [&](const char *name, const auto &value) {
    texts.push_back({name, textOf(value)});
  });
  return texts;
}

bool tt::setCompileOption(CompileOptions &options, const std::string &name,
                          const std::string &value) {
  bool isSet = false;
  visitOptions(options, [&](const char *known, auto &member) {
    if (name == known)
      isSet = read(value, member);
  });
  return isSet;
}
