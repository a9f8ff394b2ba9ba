// Runs a function on files: by the reference interpreter, or from a library.
#include "../CommandLine.h"
#include "Options.h"

#include "tt/Support/Escape.h"
#include "tt/Support/StandardOutput.h"

#include <csignal>
#include <cstdio>

using namespace tt::tools;
using tt::run::Options;

static void addFileOptions(CLI::App &app, Options &options) {
  const char *group = "Files";
  app.add_option("--input", options.inputs,
                 "A .npy file for the next argument; repeat it")
      ->group(group)
      ->allow_extra_args(false);
  app.add_option("--inputs", options.inputFile,
                 "A .safetensors file; tensors are taken by name (tt.param, "
                 "tt.input, tt.state, or arg0, arg1, ...)")
      ->group(group);
  app.add_option("--random-seed", options.randomSeed,
                 "Draw the arguments that no file gives (in a library step is 1, "
                 "learning_rate 1e-3, integers without tt.index_limit are below 100)")
      ->group(group)
      ->check(seed());
  app.add_option("--output-dir", options.outputDirectory,
                 "Write each result as NAME.npy into this directory")
      ->group(group);
  app.add_option("--outputs", options.outputFile,
                 "Write all results into this .safetensors file")
      ->group(group);
}

static void addReferenceOptions(CLI::App &app, Options &options) {
  const char *group = "Interpreter (--reference, a .mlir file)";
  app.add_flag("--reference", options.reference,
               "Interpret the file op by op, slowly and exactly")
      ->group(group);
  app.add_option("--function", options.function,
                 "Function to run (default: the only public one)")
      ->group(group);
  app.add_option("--precision", options.precision,
                 "Numbers to compute in")
      ->group(group)
      ->check(oneOf({"f32", "f64"}));
  app.add_option("--mode", options.mode,
                 "ideal: casts between floats do nothing; typed: every result "
                 "is rounded to its type")
      ->group(group)
      ->check(oneOf({"ideal", "typed"}));
  app.add_flag("--strict-indices", options.strict,
               "An index out of range is an error, not a row of zeros")
      ->group(group);
}

static void addLibraryOptions(CLI::App &app, Options &options) {
  const char *group = "Library (NAME.so of tt-compile)";
  app.add_option("--entry", options.entry,
                 "Entry to call: train_step, grad, eval, logits (default: the "
                 "only one)")
      ->group(group);
  app.add_option("--parameters", options.parameters, "A .safetensors file")
      ->group(group);
  app.add_flag("--with-state", options.withState,
               "Take the optimizer's state from --parameters, too")
      ->group(group);
  app.add_option("--init-seed", options.initSeed,
                 "Draw first parameters, as training does")
      ->group(group)
      ->check(seed());
  app.add_option("--set", options.scalars,
                 "NAME=VALUE: a scalar input, such as learning_rate=1e-3")
      ->group(group)
      ->allow_extra_args(false);
  app.add_option("--threads", options.threads, "Worker threads")
      ->group(group)
      ->check(wholeIn(1, 256));
  app.add_option("--level", options.level, "3: x86-64-v3, 4: x86-64-v4; default: the best")
      ->group(group)
      ->check(oneOf({"0", "3", "4"}));
  app.add_option("--time", options.timedRuns,
                 "Then call it that many times more and print what a call takes; an "
                 "entry that trains trains on (--time alone: 10)")
      ->group(group)
      ->expected(0, 1)
      ->default_str("10")
      ->check(wholeIn(1, 1000000));
  app.add_option("--save", options.saveFile,
                 "Save parameters and state after the call, .safetensors")
      ->group(group);
  app.add_option("--record", options.recordFile,
                 "Keep the call in a file, for tt-check --bisect")
      ->group(group);
}

static bool isLibrary(const std::string &file) {
  return file.size() > 3 && file.compare(file.size() - 3, 3, ".so") == 0;
}

/// An option that would have no effect is an error.
static std::string checkTogether(const CLI::App &app, const Options &options) {
  if (options.reference == isLibrary(options.file))
    return options.reference
               ? "--reference: found a library, wanted a .mlir file"
               : options.file + ": found no library (NAME.so), wanted one, or "
                                "--reference to interpret a .mlir file";
  const char *wrong = options.reference ? "Library" : "Interpreter";
  for (const CLI::Option *option : app.get_options())
    if (option->count() > 0 && option->get_group().rfind(wrong, 0) == 0)
      return option->get_name() + ": found it with " +
             (options.reference ? "--reference" : "a library") + ", where it has no use";
  // All values come from the file then.
  if (options.withState && options.initSeed && !options.parameters.empty())
    return "--init-seed: found --with-state with it, wanted one of them";
  return "";
}

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file-size limit is an error like a full disk
  CLI::App app("Runs a function of a .mlir file or an entry of a compiled library.");
  app.footer("Examples:\n"
             "  tt-run --reference mlp.mlir --function=forward --input=x.npy "
             "--inputs=weights.safetensors --output-dir=.\n"
             "  tt-run mlp.so --entry=eval --parameters=weights.safetensors "
             "--inputs=batch.safetensors --threads=2 --time");
  app.set_version_flag("--version", std::string("tt-run ") + TT_VERSION);
  Options options;
  app.add_option("file", options.file, "The .mlir file or the library")->required();
  addFileOptions(app, options);
  addReferenceOptions(app, options);
  addLibraryOptions(app, options);
  if (auto status = parseCommandLine(app, "tt-run", argc, argv))
    return tt::support::finishOutput("tt-run", *status);
  std::string problem = checkTogether(app, options);
  if (!problem.empty())
    return printError("tt-run", problem);
  int status = options.reference ? tt::run::runReference(options)
                                 : tt::run::runLibrary(options);
  return tt::support::finishOutput("tt-run", status);
}
