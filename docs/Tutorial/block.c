/* Trains the model of one-block.md on one sequence: word i is followed by
 * word 7 i + 1 (mod 96). Usage: block [THREADS [LEVEL]]; level 3 is AVX2. */
#include "block.h"
#include <stdio.h>
#include <stdlib.h>

#define T BLOCK_TRAIN_STEP_TOKENS_DIM0

static void check(tt_status status) {
  if (status == TT_OK)
    return;
  fprintf(stderr, "block: %s\n", tt_last_error());
  exit(1);
}

static void *region(uint64_t bytes) {
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

int main(int argc, char **argv) {
  uint32_t threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  uint32_t level = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
  tt_sizes sizes = {.struct_size = sizeof sizes};
  check(tt_model_query(block_model(), threads, &sizes));
  tt_memory memory = {sizeof memory,
                      region(sizes.instance_bytes), sizes.instance_bytes,
                      region(sizes.parameter_bytes), sizes.parameter_bytes,
                      region(sizes.state_bytes), sizes.state_bytes,
                      region(sizes.arena_bytes), sizes.arena_bytes};
  tt_bind_options options = {.struct_size = sizeof options, .threads = threads,
                             .isa_level = level};
  tt_instance *model;
  check(tt_model_bind(block_model(), &memory, &options, &model));
  check(tt_init(model, /*seed=*/1));

  int32_t tokens[T], targets[T];
  for (int i = 0, word = 5; i < T; ++i) {
    tokens[i] = word;
    targets[i] = word = (7 * word + 1) % BLOCK_TRAIN_STEP_TOKENS_LIMIT;
  }
  for (int64_t step = 1; step <= 50; ++step) {
    float loss;
    check(block_train_step(model, tokens, targets, step, /*seed=*/1, 3e-3f, &loss,
                           NULL, NULL, NULL));
    if (step == 1 || step % 25 == 0)
      printf("step %d: loss %.9g\n", (int)step, loss);
  }
  tokens[3] = 96;
  if (block_eval(model, tokens, targets, NULL) == TT_ERR_INDEX)
    printf("%s\n", tt_last_error());
  tt_release(model);
  return 0;
}
