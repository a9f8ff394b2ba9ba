//===- Walk.cpp - Running an entry's launches -----------------------------===//

#include "Walk.h"

#include "Error.h"
#include "FpMode.h"

using namespace tt::runtime;

namespace {

struct HostedRegion {
  tt_instance &instance;
  const Region &region;
};

/// What the host's parallel_for calls. The worker number decides where scratch
/// is written, so it is not taken on trust.
void runHostedTask(void *argument, uint32_t worker, int64_t index) {
  auto &[instance, region] = *static_cast<HostedRegion *>(argument);
  if (worker >= instance.threads || index < 0 || index >= region.tasks) {
    __atomic_store_n(&instance.hookBad, 1, __ATOMIC_RELAXED);
    return;
  }
  DefaultFpMode mode;
  Worker &state = instance.workers[worker];
  region.fn(region.operands, index, region.iteration, region.shared,
            state.scratch);
  ++state.tasks;
}

uint64_t countTasks(const tt_instance &instance) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < instance.threads; ++i)
    sum += instance.workers[i].tasks;
  return sum;
}

void runHosted(tt_instance &instance, const Region &region) {
  HostedRegion hosted = {instance, region};
  uint64_t before = countTasks(instance);
  instance.parallelFor(instance.parallelForCtx, runHostedTask, &hosted,
                       region.tasks);
  if (countTasks(instance) - before != uint64_t(region.tasks))
    __atomic_store_n(&instance.hookBad, 1, __ATOMIC_RELAXED);
}

void launchKernel(tt_instance &instance, const tt_launch_row &launch,
                  char *const *operands) {
  const tt_kernel_row &kernel = instance.model->kernels[launch.kernel];
  uint32_t isa = instance.isa;
  Region region = {};
  region.operands = operands;
  if (kernel.shared_bytes)
    region.shared = instance.planned + launch.shared_offset;
  for (int64_t i = 0; i < kernel.repeat[isa]; ++i)
    for (uint32_t p = 0; p < kernel.num_phases; ++p) {
      region.fn = kernel.phases[p].fn[isa];
      region.tasks = kernel.phases[p].tasks[isa];
      region.iteration = i;
      runRegion(instance, region);
    }
}

} // namespace

void tt::runtime::runRegion(tt_instance &instance, const Region &region) {
  if (region.tasks > 1 && instance.threads > 1) {
    if (instance.parallelFor)
      runHosted(instance, region);
    else
      instance.pool.run(region);
    return;
  }
  Worker &caller = instance.workers[0];
  for (int64_t i = 0; i < region.tasks; ++i)
    region.fn(region.operands, i, region.iteration, region.shared,
              caller.scratch);
  caller.tasks += region.tasks;
}

void tt::runtime::walkEntry(tt_instance &instance, uint32_t entry) {
  const tt_entry_row &row = instance.model->entries[entry];
  char *const *operands = instance.entryOperands[entry];
  for (uint32_t i = 0; i < row.num_launches; ++i)
    launchKernel(instance, row.launches[i],
                 operands + row.launches[i].first_operand);
}

tt_status tt::runtime::checkHook(tt_instance &instance) {
  if (!instance.hookBad)
    return TT_OK;
  instance.hookBad = 0;
  return fail(TT_ERR_STATE,
              "the host's parallel_for did not run every task once on a worker "
              "below %u; the results are undefined",
              instance.threads);
}
