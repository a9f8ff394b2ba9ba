// After bind the runtime allocates, maps and writes nothing of its own. The
// C library's allocator is replaced in this binary by one that counts.
#include "Bound.h"

#include "../../Common/TemporaryDirectory.h"

#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

static std::atomic<uint64_t> numAllocations;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&         \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&   \
    !__has_feature(memory_sanitizer)
#define TT_COUNTS_ALLOCATIONS 1
extern "C" {
void *malloc(size_t bytes) {
  ++numAllocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++numAllocations;
  return __libc_calloc(count, bytes);
}
void *realloc(void *old, size_t bytes) {
  ++numAllocations;
  return __libc_realloc(old, bytes);
}
int posix_memalign(void **result, size_t alignment, size_t bytes) {
  ++numAllocations;
  *result = __libc_memalign(alignment, bytes);
  return *result ? 0 : 12;
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++numAllocations;
  return __libc_memalign(alignment, bytes);
}
void free(void *pointer) {
  if (pointer)
    ++numAllocations;
  __libc_free(pointer);
}
}
#else
#define TT_COUNTS_ALLOCATIONS 0
#endif

using namespace tt::runtime::test;

namespace {

/// What the process has mapped, in pages, and its program break.
struct Mapped {
  unsigned long pages = 0;
  void *programBreak = sbrk(0);
  Mapped() {
    // By hand: stdio would allocate.
    char text[128] = {};
    int fd = open("/proc/self/statm", O_RDONLY);
    if (read(fd, text, sizeof(text) - 1) > 0)
      sscanf(text, "%lu", &pages);
    close(fd);
  }
  bool operator==(const Mapped &other) const {
    return pages == other.pages && programBreak == other.programBreak;
  }
};

} // namespace

TEST(Memory, NothingIsAllocatedAfterBind) {
  Bound bound(2);
  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("alloc.safetensors");
  const char *metadata[] = {"note", "none"};
  float y[TINY_WIDTH];
  Mapped before;
  uint64_t allocationsBefore = numAllocations;
  bool ok = tt_init(bound.handle, 1) == TT_OK;
  for (int i = 0; i < 1000; ++i) {
    ok &= bound.callLogits(y) == TT_OK;
    ok &= bound.callTrainStep() == TT_OK;
  }
  ok &= tt_param_set(bound.handle, TINY_B, y, 10) == TT_OK;
  ok &= tt_param_get(bound.handle, TINY_B, y, 10) == TT_OK;
  ok &= tt_save(bound.handle, path.c_str(), 1, metadata, 1) == TT_OK;
  bound.ids[0] = 8; // an error, too
  ok &= bound.callLogits(y) == TT_ERR_INDEX;
  uint64_t allocationsAfter = numAllocations;
  Mapped after;
  EXPECT_TRUE(ok) << tt_last_error();
  EXPECT_EQ(allocationsAfter, allocationsBefore);
  if (TT_COUNTS_ALLOCATIONS)
    EXPECT_TRUE(after == before);
  ASSERT_TRUE(!TT_COUNTS_ALLOCATIONS || allocationsBefore > 0)
      << "the counter does not count";
}

TEST(Memory, NothingOutsideTheRegionsIsTouched) {
  for (uint32_t threads : {1u, 2u, 5u}) {
    Bound bound(threads);
    float y[TINY_WIDTH];
    ASSERT_EQ(tt_init(bound.handle, 1), TT_OK);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(bound.callLogits(y), TT_OK);
      ASSERT_EQ(bound.callTrainStep(), TT_OK);
    }
    EXPECT_TRUE(bound.areCanariesIntact());
  }
}

// Parameters and state are the caller's: bind leaves them as they are, and
// what lies between tensors is never written.
TEST(Memory, BindLeavesParametersAndGapsBetweenThem) {
  Bound bound(2);
  const GuardedRegion &region = *bound.parameters;
  for (uint64_t i = 0; i < region.bytes; ++i)
    ASSERT_EQ(static_cast<unsigned char>(region.data()[i]),
              GuardedRegion::kCanary);
  ASSERT_EQ(tt_init(bound.handle, 1), TT_OK);
  const uint64_t end = 4 * TINY_VOCABULARY * TINY_WIDTH;
  for (uint64_t i = end; i < 1216; ++i)
    EXPECT_EQ(static_cast<unsigned char>(region.data()[i]),
              GuardedRegion::kCanary);
  for (uint64_t i = 1216 + 10; i < region.bytes; ++i)
    EXPECT_EQ(static_cast<unsigned char>(region.data()[i]),
              GuardedRegion::kCanary);
}
