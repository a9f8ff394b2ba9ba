//===- Query.cpp - The memory that an instance needs ----------------------===//

#include "Error.h"
#include "Instance.h"
#include "Tables.h"

#include "tt/runtime/Sizes.h"

using namespace tt::runtime;

namespace {

/// A sum of sizes that remembers whether it overflowed.
class CheckedSum {
public:
  void add(uint64_t count, uint64_t bytes) {
    uint64_t product;
    overflow |= __builtin_mul_overflow(count, bytes, &product) ||
                __builtin_add_overflow(sum, product, &sum);
  }
  /// Rounds up to the alignment; the offset of what comes next.
  uint64_t align() {
    overflow |= __builtin_add_overflow(sum, kAlignment - 1, &sum);
    return sum &= ~(kAlignment - 1);
  }
  uint64_t value() const { return sum; }
  bool hasOverflown() const { return overflow; }

private:
  uint64_t sum = 0;
  bool overflow = false;
};

/// The offsets of an instance's parts; false if they do not fit in 64 bits.
bool layOutInstance(uint64_t numEntries, uint64_t numOperands, uint64_t threads,
                    Layout &layout) {
  CheckedSum instance;
  instance.add(1, sizeof(tt_instance));
  layout.workers = instance.align();
  instance.add(threads, sizeof(Worker));
  layout.operands = instance.align();
  instance.add(numOperands, sizeof(char *));
  layout.entryOperands = instance.align();
  instance.add(numEntries, sizeof(char *const *));
  layout.instanceBytes = instance.align();
  return !instance.hasOverflown();
}

} // namespace

uint64_t tt::runtime::instanceBytes(uint64_t numEntries, uint64_t numOperands,
                                    uint64_t threads) {
  static_assert(sizeof(Worker) % kAlignment == 0, "linear in the number of threads");
  Layout layout;
  return layOutInstance(numEntries, numOperands, threads, layout) ? layout.instanceBytes
                                                                  : 0;
}

tt_status tt::runtime::computeLayout(const tt_model_desc *model,
                                     uint32_t &threads, Layout &layout) {
  if (threads == 0)
    threads = 1;
  if (threads > model->max_threads)
    return fail(TT_ERR_ARGUMENT,
                "expected at most %u threads (the model's --max-threads), but "
                "got %u",
                model->max_threads, threads);
  if (model->num_entries && !model->entries)
    return fail(TT_ERR_STATE, "the model has no entry table");

  CheckedSum operands;
  for (uint32_t i = 0; i < model->num_entries; ++i)
    operands.add(model->entries[i].num_operands, 1);
  bool fits = layOutInstance(model->num_entries, operands.value(), threads, layout) &&
              !operands.hasOverflown();

  CheckedSum arena;
  arena.add(1, model->io_bytes);
  layout.workerScratch = arena.value();
  arena.add(threads, model->worker_bytes);
  layout.planned = arena.value();
  arena.add(1, model->planned_bytes);
  layout.arenaBytes = arena.value();

  CheckedSum parts;
  parts.add(1, model->gradient_bytes);
  parts.add(1, model->activation_bytes);
  parts.add(1, model->workspace_bytes);
  if (!fits || arena.hasOverflown() || parts.hasOverflown() ||
      parts.value() != model->planned_bytes ||
      model->io_bytes % kAlignment != 0 ||
      model->worker_bytes % kAlignment != 0)
    return fail(TT_ERR_STATE, "the model's sizes are damaged");
  return TT_OK;
}

extern "C" tt_status tt_model_query(const tt_model_desc *model,
                                    uint32_t threads, tt_sizes *sizes) {
  if (tt_status status = checkModel(model))
    return status;
  if (!sizes)
    return fail(TT_ERR_ARGUMENT, "expected sizes, but got NULL");
  if (sizes->struct_size != sizeof(tt_sizes))
    return fail(TT_ERR_ARGUMENT,
                "expected tt_sizes with struct_size %zu, but got %zu",
                sizeof(tt_sizes), sizes->struct_size);
  Layout layout;
  if (tt_status status = computeLayout(model, threads, layout))
    return status;
  sizes->abi_version = TT_ABI_VERSION;
  sizes->threads = threads;
  sizes->alignment = kAlignment;
  sizes->instance_bytes = layout.instanceBytes;
  sizes->parameter_bytes = model->parameter_bytes;
  sizes->state_bytes = model->state_bytes;
  sizes->arena_bytes = layout.arenaBytes;
  sizes->io_bytes = model->io_bytes;
  sizes->worker_bytes = layout.planned - layout.workerScratch;
  sizes->gradient_bytes = model->gradient_bytes;
  sizes->activation_bytes = model->activation_bytes;
  sizes->workspace_bytes = model->workspace_bytes;
  return TT_OK;
}
