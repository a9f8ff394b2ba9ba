//===- Pool.cpp - Threads that run the tasks of one region ----------------===//
//
// Waiting is the same on both sides: spin for a bounded time, then yield the
// CPU a few times, then sleep in a futex. Endless spinning is the fastest on
// an idle machine and the slowest on a busy one, where it takes the CPU from
// the thread that works.
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "FpMode.h"
#include "Futex.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <x86intrin.h>

using namespace tt::runtime;

namespace {

constexpr uint64_t kStop = 1ull << 63;
constexpr unsigned kCountBits = 24;
constexpr uint64_t kCountMask = (1ull << kCountBits) - 1;
constexpr uint64_t kEpochMask = (1ull << 39) - 1;
static_assert(kCountMask == TT_MAX_TASKS, "tasks fit the ticket");

/// 30 to 80 us on today's clocks: longer than the serial launches between two
/// regions of a step, shorter than a scheduler's time slice.
constexpr uint64_t kSpinCycles = 150000;
constexpr int kNumYields = 32;

/// Kernels keep tiles in registers and scratch in worker memory.
constexpr size_t kStackBytes = 2u << 20;

uint32_t numUsableCpus() {
  cpu_set_t cpus;
  // Fails where there are more CPUs than the set holds: plenty.
  if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
    return UINT32_MAX;
  return CPU_COUNT(&cpus);
}

/// Spins, then yields, until `done()`. False: out of patience, go to sleep.
template <typename Predicate>
bool waitAwake(uint64_t spinCycles, Predicate done) {
  if (done())
    return true;
  for (uint64_t start = __rdtsc(); __rdtsc() - start < spinCycles;) {
    _mm_pause();
    if (done())
      return true;
  }
  for (int i = 0; i < kNumYields; ++i) {
    sched_yield();
    if (done())
      return true;
  }
  return false;
}

} // namespace

int Pool::start(Worker *newWorkers, uint32_t threads) {
  workers = newWorkers;
  numThreads = 1;
  // With more workers than CPUs whoever spins holds up whoever works.
  spinCycles = threads <= numUsableCpus() ? kSpinCycles : 0;

  pthread_attr_t attributes;
  if (int error = pthread_attr_init(&attributes))
    return error;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // The host's signals are for the host's threads.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  int error = 0;
  for (uint32_t i = 1; i < threads && error == 0; ++i) {
    workers[i].pool = this;
    error = pthread_create(&workers[i].thread, &attributes, threadMain,
                           &workers[i]);
    if (error == 0)
      numThreads = i + 1;
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0)
    stop();
  return error;
}

void Pool::stop() {
  __atomic_store_n(&ticket, kStop, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&wakeups, 1, __ATOMIC_SEQ_CST);
  futexWake(&wakeups, INT_MAX);
  for (uint32_t i = 1; i < numThreads; ++i)
    pthread_join(workers[i].thread, nullptr);
  numThreads = 1;
}

void Pool::run(const Region &region) {
  uint32_t tasks = region.tasks;
  if (tasks == 0)
    return;
  job = region;
  __atomic_store_n(&pending, tasks, __ATOMIC_RELAXED);
  epoch = (epoch + 1) & kEpochMask;
  __atomic_exchange_n(&ticket, epoch << kCountBits | tasks, __ATOMIC_SEQ_CST);
  // Either a worker that goes to sleep sees the new ticket, or this sees it
  // among the sleepers.
  if (__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) != 0) {
    __atomic_fetch_add(&wakeups, 1, __ATOMIC_RELEASE);
    futexWake(&wakeups, tasks - 1);
  }
  report(takeTasks(workers[0]));
  waitForOthers();
}

void *Pool::threadMain(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  Pool &pool = *worker.pool;
  _mm_setcsr(kDefaultMxcsr);
  while (!(pool.waitForTasks() & kStop))
    pool.report(pool.takeTasks(worker));
  return nullptr;
}

/// Runs tasks until none is left to take; the number of them.
uint32_t Pool::takeTasks(Worker &worker) {
  uint32_t taken = 0;
  uint64_t seen = __atomic_load_n(&ticket, __ATOMIC_RELAXED);
  while (uint64_t left = seen & kCountMask) {
    // On failure `seen` is the new value.
    if (!__atomic_compare_exchange_n(&ticket, &seen, seen - 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    job.fn(job.operands, job.tasks - int64_t(left), job.iteration, job.shared,
           worker.scratch);
    ++taken;
    seen = __atomic_load_n(&ticket, __ATOMIC_RELAXED);
  }
  worker.tasks += taken;
  return taken;
}

/// Tells the caller that `tasks` are done.
void Pool::report(uint32_t tasks) {
  if (tasks == 0)
    return;
  uint32_t left = __atomic_sub_fetch(&pending, tasks, __ATOMIC_SEQ_CST);
  if (left == 0 && __atomic_load_n(&callerSleeps, __ATOMIC_SEQ_CST))
    futexWake(&pending, 1);
}

/// Returns a ticket with tasks left, or one that says stop.
uint64_t Pool::waitForTasks() {
  uint64_t seen = 0;
  auto isThere = [&] {
    seen = __atomic_load_n(&ticket, __ATOMIC_SEQ_CST);
    return (seen & (kStop | kCountMask)) != 0;
  };
  if (waitAwake(spinCycles, isThere))
    return seen;
  while (true) {
    __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST);
    uint32_t expected = __atomic_load_n(&wakeups, __ATOMIC_ACQUIRE);
    if (!isThere())
      futexWait(&wakeups, expected);
    __atomic_fetch_sub(&sleepers, 1, __ATOMIC_RELAXED);
    if (isThere())
      return seen;
  }
}

/// Returns when every task of the region is reported.
void Pool::waitForOthers() {
  uint32_t left = 0;
  auto isDone = [&] {
    left = __atomic_load_n(&pending, __ATOMIC_SEQ_CST);
    return left == 0;
  };
  if (waitAwake(spinCycles, isDone))
    return;
  __atomic_store_n(&callerSleeps, 1, __ATOMIC_SEQ_CST);
  while (!isDone())
    futexWait(&pending, left);
  __atomic_store_n(&callerSleeps, 0, __ATOMIC_RELAXED);
}
