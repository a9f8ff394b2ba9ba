//===- Instance.h - A bound model's control block ---------------*- C++ -*-===//
//
// Layout of the instance memory, each part at a multiple of 64:
//   tt_instance | Worker x threads | operand address x all entries' operands
//               | start of its operand addresses x entries
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_RUNTIME_INSTANCE_H
#define TT_LIB_RUNTIME_INSTANCE_H

#include "Pool.h"

#include "tt/runtime/ModelTable.h"

/// Lives at the start of the caller's instance memory, no constructor runs:
/// bind zeroes it and fills it in.
struct tt_instance {
  uint64_t magic; // kInstanceMagic from bind to release
  const tt_instance *self;
  const tt_model_desc *model;
  tt_parallel_for_fn parallelFor; // NULL: the pool
  void *parallelForCtx;
  char *roots[TT_REGION_COUNT]; // NULL for a state that is not there
  char *planned;                // the arena's root again, for shared workspace
  tt::runtime::Worker *workers;
  char *const *const *entryOperands; // per entry, its operand table's addresses
  char *arena;
  uint64_t arenaBytes;
  uint32_t threads;
  uint32_t isa;     // TT_ISA_*
  uint32_t isBusy;  // set while a call runs
  uint32_t hookBad; // the host's parallel_for broke its contract
  tt::runtime::Pool pool;
};

namespace tt::runtime {

constexpr uint64_t kInstanceMagic = 0x454c444e41485454; // "TTHANDLE"
constexpr uint64_t kAlignment = 64;

/// Where the parts of the instance memory and of the arena start.
struct Layout {
  uint64_t workers;
  uint64_t operands;
  uint64_t entryOperands;
  uint64_t instanceBytes;
  uint64_t workerScratch; // in the arena
  uint64_t planned;       // in the arena
  uint64_t arenaBytes;
};

/// Checks the threads and computes the layout for them (0: 1, and sets it).
tt_status computeLayout(const tt_model_desc *model, uint32_t &threads,
                        Layout &layout);

/// Holds the instance for one call: checks the handle and that no other call
/// is in it.
class InstanceCall {
public:
  explicit InstanceCall(tt_instance *instance);
  ~InstanceCall();
  InstanceCall(const InstanceCall &) = delete;
  InstanceCall &operator=(const InstanceCall &) = delete;

  /// TT_OK, or why the call must not go on.
  tt_status status() const { return result; }

private:
  tt_instance *instance;
  tt_status result;
};

} // namespace tt::runtime

#endif
