//===- Walk.h - Running an entry's launches ---------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_WALK_H
#define TT_LIB_RUNTIME_WALK_H

#include "Instance.h"

namespace tt::runtime {

/// Runs the tasks of one region on the instance's threads: the pool's or the
/// host's. One task runs here and wakes nobody.
void runRegion(tt_instance &instance, const Region &region);

/// Runs the launches of an entry in their order.
void walkEntry(tt_instance &instance, uint32_t entry);

/// TT_OK, or TT_ERR_STATE if the host's parallel_for broke its contract since
/// the last time this was asked.
tt_status checkHook(tt_instance &instance);

} // namespace tt::runtime

#endif
