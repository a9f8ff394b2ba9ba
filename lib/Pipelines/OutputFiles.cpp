//===- OutputFiles.cpp - The three files of a library ---------------------===//
#include "OutputFiles.h"

#include "tt/Support/OutputProbe.h"

#include "llvm/ADT/STLExtras.h"

using namespace tt;
using llvm::StringRef;

bool OutputFiles::probe(const std::string &input, std::string &error) {
  for (const char *ending : {".so", ".h", ".json"})
    if (!support::probeOutput(base + ending, error, {input}))
      return false;
  return true;
}

bool OutputFiles::write(StringRef library, StringRef header, StringRef manifest,
                        std::string &error) {
  const std::pair<const char *, StringRef> parts[] = {
      {".so", library}, {".h", header}, {".json", manifest}};
  for (auto [file, part] : llvm::zip(files, parts))
    if (!file.open((base + part.first).c_str(), sink()) ||
        !file.write(part.second.data(), part.second.size(), sink()))
      return fail(error);
  for (runtime::AtomicFile &file : files)
    if (!file.commit(sink()))
      return fail(error);
  return true;
}
