// From config.json and safetensors to a module and its parameters.
#include "../CommandLine.h"

#include "tt/Frontend/Dropout.h"
#include "tt/Frontend/GraphBuilder.h"
#include "tt/Frontend/Models.h"
#include "tt/Frontend/Weights.h"
#include "tt/Support/Escape.h"
#include "tt/Support/OutputProbe.h"
#include "tt/runtime/AtomicFile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <cstdio>

using namespace tt::frontend;
using namespace tt::tools;

namespace {
struct Options {
  std::string config, workload, output, dropout, dtype = "f32";
  std::vector<std::string> weights;
  int64_t batch = 0, seq = 0;
  bool logits = false, ignoreUnknown = false;
};

/// What is to be built.
struct Job {
  ModelConfig model;
  EntryShape shape;
  std::string source; // for the comment in the output
  Checkpoint checkpoint;
  std::string prefix;
  std::vector<std::string> warnings, notes; // for the end: an error stands alone
};
} // namespace

static bool fail(const std::string &text) {
  printError("tt-import", text);
  return false;
}

static void printRemarks(const Job &job) {
  auto print = [](const char *kind, const std::vector<std::string> &texts) {
    for (const std::string &text : texts)
      std::fprintf(stderr, "tt-import: %s: %s\n", kind,
                   tt::support::escapeTerminal(text).c_str());
  };
  print("warning", job.warnings);
  print("note", job.notes);
}

static bool readModel(const Options &options, Job &job) {
  job.shape.batch = options.batch;
  job.shape.seq = options.seq;
  if (!options.workload.empty()) {
    std::optional<Workload> workload = findWorkload(options.workload);
    if (!workload)
      return fail("--workload: found \"" + options.workload +
                  "\", wanted W1a, W1b, W2 or W3");
    job.model = workload->model;
    job.source = "workload " + options.workload;
    if (!options.batch)
      job.shape.batch = workload->batch;
    if (!options.seq)
      job.shape.seq = workload->seq;
    return true;
  }
  std::string error;
  auto json = tt::support::JsonDocument::load(options.config, error);
  std::optional<ModelConfig> config;
  if (json)
    config = readModelConfig(*json, error, job.warnings,
                             options.ignoreUnknown ? UnknownKeys::Ignore : UnknownKeys::Refuse);
  if (!config)
    return fail(error);
  job.model = *config;
  job.source = "config.json";
  return true;
}

static bool applyDropout(const Options &options, Job &job) {
  std::string note, error;
  if (!applyDropout(options.dropout, job.model, note, error))
    return fail(error);
  // Whoever names a workload did not write its configuration.
  if (!note.empty() && options.workload.empty())
    job.notes.push_back(note);
  return true;
}

static bool readWeights(const Options &options, Job &job) {
  job.prefix = defaultPrefix(job.model);
  if (options.weights.empty())
    return true;
  std::string error;
  if (!job.checkpoint.open(options.weights, error))
    return fail(error);
  job.prefix = job.checkpoint.prefix(job.model);
  if (!job.checkpoint.check(job.model, error))
    return fail(error);
  for (const char *end : {".mlir", ".safetensors"})
    if (job.checkpoint.isOneOfFiles(options.output + end))
      return fail("-o: " + options.output + end +
                  " is an input, wanted another name");
  return true;
}

static bool writeText(const std::string &path, const std::string &content) {
  char text[1024] = "";
  tt::runtime::ErrorText error{text, sizeof text};
  tt::runtime::AtomicFile file;
  return (file.open(path.c_str(), error) &&
          file.write(content.data(), content.size(), error) &&
          file.commit(error)) ||
         fail(text);
}

static std::string headerComment(const Job &job) {
  return "// Made by tt-import " TT_VERSION " from " + job.source + ": " +
         std::string(familyName(job.model)) + ", batch " +
         std::to_string(job.shape.batch) + ", sequence " +
         std::to_string(job.shape.seq) + ".\n";
}

static bool run(const Options &options) {
  Job job;
  if (!readModel(options, job) || !applyDropout(options, job))
    return false;
  job.shape.f64 = options.dtype == "f64";
  job.shape.logits = options.logits;
  std::string error;
  if (!checkEntryShape(job.model, job.shape, error))
    return fail(error);
  if (!readWeights(options, job))
    return false;
  std::vector<std::string> inputs = options.weights;
  inputs.push_back(options.config);
  for (const char *ending : {".mlir", ".safetensors"})
    if (!tt::support::probeOutput(options.output + ending, error, inputs))
      return fail(error);

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = buildModel(&context, job.model, job.shape, job.prefix);
  if (mlir::failed(mlir::verify(*module)))
    return fail("the built module does not verify; please report this");

  if (!options.weights.empty()) {
    bool done = job.checkpoint.convert(job.model, job.shape.f64,
                                       options.output + ".safetensors", error,
                                       job.warnings);
    if (!done)
      return fail(error);
  }
  // Last, so that a module is there only with its parameters.
  if (!writeText(options.output + ".mlir",
                 headerComment(job) + printModule(*module)))
    return false;
  printRemarks(job);
  return true;
}

/// What must stand on the command line, and what has no meaning together.
static std::string checkTogether(const Options &options) {
  bool isConfig = !options.config.empty();
  if (isConfig && !options.workload.empty())
    return "--config: found --workload with it, wanted one of them";
  if (!isConfig && options.workload.empty())
    return "found no model, wanted --config or --workload";
  if (isConfig && (!options.batch || !options.seq))
    return "--batch and --seq: found nothing, wanted both with --config";
  const char *without = ": found --workload with it, wanted --config";
  if (!isConfig && !options.weights.empty())
    return std::string("--weights") + without;
  if (!isConfig && options.ignoreUnknown)
    return std::string("--ignore-unknown") + without;
  if (!isConfig && options.dropout == "config")
    return std::string("--dropout=config") + without;
  size_t slash = options.output.rfind('/');
  if (options.output.substr(slash == std::string::npos ? 0 : slash + 1).empty())
    return "-o: found \"" + options.output + "\", wanted DIR/NAME";
  return "";
}

static void declare(CLI::App &app, Options &options) {
  app.footer("Example:\n"
             "  tt-import --config=gpt2/config.json "
             "--weights=gpt2/model.safetensors \\\n"
             "            --batch=4 --seq=256 -o out/gpt2\n"
             "writes out/gpt2.mlir and out/gpt2.safetensors.");
  app.set_version_flag("--version", "tt-import " TT_VERSION);
  app.add_option("--config", options.config,
                 "config.json with model_type gpt2, llama or mistral")
      ->type_name("FILE");
  app.add_option("--workload", options.workload,
                 "A benchmark model instead: W1a, W1b, W2 or W3")
      ->type_name("NAME");
  app.add_flag("--ignore-unknown", options.ignoreUnknown,
               "Leave out keys of config.json that tt does not know, with a warning");
  app.add_option("--weights", options.weights,
                 "model.safetensors; repeat for the shards of one model")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  withoutDefault(app.add_option("--batch", options.batch, "Samples per step"))
      ->check(wholeIn(1, 1 << 24));
  withoutDefault(app.add_option("--seq", options.seq, "Tokens per sample"))
      ->check(wholeIn(1, 1 << 24));
  app.add_option("--dropout", options.dropout, kDropoutHelp)
      ->type_name("P");
  app.add_option("--dtype", options.dtype, "Element type of the module")
      ->check(oneOf({"f32", "f64"}));
  app.add_flag("--logits", options.logits,
               "Add a function @logits(parameters, tokens), without dropout");
  app.add_option("-o,--output", options.output,
                 "Where DIR/NAME.mlir and DIR/NAME.safetensors go")
      ->type_name("DIR/NAME")
      ->required();
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Makes a tt module of a transformer from its configuration.",
               "tt-import");
  declare(app, options);
  if (auto status = parseCommandLine(app, "tt-import", argc, argv))
    return *status;
  std::string problem = checkTogether(options);
  if (!problem.empty())
    return printError("tt-import", problem);
  return run(options) ? 0 : 1;
}
