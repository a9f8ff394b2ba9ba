// Runs a function on files: by the reference interpreter, later a library.
#include "Options.h"

#include <CLI/CLI.hpp>

#include <cstdio>

static void addOptions(CLI::App &app, tt::run::Options &options) {
  app.add_option("file", options.file, "The .mlir file")->required();
  app.add_flag("--reference", options.reference,
               "Interpret the file op by op, slowly and exactly");
  app.add_option("--function", options.function,
                 "Function to run (default: the only public one)");
  app.add_option("--precision", options.precision,
                 "Numbers to compute in (default f64)")
      ->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--mode", options.mode,
                 "ideal: casts between floats do nothing; typed: every result "
                 "is rounded to its type (default ideal)")
      ->check(CLI::IsMember({"ideal", "typed"}));
  app.add_option("--input", options.inputs,
                 "A .npy file for the next argument; repeat it");
  app.add_option("--inputs", options.inputFile,
                 "A .safetensors file; tensors are taken by name (tt.param, "
                 "tt.input, tt.state, or arg0, arg1, ...)");
  app.add_option("--random-seed", options.randomSeed,
                 "Draw the arguments that no file gives");
  app.add_option("--output-dir", options.outputDirectory,
                 "Write each result as NAME.npy into this directory");
  app.add_option("--outputs", options.outputFile,
                 "Write all results into this .safetensors file");
  app.add_flag("--strict-indices", options.strict,
               "An index out of range is an error, not a row of zeros");
}

int main(int argc, char **argv) {
  CLI::App app("Runs a function of a .mlir file.");
  app.footer("Example:\n  tt-run --reference mlp.mlir --function=forward "
             "--input=x.npy --inputs=weights.safetensors --output-dir=.");
  app.set_version_flag("--version", std::string("tt-run ") + TT_VERSION);
  tt::run::Options options;
  addOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  if (options.reference)
    return tt::run::runReference(options);
  // The place for running an entry of a compiled library.
  std::fprintf(stderr, "tt-run: error: expected --reference; running a compiled "
                       "library is not built yet\n");
  return 1;
}
