//===- StepRunner.h - One instance of a compiled library, watched -*- C++ -*-=//
//
// For tests: memory between guard pages and filled with a pattern, steps on
// batches that follow from a counter, and a hash of everything that training
// changes.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_STEPRUNNER_H
#define TT_TEST_STEPRUNNER_H

#include "tt/runtime/Model.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tt::test {

/// Memory with an unreadable page on both sides; the end is exact.
class GuardedRegion {
public:
  bool allocate(uint64_t bytes, unsigned char pattern);
  ~GuardedRegion();
  GuardedRegion() = default;
  GuardedRegion(const GuardedRegion &) = delete;

  unsigned char *data() const { return begin; }
  uint64_t size() const { return bytes; }
  /// One past the highest byte that is not `pattern`.
  uint64_t touched(unsigned char pattern) const;

private:
  unsigned char *mapping = nullptr, *begin = nullptr;
  uint64_t mapped = 0, bytes = 0;
};

class StepRunner {
public:
  StepRunner(std::shared_ptr<const runtime::Library> library, uint32_t threads,
             uint32_t isaLevel)
      : library(std::move(library)), threads(threads), isaLevel(isaLevel) {}
  ~StepRunner();

  bool bind(unsigned char pattern, std::string &error);
  /// Runs steps first .. first + count - 1 from the present parameters.
  bool train(int64_t first, int64_t count, std::string &error);
  bool init(uint64_t seed, std::string &error);
  /// FNV-1a over parameters and state, and with the last loss.
  uint64_t stateHash() const;
  uint64_t hash() const;
  float loss() const { return lastLoss; }
  std::vector<uint64_t> workerTasks() const;
  const tt_sizes &sizes() const { return needed; }

  GuardedRegion instanceMemory, parameters, state, arena;
  std::shared_ptr<const runtime::Library> library;
  tt_instance *instance = nullptr;

private:
  uint32_t threads, isaLevel;
  tt_sizes needed = {};
  float lastLoss = 0;
};

} // namespace tt::test

#endif
