// The command line of tt-check.
#include "../CommandLine.h"
#include "CheckFile.h"

#include "tt/Support/StandardOutput.h"

using namespace tt::tools;

static void addOptions(CLI::App &app, tt::check::CommandLine &options) {
  app.add_option("file", options.file, "The .mlir file")->required();
  app.add_option("--function", options.function,
                 "Function to check (default: the only public one)");
  app.add_option("--wrt", options.wrt,
                 "all, params, or argument numbers such as 0,2");
  app.add_option("--seed", options.seed, "Of inputs and directions");
  app.add_option("--directions", options.directions,
                 "Random directions in all arguments")
      ->check(wholeIn(1, 1000));
  app.add_flag("--compiled", options.compiled,
               "Hold compiled code against the interpreter instead: values and "
               "gradients, in all ways to compile and run");
  app.add_flag("--no-gradients", options.noGradients, "With --compiled: values only");
  app.add_option("--input", options.inputs,
                 "A .npy file for the next argument; repeat it (default: drawn)")
      ->allow_extra_args(false);
  app.add_option("--inputs", options.inputFile, "A .safetensors file, by name");
}

static void addBisectOptions(CLI::App &app, tt::check::CommandLine &options) {
  const char *group = "Replay";
  CLI::Option *record =
      app.add_option("--record", options.record, "A file of tt-run --record")->group(group);
  app.add_flag("--bisect", options.bisect,
               "Replay a recorded call launch by launch and name the first op whose "
               "result leaves its bound or is not finite; file is the library's graph")
      ->group(group)
      ->needs(record);
  app.add_option("--library", options.library,
                 "The record's library, if it is no longer where it was")
      ->group(group);
  app.add_option("--output", options.output,
                 "BASE: the op found goes to BASE.mlir and BASE.safetensors")
      ->group(group);
}

/// An option that would have no effect is an error.
static void refuseWithoutEffect(CLI::App &app) {
  CLI::Option *compiled = app.get_option("--compiled"), *bisect = app.get_option("--bisect");
  app.get_option("--no-gradients")->needs(compiled);
  for (const char *name : {"--record", "--library", "--output"})
    app.get_option(name)->needs(bisect);
  for (const char *name : {"--wrt", "--directions"})
    app.get_option(name)->excludes(compiled);
  for (const char *name : {"--function", "--wrt", "--seed", "--directions", "--compiled",
                           "--no-gradients", "--input", "--inputs"})
    app.get_option(name)->excludes(bisect);
}

int main(int argc, char **argv) {
  CLI::App app("Checks the derivatives of a function (Taylor remainder, dot "
               "product of forward and reverse, complex step, central "
               "differences), or compiled code against the interpreter. Exit "
               "status 1 if a check fails.");
  app.footer("Examples:\n  tt-check block.mlir --function=block --wrt=params\n"
             "  tt-check block.mlir --function=block --compiled\n"
             "  tt-check gpt.mlir --bisect --record=step.safetensors\n"
             "Inputs have magnitudes in [0.25, 1.25]; an argument attribute\n"
             "check.range = [0.5, 2.0] sets another range.");
  app.set_version_flag("--version", std::string("tt-check ") + TT_VERSION);
  tt::check::CommandLine options;
  addOptions(app, options);
  addBisectOptions(app, options);
  refuseWithoutEffect(app);
  if (auto status = parseCommandLine(app, "tt-check", argc, argv))
    return tt::support::finishOutput("tt-check", *status);
  int status = options.bisect ? tt::check::bisectFile(options) : tt::check::checkFile(options);
  return tt::support::finishOutput("tt-check", status);
}
