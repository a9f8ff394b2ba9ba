// The system refuses the N-th thread, for every N: bind fails as a whole, no
// thread is left, and a later bind into the same memory works. pthread_create
// is replaced in this binary; sanitizers replace it themselves.
#include "Bound.h"

#include <cerrno>
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&   \
    !__has_feature(memory_sanitizer)

static int failAt = -1; // counts down; the thread that finds 0 is refused

extern "C" int pthread_create(pthread_t *thread,
                              const pthread_attr_t *attributes,
                              void *(*start)(void *), void *argument) {
  using Create =
      int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const Create real =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (failAt >= 0 && failAt-- == 0)
    return EAGAIN;
  return real(thread, attributes, start, argument);
}

using namespace tt::runtime::test;

static int countThreadsOnce() {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (dirent *entry = readdir(tasks))
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/// A joined thread is gone from /proc a little later.
static int countThreads(int expected) {
  for (int i = 0; i < 1000 && countThreadsOnce() != expected; ++i)
    usleep(1000);
  return countThreadsOnce();
}

TEST(ThreadFailure, EveryThread) {
  Memory regions(tiny_model(), 4);
  tt_memory memory = regions.get();
  int before = countThreadsOnce();
  for (int n = 0; n < 3; ++n) {
    failAt = n;
    tt_instance *instance = reinterpret_cast<tt_instance *>(64);
    EXPECT_STATUS(
        tt_model_bind(tiny_model(), &memory, &regions.options, &instance),
        TT_ERR_MEMORY, "4 threads", "Resource temporarily unavailable");
    failAt = -1;
    EXPECT_EQ(instance, nullptr);
    EXPECT_EQ(countThreads(before), before);
  }
  tt_instance *instance;
  ASSERT_EQ(tt_model_bind(tiny_model(), &memory, &regions.options, &instance),
            TT_OK);
  EXPECT_EQ(countThreads(before + 3), before + 3);
  tt_release(instance);
  EXPECT_EQ(countThreads(before), before);
}

#endif
