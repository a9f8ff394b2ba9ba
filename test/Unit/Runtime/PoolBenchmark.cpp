// Prints microseconds per parallel region: `PoolBenchmark [threads] [regions]
// [pin]`. One task per worker. "meet": every task waits until all have begun,
// so that all workers must take part: the price of one region. "work": every
// task takes 5 us; what exceeds that is lost. Both also with pauses between
// regions that are long enough for the workers to yield or to sleep. Not a
// test: times depend on the machine and who else is on it; "pin" gives every
// worker a CPU of its own, which keeps the scheduler's choices out.
#include "Pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <vector>
#include <x86intrin.h>

using namespace tt::runtime;
using Clock = std::chrono::steady_clock;

static std::atomic<uint64_t> begun;

static double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

static void spinFor(double us) {
  auto start = Clock::now();
  while (microsecondsSince(start) < us)
    ;
}

/// iteration: the number of tasks that have begun when this region is full.
static void meet(char *const *, int64_t, int64_t iteration, char *, char *) {
  ++begun;
  for (int spins = 0; begun < uint64_t(iteration); ++spins)
    if (spins < 2000)
      _mm_pause();
    else
      sched_yield();
}

static void work(char *const *, int64_t, int64_t, char *, char *) {
  spinFor(5);
}

static void measure(const char *name, tt_kernel_fn fn, Pool &pool,
                    uint32_t threads, int regions, double pauseUs) {
  Region region = {};
  region.fn = fn;
  region.tasks = threads;
  std::vector<double> times;
  begun = 0;
  for (int i = 0; i < regions; ++i) {
    if (pauseUs > 0)
      spinFor(pauseUs);
    region.iteration += threads;
    auto start = Clock::now();
    pool.run(region);
    times.push_back(microsecondsSince(start));
  }
  std::sort(times.begin(), times.end());
  printf("%s, pause %5.0f us: 10 %% %7.2f  median %7.2f  90 %% %7.2f  "
         "99 %% %7.2f us\n",
         name, pauseUs, times[regions / 10], times[regions / 2],
         times[regions * 9 / 10], times[regions * 99 / 100]);
}

int main(int argc, char **argv) {
  uint32_t threads = argc > 1 ? atoi(argv[1]) : 2;
  int regions = argc > 2 ? atoi(argv[2]) : 20000;
  static Worker workers[256];
  static Pool pool; // zero, as in instance memory
  if (threads < 1 || threads > 256 || regions < 100 ||
      pool.start(workers, threads) != 0)
    return 1;
  for (uint32_t i = 0; argc > 3 && i < threads; ++i) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(i, &cpus);
    pthread_setaffinity_np(i == 0 ? pthread_self() : workers[i].thread,
                           sizeof(cpus), &cpus);
  }
  for (double pauseUs : {0.0, 10.0, 200.0, 5000.0}) {
    int count = pauseUs < 200 ? regions : std::min(regions, 200);
    measure("meet", meet, pool, threads, count, pauseUs);
    measure("work", work, pool, threads, count, pauseUs);
  }
  pool.stop();
}
