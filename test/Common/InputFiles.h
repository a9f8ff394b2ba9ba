//===- InputFiles.h - A test per file of a folder ---------------*- C++ -*-===//
#ifndef TT_TEST_COMMON_INPUTFILES_H
#define TT_TEST_COMMON_INPUTFILES_H

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tt::test {

/// The paths in `folder`, sorted.
inline std::vector<std::string> inputFiles(const char *folder) {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A test's name: that of its file.
inline std::string inputName(const testing::TestParamInfo<std::string> &info) {
  return llvm::sys::path::stem(info.param).str();
}

} // namespace tt::test

#endif
