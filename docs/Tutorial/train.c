/* Trains a compiled GPT (gpt.so, gpt.h) on a text file of bytes below the
 * vocabulary size, with memory of its own. tt-import writes gpt.mlir.
 *
 *   tt-compile gpt.mlir -o gpt
 *   cc train.c -I. ./gpt.so -Wl,-rpath,. -o train && ./train text.bin 100
 */
#include "gpt.h"
#include <stdio.h>
#include <stdlib.h>

#define B GPT_TRAIN_STEP_TOKENS_DIM0
#define T GPT_TRAIN_STEP_TOKENS_DIM1

static void *region(uint64_t bytes) {
  return bytes ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
}

static void check(tt_status status) {
  if (status == TT_OK)
    return;
  fprintf(stderr, "train: %s\n", tt_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: train TEXT STEPS\n");
    return 1;
  }
  FILE *file = fopen(argv[1], "rb");
  static unsigned char text[1 << 20];
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (length < T + 1) {
    fprintf(stderr, "train: %s: expected at least %d bytes, found %zu\n", argv[1], T + 1, length);
    return 1;
  }

  tt_sizes sizes = {.struct_size = sizeof sizes};
  check(tt_model_query(gpt_model(), 2, &sizes));
  tt_memory memory = {sizeof memory,
                      region(sizes.instance_bytes), sizes.instance_bytes,
                      region(sizes.parameter_bytes), sizes.parameter_bytes,
                      region(sizes.state_bytes), sizes.state_bytes,
                      region(sizes.arena_bytes), sizes.arena_bytes};
  tt_bind_options options = {.struct_size = sizeof options, .threads = 2};
  tt_instance *model;
  check(tt_model_bind(gpt_model(), &memory, &options, &model));
  check(tt_init(model, 42));

  static int32_t tokens[B * T], targets[B * T];
  int32_t skipped; /* the gradients were not finite: there was no update */
  for (int64_t step = 1, update = 1; step <= atol(argv[2]); ++step, update += !skipped) {
    for (int b = 0; b < B; ++b) {
      size_t start = (size_t)rand() % (length - T);
      for (int t = 0; t < T; ++t) {
        tokens[b * T + t] = text[start + t];
        targets[b * T + t] = text[start + t + 1];
      }
    }
    float loss, norm;
    check(gpt_train_step(model, tokens, targets, update, 42, 1e-3f, &loss, &norm, NULL, &skipped));
    if (step % 10 == 0)
      printf("step %ld loss %.4f gradient norm %.3f\n", (long)step, loss, norm);
  }
  check(tt_save(model, "model.safetensors", 1, NULL, 0));
  tt_release(model);
  return 0;
}
