//===- OutputFiles.h - The three files of a library -------------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_OUTPUTFILES_H
#define TT_LIB_PIPELINES_OUTPUTFILES_H

#include "tt/runtime/AtomicFile.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tt {

/// All are written before the first is put in place, so that a full disk leaves
/// what was there.
class OutputFiles {
public:
  explicit OutputFiles(const std::string &base) : base(base) {}

  /// Whether files can be made there, long before there is something to write, and
  /// none of them is `input`.
  bool probe(const std::string &input, std::string &error);
  bool write(llvm::StringRef library, llvm::StringRef header, llvm::StringRef manifest,
             std::string &error);

private:
  runtime::ErrorText sink() { return {problem, sizeof problem}; }
  bool fail(std::string &error) {
    error = problem;
    return false;
  }

  const std::string &base;
  runtime::AtomicFile files[3];
  char problem[512] = {};
};

} // namespace tt

#endif
