//===- tt-compile.cpp - .mlir to a training library -----------------------===//
#include "tt/Pipelines/Compile.h"
#include "tt/Support/StandardOutput.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <unistd.h>

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
                 "logits are never whole; 0: off");
  app.add_option("--optimizer", options.optimizer, "adamw");
  app.add_option("--clip-norm", options.clipNorm, "Largest global gradient norm; 0: no clipping");
  app.add_option("--beta1", options.beta1, "AdamW's first decay");
  app.add_option("--beta2", options.beta2, "AdamW's second decay");
  app.add_option("--eps", options.eps, "AdamW's epsilon");
  app.add_option("--weight-decay", options.weightDecay, "AdamW's decoupled weight decay");
  app.add_option("--decay", options.decay, "Decaying parameters: rank2, all, none, re:REGEX");
  app.add_option("--max-threads", options.maxThreads, "Most workers an instance may have");
  app.add_option("--threads", threads, "Workers that the memory report is printed for");
  app.add_option("--schedule", options.schedule,
                 "default, or alternate (same bits, for tests)");
  CLI::Option *certify = app.add_flag("--certify", options.certify,
               "Check gradients on a small twin and every kernel at its real shape; "
               "without a full pass nothing is written");
  app.add_option("--certify-seed", options.certifySeed, "Of the certificate's inputs")
      ->needs(certify);
  app.add_flag("--allow-unreached", options.allowUnreached,
               "Accept parameters that the loss does not depend on");
  app.add_flag("--no-fuse", noFuse, "One kernel per op (same bits, slower)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return tt::support::finishOutput("tt-compile", app.exit(error) == 0 ? 0 : 1);
  }
  options.fuse = !noFuse;
  options.version = std::string("tt-compile ") + TT_VERSION;
  if (options.emit == "so" && options.output.empty()) {
    fmt::print(stderr, "error: expected -o DIR/NAME, found none\n");
    return 1;
  }
  // A --max-threads of 0 is refused with the other options.
  if (threads < 1 || (options.maxThreads && threads > options.maxThreads)) {
    fmt::print(stderr, "error: expected --threads in [1, {}] (--max-threads), but got {}\n",
               options.maxThreads, threads);
    return 1;
  }
  bool terminal = isatty(STDERR_FILENO);
  options.progress = [&](const std::string &text) {
    if (terminal)
      fmt::print(stderr, "\r\033[K{}", text);
    else if (text.rfind("kernels ", 0) != 0)
      fmt::print(stderr, "{}\n", text);
  };
  tt::CompileResult result;
  std::string error;
  bool done = tt::compileModel(options, result, error);
  if (terminal)
    fmt::print(stderr, "\r\033[K");
  if (!done) {
    fmt::print(stderr, "{}\n", error);
    return 1;
  }
  if (options.emit != "so") {
    tt::support::printOut(result.text);
    return tt::support::finishOutput("tt-compile", 0);
  }
  tt::support::printOut(
      fmt::format("{}: {} kernels, {} launches, {:.1f} s\n{}", result.library,
                  result.numKernels, result.numLaunches, result.seconds,
                  tt::formatMemory(result.memory, threads)));
  return tt::support::finishOutput("tt-compile", 0);
}
