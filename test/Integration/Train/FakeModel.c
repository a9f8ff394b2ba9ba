/* A model library written by hand: what AOT would write for a bigram model,
 * logits = w[token], trained by Adam. Its entries have the names and types of
 * a compiled one's, so tt-train's tests run without the compiler. Built with
 * FAKE_VOCABULARY; FAKE_STEP_MS in the environment makes a step slow, and the
 * gradients of a batch that begins with the id FAKE_INF_TOKEN are infinite. */
#define _DEFAULT_SOURCE
#include "tt/runtime/ModelTable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { V = FAKE_VOCABULARY, B = 4, T = 16, N = B * T, IGNORE = -100 };

/* Places, each a multiple of 64. */
enum { W_BYTES = V * V * 4 };
enum { IO_TOKENS = 0, IO_TARGETS = N * 4, IO_SCALARS = 2 * N * 4 };
enum { IO_RATE = IO_SCALARS, IO_STEP = IO_RATE + 64, IO_SEED = IO_STEP + 64,
       IO_POSITION = IO_SEED + 64, IO_LOSS = IO_POSITION + 64,
       IO_NORM = IO_LOSS + 64, IO_CLIP = IO_NORM + 64,
       IO_SKIPPED = IO_CLIP + 64, IO_LOGITS = IO_SKIPPED + 64,
       IO_END = IO_LOGITS + (B * V * 4 + 63) / 64 * 64 };
enum { ROWS_BYTES = (V * 3 * 8 + 63) / 64 * 64 }; /* loss, count, square sum */

/* Per row of w: its loss, its count and the sum of its gradient's squares. */
static void rowLoss(const float *w, const int32_t *tokens,
                    const int32_t *targets, int64_t row, double *sums,
                    float *gradient) {
  double loss = 0, highest = w[0], sum = 0, count = 0, squares = 0;
  for (int i = 1; i < V; ++i)
    highest = w[i] > highest ? w[i] : highest;
  for (int i = 0; i < V; ++i)
    sum += exp(w[i] - highest);
  for (int i = 0; i < N; ++i)
    if (tokens[i] == row && targets[i] != IGNORE) {
      loss += highest + log(sum) - w[targets[i]];
      ++count;
    }
  if (gradient) {
    for (int i = 0; i < V; ++i)
      gradient[i] = (float)(count * exp(w[i] - highest) / sum);
    for (int i = 0; i < N; ++i)
      if (tokens[i] == row && targets[i] != IGNORE)
        gradient[targets[i]] -= 1;
    for (int i = 0; i < V; ++i)
      squares += (double)gradient[i] * gradient[i];
  }
  sums[3 * row] = loss;
  sums[3 * row + 1] = count;
  sums[3 * row + 2] = squares;
}

static void gradRow(char *const *operands, int64_t task, int64_t iteration,
                    char *shared, char *worker) {
  rowLoss((const float *)operands[0] + task * V, (const int32_t *)operands[1],
          (const int32_t *)operands[2], task, (double *)operands[3],
          (float *)operands[4] + task * V);
}

static void lossRow(char *const *operands, int64_t task, int64_t iteration,
                    char *shared, char *worker) {
  rowLoss((const float *)operands[0] + task * V, (const int32_t *)operands[1],
          (const int32_t *)operands[2], task, (double *)operands[3], NULL);
}

static double mean(const double *sums, int column) {
  double sum = 0, count = 0;
  for (int i = 0; i < V; ++i) {
    sum += sums[3 * i + column];
    count += sums[3 * i + 1];
  }
  return count > 0 ? sum / count : 0;
}

static void reduceLoss(char *const *operands, int64_t task, int64_t iteration,
                       char *shared, char *worker) {
  *(float *)operands[1] = (float)mean((const double *)operands[0], 0);
}

/* operands: sums, norm, clip, skipped, tokens */
static void reduceNorm(char *const *operands, int64_t task, int64_t iteration,
                       char *shared, char *worker) {
  const char *delay = getenv("FAKE_STEP_MS");
  const char *infinite = getenv("FAKE_INF_TOKEN");
  const double *sums = (const double *)operands[0];
  double squares = 0, count = 0;
  for (int i = 0; i < V; ++i) {
    count += sums[3 * i + 1];
    squares += sums[3 * i + 2];
  }
  float norm = (float)(count > 0 ? sqrt(squares) / count : 0);
  if (infinite && *(const int32_t *)operands[4] == atoi(infinite))
    norm = INFINITY;
  *(float *)operands[1] = norm;
  *(float *)operands[2] = norm > 1 ? 1 / norm : 1;
  *(int32_t *)operands[3] = !isfinite(norm);
  if (delay)
    usleep((useconds_t)atoi(delay) * 1000);
}

/* operands: w, m, v, gradient, sums, clip, rate, step, skipped */
static void update(char *const *operands, int64_t task, int64_t iteration,
                   char *shared, char *worker) {
  float *w = (float *)operands[0] + task * V;
  float *m = (float *)operands[1] + task * V;
  float *v = (float *)operands[2] + task * V;
  const float *g = (const float *)operands[3] + task * V;
  const double *sums = (const double *)operands[4];
  double count = 0, step = (double)*(const int64_t *)operands[7];
  if (*(const int32_t *)operands[8])
    return;
  for (int i = 0; i < V; ++i)
    count += sums[3 * i + 1];
  double scale = *(const float *)operands[5] / (count > 0 ? count : 1);
  double rate = *(const float *)operands[6];
  for (int i = 0; i < V; ++i) {
    double gradient = g[i] * scale;
    m[i] = (float)(0.9 * m[i] + 0.1 * gradient);
    v[i] = (float)(0.99 * v[i] + 0.01 * gradient * gradient);
    double first = m[i] / (1 - pow(0.9, step));
    double second = v[i] / (1 - pow(0.99, step));
    w[i] -= (float)(rate * first / (sqrt(second) + 1e-8));
  }
}

/* operands: w, tokens, position, logits */
static void gather(char *const *operands, int64_t task, int64_t iteration,
                   char *shared, char *worker) {
  const int32_t *tokens = (const int32_t *)operands[1];
  int32_t position = *(const int32_t *)operands[2];
  if (position < 0 || position >= T)
    return;
  memcpy((float *)operands[3] + task * V,
         (const float *)operands[0] + tokens[task * T + position] * V, V * 4);
}

#define BOTH(F) {F, F}
static const tt_phase_row gradPhases[] = {{BOTH(gradRow), BOTH(V)}};
static const tt_phase_row lossPhases[] = {{BOTH(lossRow), BOTH(V)}};
static const tt_phase_row reduceLossPhases[] = {{BOTH(reduceLoss), BOTH(1)}};
static const tt_phase_row reduceNormPhases[] = {{BOTH(reduceNorm), BOTH(1)}};
static const tt_phase_row updatePhases[] = {{BOTH(update), BOTH(V)}};
static const tt_phase_row gatherPhases[] = {{BOTH(gather), BOTH(B)}};

enum { GRAD, LOSS, REDUCE_LOSS, REDUCE_NORM, UPDATE, GATHER, NUM_KERNELS };
static const tt_kernel_row kernels[] = {
    {"grad", gradPhases, 1, 5, BOTH(1), 0, 0},
    {"loss", lossPhases, 1, 4, BOTH(1), 0, 0},
    {"reduce_loss", reduceLossPhases, 1, 2, BOTH(1), 0, 0},
    {"reduce_norm", reduceNormPhases, 1, 5, BOTH(1), 0, 0},
    {"update", updatePhases, 1, 9, BOTH(1), 0, 0},
    {"gather", gatherPhases, 1, 4, BOTH(1), 0, 0}};

#define TABLE(NAME, REGION, OFFSET, INIT)                                      \
  {.name = NAME, .dtype = TT_F32, .rank = 2, .shape = {V, V},                  \
   .region = REGION, .init = INIT, .offset = OFFSET, .bytes = W_BYTES,         \
   .init_scale = 0.02}
static const tt_tensor_row parameters[] = {
    TABLE("w", TT_REGION_PARAMETERS, 0, TT_INIT_NORMAL)};
static const tt_tensor_row states[] = {
    TABLE("adam.m.w", TT_REGION_STATE, 0, TT_INIT_ZERO),
    TABLE("adam.v.w", TT_REGION_STATE, W_BYTES, TT_INIT_ZERO)};

#define SCALAR(NAME, DTYPE, OFFSET, BYTES)                                     \
  {.name = NAME, .dtype = DTYPE, .region = TT_REGION_IO, .offset = OFFSET,     \
   .bytes = BYTES}
#define TOKENS                                                                 \
  {.name = "tokens", .dtype = TT_I32, .rank = 2, .shape = {B, T},              \
   .region = TT_REGION_IO, .offset = IO_TOKENS, .bytes = N * 4,                \
   .index_limit = V}
#define TARGETS                                                                \
  {.name = "targets", .dtype = TT_I32, .rank = 2, .shape = {B, T},             \
   .region = TT_REGION_IO, .offset = IO_TARGETS, .bytes = N * 4,               \
   .index_limit = V, .index_ignore = IGNORE}
#define LOSS_OUTPUT SCALAR("loss", TT_F32, IO_LOSS, 4)
/* Not in tt-train's order: it goes by name. */
static const tt_tensor_row stepInputs[] = {
    SCALAR("seed", TT_I64, IO_SEED, 8), TOKENS, TARGETS,
    SCALAR("learning_rate", TT_F32, IO_RATE, 4),
    SCALAR("step", TT_I64, IO_STEP, 8)};
static const tt_tensor_row stepOutputs[] = {
    SCALAR("skipped", TT_I32, IO_SKIPPED, 4), LOSS_OUTPUT,
    SCALAR("clip", TT_F32, IO_CLIP, 4), SCALAR("grad_norm", TT_F32, IO_NORM, 4)};
static const tt_tensor_row evalInputs[] = {TOKENS, TARGETS};
static const tt_tensor_row evalOutputs[] = {LOSS_OUTPUT};
static const tt_tensor_row logitsInputs[] = {
    TOKENS, SCALAR("position", TT_I32, IO_POSITION, 4)};
static const tt_tensor_row logitsOutputs[] = {
    {.name = "logits", .dtype = TT_F32, .rank = 2, .shape = {B, V},
     .region = TT_REGION_IO, .offset = IO_LOGITS, .bytes = B * V * 4}};

#define IO(OFFSET) {TT_REGION_IO, 0, OFFSET}
#define ARENA(OFFSET) {TT_REGION_ARENA, 0, OFFSET}
#define W {TT_REGION_PARAMETERS, 0, 0}
#define SUMS ARENA(0)
#define GRADIENT ARENA(ROWS_BYTES)
static const tt_operand_row stepOperands[] = {
    W, IO(IO_TOKENS), IO(IO_TARGETS), SUMS, GRADIENT,
    SUMS, IO(IO_LOSS),
    SUMS, IO(IO_NORM), IO(IO_CLIP), IO(IO_SKIPPED), IO(IO_TOKENS),
    W, {TT_REGION_STATE, 0, 0}, {TT_REGION_STATE, 0, W_BYTES}, GRADIENT, SUMS,
    IO(IO_CLIP), IO(IO_RATE), IO(IO_STEP), IO(IO_SKIPPED)};
static const tt_launch_row stepLaunches[] = {
    {GRAD, 0, 0, NULL}, {REDUCE_LOSS, 5, 0, NULL}, {REDUCE_NORM, 7, 0, NULL},
    {UPDATE, 12, 0, NULL}};
static const tt_operand_row evalOperands[] = {
    W, IO(IO_TOKENS), IO(IO_TARGETS), SUMS, SUMS, IO(IO_LOSS)};
static const tt_launch_row evalLaunches[] = {{LOSS, 0, 0, NULL},
                                             {REDUCE_LOSS, 4, 0, NULL}};
static const tt_operand_row logitsOperands[] = {W, IO(IO_TOKENS),
                                                IO(IO_POSITION), IO(IO_LOGITS)};
static const tt_launch_row logitsLaunches[] = {{GATHER, 0, 0, NULL}};

static const tt_entry_row entries[] = {
    {"train_step", stepLaunches, stepOperands, 4, 21, stepInputs, stepOutputs,
     5, 4, 1, 0},
    {"eval", evalLaunches, evalOperands, 2, 6, evalInputs, evalOutputs, 2, 1, 0,
     0},
    {"logits", logitsLaunches, logitsOperands, 1, 4, logitsInputs,
     logitsOutputs, 2, 1, 0, 0}};

static const tt_model_desc model = {
    .magic = TT_MODEL_MAGIC,
    .abi_version = TT_ABI_VERSION,
    .struct_size = sizeof(tt_model_desc),
    .name = "fake",
    .hash = FAKE_HASH,
    .kernels = kernels,
    .parameters = parameters,
    .states = states,
    .entries = entries,
    .num_kernels = NUM_KERNELS,
    .num_parameters = 1,
    .num_states = 2,
    .num_entries = 3,
    .parameter_bytes = W_BYTES,
    .state_bytes = 2 * W_BYTES,
    .io_bytes = IO_END,
    .planned_bytes = ROWS_BYTES + W_BYTES,
    .gradient_bytes = W_BYTES,
    .activation_bytes = ROWS_BYTES,
    .max_threads = 64,
    .isa_mask = 1u << TT_ISA_V3 | 1u << TT_ISA_V4};

__attribute__((visibility("default"))) const tt_model_desc *FAKE_SYMBOL(void) {
  return &model;
}
