// Stands in for Compile.cpp in a build without the compiler's rooms.
#include "Compile.h"

bool compileLibrary(const ModelSource &source, const std::string &mlir,
                    const tt::trainer::AcceptTypes &accept,
                    tt::trainer::Console &console, std::string &path,
                    std::string &error) {
  error = "--mlir: found a tt-train that was built without the compiler, "
          "wanted --library";
  return false;
}
