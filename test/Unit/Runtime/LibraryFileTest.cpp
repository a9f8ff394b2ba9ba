#include "tt/runtime/LibraryFile.h"
#include "tt/runtime/Model.h"

#include "../../Common/TemporaryDirectory.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <fstream>
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
} // namespace

TEST_F(LibraryFile, AcceptsAWholeOne) {
  EXPECT_TRUE(checkLibraryFile(TT_TINY_LIBRARY, error)) << error;
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
