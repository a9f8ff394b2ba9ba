//===- Init.cpp - Initial values of parameters and state ------------------===//
//
// Element 2b and 2b+1 of a tensor come from the Philox block with the counter
// (b low, b high, the tensor's index, its kind) and the seed as key. A value
// depends on nothing else, so any number of threads gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "DType.h"
#include "Error.h"
#include "FpMode.h"
#include "Instance.h"
#include "Normal.h"
#include "Walk.h"

#include <string.h>

using namespace tt::runtime;

namespace {

uint16_t toBf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; // to nearest even
}

/// To nearest even, by hand: _Float16 would call a library function on
/// baseline x86-64.
uint16_t toF16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  uint16_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x477ff000) // rounds past the largest number
    return sign | 0x7c00;
  if (magnitude < 0x38800000) { // below 2^-14: a multiple of 2^-24
    float scaled;
    memcpy(&scaled, &magnitude, sizeof(scaled));
    // The sum's last place is 2^-24, so the addition does the rounding.
    scaled += 0.5f;
    memcpy(&magnitude, &scaled, sizeof(magnitude));
    return sign | (magnitude - 0x3f000000);
  }
  magnitude += 0xfff + (magnitude >> 13 & 1);
  return sign | (magnitude - 0x38000000) >> 13;
}

/// Writes element `index`; 16-bit types are rounded from the f32 value.
void store(uint32_t dtype, char *data, uint64_t index, double value) {
  switch (dtype) {
  case TT_F64:
    reinterpret_cast<double *>(data)[index] = value;
    break;
  case TT_F32:
    reinterpret_cast<float *>(data)[index] = float(value);
    break;
  case TT_BF16:
    reinterpret_cast<uint16_t *>(data)[index] = toBf16(float(value));
    break;
  case TT_F16:
    reinterpret_cast<uint16_t *>(data)[index] = toF16(float(value));
    break;
  case TT_I64:
    reinterpret_cast<int64_t *>(data)[index] = int64_t(value);
    break;
  case TT_I32:
    reinterpret_cast<int32_t *>(data)[index] = int32_t(value);
    break;
  default: // i8, i1
    data[index] = char(value);
  }
}

/// What the tasks of one tensor share; travels as their only operand.
struct Fill {
  const tt_tensor_row *row;
  char *data;
  uint64_t elements;
  uint64_t seed;
  uint32_t index;
  uint32_t kind;
};

/// Elements of one task: even, so that no block is split, and small enough for
/// all workers to get some of a mid-sized tensor.
constexpr uint64_t kTaskElements = 1 << 14;

void fillRandomPair(const Fill &fill, uint64_t block, double &first,
                    double &second) {
  PhiloxBlock counter = {
      {uint32_t(block), uint32_t(block >> 32), fill.index, fill.kind}};
  PhiloxBlock bits =
      philox4x32(counter, uint32_t(fill.seed), uint32_t(fill.seed >> 32));
  double scale = fill.row->init_scale;
  if (fill.row->init == TT_INIT_NORMAL) {
    normalPair(bits, first, second);
    first *= scale;
    second *= scale;
    return;
  }
  first = (2.0 * uniform53(bits.word[0], bits.word[1]) - 1.0) * scale;
  second = (2.0 * uniform53(bits.word[2], bits.word[3]) - 1.0) * scale;
}

/// A tt_kernel_fn: tasks are runs of kTaskElements, numbered from
/// iteration * TT_MAX_TASKS on.
void fillTask(char *const *operands, int64_t task, int64_t iteration,
              char *shared, char *worker) {
  const Fill &fill = *reinterpret_cast<const Fill *>(operands[0]);
  const tt_tensor_row &row = *fill.row;
  uint64_t begin = uint64_t(iteration * TT_MAX_TASKS + task) * kTaskElements;
  uint64_t end = begin + kTaskElements < fill.elements ? begin + kTaskElements
                                                       : fill.elements;
  uint64_t size = dtypeBytes(row.dtype);
  switch (row.init) {
  case TT_INIT_ZERO:
    memset(fill.data + begin * size, 0, (end - begin) * size);
    break;
  case TT_INIT_ONE:
    for (uint64_t i = begin; i < end; ++i)
      store(row.dtype, fill.data, i, 1.0);
    break;
  case TT_INIT_DATA:
    memcpy(fill.data + begin * size,
           static_cast<const char *>(row.init_data) + begin * size,
           (end - begin) * size);
    break;
  default: // normal or uniform, see checkTables
    for (uint64_t i = begin; i < end; i += 2) {
      double first, second;
      fillRandomPair(fill, i / 2, first, second);
      store(row.dtype, fill.data, i, first);
      if (i + 1 < end)
        store(row.dtype, fill.data, i + 1, second);
    }
  }
}

void fillTensor(tt_instance &instance, const Fill &fill) {
  char *operand = reinterpret_cast<char *>(const_cast<Fill *>(&fill));
  int64_t tasks = (fill.elements + kTaskElements - 1) / kTaskElements;
  Region region = {};
  region.fn = fillTask;
  region.operands = &operand;
  for (; tasks > 0; tasks -= TT_MAX_TASKS, ++region.iteration) {
    region.tasks = tasks < TT_MAX_TASKS ? tasks : TT_MAX_TASKS;
    runRegion(instance, region);
  }
}

void fillTensors(tt_instance &instance, const tt_tensor_row *rows,
                 uint32_t count, uint32_t kind, uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    char *root = instance.roots[rows[i].region];
    if (!root)
      continue; // an empty region, or a state that is not there
    fillTensor(instance,
               {&rows[i], root + rows[i].offset,
                rows[i].bytes / dtypeBytes(rows[i].dtype), seed, i, kind});
  }
}

} // namespace

extern "C" tt_status tt_init(tt_instance *instance, uint64_t seed) {
  InstanceCall call(instance);
  if (call.status() != TT_OK)
    return call.status();
  const tt_model_desc &model = *instance->model;
  {
    DefaultFpMode mode;
    fillTensors(*instance, model.parameters, model.num_parameters, 0, seed);
    fillTensors(*instance, model.states, model.num_states, 1, seed);
  }
  return checkHook(*instance);
}
