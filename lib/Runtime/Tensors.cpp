//===- Tensors.cpp - Names, shapes and values of tensors ------------------===//

#include "Error.h"
#include "Instance.h"
#include "Tables.h"

#include <string.h>

using namespace tt::runtime;

namespace {

/// The rows of a kind: 0 parameters, 1 optimizer state.
struct Rows {
  const tt_tensor_row *data;
  uint32_t count;
  const char *kind;
};

constexpr uint32_t kParameters = 0, kStates = 1;

Rows rowsOf(const tt_model_desc &model, uint32_t kind) {
  if (kind == kParameters)
    return {model.parameters, model.num_parameters, "parameter"};
  if (kind == kStates)
    return {model.states, model.num_states, "state"};
  return {nullptr, 0, nullptr};
}

tt_status describe(const Rows &rows, uint32_t index, tt_tensor_info *info) {
  if (!info)
    return fail(TT_ERR_ARGUMENT, "expected a tensor info, but got NULL");
  if (info->struct_size != sizeof(tt_tensor_info))
    return fail(TT_ERR_ARGUMENT,
                "expected tt_tensor_info with struct_size %zu, but got %zu",
                sizeof(tt_tensor_info), info->struct_size);
  if (index >= rows.count)
    return fail(TT_ERR_ARGUMENT, "expected a %s below %u, but got %u",
                rows.kind, rows.count, index);
  const tt_tensor_row &row = rows.data[index];
  info->name = row.name;
  info->dtype = static_cast<tt_dtype>(row.dtype);
  info->rank = row.rank;
  memcpy(info->shape, row.shape, sizeof(info->shape));
  info->bytes = row.bytes;
  info->index_limit = row.index_limit;
  info->index_ignore = row.index_ignore;
  return TT_OK;
}

/// Finds a tensor's place for a copy of exactly `bytes`.
tt_status locate(tt_instance &instance, uint32_t kind, uint32_t index,
                 const void *buffer, uint64_t bytes, char *&place) {
  Rows rows = rowsOf(*instance.model, kind);
  if (index >= rows.count)
    return fail(TT_ERR_ARGUMENT, "expected a %s below %u, but got %u",
                rows.kind, rows.count, index);
  const tt_tensor_row &row = rows.data[index];
  if (bytes != row.bytes)
    return fail(TT_ERR_ARGUMENT,
                "expected %llu bytes for %s '%s', but got %llu",
                (unsigned long long)row.bytes, rows.kind, row.name,
                (unsigned long long)bytes);
  if (!buffer && bytes)
    return fail(TT_ERR_ARGUMENT, "expected a buffer for %s '%s', but got NULL",
                rows.kind, row.name);
  char *root = instance.roots[row.region];
  if (!root && bytes)
    return fail(TT_ERR_STATE,
                "%s '%s' is not there: the instance was bound without "
                "optimizer state",
                rows.kind, row.name);
  place = bytes ? root + row.offset : nullptr;
  return TT_OK;
}

tt_status getTensor(tt_instance *instance, uint32_t kind, uint32_t index,
                    void *to, uint64_t bytes) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  char *place;
  if (tt_status status = locate(*instance, kind, index, to, bytes, place))
    return status;
  if (bytes)
    memmove(to, place, bytes);
  return TT_OK;
}

tt_status setTensor(tt_instance *instance, uint32_t kind, uint32_t index,
                    const void *from, uint64_t bytes) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  char *place;
  if (tt_status status = locate(*instance, kind, index, from, bytes, place))
    return status;
  if (bytes)
    memmove(place, from, bytes);
  return TT_OK;
}

/// The entry, or NULL with an error text.
const tt_entry_row *entryOf(const tt_model_desc *model, uint32_t entry) {
  if (checkModel(model) != TT_OK)
    return nullptr;
  if (entry < model->num_entries)
    return &model->entries[entry];
  fail(TT_ERR_ARGUMENT, "expected an entry below %u, but got %u",
       model->num_entries, entry);
  return nullptr;
}

} // namespace

extern "C" {

uint32_t tt_tensor_count(const tt_model_desc *model, uint32_t kind) {
  return checkModel(model) == TT_OK ? rowsOf(*model, kind).count : 0;
}

tt_status tt_tensor_at(const tt_model_desc *model, uint32_t kind,
                       uint32_t index, tt_tensor_info *info) {
  if (tt_status status = checkModel(model))
    return status;
  Rows rows = rowsOf(*model, kind);
  if (!rows.kind)
    return fail(TT_ERR_ARGUMENT,
                "expected kind 0 (parameters) or 1 (state), but got %u", kind);
  return describe(rows, index, info);
}

tt_status tt_param_find(const tt_model_desc *model, const char *name,
                        uint32_t *index) {
  if (tt_status status = checkModel(model))
    return status;
  if (!name || !index)
    return fail(TT_ERR_ARGUMENT, "expected a name and a place for the index, "
                                 "but got NULL");
  for (uint32_t i = 0; i < model->num_parameters; ++i)
    if (strcmp(model->parameters[i].name, name) == 0) {
      *index = i;
      return TT_OK;
    }
  return fail(TT_ERR_ARGUMENT, "the model has no parameter '%s'", name);
}

tt_status tt_param_get(tt_instance *instance, uint32_t index, void *to,
                       uint64_t bytes) {
  return getTensor(instance, kParameters, index, to, bytes);
}

tt_status tt_param_set(tt_instance *instance, uint32_t index, const void *from,
                       uint64_t bytes) {
  return setTensor(instance, kParameters, index, from, bytes);
}

tt_status tt_state_get(tt_instance *instance, uint32_t index, void *to,
                       uint64_t bytes) {
  return getTensor(instance, kStates, index, to, bytes);
}

tt_status tt_state_set(tt_instance *instance, uint32_t index, const void *from,
                       uint64_t bytes) {
  return setTensor(instance, kStates, index, from, bytes);
}

uint32_t tt_entry_count(const tt_model_desc *model) {
  return checkModel(model) == TT_OK ? model->num_entries : 0;
}

const char *tt_entry_name(const tt_model_desc *model, uint32_t entry) {
  const tt_entry_row *row = entryOf(model, entry);
  return row ? row->name : nullptr;
}

tt_status tt_entry_find(const tt_model_desc *model, const char *name,
                        uint32_t *entry) {
  if (tt_status status = checkModel(model))
    return status;
  if (!name || !entry)
    return fail(TT_ERR_ARGUMENT, "expected a name and a place for the entry, "
                                 "but got NULL");
  for (uint32_t i = 0; i < model->num_entries; ++i)
    if (strcmp(model->entries[i].name, name) == 0) {
      *entry = i;
      return TT_OK;
    }
  return fail(TT_ERR_ARGUMENT, "the model has no entry '%s'", name);
}

uint32_t tt_entry_input_count(const tt_model_desc *model, uint32_t entry) {
  const tt_entry_row *row = entryOf(model, entry);
  return row ? row->num_inputs : 0;
}

uint32_t tt_entry_output_count(const tt_model_desc *model, uint32_t entry) {
  const tt_entry_row *row = entryOf(model, entry);
  return row ? row->num_outputs : 0;
}

tt_status tt_entry_input(const tt_model_desc *model, uint32_t entry,
                         uint32_t index, tt_tensor_info *info) {
  if (tt_status status = checkModel(model))
    return status;
  const tt_entry_row *row = entryOf(model, entry);
  if (!row)
    return TT_ERR_ARGUMENT;
  return describe({row->inputs, row->num_inputs, "input"}, index, info);
}

tt_status tt_entry_output(const tt_model_desc *model, uint32_t entry,
                          uint32_t index, tt_tensor_info *info) {
  if (tt_status status = checkModel(model))
    return status;
  const tt_entry_row *row = entryOf(model, entry);
  if (!row)
    return TT_ERR_ARGUMENT;
  return describe({row->outputs, row->num_outputs, "output"}, index, info);
}

} // extern "C"
