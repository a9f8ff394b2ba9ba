/* A hand-built model for the runtime's tests: what AOT would write, small
 * enough to check by hand. Used linked in and as tiny.so. */
#ifndef TT_TEST_UNIT_RUNTIME_TINYMODEL_H
#define TT_TEST_UNIT_RUNTIME_TINYMODEL_H

#include "tt/runtime/ModelTable.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TINY_VOCABULARY = 8, /* rows of w */
  TINY_WIDTH = 37,     /* tasks of the wide phases; prime on purpose */
  TINY_IDS = 4,
  TINY_REPEAT = 3,
  TINY_IGNORE = -100
};
enum { TINY_LOGITS, TINY_TRAIN_STEP, TINY_NUM_ENTRIES };
enum { TINY_W, TINY_B, TINY_NUM_PARAMETERS };
enum { TINY_M, TINY_STEP, TINY_SCALE, TINY_NUM_STATES };

const tt_model_desc *tiny_model(void);

/* Called by every task of the wide phases when set. */
extern void (*tiny_task_hook)(void);

#ifdef __cplusplus
}
#endif
#endif
