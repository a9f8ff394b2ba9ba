//===- PlanTypes.h - What a planned library takes and gives -----*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_PLANTYPES_H
#define TT_LIB_PIPELINES_PLANTYPES_H

#include "tt/AOT/ModelPlan.h"
#include "tt/runtime/ModelTypes.h"

namespace tt {

/// As the library will list them; valid as long as `plan`.
runtime::ModelTypes typesOf(const aot::ModelPlan &plan, const std::string &path);

} // namespace tt

#endif
