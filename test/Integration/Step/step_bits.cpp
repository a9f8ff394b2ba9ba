//===- step_bits.cpp - Same bits, and memory as promised ------------------===//
//
// step_bits [--every-worker] STEPS LIBRARY.so...: trains every library with 1, 2 and 4 threads on
// every level it and the CPU have; all must end in the same bits, and with
// --every-worker each worker must have run a task. Prints a line per run and
// "N passed, N failed".
//
//===----------------------------------------------------------------------===//
#include "StepRunner.h"

#include <cstdio>
#include <cstdlib>

using namespace tt::test;

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
      std::printf("%s: %s\n", argv[i], error.c_str());
      ++failed;
      continue;
    }
    for (uint32_t level : {3u, 4u})
      for (uint32_t threads : {1u, 2u, 4u}) {
        StepRunner runner(library, threads, level);
        error.clear();
        if (!runner.bind(0xA5, error)) {
          // A level that the library or the CPU lacks is not a failure.
          if (error.find("level") != std::string::npos ||
              error.find("v3") != std::string::npos || error.find("v4") != std::string::npos) {
            std::printf("%s v%u: not run: %s\n", argv[i], level, error.c_str());
            break;
          }
          std::printf("%s v%u %u threads: %s\n", argv[i], level, threads, error.c_str());
          ++failed;
          continue;
        }
        bool ok = runner.init(1234, error) && runner.train(1, steps, error);
        uint64_t hash = runner.hash();
        if (!have && ok) {
          first = hash;
          have = true;
        }
        bool everyWorker = true;
        for (uint64_t tasks : runner.workerTasks())
          everyWorker &= tasks > 0;
        ok = ok && hash == first && (everyWorker || !wantWorkers);
        std::printf("%s v%u %u threads: hash %016llx loss %.6f%s%s %s\n", argv[i], level,
                    threads, (unsigned long long)hash, runner.loss(),
                    everyWorker ? "" : " a worker had no task", error.c_str(),
                    ok ? "ok" : "FAILED");
        ++(ok ? passed : failed);
      }
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed || !passed ? 1 : 0;
}
