//===- CheckOptions.cpp - Options are checked before any work -------------===//
//
// A pass would blame the graph for what stands on the command line.
//
//===----------------------------------------------------------------------===//
#include "OutputFiles.h"
#include "Stages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <cfloat>
#include <cmath>

using namespace tt;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// The first option that is wrong, in `error`.
class Checks {
public:
  Checks(const CompileOptions &newOptions, std::string &newError)
      : options(newOptions), error(newError) {}

  bool run() { return checkNames() && checkCounts() && checkOptimizer() && checkOutput(); }

private:
  bool refuse(StringRef option, const Twine &wanted, const Twine &found) {
    error = ("error: expected --" + option + " " + wanted + ", but got " + found).str();
    return false;
  }
  /// "none, full or sqrt" of {"none", "full", "sqrt"}.
  bool isOneOf(StringRef option, StringRef value, llvm::ArrayRef<StringRef> known) {
    if (llvm::is_contained(known, value))
      return true;
    std::string names = llvm::join(known.drop_back(), ", ");
    return refuse(option, "to be " + names + (names.empty() ? "" : " or ") + known.back(),
                  "'" + value + "'");
  }
  bool isIn(StringRef option, StringRef range, bool isInside, double value) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", value);
    return isInside || refuse(option, "in " + range, text);
  }

  bool checkNames();
  bool checkCounts();
  bool checkOptimizer();
  bool checkOutput();

  const CompileOptions &options;
  std::string &error;
};
} // namespace

bool Checks::checkNames() {
  return isOneOf("emit", options.emit, {"tt", "adjoint", "kernels", "memory", "so"}) &&
         isOneOf("target", options.target,
                 {"cpu", "cpu:x86-64-v3", "cpu:x86-64-v4", "cpu:native"}) &&
         isOneOf("checkpoint", options.checkpoint, {"none", "full", "sqrt"}) &&
         isOneOf("schedule", options.schedule, {"default", "alternate"}) &&
         isOneOf("optimizer", options.optimizer, {"adamw"});
}

bool Checks::checkCounts() {
  return isIn("max-threads", "[1, 256]",
              options.maxThreads >= 1 && options.maxThreads <= 256, options.maxThreads) &&
         isIn("loss-chunks", "[0, 1024]", options.lossChunks <= 1024, options.lossChunks);
}

bool Checks::checkOptimizer() {
  // The step has them as f32: smaller ones are 0 there and larger ones infinite.
  auto isNormal = [](double x) { return x >= FLT_MIN && x <= FLT_MAX; };
  if (!isIn("clip-norm", "[2^-126, 2^128) or 0",
            options.clipNorm == 0 || isNormal(options.clipNorm), options.clipNorm) ||
      !isIn("beta1", "[0, 1)", options.beta1 >= 0 && options.beta1 < 1, options.beta1) ||
      !isIn("beta2", "[0, 1)", options.beta2 >= 0 && options.beta2 < 1, options.beta2) ||
      // The step has it as an f32, and a 0 there makes 0 / 0 of a zero gradient.
      !isIn("eps", "[2^-126, 2^128)", isNormal(options.eps), options.eps) ||
      // A step takes the share learning rate times decay off: more than all of a
      // weight at any rate of use makes it grow.
      !isIn("weight-decay", "[0, 1e6]", options.weightDecay >= 0 && options.weightDecay <= 1e6,
            options.weightDecay))
    return false;
  StringRef decay = options.decay;
  if (!decay.consume_front("re:"))
    return llvm::is_contained({"rank2", "all", "none"}, decay) ||
           refuse("decay", "to be rank2, all, none or re:REGEX", "'" + decay + "'");
  std::string problem;
  return llvm::Regex(decay).isValid(problem) ||
         refuse("decay", "to be re: and a regular expression",
                "'" + StringRef(options.decay) + "': " + problem);
}

bool Checks::checkOutput() {
  if (options.emit != "so")
    return !options.certify ||
           refuse("emit", "to be so with --certify", "'" + StringRef(options.emit) + "'");
  StringRef output = options.output, name = output.substr(output.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    error = "error: expected -o DIR/NAME, but got '" + options.output + "'";
    return false;
  }
  if (OutputFiles(options.output).probe(options.input, error))
    return true;
  error = "error: " + error;
  return false;
}

bool tt::checkOptions(const CompileOptions &options, std::string &error) {
  return Checks(options, error).run();
}
