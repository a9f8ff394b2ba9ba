// Numbers for people.
#ifndef TT_TRAINER_REPORT_H
#define TT_TRAINER_REPORT_H

#include "tt/runtime/tt.h"

#include <cstdint>
#include <string>

namespace tt::trainer {

/// "1,234,567"
std::string formatCount(uint64_t count);
/// "1.23 MiB"; below 1 KiB "12 B".
std::string formatBytes(uint64_t bytes);
/// What the library asked for, a line per part, and the sum.
std::string formatMemory(const tt_sizes &sizes);
/// The two cross-entropies and their difference, a line each. `unit`:
/// "characters" or "bytes"; `numTargets` of them were predicted.
std::string formatComparison(double loss, double baseline, const char *unit,
                             uint64_t numTargets);

} // namespace tt::trainer
#endif
