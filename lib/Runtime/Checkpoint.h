//===- Checkpoint.h - What saving and loading agree on ----------*- C++ -*-===//
//
// A checkpoint is a safetensors file: parameters and optimizer state under
// their table names, and in __metadata__ the caller's pairs and two of ours:
//   tt.hash      the model's hash (which compiled module wrote it)
//   tt.checksum  XXH64 over all other pairs in the order of the file, each
//                string with its NUL, and then over the data of all tensors
// A file with tt.hash must have tt.checksum, so that no single damaged key can
// switch the check off. A file with neither comes from elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_RUNTIME_CHECKPOINT_H
#define TT_LIB_RUNTIME_CHECKPOINT_H

#include "DType.h"
#include "Instance.h"

namespace tt::runtime {

constexpr const char *kHashKey = "tt.hash";
constexpr const char *kChecksumKey = "tt.checksum";

/// 16 hexadecimal digits and a NUL.
struct ChecksumText {
  char text[17];
  explicit ChecksumText(uint64_t value) {
    for (int i = 0; i < 16; ++i)
      text[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    text[16] = 0;
  }
};

/// The rows of a checkpoint: the parameters, then perhaps the states.
class CheckpointRows {
public:
  CheckpointRows(const tt_instance &instance, bool withState)
      : instance(instance),
        numStates(withState ? instance.model->num_states : 0) {}

  uint32_t count() const { return instance.model->num_parameters + numStates; }
  const tt_tensor_row &row(uint32_t index) const {
    uint32_t numParameters = instance.model->num_parameters;
    return index < numParameters
               ? instance.model->parameters[index]
               : instance.model->states[index - numParameters];
  }
  /// NULL for an empty tensor of an empty region.
  char *data(uint32_t index) const {
    char *root = instance.roots[row(index).region];
    return root ? root + row(index).offset : nullptr;
  }

private:
  const tt_instance &instance;
  uint32_t numStates;
};

/// TT_ERR_STATE when optimizer state is wanted and the instance has none.
tt_status checkHasState(const tt_instance &instance, int withState);

} // namespace tt::runtime

#endif
