#include "tt/Trainer/TrainJob.h"

#include "tt/Support/Escape.h"
#include "tt/Support/SafetensorsFile.h"
#include "tt/Trainer/BigramBaseline.h"
#include "tt/Trainer/Report.h"
#include "tt/Trainer/RunFolder.h"
#include "tt/Trainer/StopSignal.h"
#include "tt/Trainer/TrainLoop.h"
#include "tt/Trainer/Utf8.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

using namespace tt;
using namespace tt::trainer;

namespace {

/// One training run from the checks to the report.
class Run {
public:
  Run(const TrainJob &job, Console &console)
      : job(job), console(console), settings(job.settings),
        checkpointPath(job.directory + "/checkpoint.safetensors") {}

  bool prepare(std::string &error);
  /// After a refusal, or a stop before the first step.
  void undo() const { folder.undo(); }
  bool train(StopReason &reason, std::string &error);
  /// False with an empty error: a stop was requested.
  bool report(std::string &error);
  int64_t step() const { return checkpoint.step; }
  int64_t steps() const { return settings.steps; }

private:
  bool readCheckpoint(std::string &error);
  bool readText(std::string &error);
  bool prepareDirectory(std::string &error);
  bool checkResumed(const runtime::ModelTypes &types, const TrainEntries &entries,
                    std::string &error) const;
  bool accept(const runtime::ModelTypes &types, std::string &error);
  bool openModel(std::string &error);
  bool openData(const TrainEntries &entries, std::string &error);
  bool initialize(std::string &error);
  std::string recordedPath(const std::string &library) const;
  bool checkUnchanged(std::string &error) const;
  bool startLog(std::string &error);
  void removeTemporaries() const;
  void printIntroduction();

  const TrainJob &job;
  Console &console;
  RunSettings settings;
  std::string checkpointPath, textPath, text;
  Checkpoint checkpoint;
  std::unique_ptr<TrainModel> model;
  TextData data;
  RunLog log;
  RunFolder folder;
  bool isAccepted = false; // the model, with the text
  double baseline = 0;
};

} // namespace

/// As metadata must be UTF-8, other paths are kept escaped.
static std::string toUtf8(const std::string &path) {
  char32_t ignored;
  for (size_t at = 0; at < path.size();)
    if (!nextCodePoint(path, at, ignored))
      return tt::support::escapeTerminal(path);
  return path;
}

bool Run::readCheckpoint(std::string &error) {
  if (!job.resume) {
    settings.resolve();
    return settings.check("", error);
  }
  if (!checkpoint.read(checkpointPath, error) ||
      !settings.resume(checkpoint.metadata, job.given, checkpointPath, error) ||
      !settings.check(checkpointPath + ": ", error))
    return false;
  if (!job.given.count("steps") || settings.steps >= checkpoint.step)
    return true;
  error = fmt::format("--steps: found {}, wanted at least {}, the step that {} has "
                      "reached",
                      settings.steps, checkpoint.step, checkpointPath);
  return false;
}

bool Run::readText(std::string &error) {
  textPath = job.text.empty() ? checkpoint.textPath : job.text;
  if (!readTextFile(textPath, text, error))
    return false;
  uint64_t hash = hashText(text);
  if (job.resume && hash != checkpoint.textHash) {
    error = fmt::format("{}: found a text with hash {:016x}, wanted {:016x}, "
                        "that of {} as in {}",
                        textPath, hash, checkpoint.textHash,
                        checkpoint.textPath, checkpointPath);
    return false;
  }
  // Kept as it was, so that a resumed run's checkpoints are the same files.
  if (!job.resume)
    checkpoint.textPath = toUtf8(textPath);
  checkpoint.textHash = hash;
  return true;
}

bool Run::prepareDirectory(std::string &error) {
  std::error_code status;
  if (!folder.make(job.directory, error))
    return false;
  if (!job.resume && !job.overwrite &&
      std::filesystem::exists(checkpointPath, status)) {
    error = fmt::format("{}: found a run's checkpoint, wanted an empty "
                        "directory, --resume or --overwrite",
                        checkpointPath);
    return false;
  }
  return true;
}

/// What a checkpoint keeps of the library's path. A path that metadata cannot
/// hold must be given again.
std::string Run::recordedPath(const std::string &library) const {
  std::error_code status;
  std::filesystem::path path = std::filesystem::absolute(library, status)
                                   .lexically_normal();
  bool isOwn = std::filesystem::equivalent(
      path, job.directory + "/model.so", status);
  return isOwn || toUtf8(path) != path ? "" : path.string();
}

/// That a file has the parameters; their values are read when there is a model.
static bool checkParameters(const std::string &path, const runtime::ModelTypes &types,
                            std::string &error) {
  support::SafetensorsFile file;
  if (!file.open(path, error, /*foreignDtypes=*/true))
    return false;
  for (const tt_tensor_info &info : types.parameters) {
    const auto *tensor = file.find(info.name);
    std::vector<int64_t> shape(info.shape, info.shape + info.rank);
    if (tensor && tensor->shape == shape &&
        static_cast<int>(tensor->dtype) == static_cast<int>(info.dtype))
      continue;
    std::string found = tensor ? typeText(static_cast<uint32_t>(tensor->dtype),
                                          tensor->shape.data(), tensor->shape.size())
                               : "none";
    error = fmt::format("{}: tensor \"{}\": found {}, wanted {}", path,
                        info.name, found,
                        typeText(info.dtype, info.shape, info.rank));
    return false;
  }
  return true;
}

/// That the run can go on with a model.
bool Run::checkResumed(const runtime::ModelTypes &types, const TrainEntries &entries,
                       std::string &error) const {
  StepMetrics metrics;
  TrainPort port = entries.train;
  metrics.bind(port);
  return checkpoint.checkModel(types, entries.numIds, checkpointPath, job.allowOtherModel,
                               error) &&
         checkParameters(checkpointPath, types, error) &&
         RunLog::checkColumns(job.directory, metrics.names(), error);
}

/// All that can be known of a model before there is code for it, which would take the
/// place of the run's.
bool Run::accept(const runtime::ModelTypes &types, std::string &error) {
  TrainEntries entries;
  isAccepted = entries.find(types, /*forTraining=*/true, error) &&
               (!job.resume || checkResumed(types, entries, error)) &&
               (job.initial.empty() || checkParameters(job.initial, types, error)) &&
               openData(entries, error);
  return isAccepted;
}

bool Run::openModel(std::string &error) {
  std::string library;
  auto isFit = [&](const runtime::ModelTypes &types, std::string &why) {
    return accept(types, why);
  };
  if (!job.findLibrary(checkpoint.libraryPath, isFit, library, error))
    return false;
  checkpoint.libraryPath = recordedPath(library);
  model = TrainModel::open(library, job.threads, /*forTraining=*/true, error);
  return model && (isAccepted || accept(model->types(), error));
}

bool Run::openData(const TrainEntries &entries, std::string &error) {
  if (!job.resume) {
    std::optional<Vocabulary> chosen = Vocabulary::choose(
        text, textPath, job.vocabulary, entries.numIds, error);
    if (!chosen)
      return false;
    checkpoint.vocabulary = *chosen;
  }
  if (!data.assign(text, textPath, checkpoint.vocabulary,
                   settings.validationPart, entries.train.shape.context, error))
    return false;
  text = {};
  baseline = bigramCrossEntropy(data.training(), data.validation(),
                                checkpoint.vocabulary.size());
  return true;
}

bool Run::initialize(std::string &error) {
  runtime::Model &bound = model->model();
  bool isGood = job.resume ? bound.load(checkpointPath, /*withState=*/true)
                           : bound.init(static_cast<uint64_t>(settings.seed)) &&
                                 (job.initial.empty() ||
                                  bound.load(job.initial, /*withState=*/false));
  if (!isGood)
    error = bound.error();
  return isGood;
}

/// Under the log's lock: that nobody has gone on since we read the checkpoint.
bool Run::checkUnchanged(std::string &error) const {
  Checkpoint now;
  if (!job.resume)
    return true;
  if (!now.read(checkpointPath, error))
    return false;
  if (now.metadata == checkpoint.metadata)
    return true;
  error = fmt::format("{}: found it changed since this tt-train started, "
                      "wanted a run that no other one goes on with",
                      checkpointPath);
  return false;
}

/// What runs that were killed have left here. Under the log's lock: nobody else
/// is writing.
void Run::removeTemporaries() const {
  std::error_code status;
  std::filesystem::directory_iterator it(job.directory, status), end;
  for (; !status && it != end; it.increment(status)) {
    std::string name = it->path().filename().string();
    bool isOurs = false;
    for (std::string_view file :
         {".checkpoint.safetensors.", ".loss.svg.", ".log.csv.", ".timing.csv."})
      isOurs |= name.rfind(file, 0) == 0;
    constexpr std::string_view suffix = ".tt-tmp";
    std::error_code ignored;
    if (isOurs && name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
      std::filesystem::remove(it->path(), ignored);
  }
}

bool Run::startLog(std::string &error) {
  if (!job.resume) {
    // First: a log without its checkpoint is harmless, a checkpoint with
    // another run's log is not.
    std::error_code status;
    std::filesystem::remove(checkpointPath, status);
    return log.create(error);
  }
  if (!log.resume(checkpoint.step, error))
    return false;
  if (log.lastStep() != checkpoint.step && checkpoint.step > 0)
    console.print(fmt::format(
        "warning: {}/log.csv: found steps up to {}, wanted {}; it goes on with "
        "a gap\n",
        support::escapeTerminal(job.directory), log.lastStep(),
        checkpoint.step));
  return true;
}

void Run::printIntroduction() {
  uint64_t numParameters = 0;
  for (const tt_tensor_info &info : model->model().library().tensors(0)) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < info.rank; ++i)
      count *= static_cast<uint64_t>(info.shape[i]);
    numParameters += count;
  }
  const tt_sizes &sizes = model->model().sizes();
  BatchShape shape = model->trainShape();
  console.print(fmt::format(
      "model   {}: {} parameters, batch {}, context {}, vocabulary {}\n",
      support::escapeTerminal(model->path()), formatCount(numParameters),
      shape.batch, shape.context, model->vocabulary()));
  console.print(fmt::format(
      "text    {}: {} different {}, {} to train on, {} held out\n",
      support::escapeTerminal(textPath), checkpoint.vocabulary.size(),
      checkpoint.vocabulary.unit(), formatCount(data.training().size),
      formatCount(data.validation().size)));
  console.print(
      fmt::format("memory  {}, {} thread{}\n",
                  formatBytes(sizes.instance_bytes + sizes.parameter_bytes +
                              sizes.state_bytes + sizes.arena_bytes),
                  sizes.threads, sizes.threads == 1 ? "" : "s"));
  if (job.resume)
    console.print(fmt::format(
        "resume  {} at step {}{}\n", support::escapeTerminal(checkpointPath),
        checkpoint.step,
        checkpoint.numSkipped
            ? fmt::format(", {} of them skipped", checkpoint.numSkipped)
            : ""));
  if (checkpoint.step >= settings.steps)
    console.print(fmt::format("nothing to train: found all {} steps taken, wanted "
                              "--steps above {}\n",
                              settings.steps, checkpoint.step));
}

bool Run::prepare(std::string &error) {
  if (!readCheckpoint(error) || !readText(error) || !prepareDirectory(error) ||
      !openModel(error) || !log.open(job.directory, model->metrics(), error) ||
      !checkUnchanged(error) || !initialize(error) || !startLog(error))
    return false;
  removeTemporaries();
  printIntroduction();
  return true;
}

bool Run::train(StopReason &reason, std::string &error) {
  LossPlot plot;
  plot.title = "tt-train: " + textPath;
  plot.steps = settings.steps;
  plot.baseline = baseline;
  TrainContext context = {*model,
                          data,
                          settings,
                          log,
                          console,
                          checkpointPath,
                          job.directory + "/loss.svg",
                          plot,
                          job.maxSeconds};
  return TrainLoop(context, checkpoint).run(reason, error);
}

bool Run::report(std::string &error) {
  EvalBatches all(data.validation(), model->evalShape(), /*maxBatches=*/0);
  std::optional<double> loss = evaluate(*model, all, /*canStop=*/true, error);
  if (!loss)
    return false;
  console.print(formatComparison(*loss, baseline, checkpoint.vocabulary.unit(),
                                 data.validation().size - 1));
  int64_t numSkipped = 0;
  for (const LogRow &row : log.rows())
    numSkipped += row.skipped.value_or(0) != 0;
  if (numSkipped)
    console.print(fmt::format("skipped steps     {:8}  their gradients were "
                              "not finite\n",
                              numSkipped));
  console.print(formatMemory(model->model().sizes()));
  if (model->hasLogits() && job.sample.numTokens > 0) {
    std::vector<std::string> texts;
    SampleOptions options = job.sample;
    options.numSamples = 1;
    if (!drawSamples(*model, checkpoint.vocabulary, options, texts, error))
      return false;
    console.print(fmt::format("sample\n{}{}\n",
                              support::escapeTerminal(options.prompt, true),
                              support::escapeTerminal(texts[0], true)));
  }
  console.print(fmt::format("files   {0}/checkpoint.safetensors, log.csv, "
                            "timing.csv, loss.svg\n",
                            support::escapeTerminal(job.directory)));
  return true;
}

bool tt::trainer::runTraining(const TrainJob &job, Console &console,
                              bool &wasInterrupted, std::string &error) {
  Run run(job, console);
  StopReason reason;
  wasInterrupted = false;
  // From here on: a stop while compiling must leave nothing half-made.
  catchStopSignals();
  bool isPrepared = run.prepare(error);
  if (!isPrepared || isStopRequested() || console.hasFailed())
    run.undo();
  if (isStopRequested()) {
    console.print(job.resume ? "interrupted; the run is as it was\n"
                             : "interrupted; nothing was trained\n");
    wasInterrupted = true;
    return true;
  }
  if (!isPrepared)
    return false;
  if (console.hasFailed()) {
    error = console.error();
    return false;
  }
  if (!run.train(reason, error))
    return false;
  if (reason == StopReason::TimeLimit)
    console.print(fmt::format("stopped after {} s at step {} of {}; --resume "
                              "goes on\n",
                              job.maxSeconds, run.step(), run.steps()));
  if (reason == StopReason::Signal) {
    console.print(fmt::format("interrupted; saved at step {} of {}; --resume "
                              "goes on\n",
                              run.step(), run.steps()));
    wasInterrupted = true;
  } else if (reason != StopReason::Output && !run.report(error)) {
    wasInterrupted = error.empty();
    if (!wasInterrupted)
      return false;
  }
  if (console.hasFailed())
    error = console.error();
  return !console.hasFailed();
}

bool tt::trainer::runSampling(const TrainJob &job, Console &console,
                              std::string &error) {
  std::string path = job.checkpoint.empty()
                         ? job.directory + "/checkpoint.safetensors"
                         : job.checkpoint;
  Checkpoint checkpoint;
  std::string library;
  if (!checkpoint.read(path, error) ||
      !job.findLibrary(checkpoint.libraryPath, {}, library, error))
    return false;
  std::unique_ptr<TrainModel> model =
      TrainModel::open(library, job.threads, /*forTraining=*/false, error);
  if (!model || !checkpoint.checkModel(model->types(), model->vocabulary(), path,
                                       job.allowOtherModel, error))
    return false;
  if (!model->model().load(path, /*withState=*/false)) {
    error = model->model().error();
    return false;
  }
  std::vector<std::string> texts;
  if (!drawSamples(*model, checkpoint.vocabulary, job.sample, texts, error))
    return false;
  for (const std::string &text : texts)
    console.print(fmt::format("{}{}\n",
                              support::escapeTerminal(job.sample.prompt, true),
                              support::escapeTerminal(text, true)));
  if (console.hasFailed())
    error = console.error();
  return !console.hasFailed();
}
