//===- StepRecord.h - One call of a library in a file -----------*- C++ -*-===//
//
// A safetensors file. Tensors: "parameter:NAME" and "state:NAME" before the call,
// "input:NAME", "output:NAME", and "after:parameter:NAME", "after:state:NAME" of
// those that the call has changed. Metadata: "tt.record" is "1"; "tt.entry",
// "tt.hash", "tt.library" and "tt.level" (3, 4, or 0: the best) say what was called;
// "tt.option.X" are the options
// of the library's manifest, so that its steps can be built again.
//
//===----------------------------------------------------------------------===//
#ifndef TT_CHECK_STEPRECORD_H
#define TT_CHECK_STEPRECORD_H

#include "tt/Check/LibraryRun.h"

namespace tt::check {

struct StepRecord {
  std::string entry, hash, library, level = "0";
  std::map<std::string, std::string> options;
  std::vector<NamedTensor> parameters, states, inputs, outputs;
  std::vector<NamedTensor> newParameters, newStates; // the changed ones

  bool write(const std::string &path, std::string &error) const;
  bool read(const std::string &path, std::string &error);

  /// Takes the state of `run` before a call with `inputs`.
  bool takeBefore(LibraryRun &run, const std::string &path, uint32_t entry,
                  const std::vector<Encoded> &inputs, std::string &error);
  /// Takes what the call gave.
  bool takeAfter(LibraryRun &run, const std::vector<NamedTensor> &outputs,
                 std::string &error);
};

} // namespace tt::check

#endif
