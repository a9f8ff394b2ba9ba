#include "Compile.h"

#include "tt/Pipelines/Compile.h"
#include "tt/Support/Escape.h"
#include "tt/Trainer/StopSignal.h"

#include <fmt/format.h>

bool compileLibrary(const ModelSource &source, const std::string &mlir,
                    const tt::trainer::AcceptTypes &accept,
                    tt::trainer::Console &console, std::string &path,
                    std::string &error) {
  tt::CompileOptions options;
  options.input = mlir;
  options.output = source.directory + "/model";
  options.optimizer = source.optimizer;
  options.checkpoint = source.checkpoint;
  options.weightDecay = source.weightDecay;
  options.clipNorm = source.clipNorm;
  options.progress = [&](const std::string &line) {
    console.print("compile " + tt::support::escapeTerminal(line) + "\n");
  };
  options.warn = [&](const std::string &option, const std::string &text) {
    if (option == "checkpoint") // the one that a default does not ask for
      console.print("compile warning: --checkpoint-policy has no effect: " +
                    tt::support::escapeTerminal(text) + "\n");
  };
  options.acceptTypes = accept;
  options.isCancelled = tt::trainer::isStopRequested;
  tt::CompileResult result;
  if (!tt::compileModel(options, result, error))
    return false;
  console.print(fmt::format("compile {} in {:.1f} s: {} kernels, {} launches\n",
                            tt::support::escapeTerminal(result.library),
                            result.seconds, result.numKernels,
                            result.numLaunches));
  path = result.library;
  return true;
}
