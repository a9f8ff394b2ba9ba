//===- tt-plan.cpp - What a training step keeps, before it runs -----------===//
#include "../CommandLine.h"

#include "tt/Pipelines/ExplainValue.h"
#include "tt/Support/StandardOutput.h"

#include <fmt/format.h>

int main(int argc, char **argv) {
  tt::CompileOptions options;
  std::string why;
  CLI::App app("Lists what a training step keeps between forward and backward, or says "
               "why one value is kept, recomputed, or neither.");
  app.set_version_flag("--version", std::string("tt-plan ") + TT_VERSION);
  app.footer("Examples:\n  tt-plan gpt.mlir\n  tt-plan gpt.mlir --why-saved=%h\n"
             "  tt-plan gpt.mlir --checkpoint=full --why-recomputed=@block:%h");
  app.add_option("input", options.input, "Graph file (.mlir)")->required();
  app.add_option("--function", options.function, "The loss; default: the only public function");
  app.add_option("--checkpoint", options.checkpoint, "none, full or sqrt");
  app.add_option("--why-saved,--why-recomputed", why,
                 "A value as written in the file: %x, or @layer:%x; both names of the option "
                 "give the same answer");
  if (auto status = tt::tools::parseCommandLine(app, "tt-plan", argc, argv))
    return tt::support::finishOutput("tt-plan", *status);
  options.warn = [](const std::string &option, const std::string &text) {
    fmt::print(stderr, "warning: --{} has no effect: {}\n", option, tt::tools::safe(text));
  };
  std::string text, error;
  bool done = why.empty() ? tt::listKept(options, text, error)
                          : tt::explainValue(options, why, text, error);
  if (!done)
    return tt::tools::printCompilerError("tt-plan", error);
  tt::support::printOut(tt::tools::safe(text));
  return tt::support::finishOutput("tt-plan", 0);
}
