// Stands in for Import.cpp in a build without the frontend.
#include "Compile.h"

bool importModel(const ModelSource &source, tt::trainer::Console &console,
                 std::string &mlir, std::string &error) {
  error = "--config: found a tt-train that was built without the importer, "
          "wanted --library";
  return false;
}
