//===- step_calls.cpp - Steps between two marks, for strace ---------------===//
//
// step_calls LIBRARY.so THREADS STEPS: after three steps, STEPS more between
// access("/tt-steps-begin") and access("/tt-steps-end"). See step_calls.py.
//
//===----------------------------------------------------------------------===//
#include "tt/runtime/Model.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tt::runtime;

static int fail(const std::string &text) {
  std::fprintf(stderr, "step_calls: %s\n", text.c_str());
  return 1;
}

static bool allWorked(Model &model) {
  for (uint64_t tasks : model.workerTasks())
    if (tasks == 0)
      return false;
  return true;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return fail("usage: step_calls LIBRARY.so THREADS STEPS");
  std::string error;
  auto library = Library::open(argv[1], error);
  if (!library)
    return fail(error);
  ModelOptions options;
  options.threads = std::atoi(argv[2]);
  auto model = Model::bind(library, options, error);
  if (!model || !model->init(1))
    return fail(model ? model->error() : error);
  auto entry = library->findEntry("train_step");
  if (!entry)
    return fail("no train_step");
  std::vector<std::vector<char>> storage;
  std::vector<const void *> inputs;
  for (const tt_tensor_info &info : library->inputs(*entry))
    storage.emplace_back(info.bytes); // zero: token 0, learning rate 0
  for (auto &bytes : storage)
    inputs.push_back(bytes.data());
  std::vector<tt_tensor_info> infos = library->inputs(*entry);
  int64_t *step = nullptr;
  for (size_t i = 0; i < infos.size(); ++i)
    if (std::strcmp(infos[i].name, "step") == 0)
      step = reinterpret_cast<int64_t *>(storage[i].data());
  if (!step)
    return fail("no step");
  float loss = 0;
  std::vector<void *> outputs(library->outputs(*entry).size());
  outputs[0] = &loss;
  auto runStep = [&] {
    ++*step;
    return model->call(*entry, inputs.data(), outputs.data());
  };
  // A thread that the system starts late makes its start-up calls late: steps
  // until every worker has had a task (a busy machine needs many).
  for (int i = 0; i < 3 || (i < 5000 && !allWorked(*model)); ++i)
    if (!runStep())
      return fail(model->error());
  access("/tt-steps-begin", F_OK);
  for (long i = 0, count = std::atol(argv[3]); i < count; ++i)
    if (!runStep())
      return fail(model->error());
  access("/tt-steps-end", F_OK);
  for (uint64_t tasks : model->workerTasks())
    std::printf("%llu tasks\n", (unsigned long long)tasks);
  return 0;
}
