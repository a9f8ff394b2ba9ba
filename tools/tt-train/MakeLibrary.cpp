#include "MakeLibrary.h"

#include "Compile.h"

#include <filesystem>

using namespace tt::trainer;

/// The library that an earlier start of this run has compiled.
static bool findOwnLibrary(const ModelSource &source, std::string &path,
                           std::string &error) {
  path = source.directory + "/model.so";
  std::error_code status;
  if (std::filesystem::exists(path, status))
    return true;
  error = path + ": found no such file, wanted --config, --mlir or --library";
  return false;
}

bool makeLibrary(const ModelSource &source, Console &console, std::string &path,
                 std::string &error) {
  if (!source.library.empty()) {
    path = source.library;
    return true;
  }
  if (source.config.empty() && source.mlir.empty())
    return findOwnLibrary(source, path, error);
  std::string mlir = source.mlir;
  if (mlir.empty() && !importModel(source, console, mlir, error))
    return false;
  return compileLibrary(source, mlir, console, path, error);
}
