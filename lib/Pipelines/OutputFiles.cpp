//===- OutputFiles.cpp - The three files of a library ---------------------===//
#include "OutputFiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace tt;
using llvm::StringRef;

bool OutputFiles::probe(std::string &error) {
  bool isOpen = files[0].open((base + ".so").c_str(), sink());
  files[0].abandon();
  return isOpen || fail(error);
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
