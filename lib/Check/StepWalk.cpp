//===- StepWalk.cpp - A library's entry, launch by launch -----------------===//
#include "StepWalk.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace tt;
using namespace tt::check;
using tt::runtime::SafetensorsDtype;

char *StepWalk::root(uint32_t region) const {
  switch (region) {
  case TT_REGION_PARAMETERS:
    return static_cast<char *>(parameters.data());
  case TT_REGION_STATE:
    return static_cast<char *>(state.data());
  case TT_REGION_IO:
    return static_cast<char *>(io.data());
  case TT_REGION_CONSTANT: // read only; kernels take char *
    return const_cast<char *>(model.constants);
  default:
    return static_cast<char *>(planned.data());
  }
}

/// Every row gets the value of its name.
bool StepWalk::fill(const tt_tensor_row *rows, uint32_t count,
                    const std::vector<NamedTensor> &values, const char *kind,
                    std::string &error) {
  for (uint32_t i = 0; i < count; ++i) {
    const tt_tensor_row &row = rows[i];
    auto found = std::find_if(values.begin(), values.end(), [&](const NamedTensor &value) {
      return value.name == row.name;
    });
    std::vector<int64_t> shape(row.shape, row.shape + row.rank);
    if (found == values.end() || uint32_t(found->value.dtype) != row.dtype ||
        found->value.shape != shape || found->value.bytes.size() != row.bytes) {
      error = std::string("error: expected the record to hold the ") + kind + " " + row.name +
              " as the library has it";
      return false;
    }
    std::memcpy(root(row.region) + row.offset, found->value.bytes.data(), row.bytes);
  }
  return true;
}

bool StepWalk::start(const StepRecord &record, std::string &error) {
  if (!parameters.allocate(model.parameter_bytes) || !state.allocate(model.state_bytes) ||
      !io.allocate(model.io_bytes) || !planned.allocate(model.planned_bytes) ||
      !worker.allocate(model.worker_bytes)) {
    error = "error: the system has no memory to replay the step";
    return false;
  }
  return fill(model.parameters, model.num_parameters, record.parameters, "parameter", error) &&
         fill(model.states, model.num_states, record.states, "state", error) &&
         fill(entry.inputs, entry.num_inputs, record.inputs, "input", error);
}

void StepWalk::run(uint32_t number) {
  const tt_launch_row &launch = entry.launches[number];
  const tt_kernel_row &kernel = model.kernels[launch.kernel];
  std::vector<char *> operands;
  for (uint32_t i = 0; i < kernel.num_operands; ++i) {
    const tt_operand_row &row = entry.operands[launch.first_operand + i];
    operands.push_back(root(row.region) + row.offset);
  }
  char *shared = kernel.shared_bytes ? root(TT_REGION_ARENA) + launch.shared_offset : nullptr;
  for (int64_t iteration = 0; iteration < kernel.repeat[isa]; ++iteration)
    for (uint32_t p = 0; p < kernel.num_phases; ++p)
      for (int64_t task = 0; task < kernel.phases[p].tasks[isa]; ++task)
        kernel.phases[p].fn[isa](operands.data(), task, iteration, shared,
                                 static_cast<char *>(worker.data()));
}

HostTensor StepWalk::operand(uint32_t number, uint32_t i, MemRefType type) const {
  const tt_operand_row &row = entry.operands[entry.launches[number].first_operand + i];
  const char *base = root(row.region) + row.offset;
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset); // ours are static
  Encoded encoded;
  encoded.dtype = dtypeOf(type.getElementType());
  encoded.shape.assign(type.getShape().begin(), type.getShape().end());
  unsigned width = runtime::safetensorsDtypeBytes(encoded.dtype);
  encoded.bytes.resize(type.getNumElements() * width); // checked: a planned buffer
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t element = 0; element < type.getNumElements(); ++element) {
    int64_t at = 0;
    for (auto [position, stride] : llvm::zip(index, strides))
      at += position * stride;
    std::memcpy(encoded.bytes.data() + element * width, base + at * width, width);
    for (size_t d = index.size(); d-- > 0 && ++index[d] == type.getDimSize(d);)
      index[d] = 0;
  }
  return decode(encoded);
}

std::vector<NamedTensor> StepWalk::outputs() const {
  std::vector<NamedTensor> result;
  for (uint32_t i = 0; i < entry.num_outputs; ++i) {
    const tt_tensor_row &row = entry.outputs[i];
    NamedTensor output;
    output.name = row.name;
    output.value.dtype = SafetensorsDtype(row.dtype);
    output.value.shape.assign(row.shape, row.shape + row.rank);
    const char *from = root(row.region) + row.offset;
    output.value.bytes.assign(from, from + row.bytes);
    result.push_back(std::move(output));
  }
  return result;
}
