//===- KnownTensors.cpp - Every tensor of a file is read ------------------===//
#include "tt/Check/KnownTensors.h"

#include "tt/IR/NearestName.h"
#include "tt/Support/Escape.h"
#include "tt/Support/SafetensorsFile.h"

#include "llvm/ADT/STLExtras.h"

using namespace tt;
using llvm::StringRef;

/// tt_save writes the moments of the parameter NAME as adam.m.NAME and adam.v.NAME.
static bool isStateOf(StringRef tensor, StringRef name) {
  return tensor.consume_back(name) && tensor.ends_with(".");
}

bool tt::check::checkKnownTensors(const support::SafetensorsFile &file,
                                  const std::vector<std::string> &known,
                                  const std::string &wanted, std::string &error) {
  bool isCheckpoint = file.metadata().count("tt.hash");
  for (const support::SafetensorsFile::Tensor &tensor : file.tensors()) {
    bool isKnown = llvm::any_of(known, [&](StringRef name) {
      return tensor.name == name || (isCheckpoint && isStateOf(tensor.name, name));
    });
    if (isKnown)
      continue;
    std::vector<StringRef> names(known.begin(), known.end());
    error = file.path() + ": found tensor \"" + support::escapeTerminal(tensor.name) +
            "\", wanted " + wanted +
            didYouMean(tensor.name, names);
    return false;
  }
  return true;
}
