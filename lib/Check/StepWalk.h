//===- StepWalk.h - A library's entry, launch by launch ---------*- C++ -*-===//
//
// What the runtime does in one call, on one thread and in memory of our own, so
// that the operands of every launch can be looked at.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_CHECK_STEPWALK_H
#define TT_LIB_CHECK_STEPWALK_H

#include "tt/Check/StepRecord.h"
#include "tt/runtime/ModelTable.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tt::check {

class StepWalk {
public:
  /// isa: TT_ISA_*, a level that the library and this CPU have.
  StepWalk(const tt_model_desc *model, uint32_t entry, uint32_t isa)
      : model(*model), entry(model->entries[entry]), isa(isa) {}

  /// Memory, with the record's parameters, state and inputs in it.
  bool start(const StepRecord &record, std::string &error);

  uint32_t numLaunches() const { return entry.num_launches; }
  void run(uint32_t launch);
  /// The i-th operand of a launch: its reads, then its writes.
  HostTensor operand(uint32_t launch, uint32_t i, mlir::MemRefType type) const;
  std::vector<NamedTensor> outputs() const;

private:
  char *root(uint32_t region) const;
  bool fill(const tt_tensor_row *rows, uint32_t count,
            const std::vector<NamedTensor> &values, const char *kind, std::string &error);

  const tt_model_desc &model;
  const tt_entry_row &entry;
  uint32_t isa;
  runtime::Pages parameters, state, io, planned, worker;
};

} // namespace tt::check

#endif
