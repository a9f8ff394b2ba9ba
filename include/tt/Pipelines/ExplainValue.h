//===- ExplainValue.h - Why a value is kept or recomputed -------*- C++ -*-===//
#ifndef TT_PIPELINES_EXPLAINVALUE_H
#define TT_PIPELINES_EXPLAINVALUE_H

#include "tt/Pipelines/Compile.h"

#include <string>

namespace tt {

/// Says of the value called `name` ("%x", or "@layer:%x" where two functions have
/// one of that name) of the graph `options.input` whether it is kept between
/// forward and backward under `options.checkpoint`, which adjoint reads it, how
/// many bytes it takes, or why it is not kept. On failure false, and `error`
/// starts with the place in the user's file.
bool explainValue(const CompileOptions &options, const std::string &name,
                  std::string &text, std::string &error);

/// The table of everything that is kept, per function: count, bytes, type, op and
/// place, readers; with the total at the end.
bool listKept(const CompileOptions &options, std::string &text, std::string &error);

} // namespace tt

#endif
