// From config.json and safetensors to a module and its parameters.
#include "../CommandLine.h"

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
  bool logits = false;
};

/// What is to be built.
struct Job {
  ModelConfig model;
  EntryShape shape;
  std::string source; // for the comment in the output
  Checkpoint checkpoint;
  std::string prefix;
};
} // namespace

static bool printError(const std::string &text) {
  std::fprintf(
      stderr, "tt-import: error: %s\n",
      tt::support::escapeTerminal(text, /*keepNewlines=*/true).c_str());
  return false;
}

static void printWarnings(const std::vector<std::string> &warnings) {
  for (const std::string &text : warnings)
    std::fprintf(stderr, "tt-import: warning: %s\n",
                 tt::support::escapeTerminal(text).c_str());
}

static bool readModel(const Options &options, Job &job) {
  job.shape.batch = options.batch;
  job.shape.seq = options.seq;
  if (!options.workload.empty()) {
    std::optional<Workload> workload = findWorkload(options.workload);
    if (!workload)
      return printError("--workload: found \"" + options.workload +
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
  std::vector<std::string> warnings;
  auto json = tt::support::JsonDocument::load(options.config, error);
  std::optional<ModelConfig> config;
  if (json)
    config = readModelConfig(*json, error, warnings);
  if (!config)
    return printError(error);
  printWarnings(warnings);
  if (!options.batch || !options.seq)
    return printError("--batch and --seq: found nothing, wanted both with "
                      "--config");
  job.model = *config;
  job.source = "config.json";
  return true;
}

/// --dropout: a probability for all places, or the configuration's own.
static bool applyDropout(const Options &options, ModelConfig &model) {
  if (options.dropout == "config")
    return true;
  if (options.dropout.empty()) {
    if (double p = largestDropout(model); p > 0 && options.workload.empty())
      std::fprintf(stderr,
                   "tt-import: note: built without dropout, the configuration "
                   "has up to %g; --dropout=config takes it over\n",
                   p);
    setDropout(model, 0);
    return true;
  }
  char *end = nullptr;
  double p = std::strtod(options.dropout.c_str(), &end);
  if (*end != '\0' || !(p >= 0 && p < 1))
    return printError("--dropout: found \"" + options.dropout +
                      "\", wanted a number in [0, 1) or \"config\"");
  setDropout(model, p);
  return true;
}

static bool readWeights(const Options &options, Job &job) {
  job.prefix = defaultPrefix(job.model);
  if (options.weights.empty())
    return true;
  std::string error;
  if (!job.checkpoint.open(options.weights, error))
    return printError(error);
  job.prefix = job.checkpoint.prefix(job.model);
  if (!job.checkpoint.check(job.model, error))
    return printError(error);
  for (const char *end : {".mlir", ".safetensors"})
    if (job.checkpoint.isOneOfFiles(options.output + end))
      return printError("-o: " + options.output + end +
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
         printError(text);
}

static std::string headerComment(const Job &job) {
  return "// Made by tt-import " TT_VERSION " from " + job.source + ": " +
         std::string(familyName(job.model)) + ", batch " +
         std::to_string(job.shape.batch) + ", sequence " +
         std::to_string(job.shape.seq) + ".\n";
}

static bool run(const Options &options) {
  Job job;
  if (!readModel(options, job) || !applyDropout(options, job.model))
    return false;
  job.shape.f64 = options.dtype == "f64";
  job.shape.logits = options.logits;
  std::string error;
  if (!checkEntryShape(job.model, job.shape, error))
    return printError(error);
  if (!readWeights(options, job))
    return false;
  std::vector<std::string> inputs = options.weights;
  inputs.push_back(options.config);
  for (const char *ending : {".mlir", ".safetensors"})
    if (!tt::support::probeOutput(options.output + ending, error, inputs))
      return printError(error);

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = buildModel(&context, job.model, job.shape, job.prefix);
  if (mlir::failed(mlir::verify(*module)))
    return printError("the built module does not verify; please report this");

  if (!options.weights.empty()) {
    std::vector<std::string> warnings;
    bool done = job.checkpoint.convert(job.model, job.shape.f64,
                                       options.output + ".safetensors", error,
                                       warnings);
    if (!done)
      return printError(error);
    printWarnings(warnings);
  }
  // Last, so that a module is there only with its parameters.
  return writeText(options.output + ".mlir",
                   headerComment(job) + printModule(*module));
}

static void declare(CLI::App &app, Options &options) {
  app.footer("Example:\n"
             "  tt-import --config=gpt2/config.json "
             "--weights=gpt2/model.safetensors \\\n"
             "            --batch=4 --seq=256 -o out/gpt2\n"
             "writes out/gpt2.mlir and out/gpt2.safetensors.");
  app.set_version_flag("--version", "tt-import " TT_VERSION);
  auto *source = app.add_option_group("model");
  source
      ->add_option("--config", options.config,
                   "config.json with model_type gpt2, llama or mistral")
      ->type_name("FILE");
  source
      ->add_option("--workload", options.workload,
                   "A benchmark model instead: W1a, W1b, W2 or W3")
      ->type_name("NAME");
  source->require_option(1);
  app.add_option("--weights", options.weights,
                 "model.safetensors; repeat for the shards of one model")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--batch", options.batch, "Samples per step")
      ->check(wholeIn(1, 1 << 24));
  app.add_option("--seq", options.seq, "Tokens per sample")
      ->check(wholeIn(1, 1 << 24));
  app.add_option("--dropout", options.dropout,
                 "Probability of dropout in all places, or \"config\" for the "
                 "configuration's own (default: 0)")
      ->type_name("P");
  app.add_option("--dtype", options.dtype, "Element type of the module")
      ->check(oneOf({"f32", "f64"}))
      ->capture_default_str();
  app.add_flag("--logits", options.logits,
               "Add a function @logits(parameters, tokens), without dropout");
  app.add_option("-o,--output", options.output,
                 "Where to: DIR/NAME for DIR/NAME.mlir and "
                 "DIR/NAME.safetensors")
      ->type_name("DIR/NAME")
      ->required();
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Makes a tt module of a transformer from its configuration.",
               "tt-import");
  declare(app, options);
  if (auto status = parseCommandLine(app, "tt-import: error: ", argc, argv))
    return *status;
  size_t slash = options.output.rfind('/');
  if (options.output.substr(slash == std::string::npos ? 0 : slash + 1).empty())
    return printError("-o: found \"" + options.output + "\", wanted DIR/NAME"),
           1;
  if (!options.workload.empty() && !options.weights.empty())
    return printError("--weights: wanted --config with it"), 1;
  return run(options) ? 0 : 1;
}
