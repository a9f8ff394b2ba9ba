//===- tt-compile.cpp - .mlir to a training library -----------------------===//
#include "../CommandLine.h"

#include "tt/Pipelines/Compile.h"
#include "tt/Support/StandardOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <unistd.h>

using namespace tt::tools;

namespace {
/// The last stage that --emit= can end with before the option acts.
struct LateOption {
  const char *name, *before;
};
} // namespace

static constexpr const char *stages[] = {"tt", "adjoint", "kernels", "memory", "so"};
static constexpr LateOption lateOptions[] = {
    {"checkpoint", "tt"},      {"loss-chunks", "tt"},  {"allow-unreached", "tt"},
    {"optimizer", "adjoint"},  {"clip-norm", "adjoint"}, {"beta1", "adjoint"},
    {"beta2", "adjoint"},      {"eps", "adjoint"},     {"weight-decay", "adjoint"},
    {"decay", "adjoint"},      {"no-fuse", "adjoint"}, {"schedule", "adjoint"},
    {"target", "kernels"},     {"max-threads", "memory"}, {"threads", "memory"},
    {"output", "memory"}};

/// An option of a stage that is not run, or that another one makes idle, is an error.
static std::string findIdleOption(const CLI::App &app, const tt::CompileOptions &options) {
  auto placeOf = [](const std::string &stage) {
    return std::find(std::begin(stages), std::end(stages), stage) - std::begin(stages);
  };
  auto isGiven = [&](const std::string &option) {
    return app.get_option("--" + option)->count() > 0;
  };
  for (const auto &[name, before] : lateOptions)
    if (isGiven(name) && placeOf(options.emit) <= placeOf(before))
      return "--" + std::string(name) + ": found --emit=" + options.emit +
             " with it, wanted --emit=" + stages[placeOf(before) + 1] +
             (std::string(before) == "memory" ? "" : " or later");
  if (options.weightDecay == 0 && isGiven("decay"))
    return "--decay: found --weight-decay=0 with it, wanted more";
  if (isGiven("weight-decay") && options.weightDecay != 0 && options.decay == "none")
    return "--weight-decay: found --decay=none with it, wanted parameters that decay";
  return "";
}

static void addStepOptions(CLI::App &app, tt::CompileOptions &options) {
  app.add_option("--checkpoint", options.checkpoint, "none, full or sqrt");
  app.add_option("--loss-chunks", options.lossChunks,
                 "Run a linear head and its loss in this many chunks of rows, so that the "
                 "logits are never whole; 0: off")
      ->check(wholeIn(0, 1024));
  app.add_option("--optimizer", options.optimizer, "adamw");
  app.add_option("--clip-norm", options.clipNorm, "Largest global gradient norm; 0: no clipping");
  app.add_option("--beta1", options.beta1, "AdamW's first decay");
  app.add_option("--beta2", options.beta2, "AdamW's second decay");
  app.add_option("--eps", options.eps, "AdamW's epsilon");
  app.add_option("--weight-decay", options.weightDecay, "AdamW's decoupled weight decay");
  app.add_option("--decay", options.decay, "Decaying parameters: rank2, all, none, re:REGEX");
}

static void addLibraryOptions(CLI::App &app, tt::CompileOptions &options, unsigned &threads) {
  app.add_option("--max-threads", options.maxThreads, "Most workers an instance may have")
      ->check(wholeIn(1, 256));
  app.add_option("--threads", threads, "Workers that the memory report is printed for")
      ->check(wholeIn(1, 256));
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
}

static std::string withoutEnding(const std::string &text, const std::string &ending) {
  size_t size = text.size() - std::min(text.size(), ending.size());
  return text.compare(size, std::string::npos, ending) == 0 ? text.substr(0, size) : text;
}

/// What the command line alone cannot say: options that stand together.
static std::string checkTogether(const CLI::App &app, const tt::CompileOptions &options,
                                 unsigned threads) {
  if (options.emit == "so" && options.output.empty())
    return "-o: found nothing, wanted DIR/NAME of the library";
  std::string idle = findIdleOption(app, options);
  if (idle.empty() && threads > options.maxThreads)
    return "--threads: found " + std::to_string(threads) + ", wanted a whole number in [1, " +
           std::to_string(options.maxThreads) + "] (--max-threads)";
  return idle;
}

/// Progress: a line that is written over, on a terminal; else one for each stage.
static void showProgress(const std::string &text) {
  if (isatty(STDERR_FILENO))
    fmt::print(stderr, "\r\033[K{}", safe(text));
  else if (!text.empty() && text.rfind("kernels ", 0) != 0)
    fmt::print(stderr, "{}\n", safe(text));
}

/// Once for each text: an option that does nothing for this graph.
static void warnOnce(std::set<std::string> &printed, const std::string &option,
                     const std::string &reason) {
  std::string text = "--" + option + " has no effect: " + reason;
  if (printed.insert(text).second)
    fmt::print(stderr, "{}warning: {}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", safe(text));
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
  app.add_option("-o,--output", options.output,
                 "DIR/NAME of the library; DIR/NAME.so means the same");
  app.add_option("--function", options.function, "The loss; default: the only public function");
  app.add_option("--target", options.target,
                 "cpu (both levels), cpu:x86-64-v3, cpu:x86-64-v4, cpu:native");
  app.add_option("--emit", options.emit, "tt, adjoint, kernels, memory (text to stdout) or so");
  addStepOptions(app, options);
  addLibraryOptions(app, options, threads);
  app.add_flag("--no-fuse", noFuse, "One kernel per op (same bits, slower)");
  if (auto status = parseCommandLine(app, "tt-compile", argc, argv))
    return tt::support::finishOutput("tt-compile", *status);
  std::string error = checkTogether(app, options, threads);
  if (!error.empty())
    return printError("tt-compile", error);
  options.fuse = !noFuse;
  options.output = withoutEnding(options.output, ".so");
  options.version = std::string("tt-compile ") + TT_VERSION;
  options.progress = showProgress;
  std::set<std::string> printed;
  options.warn = [&](const std::string &option, const std::string &text) {
    if (app.get_option("--" + option)->count() > 0 ||
        (option == "decay" && app.get_option("--weight-decay")->count() > 0))
      warnOnce(printed, option, text);
  };
  tt::CompileResult result;
  bool done = tt::compileModel(options, result, error);
  if (isatty(STDERR_FILENO))
    showProgress("");
  if (!done)
    return printCompilerError("tt-compile", error);
  if (options.emit != "so") {
    tt::support::printOut(result.text);
    return tt::support::finishOutput("tt-compile", 0);
  }
  tt::support::printOut(
      fmt::format("{}: {} kernels, {} launches, {:.1f} s\n{}", safe(result.library),
                  result.numKernels, result.numLaunches, result.seconds,
                  tt::formatMemory(result.memory, threads)));
  return tt::support::finishOutput("tt-compile", 0);
}
