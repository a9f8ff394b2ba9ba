#include "tt/Trainer/TrainModel.h"

#include "tt/runtime/ModelTable.h"

#include <algorithm>
#include <fmt/format.h>
#include <sched.h>

using namespace tt::trainer;

static uint32_t usableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

static const char *dtypeName(uint32_t dtype) {
  constexpr const char *kNames[] = {"f64", "f32", "bf16", "f16",
                                    "i64", "i32", "i8",   "i1"};
  return dtype < std::size(kNames) ? kNames[dtype] : "?";
}

static std::string typeText(uint32_t dtype, const int64_t *shape, size_t rank) {
  std::string text = "[";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") +
            (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
  return fmt::format("{}] {}", text, dtypeName(dtype));
}

static const tt_tensor_info *findTensor(const std::vector<tt_tensor_info> &list,
                                        std::string_view name) {
  for (const tt_tensor_info &info : list)
    if (name == info.name)
      return &info;
  return nullptr;
}

void TrainModel::Port::setInput(const char *name, const void *from) {
  for (size_t i = 0; i < inputInfos.size(); ++i)
    if (std::string_view(name) == inputInfos[i].name)
      inputs[i] = from;
}

void TrainModel::Port::setOutput(const char *name, void *to) {
  for (size_t i = 0; i < outputInfos.size(); ++i)
    if (std::string_view(name) == outputInfos[i].name)
      outputs[i] = to;
}

bool TrainModel::checkTensors(const std::string &entry, const char *kind,
                              const std::vector<tt_tensor_info> &found,
                              const std::vector<Wanted> &wanted, bool onlyThese,
                              std::string &error) const {
  auto fail = [&](std::string_view name, const std::string &rest) {
    error = fmt::format("{}: entry \"{}\": {} \"{}\": {}", libraryPath, entry,
                        kind, name, rest);
    return false;
  };
  for (const Wanted &want : wanted) {
    std::string type =
        typeText(want.dtype, want.shape.data(), want.shape.size());
    const tt_tensor_info *info = findTensor(found, want.name);
    if (!info)
      return fail(want.name, "found none, wanted " + type);
    bool fits = info->dtype == want.dtype && info->rank == want.shape.size();
    for (size_t i = 0; fits && i < want.shape.size(); ++i)
      fits = info->shape[i] > 0 &&
             (want.shape[i] < 0 || want.shape[i] == info->shape[i]);
    if (!fits)
      return fail(want.name,
                  fmt::format("found {}, wanted {}",
                              typeText(info->dtype, info->shape, info->rank),
                              type));
  }
  if (onlyThese)
    for (const tt_tensor_info &info : found)
      if (std::none_of(wanted.begin(), wanted.end(), [&](const Wanted &want) {
            return std::string_view(want.name) == info.name;
          }))
        return fail(info.name, "found one that tt-train does not know");
  return true;
}

bool TrainModel::findEntry(const char *name, const std::vector<Wanted> &inputs,
                           const std::vector<Wanted> &outputs, Port &port,
                           std::string &error) {
  std::optional<uint32_t> entry = library->findEntry(name);
  if (!entry) {
    error = fmt::format("{}: found no entry \"{}\", wanted a library that "
                        "tt-compile made for training",
                        libraryPath, name);
    return false;
  }
  port.entry = *entry;
  port.inputInfos = library->inputs(*entry);
  port.outputInfos = library->outputs(*entry);
  port.inputs.resize(port.inputInfos.size());
  port.outputs.resize(port.outputInfos.size());
  if (!checkTensors(name, "input", port.inputInfos, inputs, true, error) ||
      !checkTensors(name, "output", port.outputInfos, outputs, false, error))
    return false;
  const tt_tensor_info *tokens = findTensor(port.inputInfos, "tokens");
  port.shape = {tokens->shape[0], tokens->shape[1]};
  if (tokens->index_limit <= 0) {
    error = fmt::format("{}: entry \"{}\": input \"tokens\": found no limit of "
                        "its ids, wanted the vocabulary's size",
                        libraryPath, name);
    return false;
  }
  numIds = numIds ? std::min(numIds, tokens->index_limit) : tokens->index_limit;
  if (const tt_tensor_info *targets = findTensor(port.inputInfos, "targets")) {
    if (!std::equal(targets->shape, targets->shape + 2, tokens->shape) ||
        targets->index_ignore != kIgnoredTarget) {
      std::string ignored = targets->index_ignore
                                ? fmt::format("with tt.index_ignore = {}", targets->index_ignore)
                                : "without tt.index_ignore";
      error = fmt::format("{}: entry \"{}\": input \"targets\": found {} {}, wanted {} with "
                          "tt.index_ignore = {}",
                          libraryPath, name, typeText(targets->dtype, targets->shape, 2),
                          ignored, typeText(TT_I32, tokens->shape, 2), kIgnoredTarget);
      return false;
    }
    if (targets->index_limit > 0)
      numIds = std::min(numIds, targets->index_limit);
  }
  port.exists = true;
  return true;
}

bool TrainModel::findEntries(bool forTraining, std::string &error) {
  const Wanted tokens = {"tokens", TT_I32, {-1, -1}};
  const Wanted targets = {"targets", TT_I32, {-1, -1}};
  const Wanted loss = {"loss", TT_F32, {}};
  if (forTraining &&
      (!findEntry("train_step",
                  {tokens,
                   targets,
                   {"learning_rate", TT_F32, {}},
                   {"step", TT_I64, {}},
                   {"seed", TT_I64, {}}},
                  {loss,
                   {"grad_norm", TT_F32, {}},
                   {"clip", TT_F32, {}},
                   {"skipped", TT_I32, {}}},
                  trainPort, error) ||
       !findEntry("eval", {tokens, targets}, {loss}, evalPort, error)))
    return false;
  if (forTraining && !library->findEntry("logits"))
    return true;
  return findEntry("logits", {tokens, {"position", TT_I32, {}}},
                   {{"logits", TT_F32, {-1, -1}}}, logitsPort, error);
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
  if (!model->findEntries(forTraining, error))
    return nullptr;
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

bool TrainModel::call(Port &port, std::string &error) {
  if (bound->call(port.entry, port.inputs.data(), port.outputs.data()))
    return true;
  error = fmt::format("{}: {}", libraryPath, bound->error());
  return false;
}

bool TrainModel::step(const Batch &batch, float learningRate, int64_t step,
                      int64_t seed, StepResult &result, std::string &error) {
  trainPort.setInput("tokens", batch.tokens.data());
  trainPort.setInput("targets", batch.targets.data());
  trainPort.setInput("learning_rate", &learningRate);
  trainPort.setInput("step", &step);
  trainPort.setInput("seed", &seed);
  trainPort.setOutput("loss", &result.loss);
  trainPort.setOutput("grad_norm", &result.gradNorm);
  trainPort.setOutput("clip", &result.clip);
  trainPort.setOutput("skipped", &result.skipped);
  return call(trainPort, error);
}

bool TrainModel::eval(const Batch &batch, float &loss, std::string &error) {
  evalPort.setInput("tokens", batch.tokens.data());
  evalPort.setInput("targets", batch.targets.data());
  evalPort.setOutput("loss", &loss);
  return call(evalPort, error);
}

bool TrainModel::logits(const std::vector<int32_t> &tokens, int32_t position,
                        std::vector<float> &logits, std::string &error) {
  const tt_tensor_info *info = findTensor(logitsPort.outputInfos, "logits");
  logits.resize(info->bytes / sizeof(float));
  logitsPort.setInput("tokens", tokens.data());
  logitsPort.setInput("position", &position);
  logitsPort.setOutput("logits", logits.data());
  return call(logitsPort, error);
}
