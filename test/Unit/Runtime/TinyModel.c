/* See TinyModel.h.
 *
 * logits(ids, flags, x): acc[j] = x[j] + sum_i w[ids[i]][j]; then three times:
 * partial[j] = acc[j] * 1.01 + iteration | total = sum partial, one task |
 * acc[j] = acc[j] / 2 + total / (j + 1), y[j] = acc[j].
 * train_step(x): per row, m = 0.9 m + x, w -= 0.1 m; then step += 1. */
#include "TinyModel.h"

#include <stddef.h>

__attribute__((visibility("hidden"))) void (*tiny_task_hook)(void);

static void gather(char *const *operands, int64_t task, int64_t iteration,
                   char *shared, char *worker) {
  const float *w = (const float *)operands[0];
  const int32_t *ids = (const int32_t *)operands[1];
  const float *x = (const float *)operands[2];
  float *acc = (float *)operands[3];
  float sum = x[task];
  for (int i = 0; i < TINY_IDS; ++i)
    if (ids[i] >= 0)
      sum += w[ids[i] * TINY_WIDTH + task];
  acc[task] = sum;
}

static void mixPartial(char *const *operands, int64_t task, int64_t iteration,
                       char *shared, char *worker) {
  if (tiny_task_hook)
    tiny_task_hook();
  ((float *)shared)[task] =
      ((float *)operands[0])[task] * 1.01f + (float)iteration;
}

static void mixTotal(char *const *operands, int64_t task, int64_t iteration,
                     char *shared, char *worker) {
  float *partial = (float *)shared;
  float sum = 0;
  for (int i = 0; i < TINY_WIDTH; ++i)
    sum += partial[i];
  partial[TINY_WIDTH] = sum;
}

static void mixApply(char *const *operands, int64_t task, int64_t iteration,
                     char *shared, char *worker) {
  float *acc = (float *)operands[0], *y = (float *)operands[1];
  /* All of the scratch: two workers in one would show. */
  volatile float *scratch = (volatile float *)worker;
  for (int i = 0; i < 16; ++i)
    scratch[i] = acc[task] * (float)i;
  float half = scratch[8] / 16.0f;
  acc[task] = half + ((float *)shared)[TINY_WIDTH] / (float)(task + 1);
  y[task] = acc[task];
}

static void levelV3(char *const *operands, int64_t task, int64_t iteration,
                    char *shared, char *worker) {
  *(int32_t *)operands[0] = 3;
}

static void levelV4(char *const *operands, int64_t task, int64_t iteration,
                    char *shared, char *worker) {
  *(int32_t *)operands[0] = 4;
}

static void update(char *const *operands, int64_t task, int64_t iteration,
                   char *shared, char *worker) {
  float *w = (float *)operands[0] + task * TINY_WIDTH;
  float *m = (float *)operands[1] + task * TINY_WIDTH;
  const float *x = (const float *)operands[2];
  for (int i = 0; i < TINY_WIDTH; ++i) {
    m[i] = 0.9f * m[i] + x[i];
    w[i] -= 0.1f * m[i];
  }
}

static void countStep(char *const *operands, int64_t task, int64_t iteration,
                      char *shared, char *worker) {
  *(int64_t *)operands[0] += 1;
}

#define BOTH(F)                                                                \
  { F, F }
static const tt_phase_row gatherPhases[] = {{BOTH(gather), BOTH(TINY_WIDTH)}};
static const tt_phase_row mixPhases[] = {{BOTH(mixPartial), BOTH(TINY_WIDTH)},
                                         {BOTH(mixTotal), BOTH(1)},
                                         {BOTH(mixApply), BOTH(TINY_WIDTH)}};
static const tt_phase_row levelPhases[] = {{{levelV3, levelV4}, BOTH(1)}};
static const tt_phase_row updatePhases[] = {
    {BOTH(update), BOTH(TINY_VOCABULARY)}};
static const tt_phase_row stepPhases[] = {{BOTH(countStep), BOTH(1)}};

enum { GATHER, MIX, LEVEL, UPDATE, STEP, NUM_KERNELS };
static const tt_kernel_row kernels[] = {
    {"gather", gatherPhases, 1, 4, BOTH(1), 0, 0},
    {"mix", mixPhases, 3, 2, BOTH(TINY_REPEAT), (TINY_WIDTH + 1) * 4, 64},
    {"level", levelPhases, 1, 1, BOTH(1), 0, 0},
    {"update", updatePhases, 1, 3, BOTH(1), 0, 0},
    {"step", stepPhases, 1, 1, BOTH(1), 0, 0}};

enum { W_BYTES = TINY_VOCABULARY * TINY_WIDTH * 4, W_END = 1216 };
enum { IO_IDS = 0, IO_FLAGS = 64, IO_X = 128, IO_Y = 320, IO_LEVEL = 512 };
enum { ACC = 0, SHARED = 192 };

static const float initialScale = 65536.0f;
static const tt_tensor_row parameters[] = {
    {.name = "w",
     .dtype = TT_F32,
     .rank = 2,
     .shape = {TINY_VOCABULARY, TINY_WIDTH},
     .region = TT_REGION_PARAMETERS,
     .init = TT_INIT_NORMAL,
     .bytes = W_BYTES,
     .init_scale = 0.02},
    {.name = "b",
     .dtype = TT_BF16,
     .rank = 1,
     .shape = {5},
     .region = TT_REGION_PARAMETERS,
     .init = TT_INIT_ONE,
     .offset = W_END,
     .bytes = 10}};
static const tt_tensor_row states[] = {{.name = "sgd.m.w",
                                        .dtype = TT_F32,
                                        .rank = 2,
                                        .shape = {TINY_VOCABULARY, TINY_WIDTH},
                                        .region = TT_REGION_STATE,
                                        .bytes = W_BYTES},
                                       {.name = "step",
                                        .dtype = TT_I64,
                                        .region = TT_REGION_STATE,
                                        .offset = W_END,
                                        .bytes = 8},
                                       {.name = "scale",
                                        .dtype = TT_F32,
                                        .region = TT_REGION_STATE,
                                        .init = TT_INIT_DATA,
                                        .offset = W_END + 64,
                                        .bytes = 4,
                                        .init_data = &initialScale}};

#define X_ROW                                                                  \
  {                                                                            \
    .name = "x", .dtype = TT_F32, .rank = 1, .shape = {TINY_WIDTH},            \
    .region = TT_REGION_IO, .offset = IO_X, .bytes = TINY_WIDTH * 4            \
  }
static const tt_tensor_row logitsInputs[] = {{.name = "ids",
                                              .dtype = TT_I32,
                                              .rank = 2,
                                              .shape = {2, TINY_IDS / 2},
                                              .region = TT_REGION_IO,
                                              .offset = IO_IDS,
                                              .bytes = TINY_IDS * 4,
                                              .index_limit = TINY_VOCABULARY,
                                              .index_ignore = TINY_IGNORE},
                                             {.name = "flags",
                                              .dtype = TT_I1,
                                              .rank = 1,
                                              .shape = {2},
                                              .region = TT_REGION_IO,
                                              .offset = IO_FLAGS,
                                              .bytes = 2},
                                             X_ROW};
static const tt_tensor_row logitsOutputs[] = {{.name = "y",
                                               .dtype = TT_F32,
                                               .rank = 1,
                                               .shape = {TINY_WIDTH},
                                               .region = TT_REGION_IO,
                                               .offset = IO_Y,
                                               .bytes = TINY_WIDTH * 4},
                                              {.name = "level",
                                               .dtype = TT_I32,
                                               .region = TT_REGION_IO,
                                               .offset = IO_LEVEL,
                                               .bytes = 4}};
static const tt_tensor_row stepInputs[] = {X_ROW};
static const tt_tensor_row stepOutputs[] = {{.name = "step",
                                             .dtype = TT_I64,
                                             .region = TT_REGION_STATE,
                                             .offset = W_END,
                                             .bytes = 8}};

static const tt_operand_row logitsOperands[] = {
    {TT_REGION_PARAMETERS, 0, 0}, {TT_REGION_IO, 0, IO_IDS},
    {TT_REGION_IO, 0, IO_X},      {TT_REGION_ARENA, 0, ACC},
    {TT_REGION_ARENA, 0, ACC},    {TT_REGION_IO, 0, IO_Y},
    {TT_REGION_IO, 0, IO_LEVEL}};
static const tt_launch_row logitsLaunches[] = {{GATHER, 0, 0, "tiny.mlir:1"},
                                               {MIX, 4, SHARED, "tiny.mlir:2"},
                                               {LEVEL, 6, 0, NULL}};
static const tt_operand_row stepOperands[] = {{TT_REGION_PARAMETERS, 0, 0},
                                              {TT_REGION_STATE, 0, 0},
                                              {TT_REGION_IO, 0, IO_X},
                                              {TT_REGION_STATE, 0, W_END}};
static const tt_launch_row stepLaunches[] = {{UPDATE, 0, 0, NULL},
                                             {STEP, 3, 0, NULL}};

static const tt_entry_row entries[] = {
    {"logits", logitsLaunches, logitsOperands, 3, 7, logitsInputs,
     logitsOutputs, 3, 2, 0, 0},
    {"train_step", stepLaunches, stepOperands, 2, 4, stepInputs, stepOutputs, 1,
     1, 1, 0}};

static const tt_model_desc model = {.magic = TT_MODEL_MAGIC,
                                    .abi_version = TT_ABI_VERSION,
                                    .struct_size = sizeof(tt_model_desc),
                                    .name = "tiny",
                                    .hash = "00c0ffee",
                                    .kernels = kernels,
                                    .parameters = parameters,
                                    .states = states,
                                    .entries = entries,
                                    .num_kernels = NUM_KERNELS,
                                    .num_parameters = TINY_NUM_PARAMETERS,
                                    .num_states = TINY_NUM_STATES,
                                    .num_entries = TINY_NUM_ENTRIES,
                                    .parameter_bytes = W_END + 64,
                                    .state_bytes = W_END + 128,
                                    .io_bytes = 576,
                                    .worker_bytes = 64,
                                    .planned_bytes = 384,
                                    .activation_bytes = 192,
                                    .workspace_bytes = 192,
                                    .max_threads = 256,
                                    .isa_mask =
                                        1u << TT_ISA_V3 | 1u << TT_ISA_V4};

__attribute__((visibility("default"))) const tt_model_desc *tiny_model(void) {
  return &model;
}
