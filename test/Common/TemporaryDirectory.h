//===- TemporaryDirectory.h - A directory of a test's own -------*- C++ -*-===//
//
// Cases of one program run at the same time, each in a process of its own, so a
// fixed name under /tmp is one file of them all (.ci/lint temporaries).
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_COMMON_TEMPORARYDIRECTORY_H
#define TT_TEST_COMMON_TEMPORARYDIRECTORY_H

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tt::test {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string form =
        std::filesystem::temp_directory_path() / "tt-test-XXXXXX";
    if (!mkdtemp(form.data())) {
      perror(form.c_str());
      abort();
    }
    directory = form;
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }

  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }
  const std::string &path() const { return directory; }

private:
  std::string directory;
};

inline std::string readFile(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

} // namespace tt::test
#endif
