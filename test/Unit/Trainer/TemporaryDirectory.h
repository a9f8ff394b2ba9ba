// A directory of a test's own.
#ifndef TT_TEST_UNIT_TRAINER_TEMPORARYDIRECTORY_H
#define TT_TEST_UNIT_TRAINER_TEMPORARYDIRECTORY_H

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tt::trainer::test {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string form =
        std::filesystem::temp_directory_path() / "tt-trainer-XXXXXX";
    directory = mkdtemp(form.data());
  }
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

} // namespace tt::trainer::test
#endif
