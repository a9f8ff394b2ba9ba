#include "MakeLibrary.h"

#include "Compile.h"

#include <filesystem>

using namespace tt::trainer;

/// The library that an earlier start of this run was given, or compiled.
static bool findOwnLibrary(const ModelSource &source, const std::string &recorded,
                           std::string &path, std::string &error) {
  path = recorded.empty() ? source.directory + "/model.so" : recorded;
  std::error_code status;
  if (std::filesystem::exists(path, status))
    return true;
  error = path + ": found no such file, wanted " +
          (recorded.empty() ? "--config, --mlir or --library"
                            : "the library of this run there or by --library");
  return false;
}

bool makeLibrary(const ModelSource &source, const std::string &recorded,
                 const AcceptTypes &accept, Console &console,
                 std::string &path, std::string &error) {
  if (!source.library.empty()) {
    path = source.library;
    return true;
  }
  if (source.config.empty() && source.mlir.empty())
    return findOwnLibrary(source, recorded, path, error);
  std::string mlir = source.mlir;
  if (mlir.empty() && !importModel(source, console, mlir, error))
    return false;
  return compileLibrary(source, mlir, accept, console, path, error);
}
