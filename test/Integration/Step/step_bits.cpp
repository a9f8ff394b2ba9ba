//===- step_bits.cpp - Same bits whatever the schedule --------------------===//
//
// step_bits [--every-worker] STEPS LIBRARY.so...: trains every library with 1, 2 and 4 threads on
// every level it and the CPU have; all must end in the same bits. With
// --every-worker each worker must have run a task: on a busy machine a thread
// may sleep through a short run, so the run is repeated (its bits are compared
// each time) until all have. Prints a line per run and "N passed, N failed".
//
//===----------------------------------------------------------------------===//
#include "StepRunner.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace tt::test;

namespace {
struct Run {
  bool bound = false, ok = false, everyWorker = true;
  uint64_t hash = 0;
  float loss = 0;
  std::string error;
};
} // namespace

static constexpr int kAttempts = 50;

static Run runOnce(const std::shared_ptr<const tt::runtime::Library> &library, uint32_t level,
                   uint32_t threads, int64_t steps, bool pauses) {
  Run run;
  StepRunner runner(library, threads, level);
  run.bound = runner.bind(0xA5, run.error);
  if (!run.bound)
    return run;
  run.ok = runner.init(1234, run.error);
  for (int64_t step = 1; run.ok && step <= steps; ++step) {
    run.ok = runner.train(step, 1, run.error);
    if (pauses)
      usleep(1000); // workers fall asleep, and have a claim to the CPU
  }
  run.hash = runner.hash();
  run.loss = runner.loss();
  for (uint64_t tasks : runner.workerTasks())
    run.everyWorker &= tasks > 0;
  return run;
}

int main(int argc, char **argv) {
  bool wantWorkers = argc > 1 && std::string(argv[1]) == "--every-worker";
  argc -= wantWorkers;
  argv += wantWorkers;
  if (argc < 3) {
    std::fprintf(stderr, "usage: step_bits [--every-worker] STEPS LIBRARY.so...\n");
    return 1;
  }
  int64_t steps = std::atoll(argv[1]);
  unsigned passed = 0, failed = 0;
  bool have = false;
  uint64_t first = 0;
  for (int i = 2; i < argc; ++i) {
    std::string error;
    auto library = tt::runtime::Library::open(argv[i], error);
    if (!library) {
      std::printf("%s: %s FAILED\n", argv[i], error.c_str());
      ++failed;
      continue;
    }
    unsigned levelsRun = 0;
    for (uint32_t level : {3u, 4u})
      for (uint32_t threads : {1u, 2u, 4u}) {
        Run run;
        bool same = true;
        int attempt = 0;
        do {
          run = runOnce(library, level, threads, steps, /*pauses=*/attempt > 0);
          if (!have && run.ok) {
            first = run.hash;
            have = true;
          }
          same &= run.ok && run.hash == first;
        } while (same && wantWorkers && !run.everyWorker && ++attempt < kAttempts);
        // A level that the library or the CPU lacks is not a failure.
        if (!run.bound && run.error.find("level") != std::string::npos) {
          std::printf("%s v%u: not run: %s\n", argv[i], level, run.error.c_str());
          break;
        }
        ++levelsRun;
        bool ok = same && (run.everyWorker || !wantWorkers);
        std::printf("%s v%u %u threads: hash %016llx loss %.6f%s%s %s\n", argv[i], level,
                    threads, (unsigned long long)run.hash, run.loss,
                    run.everyWorker ? "" : " a worker had no task", run.error.c_str(),
                    ok ? "ok" : "FAILED");
        ++(ok ? passed : failed);
      }
    if (!levelsRun) {
      std::printf("%s: no level could run FAILED\n", argv[i]);
      ++failed;
    }
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed || !passed ? 1 : 0;
}
