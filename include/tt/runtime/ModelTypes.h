//===- ModelTypes.h - What a library takes and gives ------------*- C++ -*-===//
//
// The tensors of a model library, as the library's own functions list them, or as
// the compiler does before there is a library.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_MODELTYPES_H
#define TT_RUNTIME_MODELTYPES_H

#include "tt/runtime/tt.h"

#include <string>
#include <vector>

namespace tt::runtime {

struct EntryTypes {
  std::string name;
  std::vector<tt_tensor_info> inputs, outputs;
};

/// Names of tensors belong to who made this.
struct ModelTypes {
  std::string path; // for errors: of the library, or of its graph
  std::string hash;
  std::vector<tt_tensor_info> parameters;
  std::vector<EntryTypes> entries; // in the order of the library
};

} // namespace tt::runtime

#endif
