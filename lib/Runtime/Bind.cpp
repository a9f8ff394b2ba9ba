//===- Bind.cpp - From memory of the caller to an instance ----------------===//
//
// Everything is checked before the first byte of the caller's memory changes.
// What can be computed once is computed here: operand addresses above all, so
// that a launch costs no address arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Cpu.h"
#include "Error.h"
#include "Instance.h"
#include "Tables.h"

#include <string.h>

using namespace tt::runtime;

namespace {

struct RegionOfCaller {
  const char *name;
  const void *start;
  uint64_t bytes;
  uint64_t wanted;
};

/// Presence, alignment and size of one region.
tt_status checkRegion(const RegionOfCaller &region) {
  if (!region.start)
    return region.wanted == 0
               ? TT_OK
               : fail(TT_ERR_ARGUMENT,
                      "expected %s memory of %llu bytes, but got NULL",
                      region.name, (unsigned long long)region.wanted);
  uintptr_t start = reinterpret_cast<uintptr_t>(region.start);
  if (start % kAlignment != 0)
    return fail(TT_ERR_ARGUMENT,
                "expected %s memory aligned to %u bytes, but got %p",
                region.name, unsigned(kAlignment), region.start);
  if (region.bytes < region.wanted)
    return fail(TT_ERR_MEMORY, "expected %s memory of %llu bytes, but got %llu",
                region.name, (unsigned long long)region.wanted,
                (unsigned long long)region.bytes);
  uintptr_t end;
  if (__builtin_add_overflow(start, region.wanted, &end))
    return fail(TT_ERR_ARGUMENT, "%s memory goes past the address space",
                region.name);
  return TT_OK;
}

bool overlap(const RegionOfCaller &lhs, const RegionOfCaller &rhs) {
  uintptr_t left = reinterpret_cast<uintptr_t>(lhs.start);
  uintptr_t right = reinterpret_cast<uintptr_t>(rhs.start);
  return lhs.start && rhs.start && lhs.wanted && rhs.wanted &&
         left < right + rhs.wanted && right < left + lhs.wanted;
}

tt_status checkMemory(const tt_model_desc *model, const tt_memory &memory,
                      const Layout &layout) {
  const RegionOfCaller regions[] = {
      {"instance", memory.instance, memory.instance_bytes,
       layout.instanceBytes},
      {"parameter", memory.parameters, memory.parameter_bytes,
       model->parameter_bytes},
      {"state", memory.state, memory.state_bytes,
       memory.state ? model->state_bytes : 0}, // may be left out
      {"arena", memory.arena, memory.arena_bytes, layout.arenaBytes}};
  constexpr int count = sizeof(regions) / sizeof(regions[0]);
  for (const RegionOfCaller &region : regions)
    if (tt_status status = checkRegion(region))
      return status;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j)
      if (overlap(regions[i], regions[j]))
        return fail(TT_ERR_ARGUMENT,
                    "expected separate regions, but %s and %s memory overlap",
                    regions[j].name, regions[i].name);
  return TT_OK;
}

tt_status checkOptions(const tt_bind_options &options) {
  if (options.struct_size != sizeof(tt_bind_options))
    return fail(TT_ERR_ARGUMENT,
                "expected tt_bind_options with struct_size %zu, but got %zu",
                sizeof(tt_bind_options), options.struct_size);
  if (!options.parallel_for && options.parallel_for_ctx)
    return fail(TT_ERR_ARGUMENT,
                "got a parallel_for_ctx, but no parallel_for to use it");
  return TT_OK;
}

/// The address of every operand of every entry.
void fillOperands(tt_instance &instance, char *base, const Layout &layout) {
  char **next = reinterpret_cast<char **>(base + layout.operands);
  char ***starts = reinterpret_cast<char ***>(base + layout.entryOperands);
  for (uint32_t i = 0; i < instance.model->num_entries; ++i) {
    const tt_entry_row &entry = instance.model->entries[i];
    starts[i] = next;
    for (uint32_t j = 0; j < entry.num_operands; ++j) {
      const tt_operand_row &operand = entry.operands[j];
      char *root = instance.roots[operand.region];
      // Without state its entries are refused, and nobody reads these.
      *next++ = root ? root + operand.offset : nullptr;
    }
  }
  instance.entryOperands = starts;
}

void fillInstance(tt_instance &instance, const tt_model_desc *model,
                  const tt_memory &memory, const tt_bind_options &options,
                  const Layout &layout) {
  char *base = static_cast<char *>(memory.instance);
  char *arena = static_cast<char *>(memory.arena);
  memset(&instance, 0, sizeof(instance));
  instance.self = &instance;
  instance.model = model;
  instance.parallelFor = options.parallel_for;
  instance.parallelForCtx = options.parallel_for_ctx;
  instance.roots[TT_REGION_PARAMETERS] = static_cast<char *>(memory.parameters);
  instance.roots[TT_REGION_STATE] = static_cast<char *>(memory.state);
  instance.roots[TT_REGION_IO] = arena;
  // Tables hold constants as data, kernels take char *; none writes there.
  instance.roots[TT_REGION_CONSTANT] = const_cast<char *>(model->constants);
  if (arena)
    instance.planned = arena + layout.planned;
  instance.roots[TT_REGION_ARENA] = instance.planned;
  instance.arena = arena;
  instance.arenaBytes = layout.arenaBytes;
  instance.threads = options.threads;

  instance.workers = reinterpret_cast<Worker *>(base + layout.workers);
  memset(instance.workers, 0, options.threads * sizeof(Worker));
  for (uint32_t i = 0; i < options.threads; ++i)
    if (arena)
      instance.workers[i].scratch =
          arena + layout.workerScratch + i * model->worker_bytes;
  fillOperands(instance, base, layout);
}

} // namespace

extern "C" tt_status tt_model_bind(const tt_model_desc *model,
                                   const tt_memory *memory,
                                   const tt_bind_options *optionsOrNull,
                                   tt_instance **instance) {
  touchErrorText();
  if (!instance)
    return fail(TT_ERR_ARGUMENT, "expected a place for the instance, but got "
                                 "NULL");
  *instance = nullptr;
  if (tt_status status = checkModel(model))
    return status;
  if (!memory)
    return fail(TT_ERR_ARGUMENT, "expected memory, but got NULL");
  if (memory->struct_size != sizeof(tt_memory))
    return fail(TT_ERR_ARGUMENT,
                "expected tt_memory with struct_size %zu, but got %zu",
                sizeof(tt_memory), memory->struct_size);
  tt_bind_options options = {};
  options.struct_size = sizeof(options);
  if (optionsOrNull)
    options = *optionsOrNull;
  if (tt_status status = checkOptions(options))
    return status;

  Layout layout;
  if (tt_status status = computeLayout(model, options.threads, layout))
    return status;
  uint32_t isa;
  if (tt_status status =
          chooseIsa(model->isa_mask, cpuIsaMask(), options.isa_level, isa))
    return status;
  if (tt_status status = checkTables(model, isa))
    return status;
  if (tt_status status = checkMemory(model, *memory, layout))
    return status;

  tt_instance &bound = *static_cast<tt_instance *>(memory->instance);
  fillInstance(bound, model, *memory, options, layout);
  bound.isa = isa;
  // A host that brings its own threads gets none of ours.
  uint32_t poolThreads = options.parallel_for ? 1 : options.threads;
  if (int error = bound.pool.start(bound.workers, poolThreads))
    return fail(TT_ERR_MEMORY, "the system would not start %u threads: %s",
                options.threads, strerrordesc_np(error));
  bound.magic = kInstanceMagic;
  *instance = &bound;
  return TT_OK;
}

extern "C" void tt_release(tt_instance *instance) {
  if (!instance)
    return;
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return; // released before, or busy: the text says which
  instance->pool.stop();
  instance->magic = 0;
}
