//===- PlanTypes.cpp - What a planned library takes and gives -------------===//
#include "PlanTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace tt;

static std::vector<tt_tensor_info> infosOf(const std::vector<aot::TensorPlan> &tensors) {
  std::vector<tt_tensor_info> infos;
  for (const aot::TensorPlan &tensor : tensors) {
    tt_tensor_info info = {};
    info.struct_size = sizeof(info);
    info.name = tensor.name.c_str();
    info.dtype = tensor.dtype;
    info.rank = tensor.shape.size();
    llvm::copy(tensor.shape, info.shape);
    info.bytes = tensor.bytes;
    info.index_limit = tensor.indexLimit;
    info.index_ignore = tensor.indexIgnore;
    infos.push_back(info);
  }
  return infos;
}

runtime::ModelTypes tt::typesOf(const aot::ModelPlan &plan, const std::string &path) {
  runtime::ModelTypes types;
  types.path = path;
  types.hash = plan.hash;
  types.parameters = infosOf(plan.parameters);
  for (const aot::EntryPlan &entry : plan.entries)
    types.entries.push_back({entry.name, infosOf(entry.inputs), infosOf(entry.outputs)});
  return types;
}
