#include "Bound.h"

#include <cmath>
#include <thread>
#include <unistd.h>
#include <xmmintrin.h>

using namespace tt::runtime::test;

namespace {

/// logits by the formula in TinyModel.c, in the same order of operations.
std::vector<float> expectedLogits(const Bound &bound, const float *w) {
  std::vector<float> acc(TINY_WIDTH), partial(TINY_WIDTH);
  for (int j = 0; j < TINY_WIDTH; ++j) {
    float sum = bound.x[j];
    for (int32_t id : bound.ids)
      if (id >= 0)
        sum += w[id * TINY_WIDTH + j];
    acc[j] = sum;
  }
  for (int r = 0; r < TINY_REPEAT; ++r) {
    float total = 0;
    for (int j = 0; j < TINY_WIDTH; ++j)
      partial[j] = acc[j] * 1.01f + float(r);
    for (float p : partial)
      total += p;
    for (int j = 0; j < TINY_WIDTH; ++j)
      acc[j] = acc[j] * 8.0f / 16.0f + total / float(j + 1);
  }
  return acc;
}

std::vector<float> runSteps(Bound &bound, int steps) {
  EXPECT_EQ(tt_init(bound.handle, 42), TT_OK);
  std::vector<float> all(steps * TINY_WIDTH);
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(bound.callLogits(&all[i * TINY_WIDTH]), TT_OK);
    EXPECT_EQ(bound.callTrainStep(), TT_OK);
  }
  return all;
}

} // namespace

TEST(Call, PhasesRepeatsAndOutputs) {
  Bound bound(1);
  ASSERT_EQ(tt_init(bound.handle, 7), TT_OK);
  float w[TINY_VOCABULARY * TINY_WIDTH];
  ASSERT_EQ(tt_param_get(bound.handle, TINY_W, w, sizeof(w)), TT_OK);
  float y[TINY_WIDTH];
  ASSERT_EQ(bound.callLogits(y), TT_OK);
  std::vector<float> wanted = expectedLogits(bound, w);
  for (int j = 0; j < TINY_WIDTH; ++j)
    EXPECT_EQ(y[j], wanted[j]) << j;
}

TEST(Call, StateAdvances) {
  Bound bound(2);
  ASSERT_EQ(tt_init(bound.handle, 7), TT_OK);
  int64_t step = -1;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(bound.callTrainStep(&step), TT_OK);
    EXPECT_EQ(step, i);
  }
}

TEST(Call, SameBitsForAnyNumberOfThreads) {
  Bound one(1);
  std::vector<float> wanted = runSteps(one, 20);
  for (uint32_t threads : {2u, 3u, 4u, 8u, 64u, 256u}) {
    Bound bound(threads);
    std::vector<float> found = runSteps(bound, 20);
    EXPECT_EQ(memcmp(found.data(), wanted.data(), found.size() * 4), 0)
        << threads << " threads";
  }
}

// A task that sleeps leaves the others to the other workers.
TEST(Call, EveryWorkerReports) {
  for (uint32_t threads : {1u, 2u, 4u, 8u, 64u}) {
    Bound bound(threads);
    std::vector<uint64_t> tasks(threads);
    float y[TINY_WIDTH];
    tiny_task_hook = [] { usleep(200); };
    uint64_t calls = 0;
    bool haveAll = false;
    for (; !haveAll && calls < 2000; ++calls) {
      ASSERT_EQ(bound.callLogits(y), TT_OK);
      ASSERT_EQ(tt_worker_tasks(bound.handle, tasks.data(), threads), TT_OK);
      haveAll = true;
      for (uint64_t count : tasks)
        haveAll &= count > 0;
    }
    tiny_task_hook = nullptr;
    EXPECT_TRUE(haveAll) << threads << " threads";
    uint64_t sum = 0;
    for (uint64_t count : tasks)
      sum += count;
    // gather, three times mix, level.
    EXPECT_EQ(sum, calls * (TINY_WIDTH + 3 * (2 * TINY_WIDTH + 1) + 1));
  }
}

namespace {
struct HostPool {
  uint32_t workers;
  int regions = 0;
  // 0: as agreed; 1: a worker too many; 2: forgets the last task; 3: runs one
  // twice; 4: an index too far
  int misbehaviour = 0;
};

void hostParallelFor(void *ctx, tt_task_fn task, void *arg, int64_t n) {
  auto &pool = *static_cast<HostPool *>(ctx);
  ++pool.regions;
  std::vector<std::thread> threads;
  int64_t end = pool.misbehaviour == 2 ? n - 1 : n;
  for (uint32_t w = 0; w < pool.workers; ++w)
    threads.emplace_back([=] {
      for (int64_t i = w; i < end; i += pool.workers)
        task(arg, w, i);
    });
  for (std::thread &thread : threads)
    thread.join();
  if (pool.misbehaviour == 1)
    task(arg, pool.workers, 0);
  if (pool.misbehaviour == 3)
    task(arg, 0, 0);
  if (pool.misbehaviour == 4)
    task(arg, 0, n);
}
} // namespace

TEST(Call, HostParallelFor) {
  Bound one(1);
  std::vector<float> wanted = runSteps(one, 3);
  HostPool pool = {3};
  Bound bound(3, 0, hostParallelFor, &pool);
  std::vector<float> found = runSteps(bound, 3);
  EXPECT_EQ(memcmp(found.data(), wanted.data(), found.size() * 4), 0);
  // Per step: gather, 3 x (2 wide phases of mix), update. One-task phases do
  // not come by; init's tensors are one task each here.
  EXPECT_EQ(pool.regions, 3 * (1 + 6 + 1));
  uint64_t tasks[3];
  ASSERT_EQ(tt_worker_tasks(bound.handle, tasks, 3), TT_OK);
  for (uint64_t count : tasks)
    EXPECT_GT(count, 0u);
}

TEST(Call, HostThatBreaksItsContract) {
  for (int misbehaviour = 1; misbehaviour <= 4; ++misbehaviour) {
    HostPool pool = {2, 0, misbehaviour};
    Bound bound(2, 0, hostParallelFor, &pool);
    float y[TINY_WIDTH];
    EXPECT_STATUS(bound.callLogits(y), TT_ERR_STATE, "parallel_for");
    pool.misbehaviour = 0;
    EXPECT_EQ(bound.callLogits(y), TT_OK) << "usable again";
  }
}

TEST(Call, IndexOutOfRangeIsNamed) {
  Bound bound(2);
  ASSERT_EQ(tt_init(bound.handle, 7), TT_OK);
  for (int32_t bad :
       {int32_t(TINY_VOCABULARY), -1, INT32_MIN, INT32_MAX, -99}) {
    bound.ids[3] = bad;
    float y[TINY_WIDTH] = {123};
    std::vector<uint64_t> before(2), after(2);
    tt_worker_tasks(bound.handle, before.data(), 2);
    EXPECT_STATUS(bound.callLogits(y), TT_ERR_INDEX, "'ids'", "'logits'",
                  "[0, 8) or -100", "at [1, 1]", std::to_string(bad).c_str());
    tt_worker_tasks(bound.handle, after.data(), 2);
    EXPECT_EQ(before, after) << "something has run";
    EXPECT_EQ(y[0], 123);
  }
  bound.ids[3] = TINY_VOCABULARY - 1;
  float y[TINY_WIDTH];
  EXPECT_EQ(bound.callLogits(y), TT_OK);
}

TEST(Call, BooleansAreZeroOrOne) {
  Bound bound(1);
  bound.flags[1] = 2;
  float y[TINY_WIDTH];
  EXPECT_STATUS(bound.callLogits(y), TT_ERR_ARGUMENT, "'flags'", "0 or 1",
                "got 2", "[1]");
}

TEST(Call, NullsAndNumbers) {
  Bound bound(1);
  const void *inputs[] = {bound.ids, bound.flags, bound.x};
  float y[TINY_WIDTH];
  void *outputs[] = {y, nullptr};
  void *noOutputs[] = {nullptr, nullptr};
  EXPECT_EQ(tt_call(bound.handle, TINY_LOGITS, inputs, outputs), TT_OK);
  EXPECT_EQ(tt_call(bound.handle, TINY_LOGITS, inputs, noOutputs), TT_OK);
  EXPECT_EQ(tt_call(bound.handle, TINY_LOGITS, inputs, nullptr), TT_OK);
  EXPECT_STATUS(tt_call(bound.handle, TINY_LOGITS, nullptr, outputs),
                TT_ERR_ARGUMENT, "3 inputs", "NULL");
  for (int i = 0; i < 3; ++i) {
    const void *kept = inputs[i];
    inputs[i] = nullptr;
    EXPECT_STATUS(tt_call(bound.handle, TINY_LOGITS, inputs, outputs),
                  TT_ERR_ARGUMENT, "input", "NULL");
    inputs[i] = kept;
  }
  EXPECT_STATUS(tt_call(bound.handle, TINY_NUM_ENTRIES, inputs, outputs),
                TT_ERR_ARGUMENT, "below 2", "got 2");
  EXPECT_STATUS(tt_call(nullptr, TINY_LOGITS, inputs, outputs), TT_ERR_ARGUMENT,
                "instance", "NULL");
}

TEST(Call, BusyInstanceRefusesASecondCall) {
  static tt_instance *handle;
  static tt_status inner;
  Bound bound(1);
  handle = bound.handle;
  tiny_task_hook = [] {
    uint64_t tasks;
    inner = tt_worker_tasks(handle, &tasks, 1);
  };
  float y[TINY_WIDTH];
  tt_status outer = bound.callLogits(y);
  tiny_task_hook = nullptr;
  EXPECT_EQ(outer, TT_OK);
  EXPECT_EQ(inner, TT_ERR_STATE);
}

TEST(Call, ReleasedInstanceIsRefused) {
  Bound bound(2);
  tt_release(bound.handle);
  float y[TINY_WIDTH];
  EXPECT_STATUS(bound.callLogits(y), TT_ERR_STATE, "released");
  tt_release(bound.handle); // again: nothing happens
  tt_release(nullptr);
}

TEST(Call, CallersFloatingPointModeIsPutAsideAndBack) {
  Bound bound(2);
  ASSERT_EQ(tt_init(bound.handle, 3), TT_OK);
  float wanted[TINY_WIDTH], found[TINY_WIDTH];
  bound.x[5] = 1e-41f; // a denormal
  bound.ids[0] = bound.ids[1] = bound.ids[2] = bound.ids[3] = TINY_IGNORE;
  ASSERT_EQ(bound.callLogits(wanted), TT_OK);
  unsigned kept = _mm_getcsr();
  unsigned odd = kept | 0x8040 | 0x6000; // flush, denormals are zero, to zero
  _mm_setcsr(odd);
  tt_status status = bound.callLogits(found);
  unsigned after = _mm_getcsr();
  _mm_setcsr(kept);
  EXPECT_EQ(status, TT_OK);
  EXPECT_EQ(after, odd);
  EXPECT_EQ(memcmp(wanted, found, sizeof(found)), 0);
}

// Also what TSan is run on.
TEST(Call, TenThousandCalls) {
  for (uint32_t threads : {2u, 4u}) {
    Bound bound(threads);
    ASSERT_EQ(tt_init(bound.handle, 1), TT_OK);
    float first[TINY_WIDTH], y[TINY_WIDTH];
    ASSERT_EQ(bound.callLogits(first), TT_OK);
    for (int i = 0; i < 5000; ++i) {
      ASSERT_EQ(bound.callLogits(y), TT_OK);
      ASSERT_EQ(memcmp(first, y, sizeof(y)), 0) << i;
      if (i % 500 == 0)
        usleep(2000); // long enough for the workers to fall asleep
    }
  }
}

TEST(Call, TwoInstancesAtTheSameTime) {
  auto work = [](std::vector<float> *result) {
    Bound bound(2);
    *result = runSteps(bound, 50);
  };
  std::vector<float> first, second;
  std::thread other(work, &first);
  work(&second);
  other.join();
  EXPECT_EQ(first, second);
}

// An entry without launches: inputs of every index type, a scalar and an empty
// tensor, an output that is an input.
TEST(Call, IndexTypesScalarsAndEmptyTensors) {
  auto row = [](const char *name, tt_dtype dtype, std::vector<int64_t> shape,
                uint64_t offset, uint64_t bytes) {
    tt_tensor_row r = {};
    r.name = name;
    r.dtype = dtype;
    r.rank = shape.size();
    std::copy(shape.begin(), shape.end(), r.shape);
    r.region = TT_REGION_IO;
    r.offset = offset;
    r.bytes = bytes;
    r.index_limit = 100;
    return r;
  };
  tt_tensor_row inputs[] = {row("wide", TT_I64, {2}, 0, 16),
                            row("narrow", TT_I8, {}, 64, 1),
                            row("none", TT_I32, {0, 3}, 128, 0)};
  tt_entry_row entry = {};
  entry.name = "e";
  entry.inputs = inputs;
  entry.outputs = inputs;
  entry.num_inputs = entry.num_outputs = 3;
  tt_model_desc model = *tiny_model();
  model.entries = &entry;
  model.num_entries = 1;
  Memory regions(&model, 1);
  tt_memory memory = regions.get();
  tt_instance *instance;
  ASSERT_EQ(tt_model_bind(&model, &memory, nullptr, &instance), TT_OK);

  int64_t wide[2] = {0, 99}, wideBack[2] = {};
  int8_t narrow = 7;
  const void *in[] = {wide, &narrow, nullptr};
  void *out[] = {wideBack, nullptr, nullptr};
  EXPECT_EQ(tt_call(instance, 0, in, out), TT_OK) << tt_last_error();
  EXPECT_EQ(wideBack[1], 99);
  wide[1] = 1ll << 32; // 0 in 32 bits
  EXPECT_STATUS(tt_call(instance, 0, in, out), TT_ERR_INDEX, "'wide'",
                "[0, 100),", "4294967296 at [1]");
  wide[1] = 5;
  narrow = -3;
  EXPECT_STATUS(tt_call(instance, 0, in, out), TT_ERR_INDEX, "'narrow'",
                "-3 at []");
  tt_release(instance);
}

// What the update would silently skip: see checkUpdateScalar.
TEST(Call, RefusesAnUpdateThatWouldDoNothing) {
  tt_tensor_row inputs[2] = {};
  inputs[0].name = "step";
  inputs[0].dtype = TT_I64;
  inputs[0].bytes = 8;
  inputs[1].name = "learning_rate";
  inputs[1].dtype = TT_F32;
  inputs[1].offset = 64;
  inputs[1].bytes = 4;
  for (tt_tensor_row &row : inputs)
    row.region = TT_REGION_IO;
  tt_entry_row entries[2] = {};
  for (tt_entry_row &entry : entries) {
    entry.name = "update";
    entry.inputs = inputs;
    entry.num_inputs = 2;
  }
  entries[0].needs_state = 1;
  entries[1].name = "grad"; // reads step for its random numbers only
  tt_model_desc model = *tiny_model();
  model.entries = entries;
  model.num_entries = 2;
  Memory regions(&model, 1);
  tt_memory memory = regions.get();
  tt_instance *instance;
  ASSERT_EQ(tt_model_bind(&model, &memory, nullptr, &instance), TT_OK)
      << tt_last_error();

  int64_t step = 1;
  float rate = 0;
  const void *in[] = {&step, &rate};
  EXPECT_EQ(tt_call(instance, 0, in, nullptr), TT_OK) << tt_last_error();
  for (int64_t bad : {int64_t(0), int64_t(-1), INT64_MIN}) {
    step = bad;
    EXPECT_STATUS(tt_call(instance, 0, in, nullptr), TT_ERR_ARGUMENT, "'step'",
                  "'update'", "from 1, but got", std::to_string(bad).c_str());
    EXPECT_EQ(tt_call(instance, 1, in, nullptr), TT_OK) << tt_last_error();
  }
  step = 1;
  for (float bad : {INFINITY, -INFINITY, NAN}) {
    rate = bad;
    EXPECT_STATUS(tt_call(instance, 0, in, nullptr), TT_ERR_ARGUMENT,
                  "'learning_rate'", "finite, but got");
    EXPECT_EQ(tt_call(instance, 1, in, nullptr), TT_OK) << tt_last_error();
  }
  tt_release(instance);
}
