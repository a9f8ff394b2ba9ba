#include "tt/Trainer/LibraryFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::trainer;

/// The end of the last segment that is loaded; 0 if this is no shared object.
static uint64_t findEnd(int fd) {
  Elf64_Ehdr header;
  if (pread(fd, &header, sizeof header, 0) != sizeof header ||
      memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_machine != EM_X86_64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return 0;
  uint64_t end = 0;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t at = header.e_phoff + i * sizeof segment, last;
    if (at > uint64_t(INT64_MAX) ||
        pread(fd, &segment, sizeof segment, off_t(at)) != sizeof segment)
      return UINT64_MAX; // the table itself is cut
    if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &last))
      return UINT64_MAX;
    if (segment.p_type == PT_LOAD)
      end = std::max(end, last);
  }
  return end;
}

bool tt::trainer::checkLibraryFile(const std::string &path,
                                   std::string &error) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    error = fmt::format("{}: cannot open: {}", path, strerror(errno));
    return false;
  }
  struct stat status = {};
  bool isFile = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  uint64_t wanted = isFile ? findEnd(fd) : 0;
  close(fd);
  if (wanted == 0)
    error = fmt::format("{}: found no shared object for x86-64, wanted a model "
                        "library",
                        path);
  else if (wanted > static_cast<uint64_t>(status.st_size))
    error = fmt::format("{}: found {} bytes, wanted a model library, of which "
                        "these are only the first part",
                        path, status.st_size);
  return error.empty();
}
