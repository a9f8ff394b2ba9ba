//===- tt-compile.cpp - .mlir to a training library -----------------------===//
#include "../CommandLine.h"

#include "tt/Pipelines/Compile.h"
#include "tt/Support/StandardOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <unistd.h>

namespace {
/// Warnings about options that have no effect.
class Warnings {
public:
  explicit Warnings(CLI::App &app) : app(app) {}

  bool isGiven(const std::string &option) const {
    return app.get_option("--" + option)->count() > 0;
  }
  /// Once, if the option is on the command line.
  void print(const std::string &option, const std::string &reason) {
    // Weight decay is two options.
    if (!isGiven(option) && !(option == "decay" && isGiven("weight-decay")))
      return;
    std::string text = "--" + option + " has no effect: " + reason;
    if (printed.insert(text).second)
      fmt::print(stderr, "{}warning: {}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                 tt::tools::safe(text));
  }

private:
  CLI::App &app;
  std::set<std::string> printed;
};

/// The last stage that --emit= can end with before the option acts.
struct LateOption {
  const char *name, *before;
};
} // namespace

/// Options of stages that are not run, and options that another one makes idle.
static void warnOfOthers(const tt::CompileOptions &options, Warnings &warnings) {
  static const std::vector<std::string> stages = {"tt", "adjoint", "kernels", "memory", "so"};
  static constexpr LateOption late[] = {
      {"checkpoint", "tt"},      {"loss-chunks", "tt"},  {"allow-unreached", "tt"},
      {"optimizer", "adjoint"},  {"clip-norm", "adjoint"}, {"beta1", "adjoint"},
      {"beta2", "adjoint"},      {"eps", "adjoint"},     {"weight-decay", "adjoint"},
      {"decay", "adjoint"},      {"no-fuse", "adjoint"}, {"schedule", "adjoint"},
      {"target", "kernels"},     {"max-threads", "memory"}, {"threads", "memory"},
      {"output", "memory"}};
  auto placeOf = [&](const std::string &stage) {
    return std::find(stages.begin(), stages.end(), stage) - stages.begin();
  };
  for (const LateOption &option : late)
    if (placeOf(options.emit) <= placeOf(option.before))
      warnings.print(option.name, "found --emit=" + options.emit + ", wanted --emit=" +
                                      stages[placeOf(option.before) + 1] +
                                      (std::string(option.before) == "memory" ? "" : " or later"));
  if (options.weightDecay == 0 && warnings.isGiven("decay"))
    warnings.print("decay", "found --weight-decay=0, wanted more");
  if (options.weightDecay != 0 && options.decay == "none")
    warnings.print("weight-decay", "found --decay=none, wanted parameters that decay");
}

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is an error like a full disk
  tt::CompileOptions options;
  unsigned threads = 1;
  bool noFuse = false;
  CLI::App app("Compiles a graph in the tt dialect into a library that trains it: "
               "NAME.so, NAME.h, NAME.json.");
  app.set_version_flag("--version", std::string("tt-compile ") + TT_VERSION);
  app.footer("Example: tt-compile gpt.mlir -o out/gpt --target=cpu:native --checkpoint=sqrt");
  app.add_option("input", options.input, "Graph file (.mlir)")->required();
  app.add_option("-o,--output", options.output, "DIR/NAME of the library");
  app.add_option("--function", options.function, "The loss; default: the only public function");
  app.add_option("--target", options.target,
                 "cpu (both levels), cpu:x86-64-v3, cpu:x86-64-v4, cpu:native");
  app.add_option("--emit", options.emit, "tt, adjoint, kernels, memory (text to stdout) or so");
  app.add_option("--checkpoint", options.checkpoint, "none, full or sqrt");
  app.add_option("--loss-chunks", options.lossChunks,
                 "Run a linear head and its loss in this many chunks of rows, so that the "
                 "logits are never whole; 0: off")
      ->check(tt::tools::wholeIn(0, 1024));
  app.add_option("--optimizer", options.optimizer, "adamw");
  app.add_option("--clip-norm", options.clipNorm, "Largest global gradient norm; 0: no clipping");
  app.add_option("--beta1", options.beta1, "AdamW's first decay");
  app.add_option("--beta2", options.beta2, "AdamW's second decay");
  app.add_option("--eps", options.eps, "AdamW's epsilon");
  app.add_option("--weight-decay", options.weightDecay, "AdamW's decoupled weight decay");
  app.add_option("--decay", options.decay, "Decaying parameters: rank2, all, none, re:REGEX");
  app.add_option("--max-threads", options.maxThreads, "Most workers an instance may have")
      ->check(tt::tools::wholeIn(1, 256));
  app.add_option("--threads", threads, "Workers that the memory report is printed for")
      ->check(tt::tools::wholeIn(1, 256));
  app.add_option("--schedule", options.schedule,
                 "default, or alternate (same bits, for tests)");
  CLI::Option *certify = app.add_flag("--certify", options.certify,
               "Check gradients on a small twin and every kernel at its real shape; "
               "without a full pass nothing is written");
  app.add_option("--certify-seed", options.certifySeed, "Of the certificate's inputs")
      ->needs(certify);
  app.add_flag("--allow-unreached", options.allowUnreached,
               "Accept parameters that the loss does not depend on");
  options.unreachedHint = "pass --allow-unreached";
  app.add_flag("--no-fuse", noFuse, "One kernel per op (same bits, slower)");
  if (auto status = tt::tools::parseCommandLine(app, "error: ", argc, argv))
    return tt::support::finishOutput("tt-compile", *status);
  options.fuse = !noFuse;
  options.version = std::string("tt-compile ") + TT_VERSION;
  if (options.emit == "so" && options.output.empty()) {
    fmt::print(stderr, "error: expected -o DIR/NAME, found none\n");
    return 1;
  }
  if (threads > options.maxThreads) {
    fmt::print(stderr, "error: expected --threads in [1, {}] (--max-threads), but got {}\n",
               options.maxThreads, threads);
    return 1;
  }
  bool terminal = isatty(STDERR_FILENO);
  options.progress = [&](const std::string &text) {
    if (terminal)
      fmt::print(stderr, "\r\033[K{}", tt::tools::safe(text));
    else if (text.rfind("kernels ", 0) != 0)
      fmt::print(stderr, "{}\n", tt::tools::safe(text));
  };
  Warnings warnings(app);
  options.warn = [&](const std::string &option, const std::string &text) {
    warnings.print(option, text);
  };
  tt::CompileResult result;
  std::string error;
  bool done = tt::compileModel(options, result, error);
  if (terminal)
    fmt::print(stderr, "\r\033[K");
  if (!done) {
    fmt::print(stderr, "{}\n", tt::tools::safe(error));
    return 1;
  }
  warnOfOthers(options, warnings);
  if (options.emit != "so") {
    tt::support::printOut(result.text);
    return tt::support::finishOutput("tt-compile", 0);
  }
  tt::support::printOut(
      fmt::format("{}: {} kernels, {} launches, {:.1f} s\n{}", tt::tools::safe(result.library),
                  result.numKernels, result.numLaunches, result.seconds,
                  tt::formatMemory(result.memory, threads)));
  return tt::support::finishOutput("tt-compile", 0);
}
