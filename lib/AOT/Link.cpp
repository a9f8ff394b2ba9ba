//===- Link.cpp - Objects to a shared library -----------------------------===//
#include "tt/AOT/Library.h"
#include "tt/runtime/LibraryChecksum.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

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
/// A file without a name, in memory: what a signal ends leaves nothing behind.
/// The linker inherits it and reaches it by path().
class MemoryFile {
public:
  MemoryFile() = default;
  MemoryFile(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (fd >= 0)
      close(fd);
  }

  bool create(StringRef bytes, std::string &error) {
    fd = memfd_create("tt-link", 0);
    for (size_t done = 0; fd >= 0 && done < bytes.size();) {
      ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return fail(error);
      done += size_t(count);
    }
    return fd >= 0 || fail(error);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  bool fail(std::string &error) {
    error = "cannot write the linker's input (tt-link, in memory): " +
            std::error_code(errno, std::generic_category()).message();
    return false;
  }
  int fd = -1;
};
} // namespace

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

/// All objects as one archive: a file each would be too many open ones.
static bool writeArchive(const std::vector<Object> &objects, MemoryFile &file,
                         std::string &error) {
  std::vector<std::string> names;
  for (size_t i = 0; i < objects.size(); ++i)
    names.push_back(std::to_string(i) + ".o");
  std::vector<llvm::NewArchiveMember> members;
  for (size_t i = 0; i < objects.size(); ++i)
    members.emplace_back(llvm::MemoryBufferRef(
        StringRef(objects[i].data(), objects[i].size()), names[i]));
  auto archive = llvm::writeArchiveToBuffer(
      members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive) {
    error = "internal error: an archive of objects: " + llvm::toString(archive.takeError());
    return false;
  }
  return file.create((*archive)->getBuffer(), error);
}

static bool runLinker(StringRef linker, const std::vector<std::string> &arguments,
                      StringRef output, StringRef log, Object &library,
                      std::string &error) {
  std::vector<StringRef> references(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {std::nullopt, output, log};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(linker, references, std::nullopt, redirects, 120,
                                         0, &problem);
  if (status != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    error = "the linker failed: " + problem + (text ? reasonIn((*text)->getBuffer()) : "");
    return false;
  }
  auto linked = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!linked) {
    error = "cannot read what the linker wrote: " + linked.getError().message();
    return false;
  }
  StringRef bytes = (*linked)->getBuffer();
  library.assign(bytes.begin(), bytes.end());
  return true;
}

static void appendChecksum(Object &library) {
  auto trailer = tt::runtime::LibraryTrailer::of(library.data(), library.size());
  const char *bytes = reinterpret_cast<const char *>(&trailer);
  library.insert(library.end(), bytes, bytes + sizeof trailer);
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
  // To standard output, which is a file in memory, too.
  std::vector<std::string> arguments = {
      linker, "-shared", "-o", "-", "--hash-style=gnu", "-z", "now", "-z", "relro",
      "-z", "noexecstack", "-z", "defs", "--build-id=none", "--gc-sections", "-soname",
      soname.str(), "--version-script", exports};
  MemoryFile input;
  if (!writeArchive(objects, input, error))
    return false;
  std::string objectsPath = input.path();
  arguments.insert(arguments.end(), {"--whole-archive", objectsPath, archive,
                                     "--no-whole-archive", "--as-needed"});
  for (StringRef name : {"libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}) {
    std::string system = findSystem(name);
    if (system.empty()) {
      error = "expected " + name.str() + " of the system, found none";
      return false;
    }
    arguments.push_back(system);
  }
  MemoryFile output, log;
  if (!output.create("", error) || !log.create("", error))
    return false;
  if (!runLinker(linker, arguments, output.path(), log.path(), library, error))
    return false;
  appendChecksum(library);
  return true;
}
