//===- Link.cpp - Objects to a shared library -----------------------------===//
#include "tt/AOT/Library.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt::aot;
using llvm::StringRef;

/// The program that links: ld.lld of LLVM 22.
static std::string findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(
            name, name == "ld.lld" ? llvm::ArrayRef<StringRef>{"/usr/lib/llvm-22/bin"}
                                   : llvm::ArrayRef<StringRef>{}))
      return *path;
  return "";
}

/// A file of tt's installation: beside the tool (bin/../lib/tt) or in the build
/// tree that the tool came from.
static std::string findOurs(StringRef name, StringRef inBuild) {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, "..", "lib", "tt", name);
  if (llvm::sys::fs::exists(path))
    return path.str().str();
  return llvm::sys::fs::exists(inBuild) ? inBuild.str() : "";
}

/// A system library by its run-time name.
static std::string findSystem(StringRef name) {
  for (StringRef folder : {"/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"}) {
    std::string path = (folder + "/" + name).str();
    if (llvm::sys::fs::exists(path))
      return path;
  }
  return "";
}

namespace {
/// A folder of temporaries that goes with its object.
struct Workplace {
  llvm::SmallString<128> folder;
  ~Workplace() {
    if (!folder.empty())
      llvm::sys::fs::remove_directories(folder);
  }
};
} // namespace

static bool writeFile(StringRef path, StringRef bytes, std::string &error) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  out << bytes;
  out.close();
  if (code || out.has_error()) {
    error = "cannot write " + path.str() + ": " +
            (code ? code.message() : out.error().message());
    out.clear_error();
    return false;
  }
  return true;
}

/// The line of the linker's log that says why; on a full disk LLVM puts its own
/// plea for a bug report before it.
static std::string reasonIn(StringRef log) {
  llvm::SmallVector<StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("error:") || line.contains("ERROR:"))
      return line.str();
  return lines.empty() ? "it gave no reason" : lines[0].str();
}

bool tt::aot::linkLibrary(const std::vector<Object> &objects, StringRef soname,
                          Object &library, std::string &error) {
  std::string linker = findLinker();
  if (linker.empty()) {
    error = "expected the linker ld.lld of LLVM 22 (package lld-22), found none";
    return false;
  }
  std::string archive = findOurs("libTTRuntime.a", TT_RUNTIME_ARCHIVE);
  std::string exports = findOurs("exports.map", TT_EXPORTS_MAP);
  if (archive.empty() || exports.empty()) {
    error = "expected tt's runtime archive beside the tool (lib/tt/libTTRuntime.a)";
    return false;
  }
  Workplace place;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("tt-link", place.folder)) {
    error = "cannot make a temporary folder: " + code.message();
    return false;
  }
  std::string output = (place.folder + "/library").str();
  // Without mmap: a full disk is an error of the linker, not its SIGBUS.
  std::vector<std::string> arguments = {
      linker, "-shared", "-o", output, "--no-mmap-output-file", "--hash-style=gnu", "-z",
      "now", "-z", "relro", "-z", "noexecstack", "-z", "defs", "--build-id=none",
      "--gc-sections", "-soname", soname.str(), "--version-script", exports};
  for (size_t i = 0; i < objects.size(); ++i) {
    std::string file = (place.folder + "/" + std::to_string(i) + ".o").str();
    if (!writeFile(file, StringRef(objects[i].data(), objects[i].size()), error))
      return false;
    arguments.push_back(file);
  }
  arguments.insert(arguments.end(), {"--whole-archive", archive, "--no-whole-archive",
                                     "--as-needed"});
  for (StringRef name : {"libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}) {
    std::string system = findSystem(name);
    if (system.empty()) {
      error = "expected " + name.str() + " of the system, found none";
      return false;
    }
    arguments.push_back(system);
  }
  std::vector<StringRef> references(arguments.begin(), arguments.end());
  std::string log = (place.folder + "/log").str();
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log), StringRef(log)};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(linker, references, std::nullopt, redirects, 120,
                                         0, &problem);
  if (status != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    error = "the linker failed in " + place.folder.str().str() + ": " + problem +
            (text ? reasonIn((*text)->getBuffer()) : "");
    return false;
  }
  auto linked = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!linked) {
    error = "cannot read " + output + ": " + linked.getError().message();
    return false;
  }
  StringRef bytes = (*linked)->getBuffer();
  library.assign(bytes.begin(), bytes.end());
  return true;
}
