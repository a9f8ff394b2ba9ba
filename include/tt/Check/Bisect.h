//===- Bisect.h - The first launch of a recorded call that errs -*- C++ -*-===//
//
// The library's own code is run launch by launch on the record (StepRecord.h).
// After each launch the interpreter, in mode typed, evaluates the launch's kernel
// on the very inputs that the launch has read; so errors do not add up on the way,
// and the first launch whose result leaves its bound (ErrorBound.h) or is not
// finite is the one at fault. Inside that kernel the ops are compiled and checked
// one by one.
//
//===----------------------------------------------------------------------===//
#ifndef TT_CHECK_BISECT_H
#define TT_CHECK_BISECT_H

#include "tt/Check/ErrorBound.h"
#include "tt/Check/StepRecord.h"

#include <functional>

namespace tt::check {

struct BisectOptions {
  std::string graph;  // the .mlir that the library was compiled from
  std::string output; // BASE of the minimal program; empty: none is written
  std::function<void(const std::string &)> progress; // may be empty
};

struct Finding {
  unsigned launch = 0;
  std::string kernel;
  std::string op;     // "tt.gelu"; may be a kernel's anchor, see `scope`
  std::string place;  // "FILE:LINE:COLUMN", or empty
  std::string what;   // "result 0 is not finite: nan at [0, 3]"
  std::string scope;  // whether the op alone shows it
  std::string program, inputs; // files written, or empty
};

struct BisectReport {
  unsigned numLaunches = 0; // checked
  std::optional<Finding> finding;
  /// Where the replay's outputs differ from the recorded ones, bit for bit.
  std::string replayDifference;
  std::string error; // why nothing could be checked

  std::string text() const;
};

/// `model` is the library's; its hash must be the record's.
BisectReport bisect(const StepRecord &record, const tt_model_desc *model,
                    const BisectOptions &options);

} // namespace tt::check

#endif
