#include "tt/Trainer/TrainModel.h"

#include "tt/runtime/ModelTable.h"

#include <algorithm>
#include <fmt/format.h>
#include <sched.h>

using namespace tt;
using namespace tt::trainer;

static uint32_t usableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::unique_ptr<TrainModel> TrainModel::open(const std::string &path,
                                             uint32_t threads, bool forTraining,
                                             std::string &error) {
  std::unique_ptr<TrainModel> model(new TrainModel);
  // The loader searches for names without '/'; a user means the file here.
  model->libraryPath = path;
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  model->library = runtime::Library::open(file, error);
  if (!model->library)
    return nullptr;
  const tt_model_desc &desc = *model->library->desc();
  model->modelHash = desc.hash;
  if (!model->entries.find(model->types(), forTraining, error))
    return nullptr;
  model->stepMetrics.bind(model->entries.train);
  runtime::ModelOptions options;
  options.threads =
      threads ? threads : std::min(usableCpus(), desc.max_threads);
  options.withState = forTraining;
  model->bound = runtime::Model::bind(model->library, options, error);
  if (!model->bound) {
    error = fmt::format("{}: {}", path, error);
    return nullptr;
  }
  return model;
}

runtime::ModelTypes TrainModel::types() const {
  runtime::ModelTypes types;
  types.path = libraryPath;
  types.hash = modelHash;
  types.parameters = library->tensors(0);
  const runtime::Functions &tt = library->functions();
  for (uint32_t i = 0; i < tt.entry_count(library->desc()); ++i)
    types.entries.push_back({tt.entry_name(library->desc(), i),
                             library->inputs(i), library->outputs(i)});
  return types;
}

bool TrainModel::call(TrainPort &port, std::string &error) {
  if (bound->call(port.entry, port.inputs.data(), port.outputs.data()))
    return true;
  error = fmt::format("{}: {}", libraryPath, bound->error());
  return false;
}

bool TrainModel::step(const Batch &batch, float learningRate, int64_t update,
                      int64_t seed, StepResult &result, std::string &error) {
  entries.train.setInput("tokens", batch.tokens.data());
  entries.train.setInput("targets", batch.targets.data());
  entries.train.setInput("learning_rate", &learningRate);
  entries.train.setInput("step", &update);
  entries.train.setInput("seed", &seed);
  entries.train.setOutput("loss", &result.loss);
  entries.train.setOutput("grad_norm", &result.gradNorm);
  entries.train.setOutput("clip", &result.clip);
  entries.train.setOutput("skipped", &result.skipped);
  if (!call(entries.train, error))
    return false;
  result.metrics = stepMetrics.texts();
  return true;
}

bool TrainModel::eval(const Batch &batch, float &loss, std::string &error) {
  entries.eval.setInput("tokens", batch.tokens.data());
  entries.eval.setInput("targets", batch.targets.data());
  entries.eval.setOutput("loss", &loss);
  return call(entries.eval, error);
}

bool TrainModel::logits(const std::vector<int32_t> &tokens, int32_t position,
                        std::vector<float> &logits, std::string &error) {
  const tt_tensor_info *info = findTensor(entries.logits.outputInfos, "logits");
  logits.resize(info->bytes / sizeof(float));
  entries.logits.setInput("tokens", tokens.data());
  entries.logits.setInput("position", &position);
  entries.logits.setOutput("logits", logits.data());
  return call(entries.logits, error);
}
