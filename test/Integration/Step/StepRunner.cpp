//===- StepRunner.cpp - One instance of a compiled library, watched -------===//
#include "StepRunner.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace tt::test;

static uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

bool GuardedRegion::allocate(uint64_t size, unsigned char pattern) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  bytes = size;
  mapped = roundUp(size, page) + 2 * page;
  mapping = static_cast<unsigned char *>(
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (mapping == MAP_FAILED || mprotect(mapping + page, mapped - 2 * page, PROT_READ | PROT_WRITE))
    return false;
  // Ends as close to the upper guard as the alignment of 64 allows.
  begin = mapping + mapped - page - roundUp(size, 64);
  std::memset(begin, pattern, size);
  return true;
}

GuardedRegion::~GuardedRegion() {
  if (mapping)
    munmap(mapping, mapped);
}

uint64_t GuardedRegion::touched(unsigned char pattern) const {
  uint64_t end = bytes;
  while (end > 0 && begin[end - 1] == pattern)
    --end;
  return end;
}

StepRunner::~StepRunner() {
  if (instance)
    library->functions().release(instance);
}

bool StepRunner::bind(unsigned char pattern, std::string &error) {
  const auto &tt = library->functions();
  needed.struct_size = sizeof needed;
  tt_memory memory = {};
  memory.struct_size = sizeof memory;
  tt_bind_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  options.isa_level = isaLevel;
  if (tt.model_query(library->desc(), threads, &needed) != TT_OK) {
    error = tt.last_error();
    return false;
  }
  if (!instanceMemory.allocate(needed.instance_bytes, pattern) ||
      !parameters.allocate(needed.parameter_bytes, pattern) ||
      !state.allocate(needed.state_bytes, pattern) ||
      !arena.allocate(needed.arena_bytes, pattern)) {
    error = "no memory for the test";
    return false;
  }
  memory.instance = instanceMemory.data();
  memory.instance_bytes = needed.instance_bytes;
  memory.parameters = parameters.data();
  memory.parameter_bytes = needed.parameter_bytes;
  memory.state = state.data();
  memory.state_bytes = needed.state_bytes;
  memory.arena = arena.data();
  memory.arena_bytes = needed.arena_bytes;
  if (tt.model_bind(library->desc(), &memory, &options, &instance) == TT_OK)
    return true;
  error = tt.last_error();
  return false;
}

bool StepRunner::init(uint64_t seed, std::string &error) {
  if (library->functions().init(instance, seed) == TT_OK)
    return true;
  error = library->functions().last_error();
  return false;
}

/// A splitmix64 sequence: the batches of every runner are the same.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

bool StepRunner::train(int64_t first, int64_t count, std::string &error) {
  const auto &tt = library->functions();
  std::optional<uint32_t> entry = library->findEntry("train_step");
  if (!entry) {
    error = "the library has no train_step";
    return false;
  }
  std::vector<tt_tensor_info> inputs = library->inputs(*entry);
  std::vector<tt_tensor_info> outputs = library->outputs(*entry);
  std::vector<std::vector<unsigned char>> storage(inputs.size());
  std::vector<const void *> in(inputs.size());
  std::vector<void *> out(outputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    storage[i].resize(inputs[i].bytes);
    in[i] = storage[i].data();
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (std::string(outputs[i].name) == "loss")
      out[i] = &lastLoss;
  for (int64_t step = first; step < first + count; ++step) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      std::string name = inputs[i].name;
      if (name == "step" || name == "seed") {
        int64_t value = name == "step" ? step : 7;
        std::memcpy(storage[i].data(), &value, sizeof value);
      } else if (name == "learning_rate") {
        float value = 1e-3f;
        std::memcpy(storage[i].data(), &value, sizeof value);
      } else if (inputs[i].dtype == TT_I32) {
        auto *ids = reinterpret_cast<int32_t *>(storage[i].data());
        for (uint64_t j = 0; j < inputs[i].bytes / 4; ++j)
          ids[j] = int32_t(mix(step * 1000003 + i * 7919 + j) % uint64_t(inputs[i].index_limit));
      } else {
        auto *values = reinterpret_cast<float *>(storage[i].data());
        for (uint64_t j = 0; j < inputs[i].bytes / 4; ++j)
          values[j] = float(int64_t(mix(step * 31 + j) % 2001) - 1000) / 1000;
      }
    }
    if (tt.call(instance, *entry, in.data(), out.data()) != TT_OK) {
      error = tt.last_error();
      return false;
    }
  }
  return true;
}

static uint64_t hashBytes(uint64_t h, const void *data, uint64_t bytes) {
  const auto *p = static_cast<const unsigned char *>(data);
  for (uint64_t i = 0; i < bytes; ++i)
    h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}

uint64_t StepRunner::stateHash() const {
  uint64_t h = 0xcbf29ce484222325ull;
  std::vector<unsigned char> copy;
  for (uint32_t kind = 0; kind < 2; ++kind) {
    std::vector<tt_tensor_info> tensors = library->tensors(kind);
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      copy.resize(tensors[i].bytes);
      const auto &tt = library->functions();
      (kind ? tt.state_get : tt.param_get)(instance, i, copy.data(), copy.size());
      h = hashBytes(h, copy.data(), copy.size());
    }
  }
  return h;
}

uint64_t StepRunner::hash() const {
  return hashBytes(stateHash(), &lastLoss, sizeof lastLoss);
}

std::vector<uint64_t> StepRunner::workerTasks() const {
  std::vector<uint64_t> tasks(threads);
  library->functions().worker_tasks(instance, tasks.data(), threads);
  return tasks;
}
