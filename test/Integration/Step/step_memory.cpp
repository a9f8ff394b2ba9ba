//===- step_memory.cpp - The memory contract, measured --------------------===//
//
// step_memory LIBRARY.so THREADS [STEPS]: the highest byte touched in each
// region equals the promise, one byte less is refused, and 100 steps allocate
// nothing: no malloc, and at most 1 MiB more resident memory.
//
//===----------------------------------------------------------------------===//
#include "StepRunner.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace tt::test;

static std::atomic<unsigned long> allocations{0};

// Stands before libc's in this program, for the library too.
extern "C" void *malloc(size_t size) {
  using Fn = void *(*)(size_t);
  static Fn next = reinterpret_cast<Fn>(dlsym(RTLD_NEXT, "malloc"));
  allocations.fetch_add(1, std::memory_order_relaxed);
  return next(size);
}

static long residentPages() {
  long total = 0, resident = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2)
      resident = -1;
    std::fclose(file);
  }
  return resident;
}

static unsigned passed = 0, failed = 0;
static void expect(bool ok, const std::string &what) {
  std::printf("%s: %s\n", what.c_str(), ok ? "ok" : "FAILED");
  ++(ok ? passed : failed);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: step_memory LIBRARY.so THREADS [STEPS]\n");
    return 1;
  }
  std::string error;
  auto library = tt::runtime::Library::open(argv[1], error);
  if (!library) {
    std::printf("%s\n", error.c_str());
    return 1;
  }
  uint32_t threads = std::atoi(argv[2]);
  int64_t steps = argc > 3 ? std::atoll(argv[3]) : 100;

  // What one pattern hides (a byte that happens to equal it) the other shows.
  uint64_t touched[4] = {};
  tt_sizes sizes = {};
  for (unsigned char pattern : {0xA5, 0x5A}) {
    StepRunner runner(library, threads, 0);
    if (!runner.bind(pattern, error) || !runner.init(1, error) || !runner.train(1, 2, error)) {
      std::printf("%s\n", error.c_str());
      return 1;
    }
    sizes = runner.sizes();
    const GuardedRegion *regions[] = {&runner.instanceMemory, &runner.parameters, &runner.state,
                                      &runner.arena};
    for (int i = 0; i < 4; ++i)
      touched[i] = std::max(touched[i], regions[i]->touched(pattern));
  }
  const char *names[] = {"instance", "parameters", "state", "arena"};
  uint64_t promised[] = {sizes.instance_bytes, sizes.parameter_bytes, sizes.state_bytes,
                         sizes.arena_bytes};
  for (int i = 0; i < 4; ++i) {
    std::string what = std::string(names[i]) + " promised " + std::to_string(promised[i]) +
                       " touched " + std::to_string(touched[i]);
    // All but the arena end in alignment up to 64 bytes.
    bool ok = i == 3 ? touched[i] == promised[i]
                     : touched[i] <= promised[i] && touched[i] + 64 > promised[i];
    expect(ok, what);
  }

  for (int region = 0; region < 4; ++region) {
    StepRunner runner(library, threads, 0);
    tt_memory memory = {};
    memory.struct_size = sizeof memory;
    GuardedRegion regions[4];
    void **pointers[] = {&memory.instance, &memory.parameters, &memory.state, &memory.arena};
    uint64_t *bytes[] = {&memory.instance_bytes, &memory.parameter_bytes, &memory.state_bytes,
                         &memory.arena_bytes};
    for (int i = 0; i < 4; ++i) {
      regions[i].allocate(promised[i], 0);
      *pointers[i] = regions[i].data();
      *bytes[i] = promised[i] - (i == region);
    }
    tt_bind_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    tt_instance *instance = nullptr;
    tt_status status =
        library->functions().model_bind(library->desc(), &memory, &options, &instance);
    expect(status == TT_ERR_MEMORY && !instance,
           std::string("one byte less of ") + names[region] + " is refused");
  }

  StepRunner runner(library, threads, 0);
  if (!runner.bind(0, error) || !runner.init(1, error) || !runner.train(1, 3, error)) {
    std::printf("%s\n", error.c_str());
    return 1;
  }
  // The runner itself allocates its batch once per call of train.
  unsigned long before = allocations;
  bool ok = runner.train(4, 1, error);
  unsigned long perCall = allocations - before;
  long pages = residentPages();
  before = allocations;
  ok = ok && runner.train(5, steps, error);
  unsigned long grown = allocations - before;
  long more = (residentPages() - pages) * sysconf(_SC_PAGESIZE);
  expect(ok, "steps run " + error);
  expect(grown == perCall, "mallocs in " + std::to_string(steps) + " steps beyond the test's own: " +
                               std::to_string(long(grown) - long(perCall)));
  expect(more <= 1048576, "resident memory grew by " + std::to_string(more) + " bytes");
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed ? 1 : 0;
}
