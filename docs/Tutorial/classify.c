/* Trains the compiled classifier (classifier.so, classifier.h) on points around four
 * centres and prints its loss and its metric. */
#include "classifier.h"
#include <stdio.h>
#include <stdlib.h>

enum { Rows = CLASSIFIER_TRAIN_STEP_X_DIM0, Width = CLASSIFIER_TRAIN_STEP_X_DIM1, Classes = 4 };

static float uniform(void) { return (float)rand() / (float)RAND_MAX - 0.5f; }

static void check(tt_status status) {
  if (status == TT_OK)
    return;
  fprintf(stderr, "classify: %s\n", tt_last_error());
  exit(1);
}

static void *region(uint64_t bytes) {
  return bytes ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
}

/* Repeats the end of the certificate on this machine, between two calls. A library that
 * was made without --certify has nothing to compare with. */
static void selfcheck(tt_instance *model) {
  uint64_t bytes;
  check(tt_selfcheck_query(classifier_model(), &bytes));
  void *scratch = region(bytes);
  tt_status status = tt_selfcheck(model, scratch, bytes, NULL);
  free(scratch);
  if (status != TT_ERR_STATE)
    check(status);
  printf("self-check: %s\n", status == TT_OK ? "gradients as certified" : tt_last_error());
}

static float centres[Classes][Width], x[Rows * Width];
static int32_t labels[Rows];

static void draw(void) {
  for (int r = 0; r < Rows; ++r) {
    labels[r] = rand() % Classes;
    for (int c = 0; c < Width; ++c)
      x[r * Width + c] = centres[labels[r]][c] + uniform();
  }
}

int main(void) {
  tt_sizes sizes = {.struct_size = sizeof sizes};
  check(tt_model_query(classifier_model(), 1, &sizes));
  tt_memory memory = {sizeof memory,
                      region(sizes.instance_bytes), sizes.instance_bytes,
                      region(sizes.parameter_bytes), sizes.parameter_bytes,
                      region(sizes.state_bytes), sizes.state_bytes,
                      region(sizes.arena_bytes), sizes.arena_bytes};
  tt_bind_options options = {.struct_size = sizeof options, .threads = 1};
  tt_instance *model;
  check(tt_model_bind(classifier_model(), &memory, &options, &model));
  check(tt_init(model, 42));
  selfcheck(model);

  for (int k = 0; k < Classes; ++k)
    for (int c = 0; c < Width; ++c)
      centres[k][c] = uniform();
  float loss, accuracy;
  for (int64_t step = 1; step <= 100; ++step) {
    draw();
    /* Outputs that are not wanted are NULL: norm, clip, skipped, guess. */
    check(classifier_train_step(model, x, labels, step, 42, 1e-2f, &loss, NULL, NULL, NULL,
                                &accuracy, NULL));
    if (step == 1 || step % 50 == 0)
      printf("step %ld loss %.3f accuracy %.2f\n", (long)step, loss, accuracy);
  }
  draw();
  check(classifier_eval(model, x, labels, &loss, &accuracy, NULL)); /* without dropout */
  printf("new rows: loss %.3f accuracy %.2f\n", loss, accuracy);
  tt_release(model);
  return accuracy > 0.9f ? 0 : 1;
}
