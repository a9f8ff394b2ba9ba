#include "tt/runtime/LibraryFile.h"
#include "tt/runtime/Model.h"

#include "../../Common/TemporaryDirectory.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <fstream>
#include <regex>
#include <sstream>

using namespace tt::runtime;

namespace {
/// tiny.so, and a file for what is made of it.
struct LibraryFile : testing::Test {
  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("changed.so");
  std::string whole, error;

  void SetUp() override {
    std::ostringstream bytes;
    bytes << std::ifstream(TT_TINY_LIBRARY, std::ios::binary).rdbuf();
    whole = bytes.str();
    ASSERT_GT(whole.size(), 4096u);
  }

  /// Whether these bytes are refused before the loader sees them.
  bool isRefused(const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    error.clear();
    return !Library::open(path, error) && error.find(path + ": found ") == 0;
  }

  Elf64_Ehdr header() const {
    Elf64_Ehdr header;
    memcpy(&header, whole.data(), sizeof(header));
    return header;
  }
  /// tiny.so with one segment of `type` changed.
  template <typename Change> std::string withSegment(uint32_t type, Change change) const {
    std::string bytes = whole;
    for (unsigned i = 0; i < header().e_phnum; ++i) {
      char *at = bytes.data() + header().e_phoff + i * sizeof(Elf64_Phdr);
      Elf64_Phdr segment;
      memcpy(&segment, at, sizeof(segment));
      if (segment.p_type != type)
        continue;
      change(segment);
      memcpy(at, &segment, sizeof(segment));
      break;
    }
    return bytes;
  }
};

std::string withChecksum(const std::string &bytes) {
  LibraryTrailer trailer = LibraryTrailer::of(bytes.data(), bytes.size());
  return bytes + std::string(reinterpret_cast<const char *>(&trailer), sizeof(trailer));
}

/// The least that looks like a library: two segments and one section.
std::string smallLibrary() {
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  header.e_phoff = sizeof(header);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 1;
  header.e_shoff = sizeof(header) + 2 * sizeof(Elf64_Phdr);
  Elf64_Phdr segments[2] = {};
  segments[0].p_type = PT_LOAD;
  segments[0].p_filesz = segments[0].p_memsz = header.e_shoff;
  segments[1].p_type = PT_DYNAMIC;
  Elf64_Shdr section = {};
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char *>(segments), sizeof(segments));
  return bytes.append(reinterpret_cast<const char *>(&section), sizeof(section));
}
} // namespace

TEST_F(LibraryFile, AcceptsAWholeOne) {
  EXPECT_TRUE(checkLibraryFile(TT_TINY_LIBRARY, error)) << error;
  std::ofstream(path, std::ios::binary) << withChecksum(whole);
  EXPECT_TRUE(checkLibraryFile(path, error)) << error;
}

TEST(Crc64, IsThatOfXz) {
  Crc64 crc;
  crc.add("12345", 5);
  crc.add("6789", 4);
  EXPECT_EQ(crc.value(), 0x995DC9BBDF1939FAu);
}

TEST_F(LibraryFile, RefusesEveryChangedByte) {
  std::string bytes = withChecksum(smallLibrary());
  std::ofstream(path, std::ios::binary) << bytes;
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (unsigned change = 1; change < 256; ++change) {
      char changed = char(bytes[at] ^ change);
      ASSERT_EQ(pwrite(fd, &changed, 1, off_t(at)), 1);
      EXPECT_FALSE(checkLibraryFile(path, error)) << "byte " << at << " by " << change;
    }
    ASSERT_EQ(pwrite(fd, &bytes[at], 1, off_t(at)), 1);
  }
  close(fd);
  EXPECT_TRUE(checkLibraryFile(path, error)) << error;
}

TEST_F(LibraryFile, RefusesChangedBytesOfARealOne) {
  std::string bytes = withChecksum(whole);
  for (size_t at = 0; at < bytes.size();
       at += at < 1024 || at + 64 > bytes.size() ? 1 : 997) {
    std::string changed = bytes;
    changed[at] ^= char(1 + at % 255);
    EXPECT_TRUE(isRefused(changed)) << "byte " << at << ": " << error;
  }
}

TEST_F(LibraryFile, SaysWhatIsDamaged) {
  std::string bytes = withChecksum(whole);
  bytes[5000] ^= 1;
  EXPECT_TRUE(isRefused(bytes));
  EXPECT_TRUE(std::regex_match(
      error, std::regex(path + ": found checksum [0-9a-f]{16}, wanted [0-9a-f]{16}: a "
                               "damaged model library")))
      << error;
  EXPECT_TRUE(isRefused(whole + "12345"));
  EXPECT_EQ(error, path + ": found 5 bytes behind its last part that are no checksum, "
                          "wanted a whole model library");
}

TEST_F(LibraryFile, RefusesEveryCut) {
  for (size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 331)
    EXPECT_TRUE(isRefused(whole.substr(0, size))) << size << ": " << error;
  EXPECT_TRUE(isRefused(whole.substr(0, whole.size() - 1))) << error;
  EXPECT_EQ(error, path + ": found " + std::to_string(whole.size() - 1) +
                       " bytes, wanted " + std::to_string(whole.size()) +
                       ": only the first part of a model library");
}

TEST_F(LibraryFile, RefusesSegmentsThatAreNotThere) {
  EXPECT_TRUE(isRefused(withSegment(
      PT_LOAD, [](Elf64_Phdr &segment) { segment.p_offset = UINT64_MAX - 8; })));
  EXPECT_NE(error.find("wanted more: only the first part"), std::string::npos) << error;
  EXPECT_TRUE(isRefused(withSegment(
      PT_LOAD, [](Elf64_Phdr &segment) { segment.p_memsz = 1; })));
  EXPECT_NE(error.find("for 1 of memory"), std::string::npos) << error;
  EXPECT_TRUE(isRefused(withSegment(
      PT_DYNAMIC, [](Elf64_Phdr &segment) { segment.p_type = PT_NULL; })));
  EXPECT_NE(error.find("found no segments to load"), std::string::npos) << error;
}

TEST_F(LibraryFile, RefusesOtherFiles) {
  const char *other = ": found no shared object for x86-64, wanted a model library";
  EXPECT_TRUE(isRefused(std::string(1000, 'x')));
  EXPECT_EQ(error, path + other);
  for (unsigned byte : {EI_CLASS, EI_DATA, 16 /*e_type*/, 18 /*e_machine*/}) {
    std::string bytes = whole;
    bytes[byte] ^= 3;
    EXPECT_TRUE(isRefused(bytes)) << byte;
    EXPECT_EQ(error, path + other);
  }
  EXPECT_FALSE(Library::open(directory.path(), error));
  EXPECT_EQ(error, directory.path() + other);
  EXPECT_FALSE(Library::open(path + "x", error));
  EXPECT_EQ(error, path + "x: cannot open: No such file or directory");
}
