// The entries that training needs, by name; checked once, also before a library
// is compiled.
#ifndef TT_TRAINER_TRAINENTRIES_H
#define TT_TRAINER_TRAINENTRIES_H

#include "tt/Trainer/BatchSampler.h"
#include "tt/runtime/ModelTypes.h"

namespace tt::trainer {

/// An entry with the places of the inputs and outputs we know.
struct TrainPort {
  bool exists = false;
  uint32_t entry = 0;
  BatchShape shape;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<tt_tensor_info> inputInfos, outputInfos;

  void setInput(const char *name, const void *from);
  void setOutput(const char *name, void *to);
};

/// "[2, ?] f32"; a size below 0 is any.
std::string typeText(uint32_t dtype, const int64_t *shape, size_t rank);

const tt_tensor_info *findTensor(const std::vector<tt_tensor_info> &list,
                                 std::string_view name);

struct TrainEntries {
  TrainPort train, eval, logits;
  int64_t numIds = 0; // ids are below

  /// Errors start with types.path. Only `logits` is needed, or, for training,
  /// all but that.
  bool find(const runtime::ModelTypes &types, bool forTraining,
            std::string &error);
};

} // namespace tt::trainer
#endif
