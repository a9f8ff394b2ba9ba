/* The constant tables of a compiled model, written by AOT and walked by the
 * runtime. The only header the two share. Plain C, fixed layout, pointers are
 * relocated by the loader. */
#ifndef TT_RUNTIME_MODELTABLE_H
#define TT_RUNTIME_MODELTABLE_H

#include "tt/runtime/tt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TT_MODEL_MAGIC 0x31304d5454u /* "TTM01" */

/* ISA levels a library can hold kernels for, worst first. */
enum { TT_ISA_V3 = 0, TT_ISA_V4 = 1, TT_ISA_COUNT = 2 };

/* Roots an operand can lie in. ARENA offsets count from the end of the worker
 * scratch (see tt_model_desc), so that they do not depend on the threads. */
enum {
  TT_REGION_PARAMETERS = 0,
  TT_REGION_STATE = 1,
  TT_REGION_ARENA = 2,
  TT_REGION_IO = 3,
  TT_REGION_CONSTANT = 4, /* tt_model_desc.constants, read-only */
  TT_REGION_COUNT = 5
};

/* A phase's tasks are numbered in 24 bits by the pool. */
#define TT_MAX_TASKS ((int64_t)0xffffff)

/* One phase of one kernel, for one task. operands: base addresses in the
 * kernel's order. iteration: counts the repeats of the phase list. shared:
 * workspace of the launch, the same for all tasks. worker: scratch of the
 * worker that runs the task, contents undefined. Tasks of a phase are
 * independent of each other. */
typedef void (*tt_kernel_fn)(char *const *operands, int64_t task,
                             int64_t iteration, char *shared, char *worker);

typedef struct tt_phase_row {
  tt_kernel_fn fn[TT_ISA_COUNT]; /* NULL: level not in this library */
  int64_t tasks[TT_ISA_COUNT];   /* the split is schedule, so per level;
                                    in [0, TT_MAX_TASKS] */
} tt_phase_row;

/* For each iteration in [0, repeat): for each phase: all tasks, then a
 * barrier. shared_bytes lies in the arena (planned, the launch row says
 * where); worker_bytes is per worker. Both are the maximum over levels. */
typedef struct tt_kernel_row {
  const char *name;
  const tt_phase_row *phases;
  uint32_t num_phases;
  uint32_t num_operands;
  int64_t repeat[TT_ISA_COUNT];
  uint64_t shared_bytes;
  uint64_t worker_bytes;
} tt_kernel_row;

typedef struct tt_operand_row {
  uint32_t region;
  uint32_t reserved;
  uint64_t offset;
} tt_operand_row;

typedef struct tt_launch_row {
  uint32_t kernel;
  uint32_t first_operand;
  uint64_t shared_offset; /* in the arena, when the kernel has shared_bytes */
  const char *source;     /* "file:line" of the user's op, or NULL */
} tt_launch_row;

/* How a parameter gets its first value. */
enum {
  TT_INIT_ZERO = 0,
  TT_INIT_ONE = 1,
  TT_INIT_NORMAL = 2,  /* mean 0, standard deviation init_scale */
  TT_INIT_UNIFORM = 3, /* [-init_scale, init_scale) */
  TT_INIT_DATA = 4     /* bytes in init_data */
};

typedef struct tt_tensor_row {
  const char *name;
  uint32_t dtype; /* tt_dtype */
  uint32_t rank;
  int64_t shape[TT_MAX_RANK];
  uint32_t region;
  uint32_t init; /* TT_INIT_* */
  uint64_t offset;
  uint64_t bytes;
  double init_scale;
  const void *init_data;
  int64_t index_limit; /* > 0: values must be in [0, limit) */
  int64_t index_ignore; /* this value is allowed too; 0 when there is none */
  double check_low;     /* floats that tt_selfcheck fills in are in */
  double check_high;    /* [check_low, check_high); both 0: its own choice */
} tt_tensor_row;

typedef struct tt_entry_row {
  const char *name;
  const tt_launch_row *launches;
  const tt_operand_row *operands;
  uint32_t num_launches;
  uint32_t num_operands;
  const tt_tensor_row *inputs;
  const tt_tensor_row *outputs;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t needs_state; /* touches the optimizer state */
  uint32_t reserved;
} tt_entry_row;

/* What tt_selfcheck runs. projections: one per output of the entry, or NULL
 * when the library was not certified. */
typedef struct tt_selfcheck_row {
  uint32_t entry;
  uint32_t num_projections;
  uint64_t seed;
  uint64_t arena_bytes; /* that the entry needs of planned_bytes */
  const double *projections;
} tt_selfcheck_row;

/* Arena layout: [io | worker scratch x threads | planned buffers]. Inputs lie
 * in IO, parameters and states in their own regions, outputs anywhere. Rows
 * are checked at bind: what lies outside its region is TT_ERR_STATE. */
struct tt_model_desc {
  uint64_t magic;
  uint32_t abi_version;
  uint32_t struct_size;
  const char *name;
  const char *hash; /* hex digest of the compiled module, for checkpoints */
  const tt_kernel_row *kernels;
  const tt_tensor_row *parameters;
  const tt_tensor_row *states;
  const tt_entry_row *entries;
  uint32_t num_kernels;
  uint32_t num_parameters;
  uint32_t num_states;
  uint32_t num_entries;
  const char *constants;
  uint64_t constant_bytes;
  uint64_t parameter_bytes;
  uint64_t state_bytes;
  uint64_t io_bytes; /* a multiple of 64 */
  uint64_t worker_bytes; /* per worker, a multiple of 64 */
  uint64_t planned_bytes; /* exactly gradients + activations + workspace at the peak */
  uint64_t gradient_bytes; /* the three parts of planned_bytes */
  uint64_t activation_bytes;
  uint64_t workspace_bytes;
  uint32_t max_threads;
  uint32_t isa_mask; /* bit TT_ISA_*: kernels of that level are present */
  const tt_selfcheck_row *selfcheck; /* NULL: there is no entry "grad" */
};

#ifdef __cplusplus
}
#endif
#endif
