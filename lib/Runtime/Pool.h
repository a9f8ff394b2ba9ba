//===- Pool.h - Threads that run the tasks of one region --------*- C++ -*-===//
//
// A region is one phase: n independent tasks, then a barrier. The caller
// publishes it, works on it like everybody else, and waits for what others
// took. All state lies in the caller's instance memory.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_RUNTIME_POOL_H
#define TT_LIB_RUNTIME_POOL_H

#include "tt/runtime/ModelTable.h"

#include <pthread.h>

namespace tt::runtime {

/// What the tasks of a region have in common.
struct Region {
  tt_kernel_fn fn;
  char *const *operands;
  int64_t iteration;
  char *shared;
  int64_t tasks; // in [0, TT_MAX_TASKS]
};

class Pool;

/// One worker. 128 bytes: neighbouring cache lines are fetched in pairs.
struct alignas(64) Worker {
  uint64_t tasks; // run since bind
  char *scratch;
  Pool *pool;
  pthread_t thread; // not worker 0, the caller
  uint64_t padding[12];
};
static_assert(sizeof(Worker) == 128, "two cache lines");

class Pool {
public:
  /// Starts threads for workers[1..threads). On failure none is left and the
  /// result is the system's error number, else 0.
  int start(Worker *workers, uint32_t threads);
  /// Ends and joins the threads. Harmless when none runs.
  void stop();

  /// Runs all tasks of the region and returns when they are done. One caller
  /// at a time, and never from within a task.
  void run(const Region &region);

private:
  static void *threadMain(void *argument);
  uint32_t takeTasks(Worker &worker);
  uint64_t waitForTasks();
  void waitForOthers();
  void report(uint32_t tasks);

  // The ticket says everything a worker must know to join or to stay away:
  // [stop:1 | epoch:39 | tasks left:24]. Taking a task is one compare and
  // swap. A worker that slept through a region cannot take a task of a later
  // one by mistake since the epoch differs, so the caller need not wait for
  // workers that took nothing, and `job` may be read without a lock by the
  // holder of a task: it cannot change before that task is reported.
  alignas(64) uint64_t ticket;
  Region job; // in the ticket's line: one transfer brings both

  alignas(64) uint32_t pending; // tasks not reported yet; a futex
  uint32_t callerSleeps;

  alignas(64) uint32_t wakeups; // a futex: changes when sleepers must look
  uint32_t sleepers;

  alignas(64) Worker *workers;
  uint64_t epoch;
  uint64_t spinCycles;
  uint32_t numThreads; // workers that run, the caller included
};

} // namespace tt::runtime

#endif
