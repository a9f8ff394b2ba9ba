//===- Bound.h - A bound model for tests ------------------------*- C++ -*-===//
//
// Every region ends where an inaccessible page begins and starts after one or
// after a canary, so that a byte written outside is seen.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_UNIT_RUNTIME_BOUND_H
#define TT_TEST_UNIT_RUNTIME_BOUND_H

#include "TinyModel.h"

#include "gtest/gtest.h"

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace tt::runtime::test {

class GuardedRegion {
public:
  static constexpr uint64_t kPage = 4096;
  static constexpr unsigned char kCanary = 0xC5;

  explicit GuardedRegion(uint64_t newBytes) : bytes(newBytes) {
    uint64_t rounded = (bytes + kPage - 1) / kPage * kPage;
    total = rounded + 2 * kPage;
    map = static_cast<char *>(mmap(nullptr, total, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(map, kPage, PROT_NONE);
    mprotect(map + kPage + rounded, kPage, PROT_NONE);
    memset(map + kPage, kCanary, rounded);
    // Regions are multiples of 64 here, so the end is flush with the guard.
    start = map + kPage + rounded - bytes;
  }
  ~GuardedRegion() { munmap(map, total); }
  GuardedRegion(const GuardedRegion &) = delete;
  GuardedRegion &operator=(const GuardedRegion &) = delete;

  char *data() const { return start; }
  bool isCanaryIntact() const {
    for (const char *p = map + kPage; p < start; ++p)
      if (static_cast<unsigned char>(*p) != kCanary)
        return false;
    return true;
  }

  const uint64_t bytes;

private:
  uint64_t total;
  char *map;
  char *start;
};

/// Memory for a model, and options to bind it with.
struct Memory {
  Memory(const tt_model_desc *model, uint32_t threads) {
    sizes.struct_size = sizeof(sizes);
    EXPECT_EQ(tt_model_query(model, threads, &sizes), TT_OK) << tt_last_error();
    instance = std::make_unique<GuardedRegion>(sizes.instance_bytes);
    parameters = std::make_unique<GuardedRegion>(sizes.parameter_bytes);
    state = std::make_unique<GuardedRegion>(sizes.state_bytes);
    arena = std::make_unique<GuardedRegion>(sizes.arena_bytes);
    options.struct_size = sizeof(options);
    options.threads = threads;
  }

  tt_memory get() const {
    return {sizeof(tt_memory),  instance->data(),  instance->bytes,
            parameters->data(), parameters->bytes, state->data(),
            state->bytes,       arena->data(),     arena->bytes};
  }
  bool areCanariesIntact() const {
    return instance->isCanaryIntact() && parameters->isCanaryIntact() &&
           state->isCanaryIntact() && arena->isCanaryIntact();
  }

  tt_sizes sizes = {};
  tt_bind_options options = {};
  std::unique_ptr<GuardedRegion> instance, parameters, state, arena;
};

/// The tiny model, bound.
struct Bound : Memory {
  explicit Bound(uint32_t threads, uint32_t isaLevel = 0,
                 tt_parallel_for_fn hook = nullptr, void *hookCtx = nullptr)
      : Memory(tiny_model(), threads) {
    options.isa_level = isaLevel;
    options.parallel_for = hook;
    options.parallel_for_ctx = hookCtx;
    tt_memory memory = get();
    EXPECT_EQ(tt_model_bind(tiny_model(), &memory, &options, &handle), TT_OK)
        << tt_last_error();
  }
  ~Bound() { tt_release(handle); }

  tt_status callLogits(float *y, int32_t *level = nullptr) {
    const void *inputs[] = {ids, flags, x};
    void *outputs[] = {y, level};
    return tt_call(handle, TINY_LOGITS, inputs, outputs);
  }
  tt_status callTrainStep(int64_t *step = nullptr) {
    const void *inputs[] = {x};
    void *outputs[] = {step};
    return tt_call(handle, TINY_TRAIN_STEP, inputs, outputs);
  }

  tt_instance *handle = nullptr;
  int32_t ids[TINY_IDS] = {1, 7, TINY_IGNORE, 0};
  uint8_t flags[2] = {0, 1};
  float x[TINY_WIDTH] = {0.5f, -1.25f, 3.0f};
};

inline bool contains(const char *text,
                     std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    if (!strstr(text, part))
      return false;
  return true;
}

} // namespace tt::runtime::test

/// The status, and parts of the text.
#define EXPECT_STATUS(EXPRESSION, STATUS, ...)                                 \
  do {                                                                         \
    EXPECT_EQ(EXPRESSION, STATUS);                                             \
    EXPECT_TRUE(::tt::runtime::test::contains(tt_last_error(), {__VA_ARGS__})) \
        << tt_last_error();                                                    \
  } while (false)

#endif
