//===- LibraryFile.h - Whether a file is a whole library --------*- C++ -*-===//
//
// The loader maps what a library's table of segments says, dies with SIGBUS
// where a cut file does not reach, and follows addresses without a look at
// them. This looks first: an ELF file for this kind of machine, with all of its
// segments and sections, and with the checksum that tt-compile put behind them.
// A library that was linked by hand, or stripped, has none and ends with its
// last section. No protection from a file that was made to harm: opening a
// library runs its code.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_LIBRARYFILE_H
#define TT_RUNTIME_LIBRARYFILE_H

#include "tt/runtime/LibraryChecksum.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace tt::runtime {

/// The bytes that a shared object's headers and checksum speak of.
class LibraryExtent {
public:
  LibraryExtent(int file, uint64_t newSize) : fd(file), size(newSize) {}

  /// False if the file is no shared object for this machine.
  bool readHeader() {
    return read(0, header) &&
           memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_type == ET_DYN &&
           header.e_machine == EM_X86_64 &&
           header.e_phentsize == sizeof(Elf64_Phdr);
  }

  /// Empty, or what is wrong with the file: "found ..., wanted ...".
  std::string problem() {
    bool hasChecksum = false;
    std::string text = checksumProblem(hasChecksum);
    if (text.empty())
      text = segmentProblem();
    if (!text.empty())
      return text;
    reachSections();
    if (end > size)
      return "found " + std::to_string(size) + " bytes, wanted " +
             (end == UINT64_MAX ? "more" : std::to_string(end)) +
             ": only the first part of a model library";
    if (!hasChecksum && end < size)
      return "found " + std::to_string(size - end) +
             " bytes behind its last part that are no checksum, wanted a whole "
             "model library";
    return "";
  }

private:
  template <typename T> bool read(uint64_t offset, T &value) const {
    return pread(fd, &value, sizeof(value), off_t(offset)) == sizeof(value);
  }

  /// Compares the checksum, if there is one, and leaves it out of the size.
  std::string checksumProblem(bool &hasChecksum) {
    LibraryTrailer found;
    hasChecksum = size > sizeof(found) && read(size - sizeof(found), found) &&
                  found.hasMark();
    if (!hasChecksum)
      return "";
    size -= sizeof(found);
    Crc64 crc;
    char buffer[16384];
    for (uint64_t at = 0; at < size;) {
      ssize_t count = pread(fd, buffer, std::min<uint64_t>(sizeof(buffer), size - at),
                            off_t(at));
      if (count <= 0)
        return std::string("cannot read: ") + (count ? strerror(errno) : "it was cut");
      crc.add(buffer, size_t(count));
      at += uint64_t(count);
    }
    if (crc.value() == found.checksum)
      return "";
    char text[96];
    snprintf(text, sizeof(text),
             "found checksum %016llx, wanted %016llx: a damaged model library",
             static_cast<unsigned long long>(crc.value()),
             static_cast<unsigned long long>(found.checksum));
    return text;
  }

  std::string segmentProblem() {
    reach(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr));
    bool isLoaded = false, isDynamic = false;
    for (uint64_t i = 0; i < header.e_phnum && end <= size; ++i) {
      Elf64_Phdr segment;
      if (!read(header.e_phoff + i * sizeof(segment), segment))
        return "found no table of segments, wanted a model library";
      isLoaded |= segment.p_type == PT_LOAD;
      isDynamic |= segment.p_type == PT_DYNAMIC;
      if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz)
        return "found segment " + std::to_string(i) + " with " +
               std::to_string(segment.p_filesz) + " bytes for " +
               std::to_string(segment.p_memsz) + " of memory, wanted a model library";
      if (segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC)
        reach(segment.p_offset, segment.p_filesz);
    }
    if (end <= size && (!isLoaded || !isDynamic))
      return "found no segments to load, wanted a model library";
    return "";
  }

  void reachSections() {
    reach(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize);
    if (header.e_shentsize != sizeof(Elf64_Shdr))
      return;
    for (uint64_t i = 0; i < header.e_shnum && end <= size; ++i) {
      Elf64_Shdr section;
      if (read(header.e_shoff + i * sizeof(section), section) &&
          section.sh_type != SHT_NOBITS)
        reach(section.sh_offset, section.sh_size);
    }
  }

  void reach(uint64_t offset, uint64_t bytes) {
    uint64_t last;
    if (__builtin_add_overflow(offset, bytes, &last))
      last = UINT64_MAX;
    if (last > end)
      end = last;
  }

  int fd;
  uint64_t size, end = 0;
  Elf64_Ehdr header = {};
};

/// True if the file at `path` can be given to the loader. Else a text that
/// begins with the path.
inline bool checkLibraryFile(const std::string &path, std::string &error) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    error = path + ": cannot open: " + strerror(errno);
    return false;
  }
  struct stat status = {};
  bool isFile = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  LibraryExtent extent(fd, isFile ? uint64_t(status.st_size) : 0);
  std::string problem = "found no shared object for x86-64, wanted a model library";
  if (isFile && extent.readHeader())
    problem = extent.problem();
  close(fd);
  if (problem.empty())
    return true;
  error = path + ": " + problem;
  return false;
}

} // namespace tt::runtime

#endif
