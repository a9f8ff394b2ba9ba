/* tt's C ABI: what a compiled model library (NAME.so) offers its caller.
 *
 * A library holds constant tables (tt_model_desc) and the functions below.
 * The caller owns all memory and, if it wishes, the threads. After
 * tt_model_bind no call allocates, maps or frees memory.
 *
 * Every function returns a tt_status. On anything but TT_OK the text of
 * tt_last_error() says what was found and what was wanted, and nothing that
 * the caller can observe has changed unless the function says otherwise.
 * Every struct starts with struct_size, set by the caller to sizeof(struct),
 * so that later versions can grow it; this version takes exactly its own sizes.
 *
 * Threads: one instance is used by one caller thread at a time; two instances
 * share nothing. A second call into a busy instance is refused (TT_ERR_STATE).
 * Calls compute with the default floating-point mode (round to nearest, no
 * flush to zero) whatever the caller's is, and put the caller's back.
 * All sizes are in bytes.
 */
#ifndef TT_RUNTIME_TT_H
#define TT_RUNTIME_TT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library is built with hidden visibility; these are its public names. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define TT_ABI_VERSION 1u

typedef enum tt_status {
  TT_OK = 0,
  TT_ERR_ARGUMENT = 1, /* null, wrong struct_size, alignment, unknown name */
  TT_ERR_MEMORY = 2,   /* a region is smaller than tt_model_query asked for,
                          or the system would not start a thread */
  TT_ERR_INDEX = 3,    /* an index input (token id) is out of its range */
  TT_ERR_IO = 4,       /* open, read, write, fsync or rename failed */
  TT_ERR_FORMAT = 5,   /* a file is not what it should be */
  TT_ERR_STATE = 6,    /* call order, or the library's tables are damaged */
  TT_ERR_CPU = 7,      /* this CPU lacks an instruction set the library needs */
  TT_ERR_CHECK = 8     /* tt_selfcheck found other gradients than certified */
} tt_status;

/* Element types of tensors, numbered for the tables and for tt_tensor_info. */
typedef enum tt_dtype {
  TT_F64 = 0,
  TT_F32 = 1,
  TT_BF16 = 2,
  TT_F16 = 3,
  TT_I64 = 4,
  TT_I32 = 5,
  TT_I8 = 6,
  TT_I1 = 7 /* one byte per element, 0 or 1 */
} tt_dtype;

#define TT_MAX_RANK 8

typedef struct tt_model_desc tt_model_desc; /* constant, inside the library */
typedef struct tt_instance tt_instance;     /* lives in the caller's memory */

/* The memory an instance needs. Regions are aligned to `alignment`. */
typedef struct tt_sizes {
  size_t struct_size;
  uint32_t abi_version;
  uint32_t threads;          /* the number of workers these sizes are for */
  uint64_t alignment;        /* of every region, 64 */
  uint64_t instance_bytes;   /* control block and thread pool bookkeeping */
  uint64_t parameter_bytes;  /* region of the parameters */
  uint64_t state_bytes;      /* region of the optimizer state */
  uint64_t arena_bytes;      /* everything else: the sum of the next five */
  uint64_t io_bytes;         /* inputs, outputs, run-time scalars */
  uint64_t worker_bytes;     /* scratch of all workers together */
  uint64_t gradient_bytes;   /* gradients' share of the peak */
  uint64_t activation_bytes; /* residuals and temporaries' share of the peak */
  uint64_t workspace_bytes;  /* kernels' shared workspace share of the peak */
} tt_sizes;

/* A caller's replacement for the built-in thread pool: run task(arg, worker, i)
 * once for every i in [0, n), on at most `threads` workers with distinct worker
 * numbers in [0, threads), and return when all are done. A worker number out of
 * range or a wrong number of runs makes the call fail with TT_ERR_STATE. */
typedef void (*tt_task_fn)(void *arg, uint32_t worker, int64_t index);
typedef void (*tt_parallel_for_fn)(void *ctx, tt_task_fn task, void *arg,
                                   int64_t n);

/* Options of tt_model_bind. Zero means the default everywhere. */
typedef struct tt_bind_options {
  size_t struct_size;
  uint32_t threads;                /* workers incl. the caller; 0: 1 */
  uint32_t isa_level;              /* 0: best; 3: x86-64-v3; 4: x86-64-v4 */
  tt_parallel_for_fn parallel_for; /* NULL: built-in pool */
  void *parallel_for_ctx;
} tt_bind_options;

/* The caller's regions: aligned to tt_sizes.alignment, not overlapping. One
 * that may be empty (0 bytes wanted) may be NULL. */
typedef struct tt_memory {
  size_t struct_size;
  void *instance;
  uint64_t instance_bytes;
  void *parameters;
  uint64_t parameter_bytes;
  void *state; /* may be NULL when no entry that trains will be called */
  uint64_t state_bytes;
  void *arena;
  uint64_t arena_bytes;
} tt_memory;

/* One tensor by name: a parameter, a state, an input or an output. */
typedef struct tt_tensor_info {
  size_t struct_size;
  const char *name;
  tt_dtype dtype;
  uint32_t rank;
  int64_t shape[TT_MAX_RANK];
  uint64_t bytes;
  int64_t index_limit;  /* inputs that index a table: ids are in [0, limit) */
  int64_t index_ignore; /* this value is allowed too, if index_limit is > 0 */
} tt_tensor_info;

/* Sizes for `threads` workers (0: 1). */
tt_status tt_model_query(const tt_model_desc *model, uint32_t threads,
                         tt_sizes *sizes);

/* Binds an instance to the caller's memory and starts the threads. Parameters
 * and state are left as they are in memory (a caller may map saved ones);
 * call tt_init for fresh ones. On error *instance is NULL. */
tt_status tt_model_bind(const tt_model_desc *model, const tt_memory *memory,
                        const tt_bind_options *options,
                        tt_instance **instance);

/* Stops the threads. The memory stays the caller's. NULL is allowed. */
void tt_release(tt_instance *instance);

/* Sets parameters to their initial values (the graph's initialiser attributes,
 * drawn from Philox with `seed`) and optimizer state to zero, or to what its
 * table row says (a loss scale). The values depend on nothing but the seed. */
tt_status tt_init(tt_instance *instance, uint64_t seed);

/* Tables. kind: 0 parameters, 1 optimizer state. Counts of a model or entry
 * that does not exist are 0, its name is NULL. */
uint32_t tt_tensor_count(const tt_model_desc *model, uint32_t kind);
tt_status tt_tensor_at(const tt_model_desc *model, uint32_t kind,
                       uint32_t index, tt_tensor_info *info);
tt_status tt_param_find(const tt_model_desc *model, const char *name,
                        uint32_t *index);

/* Copies parameter `index` out of or into the instance; `bytes` must be its
 * exact size. */
tt_status tt_param_get(tt_instance *instance, uint32_t index, void *to,
                       uint64_t bytes);
tt_status tt_param_set(tt_instance *instance, uint32_t index, const void *from,
                       uint64_t bytes);
/* The same for optimizer state. */
tt_status tt_state_get(tt_instance *instance, uint32_t index, void *to,
                       uint64_t bytes);
tt_status tt_state_set(tt_instance *instance, uint32_t index, const void *from,
                       uint64_t bytes);

/* Entries: "train_step", "grad", "eval", "logits", ... */
uint32_t tt_entry_count(const tt_model_desc *model);
const char *tt_entry_name(const tt_model_desc *model, uint32_t entry);
tt_status tt_entry_find(const tt_model_desc *model, const char *name,
                        uint32_t *entry);
uint32_t tt_entry_input_count(const tt_model_desc *model, uint32_t entry);
uint32_t tt_entry_output_count(const tt_model_desc *model, uint32_t entry);
tt_status tt_entry_input(const tt_model_desc *model, uint32_t entry,
                         uint32_t index, tt_tensor_info *info);
tt_status tt_entry_output(const tt_model_desc *model, uint32_t entry,
                          uint32_t index, tt_tensor_info *info);

/* Runs an entry. inputs[i] points at the i-th input in row-major order,
 * outputs[i] receives the i-th output (NULL: not wanted; outputs itself may be
 * NULL when none is). Index inputs are checked against their limit first:
 * TT_ERR_INDEX names the input, the position and the value, and nothing has
 * run. In an entry that updates the optimizer state, an input "step" below 1
 * (steps count from 1) and an input "learning_rate" that is infinite or no
 * number are TT_ERR_ARGUMENT, and nothing has run.
 * "step" is the number of the update, AdamW's t. When the output "skipped" is
 * not 0, the gradient norm was not finite and nothing was updated: the caller
 * gives the same "step" to the next call, and the learning rate that goes with
 * it. The library does not count. */
tt_status tt_call(tt_instance *instance, uint32_t entry,
                  const void *const *inputs, void *const *outputs);

/* Saves parameters, and optimizer state if with_state is not 0, with the
 * caller's metadata (key, value pairs; may be NULL) as one safetensors file:
 * written to a temporary beside it, fsynced, renamed, directory fsynced. The
 * keys tt.hash and tt.checksum are reserved: the model's hash, and a checksum
 * over metadata and data that tt_load verifies. */
tt_status tt_save(tt_instance *instance, const char *path, int with_state,
                  const char *const *metadata, uint32_t num_metadata);

/* Loads what tt_save wrote, or any safetensors file with the parameters'
 * names, dtypes and shapes. The file is checked whole before anything is
 * copied (only if reading fails between check and copy, TT_ERR_IO says that
 * values are partly loaded). with_state: the file must hold the optimizer state
 * too. The header is read into the arena; only one too large for it is mapped
 * for the time of the call. */
tt_status tt_load(tt_instance *instance, const char *path, int with_state);

/* Repeats the end of the certificate (tt-compile --certify) on this machine,
 * between two calls of entries: generates parameters and inputs from the
 * certificate's seed, runs the entry "grad" on them with the instance's threads
 * and vector level, and compares a signed sum of each output with the one that
 * the library holds, bit for bit. TT_ERR_CHECK names the first that differs.
 * The bound parameters and the optimizer state are not touched; the arena is,
 * as by any call. The generated parameters need a place: what the arena has
 * left beside "grad", or, when that is too small, `scratch` of at least the
 * bytes that tt_selfcheck_query gives (0: scratch may be NULL), aligned as the
 * regions are. `found`, unless NULL, receives the sums, one per output of
 * "grad". A library without a certificate has nothing to compare: TT_ERR_STATE,
 * with `found` after the run. Takes about one step. */
tt_status tt_selfcheck_query(const tt_model_desc *model, uint64_t *scratch_bytes);
tt_status tt_selfcheck(tt_instance *instance, void *scratch,
                       uint64_t scratch_bytes, double *found);

/* The last error's text of this thread; never NULL. Kept until the thread's
 * next error. (The loader may allocate this buffer at a thread's first error;
 * tt_model_bind has it done for its own thread.) */
const char *tt_last_error(void);

/* Per worker, the number of tasks it has run since bind (for tests).
 * num_workers must be the number of threads bound. */
tt_status tt_worker_tasks(tt_instance *instance, uint64_t *tasks,
                          uint32_t num_workers);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
#endif
