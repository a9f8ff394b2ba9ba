//===- Selfcheck.cpp - The certificate's gradients again, on site ---------===//
//
// Parameters and inputs come from Philox with the certificate's seed, the entry
// `grad` runs on them, and a sum of each output with random signs, in f64 and in
// the order of the elements, must have the bits that the certificate stored.
// Bits, since results depend neither on the threads nor on the vector level.
//
// Counters: (element low, element high, tensor, kind). Only uniform deviates are
// used, so that no math library takes part.
//
// The bound parameters are neither read nor written: for the length of the run
// the operands of `grad` that lie in their region point to generated ones.
//
//===----------------------------------------------------------------------===//

#include "DType.h"
#include "Error.h"
#include "FpMode.h"
#include "Instance.h"
#include "Normal.h"
#include "Tables.h"
#include "Walk.h"

#include "tt/runtime/Sizes.h"

#include <string.h>

using namespace tt::runtime;

namespace {

// The last counter word.
constexpr uint32_t kParameterKind = 0x74740010;
constexpr uint32_t kInputKind = 0x74740011;
constexpr uint32_t kSignKind = 0x74740012;

uint64_t alignUp(uint64_t bytes) { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

/// The generated parameters go behind what `grad` needs of the arena, or, where this is
/// not 0, into the caller's scratch.
uint64_t scratchOf(const tt_model_desc &model) {
  return selfcheckScratchBytes(model.selfcheck->arena_bytes, model.planned_bytes,
                               model.parameter_bytes);
}

/// The deviates of one tensor, element by element.
class Deviates {
public:
  Deviates(uint64_t seed, uint32_t tensor, uint32_t kind)
      : seed(seed), tensor(tensor), kind(kind) {}

  /// Of element i, uniform in [-1, 1).
  double at(uint64_t i) {
    const PhiloxBlock &bits = block(i / 2);
    return 2.0 * (i & 1 ? uniform53(bits.word[2], bits.word[3])
                        : uniform53(bits.word[0], bits.word[1])) -
           1.0;
  }
  uint32_t word(uint64_t i) { return block(i / 4).word[i % 4]; }
  bool bit(uint64_t i) { return word(i / 32) >> (i % 32) & 1; }

private:
  const PhiloxBlock &block(uint64_t number) {
    if (number != current) {
      PhiloxBlock counter = {{uint32_t(number), uint32_t(number >> 32), tensor, kind}};
      bits = philox4x32(counter, uint32_t(seed), uint32_t(seed >> 32));
      current = number;
    }
    return bits;
  }

  uint64_t seed, current = UINT64_MAX;
  uint32_t tensor, kind;
  PhiloxBlock bits = {};
};

void storeFloat(uint32_t dtype, char *data, uint64_t i, double value) {
  if (dtype == TT_F64)
    reinterpret_cast<double *>(data)[i] = value;
  else if (dtype == TT_F32)
    reinterpret_cast<float *>(data)[i] = float(value);
  else // 16 bits: 2^-6 or 2^-7 of that sign, which bf16 and f16 both hold
    reinterpret_cast<uint16_t *>(data)[i] =
        (value < 0 ? 0x8000 : 0) | (dtype == TT_BF16 ? 0x3c80 : 0x2400);
}

/// Whether the model says which values a tensor is checked with (`check.range`).
bool hasRange(const tt_tensor_row &row) { return row.check_low < row.check_high; }

/// `unit`, of [-1, 1), in the middle of that range.
double inRange(const tt_tensor_row &row, double unit) {
  return 0.5 * ((row.check_low + row.check_high) + (row.check_high - row.check_low) * unit);
}

/// As large as a fresh parameter is, and nothing 0; or in its range.
void fillParameter(const tt_tensor_row &row, Deviates deviates, char *data) {
  double scale = 0.125, offset = row.init == TT_INIT_ONE ? 1.0 : 0.0;
  if (row.init == TT_INIT_UNIFORM)
    scale = row.init_scale;
  else if (row.init == TT_INIT_NORMAL)
    scale = 1.75 * row.init_scale;
  uint64_t size = dtypeBytes(row.dtype);
  for (uint64_t i = 0; i < row.bytes / size; ++i)
    storeFloat(row.dtype, data, i,
               hasRange(row) ? inRange(row, deviates.at(i)) : offset + scale * deviates.at(i));
}

void storeInteger(uint32_t dtype, char *data, uint64_t i, int64_t value) {
  if (dtype == TT_I64)
    reinterpret_cast<int64_t *>(data)[i] = value;
  else if (dtype == TT_I32)
    reinterpret_cast<int32_t *>(data)[i] = int32_t(value);
  else
    data[i] = char(value);
}

void fillInput(const tt_tensor_row &row, Deviates deviates, uint64_t seed, char *data) {
  uint64_t size = dtypeBytes(row.dtype);
  for (uint64_t i = 0; i < row.bytes / size; ++i) {
    if (isFloatDtype(row.dtype)) {
      double unit = deviates.at(i);
      storeFloat(row.dtype, data, i, hasRange(row) ? inRange(row, unit) : unit);
      continue;
    }
    uint64_t limit = row.index_limit > 0 ? uint64_t(row.index_limit) : 2;
    int64_t value = int64_t(deviates.word(i) % limit);
    if (row.rank == 0 && !strcmp(row.name, "step"))
      value = 1;
    else if (row.rank == 0 && !strcmp(row.name, "seed"))
      value = int64_t(seed);
    storeInteger(row.dtype, data, i, value);
  }
}

/// The sum of the elements with random signs, in their order.
double project(const tt_tensor_row &row, Deviates signs, const char *data) {
  double sum = 0;
  uint64_t size = dtypeBytes(row.dtype);
  for (uint64_t i = 0; i < row.bytes / size; ++i) {
    double value = row.dtype == TT_F64 ? reinterpret_cast<const double *>(data)[i]
                                       : double(reinterpret_cast<const float *>(data)[i]);
    sum += signs.bit(i) ? value : -value;
  }
  return sum;
}

/// Points the operands of `entry` that are parameters to `base`.
void pointParameters(tt_instance &instance, uint32_t entry, char *base) {
  const tt_entry_row &row = instance.model->entries[entry];
  char **operands = const_cast<char **>(instance.entryOperands[entry]);
  for (uint32_t i = 0; i < row.num_operands; ++i)
    if (row.operands[i].region == TT_REGION_PARAMETERS)
      operands[i] = base + row.operands[i].offset;
}

tt_status runGradients(tt_instance &instance, char *parameters) {
  const tt_model_desc &model = *instance.model;
  const tt_selfcheck_row &check = *model.selfcheck;
  const tt_entry_row &entry = model.entries[check.entry];
  DefaultFpMode mode;
  for (uint32_t i = 0; i < model.num_parameters; ++i)
    fillParameter(model.parameters[i], Deviates(check.seed, i, kParameterKind),
                  parameters + model.parameters[i].offset);
  for (uint32_t i = 0; i < entry.num_inputs; ++i)
    if (entry.inputs[i].bytes)
      fillInput(entry.inputs[i], Deviates(check.seed, i, kInputKind), check.seed,
                instance.roots[TT_REGION_IO] + entry.inputs[i].offset);
  pointParameters(instance, check.entry, parameters);
  walkEntry(instance, check.entry);
  pointParameters(instance, check.entry, instance.roots[TT_REGION_PARAMETERS]);
  return checkHook(instance);
}

/// Compares bits, so that NaN never passes for a number.
tt_status compare(const tt_tensor_row &output, double found, const double *stored,
                  uint32_t i) {
  if (found != found || found - found != 0)
    return fail(TT_ERR_CHECK, "self-check: '%s' is not finite", output.name);
  if (stored && memcmp(&found, &stored[i], sizeof found) != 0)
    return fail(TT_ERR_CHECK,
                "self-check: expected %.17g as the signed sum of '%s', as when "
                "the library was certified, but got %.17g",
                stored[i], output.name, found);
  return TT_OK;
}

tt_status failWithoutCertificate() {
  return fail(TT_ERR_STATE, "the library has no certificate to compare with "
                            "(tt-compile --certify writes one)");
}

} // namespace

uint64_t tt::runtime::selfcheckScratchBytes(uint64_t gradArenaBytes, uint64_t plannedBytes,
                                            uint64_t parameterBytes) {
  uint64_t used = alignUp(gradArenaBytes);
  bool fits = used <= plannedBytes && plannedBytes - used >= parameterBytes;
  return fits ? 0 : parameterBytes;
}

extern "C" tt_status tt_selfcheck_query(const tt_model_desc *model, uint64_t *bytes) {
  if (tt_status status = checkModel(model))
    return status;
  if (!bytes)
    return fail(TT_ERR_ARGUMENT, "expected a place for the bytes, but got NULL");
  if (!model->selfcheck)
    return fail(TT_ERR_STATE, "the library has no self-check");
  *bytes = scratchOf(*model);
  return TT_OK;
}

extern "C" tt_status tt_selfcheck(tt_instance *instance, void *scratch,
                                  uint64_t scratchBytes, double *found) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  const tt_model_desc &model = *instance->model;
  if (!model.selfcheck)
    return fail(TT_ERR_STATE, "the library has no self-check");
  const tt_selfcheck_row &check = *model.selfcheck;
  if (!check.projections && !found)
    return failWithoutCertificate();
  char *parameters = instance->planned + alignUp(check.arena_bytes);
  if (scratchOf(model)) {
    parameters = static_cast<char *>(scratch);
    if (!parameters || scratchBytes < model.parameter_bytes)
      return fail(TT_ERR_MEMORY, "expected scratch memory of %llu bytes, but got %llu",
                  (unsigned long long)model.parameter_bytes,
                  (unsigned long long)(scratch ? scratchBytes : 0));
    if (reinterpret_cast<uintptr_t>(scratch) % kAlignment != 0)
      return fail(TT_ERR_ARGUMENT,
                  "expected scratch memory aligned to %u bytes, but got %p",
                  unsigned(kAlignment), scratch);
  }
  if (tt_status status = runGradients(*instance, parameters))
    return status;
  const tt_entry_row &entry = model.entries[check.entry];
  DefaultFpMode mode;
  tt_status result = TT_OK;
  for (uint32_t i = 0; i < entry.num_outputs; ++i) {
    const tt_tensor_row &output = entry.outputs[i];
    double sum = 0;
    if (output.dtype == TT_F32 || output.dtype == TT_F64)
      sum = project(output, Deviates(check.seed, i, kSignKind),
                    instance->roots[output.region] + output.offset);
    if (found)
      found[i] = sum;
    if (result == TT_OK)
      result = compare(output, sum, check.projections, i);
  }
  return result == TT_OK && !check.projections ? failWithoutCertificate() : result;
}
