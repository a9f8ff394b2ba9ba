//===- Tables.cpp - Checks of a library's tables --------------------------===//
//
// The tables are written by the compiler and are trusted code, but a walk over
// damaged ones (a library of another version, a compiler's bug) would write
// anywhere. The check costs microseconds, once.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include "DType.h"
#include "Error.h"

using namespace tt::runtime;

using Ull = unsigned long long;

static const char *orNone(const char *text) { return text ? text : "(none)"; }

tt_status tt::runtime::checkModel(const tt_model_desc *model) {
  if (!model)
    return fail(TT_ERR_ARGUMENT, "expected a model, but got NULL");
  if (model->magic != TT_MODEL_MAGIC)
    return fail(TT_ERR_STATE,
                "expected model tables, but their magic is 0x%llx",
                Ull(model->magic));
  if (model->abi_version != TT_ABI_VERSION)
    return fail(TT_ERR_STATE, "expected ABI version %u, but the model has %u",
                TT_ABI_VERSION, model->abi_version);
  if (model->struct_size != sizeof(tt_model_desc))
    return fail(TT_ERR_STATE, "expected model tables of %zu bytes, but got %u",
                sizeof(tt_model_desc), model->struct_size);
  return TT_OK;
}

namespace {

/// The checks of one model; each returns a status and leaves a text.
class TableChecker {
public:
  TableChecker(const tt_model_desc &model, uint32_t isa)
      : model(model), isa(isa) {}

  tt_status check() const;

private:
  tt_status checkRoot() const;
  tt_status checkKernel(const tt_kernel_row &kernel) const;
  tt_status checkInit(const tt_tensor_row &row) const;
  tt_status checkTensor(const char *where, const tt_tensor_row &row) const;
  tt_status checkTensors(const char *where, const tt_tensor_row *rows,
                         uint32_t count, uint32_t region) const;
  tt_status checkEntry(const tt_entry_row &entry) const;
  tt_status checkEntryTensors(const tt_entry_row &entry) const;
  tt_status checkLaunch(const tt_entry_row &entry, uint32_t index) const;
  tt_status checkSelfcheck() const;

  uint64_t regionBytes(uint32_t region) const {
    const uint64_t bytes[TT_REGION_COUNT] = {
        model.parameter_bytes, model.state_bytes, model.planned_bytes,
        model.io_bytes, model.constant_bytes};
    return bytes[region];
  }

  const tt_model_desc &model;
  uint32_t isa;
};

} // namespace

tt_status TableChecker::checkRoot() const {
  if ((model.num_kernels && !model.kernels) ||
      (model.num_parameters && !model.parameters) ||
      (model.num_states && !model.states) ||
      (model.num_entries && !model.entries) ||
      (model.constant_bytes && !model.constants) || !model.name || !model.hash)
    return fail(TT_ERR_STATE, "the model's tables are damaged: one is missing");
  return TT_OK;
}

tt_status TableChecker::checkKernel(const tt_kernel_row &kernel) const {
  const char *name = orNone(kernel.name);
  if (kernel.num_phases && !kernel.phases)
    return fail(TT_ERR_STATE, "kernel '%s' has no phase table", name);
  if (kernel.repeat[isa] < 0)
    return fail(TT_ERR_STATE, "kernel '%s' repeats %lld times", name,
                (long long)kernel.repeat[isa]);
  if (kernel.worker_bytes > model.worker_bytes)
    return fail(TT_ERR_STATE,
                "kernel '%s' needs %llu bytes of worker scratch, but the model "
                "has %llu",
                name, Ull(kernel.worker_bytes), Ull(model.worker_bytes));
  for (uint32_t i = 0; i < kernel.num_phases; ++i) {
    const tt_phase_row &phase = kernel.phases[i];
    if (phase.tasks[isa] < 0 || phase.tasks[isa] > TT_MAX_TASKS)
      return fail(TT_ERR_STATE,
                  "phase %u of kernel '%s': expected 0 to %lld tasks, but got "
                  "%lld",
                  i, name, (long long)TT_MAX_TASKS,
                  (long long)phase.tasks[isa]);
    if (!phase.fn[isa])
      return fail(TT_ERR_STATE,
                  "phase %u of kernel '%s' has no code for x86-64-v%u", i, name,
                  isa + 3);
  }
  return TT_OK;
}

tt_status TableChecker::checkInit(const tt_tensor_row &row) const {
  bool isRandom = row.init == TT_INIT_NORMAL || row.init == TT_INIT_UNIFORM;
  if (row.init > TT_INIT_DATA || (isRandom && !isFloatDtype(row.dtype)) ||
      (row.init == TT_INIT_DATA && row.bytes && !row.init_data))
    return fail(TT_ERR_STATE, "tensor '%s' of %s has a damaged initialiser %u",
                row.name, dtypeName(row.dtype), row.init);
  return TT_OK;
}

/// Type, shape, size and place.
tt_status TableChecker::checkTensor(const char *where,
                                    const tt_tensor_row &row) const {
  if (!row.name || row.rank > TT_MAX_RANK || !dtypeBytes(row.dtype) ||
      row.region >= TT_REGION_COUNT)
    return fail(TT_ERR_STATE, "%s: tensor '%s' has a damaged row", where,
                orNone(row.name));
  uint64_t bytes = dtypeBytes(row.dtype);
  bool overflow = false;
  for (uint32_t i = 0; i < row.rank; ++i)
    overflow |= row.shape[i] < 0 ||
                __builtin_mul_overflow(bytes, uint64_t(row.shape[i]), &bytes);
  if (overflow || bytes != row.bytes)
    return fail(TT_ERR_STATE,
                "%s: tensor '%s' of %llu bytes does not match its shape", where,
                row.name, Ull(row.bytes));
  uint64_t end;
  if (__builtin_add_overflow(row.offset, row.bytes, &end) ||
      end > regionBytes(row.region))
    return fail(TT_ERR_STATE,
                "%s: tensor '%s' of %llu bytes at %llu lies outside its region "
                "%u of %llu bytes",
                where, row.name, Ull(row.bytes), Ull(row.offset), row.region,
                Ull(regionBytes(row.region)));
  return TT_OK;
}

tt_status TableChecker::checkTensors(const char *where,
                                     const tt_tensor_row *rows, uint32_t count,
                                     uint32_t region) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (tt_status status = checkTensor(where, rows[i]))
      return status;
    if (rows[i].region != region)
      return fail(TT_ERR_STATE, "%s: tensor '%s' lies in region %u, not %u",
                  where, rows[i].name, rows[i].region, region);
  }
  return TT_OK;
}

tt_status TableChecker::checkEntryTensors(const tt_entry_row &entry) const {
  if (tt_status status = checkTensors(entry.name, entry.inputs,
                                      entry.num_inputs, TT_REGION_IO))
    return status;
  for (uint32_t i = 0; i < entry.num_inputs; ++i) {
    const tt_tensor_row &row = entry.inputs[i];
    bool isIndex =
        row.dtype == TT_I64 || row.dtype == TT_I32 || row.dtype == TT_I8;
    if (row.index_limit < 0 || (row.index_limit > 0 && !isIndex))
      return fail(TT_ERR_STATE, "%s: input '%s' of %s has an index limit %lld",
                  entry.name, row.name, dtypeName(row.dtype),
                  (long long)row.index_limit);
  }
  for (uint32_t i = 0; i < entry.num_outputs; ++i) {
    const tt_tensor_row &row = entry.outputs[i];
    if (tt_status status = checkTensor(entry.name, row))
      return status;
    if (row.region == TT_REGION_STATE && !entry.needs_state)
      return fail(TT_ERR_STATE,
                  "%s: output '%s' is optimizer state, but the entry is marked "
                  "as not needing it",
                  entry.name, row.name);
  }
  return TT_OK;
}

tt_status TableChecker::checkLaunch(const tt_entry_row &entry,
                                    uint32_t index) const {
  const tt_launch_row &launch = entry.launches[index];
  if (launch.kernel >= model.num_kernels)
    return fail(TT_ERR_STATE, "%s: launch %u is of kernel %u of %u", entry.name,
                index, launch.kernel, model.num_kernels);
  const tt_kernel_row &kernel = model.kernels[launch.kernel];
  if (launch.first_operand > entry.num_operands ||
      kernel.num_operands > entry.num_operands - launch.first_operand)
    return fail(TT_ERR_STATE,
                "%s: launch %u of '%s' has operands %u + %u of %u", entry.name,
                index, orNone(kernel.name), launch.first_operand,
                kernel.num_operands, entry.num_operands);
  uint64_t end;
  if (kernel.shared_bytes &&
      (__builtin_add_overflow(launch.shared_offset, kernel.shared_bytes,
                              &end) ||
       end > model.planned_bytes))
    return fail(TT_ERR_STATE,
                "%s: launch %u of '%s' has its workspace of %llu bytes at %llu "
                "of %llu",
                entry.name, index, orNone(kernel.name),
                Ull(kernel.shared_bytes), Ull(launch.shared_offset),
                Ull(model.planned_bytes));
  return TT_OK;
}

tt_status TableChecker::checkEntry(const tt_entry_row &entry) const {
  if (!entry.name || (entry.num_launches && !entry.launches) ||
      (entry.num_operands && !entry.operands) ||
      (entry.num_inputs && !entry.inputs) ||
      (entry.num_outputs && !entry.outputs))
    return fail(TT_ERR_STATE, "entry '%s' is damaged: a table is missing",
                orNone(entry.name));
  if (tt_status status = checkEntryTensors(entry))
    return status;
  for (uint32_t i = 0; i < entry.num_operands; ++i) {
    const tt_operand_row &operand = entry.operands[i];
    if (operand.region >= TT_REGION_COUNT ||
        operand.offset > regionBytes(operand.region))
      return fail(TT_ERR_STATE, "%s: operand %u lies at %llu of region %u",
                  entry.name, i, Ull(operand.offset), operand.region);
    if (operand.region == TT_REGION_STATE && !entry.needs_state)
      return fail(TT_ERR_STATE,
                  "%s: operand %u is optimizer state, but the entry is marked "
                  "as not needing it",
                  entry.name, i);
  }
  for (uint32_t i = 0; i < entry.num_launches; ++i)
    if (tt_status status = checkLaunch(entry, i))
      return status;
  return TT_OK;
}

tt_status TableChecker::checkSelfcheck() const {
  const tt_selfcheck_row *row = model.selfcheck;
  if (!row)
    return TT_OK;
  if (row->entry >= model.num_entries || row->arena_bytes > model.planned_bytes)
    return fail(TT_ERR_STATE, "the self-check runs entry %u of %u on %llu bytes of %llu",
                row->entry, model.num_entries, Ull(row->arena_bytes),
                Ull(model.planned_bytes));
  const tt_entry_row &entry = model.entries[row->entry];
  if (entry.needs_state ||
      (row->projections && row->num_projections != entry.num_outputs))
    return fail(TT_ERR_STATE, "the self-check has %u sums for the %u outputs of '%s'",
                row->num_projections, entry.num_outputs, entry.name);
  return TT_OK;
}

tt_status TableChecker::check() const {
  if (tt_status status = checkRoot())
    return status;
  for (uint32_t i = 0; i < model.num_kernels; ++i)
    if (tt_status status = checkKernel(model.kernels[i]))
      return status;
  if (tt_status status =
          checkTensors("parameters", model.parameters, model.num_parameters,
                       TT_REGION_PARAMETERS))
    return status;
  if (tt_status status = checkTensors("states", model.states, model.num_states,
                                      TT_REGION_STATE))
    return status;
  for (uint32_t i = 0; i < model.num_parameters; ++i)
    if (tt_status status = checkInit(model.parameters[i]))
      return status;
  for (uint32_t i = 0; i < model.num_states; ++i)
    if (tt_status status = checkInit(model.states[i]))
      return status;
  for (uint32_t i = 0; i < model.num_entries; ++i)
    if (tt_status status = checkEntry(model.entries[i]))
      return status;
  return checkSelfcheck();
}

tt_status tt::runtime::checkTables(const tt_model_desc *model, uint32_t isa) {
  return TableChecker(*model, isa).check();
}
