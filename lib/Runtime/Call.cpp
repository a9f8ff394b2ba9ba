//===- Call.cpp - Running an entry ----------------------------------------===//
//
// Inputs are copied first and checked in the copy: what was checked is what
// the kernels will read, even if another thread of the host is careless.
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "FpMode.h"
#include "Instance.h"
#include "Walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

using namespace tt::runtime;

namespace {

/// "[1, 3]" for a row-major element number.
void formatPosition(const tt_tensor_row &row, uint64_t element, char *text,
                    size_t textBytes) {
  uint64_t position[TT_MAX_RANK];
  for (uint32_t i = row.rank; i-- > 0;) {
    position[i] = element % uint64_t(row.shape[i]);
    element /= uint64_t(row.shape[i]);
  }
  size_t used = 0;
  auto append = [&](int written) {
    used += written > 0 ? size_t(written) : 0;
    if (used >= textBytes)
      used = textBytes - 1;
  };
  append(snprintf(text, textBytes, "["));
  for (uint32_t i = 0; i < row.rank; ++i)
    append(snprintf(text + used, textBytes - used, i ? ", %llu" : "%llu",
                    (unsigned long long)position[i]));
  append(snprintf(text + used, textBytes - used, "]"));
}

tt_status failIndex(const tt_entry_row &entry, const tt_tensor_row &row,
                    uint64_t element, int64_t value) {
  char position[192];
  formatPosition(row, element, position, sizeof(position));
  char ignored[40] = "";
  if (row.index_ignore < 0 || row.index_ignore >= row.index_limit)
    snprintf(ignored, sizeof(ignored), " or %lld", (long long)row.index_ignore);
  return fail(TT_ERR_INDEX,
              "expected input '%s' of entry '%s' to hold indices in [0, "
              "%lld)%s, but got %lld at %s",
              row.name, entry.name, (long long)row.index_limit, ignored,
              (long long)value, position);
}

template <typename T>
tt_status checkIndices(const tt_entry_row &entry, const tt_tensor_row &row,
                       const char *data) {
  const T *values = reinterpret_cast<const T *>(data);
  uint64_t count = row.bytes / sizeof(T);
  for (uint64_t i = 0; i < count; ++i) {
    int64_t value = values[i];
    // Negative values are huge as unsigned ones.
    if (uint64_t(value) >= uint64_t(row.index_limit) &&
        value != row.index_ignore)
      return failIndex(entry, row, i, value);
  }
  return TT_OK;
}

/// An i1 is one byte, 0 or 1; compiled code may do anything with others.
tt_status checkBooleans(const tt_entry_row &entry, const tt_tensor_row &row,
                        const char *data) {
  for (uint64_t i = 0; i < row.bytes; ++i)
    if (uint8_t value = data[i]; value > 1) {
      char position[192];
      formatPosition(row, i, position, sizeof(position));
      return fail(
          TT_ERR_ARGUMENT,
          "expected input '%s' of entry '%s' to hold 0 or 1, but got %u "
          "at %s",
          row.name, entry.name, unsigned(value), position);
    }
  return TT_OK;
}

tt_status checkInput(const tt_entry_row &entry, const tt_tensor_row &row,
                     const char *data) {
  if (row.dtype == TT_I1)
    return checkBooleans(entry, row, data);
  if (row.index_limit <= 0)
    return TT_OK;
  if (row.dtype == TT_I64)
    return checkIndices<int64_t>(entry, row, data);
  if (row.dtype == TT_I32)
    return checkIndices<int32_t>(entry, row, data);
  return checkIndices<int8_t>(entry, row, data); // no other, see checkTables
}

/// The scalars of an optimizer: a step below 1 has no bias correction, and a
/// rate that is no number would make the update one that is silently skipped.
tt_status checkUpdateScalar(const tt_entry_row &entry, const tt_tensor_row &row,
                            const char *data) {
  if (!entry.needs_state || row.rank != 0)
    return TT_OK;
  if (row.dtype == TT_I64 && strcmp(row.name, "step") == 0) {
    int64_t step;
    memcpy(&step, data, sizeof(step));
    if (step < 1)
      return fail(TT_ERR_ARGUMENT,
                  "expected input 'step' of entry '%s' to count from 1, but "
                  "got %lld",
                  entry.name, (long long)step);
  }
  if (row.dtype == TT_F32 && strcmp(row.name, "learning_rate") == 0) {
    float rate;
    memcpy(&rate, data, sizeof(rate));
    if (!isfinite(rate))
      return fail(TT_ERR_ARGUMENT,
                  "expected input 'learning_rate' of entry '%s' to be finite, "
                  "but got %g",
                  entry.name, double(rate));
  }
  return TT_OK;
}

tt_status takeInputs(const tt_instance &instance, const tt_entry_row &entry,
                     const void *const *inputs) {
  if (entry.num_inputs != 0 && !inputs)
    return fail(TT_ERR_ARGUMENT,
                "expected %u inputs of entry '%s', but got NULL",
                entry.num_inputs, entry.name);
  for (uint32_t i = 0; i < entry.num_inputs; ++i)
    if (!inputs[i] && entry.inputs[i].bytes)
      return fail(TT_ERR_ARGUMENT,
                  "expected input %u, '%s', of entry '%s', but got NULL", i,
                  entry.inputs[i].name, entry.name);
  char *io = instance.roots[TT_REGION_IO];
  for (uint32_t i = 0; i < entry.num_inputs; ++i) {
    const tt_tensor_row &row = entry.inputs[i];
    if (row.bytes == 0)
      continue;
    memmove(io + row.offset, inputs[i], row.bytes);
    if (tt_status status = checkInput(entry, row, io + row.offset))
      return status;
    if (tt_status status = checkUpdateScalar(entry, row, io + row.offset))
      return status;
  }
  return TT_OK;
}

void giveOutputs(const tt_instance &instance, const tt_entry_row &entry,
                 void *const *outputs) {
  if (!outputs)
    return;
  for (uint32_t i = 0; i < entry.num_outputs; ++i) {
    const tt_tensor_row &row = entry.outputs[i];
    if (outputs[i] && row.bytes)
      memmove(outputs[i], instance.roots[row.region] + row.offset, row.bytes);
  }
}

} // namespace

extern "C" tt_status tt_call(tt_instance *instance, uint32_t entry,
                             const void *const *inputs, void *const *outputs) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  const tt_model_desc &model = *instance->model;
  if (entry >= model.num_entries)
    return fail(TT_ERR_ARGUMENT, "expected an entry below %u, but got %u",
                model.num_entries, entry);
  const tt_entry_row &row = model.entries[entry];
  if (row.needs_state && model.state_bytes && !instance->roots[TT_REGION_STATE])
    return fail(TT_ERR_STATE,
                "entry '%s' needs optimizer state, but the instance was bound "
                "without",
                row.name);
  if (tt_status status = takeInputs(*instance, row, inputs))
    return status;
  {
    DefaultFpMode mode;
    walkEntry(*instance, entry);
  }
  if (tt_status status = checkHook(*instance))
    return status;
  giveOutputs(*instance, row, outputs);
  return TT_OK;
}

extern "C" tt_status tt_worker_tasks(tt_instance *instance, uint64_t *tasks,
                                     uint32_t numWorkers) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  if (!tasks)
    return fail(TT_ERR_ARGUMENT, "expected a place for the counts, but got "
                                 "NULL");
  if (numWorkers != instance->threads)
    return fail(TT_ERR_ARGUMENT, "expected counts of %u workers, but got %u",
                instance->threads, numWorkers);
  for (uint32_t i = 0; i < numWorkers; ++i)
    tasks[i] = instance->workers[i].tasks;
  return TT_OK;
}
