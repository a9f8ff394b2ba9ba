#include "tt/Trainer/LibraryFile.h"

#include "TemporaryDirectory.h"
#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace tt::trainer;

/// The file of a library that every system has.
static std::string someLibrary() {
  void *handle = dlopen("libm.so.6", RTLD_NOW);
  Dl_info info = {};
  EXPECT_NE(dladdr(dlsym(handle, "cos"), &info), 0);
  return info.dli_fname;
}

TEST(LibraryFile, AcceptsAWholeOne) {
  std::string error;
  EXPECT_TRUE(checkLibraryFile(someLibrary(), error)) << error;
}

TEST(LibraryFile, RefusesACutOne) {
  test::TemporaryDirectory directory;
  std::string whole = test::readFile(someLibrary());
  std::string path = directory.path("cut.so");
  ASSERT_GT(whole.size(), 4096u);
  // Behind the last segment come only section headers and debug names.
  for (size_t size : {size_t(0), size_t(1), size_t(63), size_t(64), size_t(200),
                      whole.size() / 4, whole.size() / 2}) {
    std::string error;
    test::writeText(path, whole.substr(0, size));
    EXPECT_FALSE(checkLibraryFile(path, error)) << size;
    EXPECT_EQ(error.substr(0, path.size() + 8), path + ": found ");
  }
}

TEST(LibraryFile, RefusesOtherFiles) {
  test::TemporaryDirectory directory;
  std::string error, path = directory.path("x.so");
  test::writeText(path, std::string(1000, 'x'));
  EXPECT_FALSE(checkLibraryFile(path, error));
  EXPECT_EQ(error, path + ": found no shared object for x86-64, wanted a model "
                          "library");
  error.clear();
  EXPECT_FALSE(checkLibraryFile(directory.path(), error));
  error.clear();
  EXPECT_FALSE(checkLibraryFile(path + "x", error));
  EXPECT_EQ(error, path + "x: cannot open: No such file or directory");
}
