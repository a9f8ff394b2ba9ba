//===- tt-train.cpp - Train a compiled model on a text --------------------===//
#include "../CommandLine.h"
#include "MakeLibrary.h"

#include "tt/Frontend/Dropout.h"
#include "tt/Trainer/StopSignal.h"
#include "tt/Trainer/TrainJob.h"

#include <cstdio>
#include <unistd.h>

using namespace tt::tools;
using namespace tt::trainer;

namespace {
struct CommandLine {
  ModelSource source;
  TrainJob job;
  std::string vocabulary = "auto";
  bool sample = false;
};
} // namespace

/// The exit status of a user's interrupt, as shells report Ctrl-C.
static constexpr int kInterrupted = 130;

/// On one line, but for notes of the compiler, which has escaped its names by itself.
static int fail(const std::string &text) {
  bool hasNotes = text.find("\nnote: ") != std::string::npos;
  return printError("tt-train", tt::support::escapeTerminal(text, hasNotes));
}

static void addModelOptions(CLI::App &app, ModelSource &source) {
  const char *group = "Model (one of the first three)";
  app.add_option("--config", source.config,
                 "config.json (gpt2, llama or mistral) to import and compile; needs "
                 "--batch and --seq")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--mlir", source.mlir, "Graph to compile")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--library", source.library, "Compiled library, NAME.so")
      ->group(group)
      ->type_name("FILE");
  withoutDefault(app.add_option("--batch", source.batch, "Samples per step, for --config"))
      ->group(group)
      ->check(wholeIn(1, 1 << 24));
  withoutDefault(app.add_option("--seq", source.context, "Tokens per sample, for --config"))
      ->group(group)
      ->check(wholeIn(1, 1 << 24));
  app.add_flag("--ignore-unknown", source.ignoreUnknown,
               "Leave out keys of config.json that tt does not know, with a warning")
      ->group(group);
  app.add_option("--dropout", source.dropout, tt::frontend::kDropoutHelp)
      ->group(group)
      ->type_name("P");
  app.add_option("--optimizer", source.optimizer, "Compiled into the library")
      ->group(group)
      ->check(oneOf({"adamw"}));
  app.add_option("--weight-decay", source.weightDecay,
                 "Compiled into the library")
      ->group(group)
      ->check(atLeast(0));
  app.add_option("--clip", source.clipNorm,
                 "Largest gradient norm, compiled into the library; 0: none")
      ->group(group)
      ->check(atLeast(0));
  app.add_option("--checkpoint-policy", source.checkpoint,
                 "What is recomputed: none, full, sqrt")
      ->group(group)
      ->check(oneOf({"none", "full", "sqrt"}));
}

static void addRunOptions(CLI::App &app, CommandLine &line) {
  TrainJob &job = line.job;
  const char *group = "Run";
  app.add_option("--text", job.text, "UTF-8 text to train on")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--out", job.directory,
                 "Directory of the run: checkpoint, logs, plot")
      ->group(group)
      ->type_name("DIR");
  app.add_flag("--resume", job.resume,
               "Go on from the checkpoint in --out, bit for bit")
      ->group(group);
  app.add_flag("--overwrite", job.overwrite, "Start over in --out")
      ->group(group);
  app.add_option("--vocabulary", line.vocabulary,
                 "Tokens: auto takes characters if the model has ids for "
                 "them, else bytes")
      ->group(group)
      ->check(oneOf({"auto", "characters", "bytes"}));
  app.add_option("--init", job.initial,
                 "First parameters instead of drawn ones, a safetensors file")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--threads", job.threads, "Worker threads; 0: all CPUs")
      ->group(group)
      ->check(wholeIn(0, 256));
  app.add_option("--max-seconds", job.maxSeconds,
                 "Stop early, as if --steps were reached; 0: never")
      ->group(group)
      ->check(atLeast(0));
  app.add_flag("--allow-other-model", job.allowOtherModel,
               "Load a checkpoint of another compilation if its tensors fit")
      ->group(group);
}

static void addTrainingOptions(CLI::App &app, RunSettings &settings) {
  const char *group = "Training (fixed for the whole run, but for --steps and "
                      "--checkpoint-every)";
  auto add = [&](const char *name, auto &value, const char *text) {
    return app.add_option(name, value, text)->group(group);
  };
  add("--steps", settings.steps, "Steps in all");
  add("--lr", settings.learningRate, "Learning rate");
  add("--min-lr", settings.minLearningRate,
      "Where the cosine ends (default: a tenth of --lr)")
      ->check(atLeast(0));
  add("--warmup", settings.warmup,
      "Steps of linear rise (default: a tenth of --steps, at most 100)")
      ->check(atLeast(0));
  add("--schedule", settings.schedule, "cosine or constant, after the warmup");
  add("--seed", settings.seed,
      "Of first parameters, batches and dropout; of "
      "samples, too");
  add("--validation", settings.validationPart,
      "Part of the text that is held out, its end");
  add("--eval-every", settings.evalEvery,
      "Steps between evaluations; 0: only at the end");
  add("--eval-batches", settings.evalBatches,
      "Batches of an evaluation; 0: the whole held-out part");
  add("--checkpoint-every", settings.checkpointEvery,
      "Steps between checkpoints; 0: only at the end");
}

static void addSampleOptions(CLI::App &app, CommandLine &line) {
  TrainJob &job = line.job;
  const char *group = "Sampling";
  app.add_flag("--sample", line.sample,
               "Print text from a checkpoint instead of training")
      ->group(group);
  app.add_option("--checkpoint", job.checkpoint,
                 "To sample from (default: the one in --out)")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--prompt", job.sample.prompt, "Start of the text")
      ->group(group);
  app.add_option("--temperature", job.sample.temperature,
                 "0 takes the likeliest token")
      ->group(group)
      ->check(numberIn(0, 1000));
  app.add_option("--top-k", job.sample.topK,
                 "Draw from that many likeliest tokens; 0: from all")
      ->group(group)
      ->check(wholeIn(0, 1 << 24));
  app.add_option("--num-tokens", job.sample.numTokens, "Tokens to draw")
      ->group(group)
      ->check(wholeIn(0, 1000000));
  app.add_option("--num-samples", job.sample.numSamples,
                 "Texts, at most the model's batch")
      ->group(group)
      ->check(wholeIn(1, 1 << 24));
}

static void declare(CLI::App &app, CommandLine &line) {
  app.footer("Examples:\n"
             "  tt-train --config=config.json --batch=8 --seq=128 "
             "--text=book.txt --out=run\n"
             "  tt-train --resume --out=run\n"
             "  tt-train --sample --out=run --prompt='Once '\n"
             "Exit status: 0 done, 1 error, 130 interrupted (what was trained is "
             "saved).");
  // A script may add its own behind a default; the last one counts.
  app.option_defaults()->take_last();
  app.set_version_flag("--version", "tt-train " TT_VERSION);
  addModelOptions(app, line.source);
  addRunOptions(app, line);
  addTrainingOptions(app, line.job.settings);
  addSampleOptions(app, line);
}

/// An option that would have no effect is an error.
static std::string checkEffect(const CommandLine &line) {
  const ModelSource &source = line.source;
  const TrainJob &job = line.job;
  bool isCompiled = !source.config.empty() || !source.mlir.empty();
  auto idle = [&](bool isIdle, const std::string &found, const char *wanted,
                  std::initializer_list<const char *> options) {
    for (const char *option : options)
      if (isIdle && job.given.count(option))
        return "--" + std::string(option) + ": found " + found + " with it, wanted " +
               wanted;
    return std::string();
  };
  // What is compiled into a library was said when it was compiled.
  std::string model = !source.mlir.empty()      ? "--mlir"
                      : !source.library.empty() ? "--library"
                                                : "no graph";
  bool isConstant = job.settings.schedule == "constant";
  for (const std::string &problem :
       {idle(!source.mlir.empty(), model,
             "--config (a graph has its batch and sequence in its types)", {"batch", "seq"}),
        idle(!source.library.empty(), model,
             "--config (a library is compiled for one batch and sequence)", {"batch", "seq"}),
        idle(source.config.empty(), model, "--config",
             {"batch", "seq", "ignore-unknown", "dropout"}),
        idle(!isCompiled, model, "--config or --mlir",
             {"optimizer", "weight-decay", "clip", "checkpoint-policy"}),
        idle(isConstant, "--schedule=constant", "cosine", {"min-lr"}),
        idle(job.sample.temperature == 0, "--temperature=0", "a temperature above 0", {"top-k"}),
        idle(job.sample.numTokens == 0, "--num-tokens=0", "tokens to draw",
             {"temperature", "top-k"}),
        idle(job.sample.numTokens == 0 && !line.sample, "--num-tokens=0", "tokens to draw",
             {"prompt"}),
        idle(!job.resume && !line.sample, "a new run", "--resume or --sample",
             {"allow-other-model"}),
        idle(job.resume, "--resume", "a new run", {"vocabulary", "init"}),
        idle(line.sample, "--sample", "a run that trains",
             {"text", "resume", "overwrite", "vocabulary", "init", "max-seconds",
              "steps", "lr", "min-lr", "warmup", "schedule", "validation",
              "eval-every", "eval-batches", "checkpoint-every"}),
        idle(!line.sample, "training", "--sample", {"checkpoint", "num-samples"})})
    if (!problem.empty())
      return problem;
  return "";
}

/// What must stand on the command line, and what must not stand together.
static std::string checkTogether(const CommandLine &line) {
  const ModelSource &source = line.source;
  const TrainJob &job = line.job;
  int numSources =
      !source.config.empty() + !source.mlir.empty() + !source.library.empty();
  if (numSources > 1)
    return "found " + std::to_string(numSources) +
           " of --config, --mlir and --library, wanted one";
  if (!source.config.empty() && (!source.batch || !source.context))
    return "--config: wanted --batch and --seq with it";
  if (job.resume && job.overwrite)
    return "--resume: found --overwrite with it, wanted one of them";
  if (job.directory.empty() && (!line.sample || job.checkpoint.empty()))
    return line.sample ? "--sample: wanted --out or --checkpoint with it"
                       : "--out: found nothing, wanted a directory";
  if (job.directory.empty() && numSources == 0)
    return "--sample: wanted --library with --checkpoint";
  if (line.sample || job.resume)
    return checkEffect(line);
  if (job.text.empty())
    return "--text: found nothing, wanted a file";
  if (numSources == 0)
    return "found no model, wanted --config, --mlir or --library";
  return checkEffect(line);
}

/// Takes over what is not a plain assignment.
static void finish(const CLI::App &app, CommandLine &line) {
  TrainJob &job = line.job;
  for (const CLI::Option *option : app.get_options())
    if (option->count() > 0)
      job.given.insert(option->get_lnames().empty() ? option->get_name()
                                                    : option->get_lnames()[0]);
  if (line.vocabulary == "characters")
    job.vocabulary = Vocabulary::Choice::Characters;
  if (line.vocabulary == "bytes")
    job.vocabulary = Vocabulary::Choice::Bytes;
  job.sample.seed = static_cast<uint64_t>(job.settings.seed);
  line.source.directory = job.directory;
}

int main(int argc, char **argv) {
  CommandLine line;
  CLI::App app("Trains a compiled model on a text, or prints text from it.",
               "tt-train");
  declare(app, line);
  if (auto status = parseCommandLine(app, "tt-train", argc, argv, {"--prompt"}))
    return std::fflush(stdout) == 0 ? *status
                                    : fail("standard output: cannot write to it");
  finish(app, line);
  std::string error = checkTogether(line);
  if (!error.empty())
    return fail(error);

  ignoreWriteSignals();
  Console console(STDOUT_FILENO);
  line.job.findLibrary = [&](const std::string &recorded,
                             const AcceptTypes &accept, std::string &path,
                             std::string &why) {
    return makeLibrary(line.source, recorded, accept, console, path, why);
  };
  bool wasInterrupted = false;
  bool isDone = line.sample
                    ? runSampling(line.job, console, error)
                    : runTraining(line.job, console, wasInterrupted, error);
  if (!isDone)
    return fail(error);
  return wasInterrupted ? kInterrupted : 0;
}
