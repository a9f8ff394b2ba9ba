// Replacing a file by all or nothing. Faults at every system call are in
// test/Integration/Save.
#include "tt/runtime/AtomicFile.h"

#include "../../Common/TemporaryDirectory.h"
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace tt::runtime;

namespace {

class AtomicFileTest : public testing::Test {
protected:
  void TearDown() override { chmod(directory.c_str(), 0700); }

  std::vector<std::string> names() {
    std::vector<std::string> found;
    DIR *stream = opendir(directory.c_str());
    while (dirent *entry = readdir(stream))
      if (std::string(entry->d_name) != "." &&
          std::string(entry->d_name) != "..")
        found.push_back(entry->d_name);
    closedir(stream);
    return found;
  }
  void put(const std::string &text) { std::ofstream(path) << text; }
  std::string get() {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  bool save(const std::string &to, const std::string &text) {
    AtomicFile file;
    return file.open(to.c_str(), error) &&
           file.write(text.data(), text.size(), error) && file.commit(error);
  }

  tt::test::TemporaryDirectory temporary;
  std::string directory = temporary.path(), path = temporary.path("model.safetensors");
  char message[512] = "";
  ErrorText error = {message, sizeof message};
};

TEST_F(AtomicFileTest, WritesANewFileAndReplacesAnOldOne) {
  ASSERT_TRUE(save(path, "first")) << message;
  EXPECT_EQ(get(), "first");
  ASSERT_TRUE(save(path, "second, longer")) << message;
  EXPECT_EQ(get(), "second, longer");
  EXPECT_EQ(names().size(), 1u);
  EXPECT_STREQ(message, "");
}

TEST_F(AtomicFileTest, TheOldFileStaysUntilCommit) {
  put("old");
  AtomicFile file;
  ASSERT_TRUE(file.open(path.c_str(), error)) << message;
  EXPECT_TRUE(file.isOpen());
  ASSERT_TRUE(file.write("ne", 2, error));
  ASSERT_TRUE(file.write("w", 1, error));
  EXPECT_EQ(file.written(), 3u);
  EXPECT_EQ(get(), "old");
  ASSERT_EQ(names().size(), 2u);
  for (const std::string &name : names())
    EXPECT_EQ(AtomicFile::isTemporaryName(name.c_str()),
              name != "model.safetensors");
  file.abandon();
  EXPECT_EQ(get(), "old");
  EXPECT_EQ(names().size(), 1u);
  EXPECT_FALSE(file.commit(error)); // nothing is open
  EXPECT_FALSE(file.write("x", 1, error));
}

TEST_F(AtomicFileTest, AnObjectCanBeUsedAgainAndCleansUp) {
  {
    AtomicFile file;
    ASSERT_TRUE(file.open(path.c_str(), error));
    ASSERT_TRUE(file.commit(error)) << message;
    EXPECT_EQ(get(), "");
    ASSERT_TRUE(file.open(path.c_str(), error));
    ASSERT_TRUE(file.write("abc", 3, error));
    ASSERT_TRUE(file.open(path.c_str(), error)); // abandons the former
  }
  EXPECT_EQ(names().size(), 1u);
  EXPECT_EQ(get(), "");
}

TEST_F(AtomicFileTest, KeepsTheMode) {
  put("old");
  chmod(path.c_str(), 0640);
  ASSERT_TRUE(save(path, "new"));
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(AtomicFileTest, RefusesWhatIsNoRegularFile) {
  std::string link = directory + "/link";
  ASSERT_EQ(symlink("model.safetensors", link.c_str()), 0);
  EXPECT_FALSE(save(link, "x"));
  EXPECT_EQ(std::string(message), "cannot save \"" + link +
                                      "\": found a symbolic link, wanted a "
                                      "regular file or a new name");
  EXPECT_FALSE(save(directory, "x"));
  EXPECT_NE(std::string(message).find("a directory"), std::string::npos);
  EXPECT_FALSE(save(directory + "/", "x"));
  EXPECT_FALSE(save(directory + "/.", "x"));
  EXPECT_FALSE(save(directory + "/..", "x"));
  EXPECT_FALSE(save("/dev/full", "x"));
  EXPECT_NE(std::string(message).find("a device"), std::string::npos)
      << message;
  EXPECT_FALSE(save("", "x"));
  AtomicFile file;
  EXPECT_FALSE(file.open(nullptr, error));
  EXPECT_EQ(names().size(), 1u); // the link
}

TEST_F(AtomicFileTest, ErrorsNamePathAndReason) {
  std::string missing = directory + "/missing/model";
  EXPECT_FALSE(save(missing, "x"));
  EXPECT_EQ(std::string(message), "cannot save \"" + missing +
                                      "\": opening its directory failed: No "
                                      "such file or directory (errno 2)");
  EXPECT_FALSE(save(directory + "/" + std::string(300, 'x'), "x"));
  EXPECT_NE(std::string(message).find("File name too long"), std::string::npos)
      << message;
  EXPECT_FALSE(save(directory + "/" + std::string(5000, 'x'), "x"));
  put("not a directory");
  EXPECT_FALSE(save(path + "/model", "x"));
  EXPECT_NE(std::string(message).find("Not a directory"), std::string::npos);
}

TEST_F(AtomicFileTest, TakesLongNames) {
  std::string longest = directory + "/" + std::string(255, 'n');
  EXPECT_TRUE(save(longest, "x")) << message;
}

TEST_F(AtomicFileTest, WorksRelativeToTheDirectoryOfOpen) {
  char before[4096];
  ASSERT_NE(getcwd(before, sizeof before), nullptr);
  ASSERT_EQ(chdir(directory.c_str()), 0);
  AtomicFile file;
  EXPECT_TRUE(file.open("model.safetensors", error)) << message;
  ASSERT_EQ(chdir(before), 0);
  EXPECT_TRUE(file.write("x", 1, error) && file.commit(error)) << message;
  EXPECT_EQ(get(), "x");
}

TEST_F(AtomicFileTest, StepsAroundStrayTemporaries) {
  std::string stray = directory + "/.model.safetensors." +
                      std::to_string(getpid()) + ".0.tt-tmp";
  std::ofstream(stray) << "stray";
  ASSERT_TRUE(save(path, "new")) << message;
  EXPECT_EQ(get(), "new");
  EXPECT_EQ(names().size(), 2u); // the stray one is not ours to remove
  // A link planted under that name is not followed.
  remove(stray.c_str());
  ASSERT_EQ(symlink("victim", stray.c_str()), 0);
  ASSERT_TRUE(save(path, "newer")) << message;
  EXPECT_NE(access((directory + "/victim").c_str(), F_OK), 0);
}

TEST_F(AtomicFileTest, ReadOnlyDirectory) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write anywhere; see kill_save.py, EACCES";
  put("old");
  chmod(directory.c_str(), 0500);
  EXPECT_FALSE(save(path, "new"));
  EXPECT_NE(std::string(message).find("Permission denied"), std::string::npos);
  EXPECT_EQ(get(), "old");
}

TEST_F(AtomicFileTest, FileSizeLimit) {
  put("old");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  bool saved = save(path, std::string(3000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(saved);
  EXPECT_EQ(std::string(message), "cannot save \"" + path +
                                      "\": writing failed: File too large "
                                      "(errno 27)");
  EXPECT_EQ(get(), "old");
  EXPECT_EQ(names().size(), 1u);
  EXPECT_TRUE(save(path, std::string(3000, 'x'))); // a retry works
}

TEST_F(AtomicFileTest, KnowsTemporaryNames) {
  EXPECT_TRUE(AtomicFile::isTemporaryName(".model.12.0.tt-tmp"));
  for (const char *name : {"", ".", "model", "model.tt-tmp", ".tt-tmp",
                           ".model", ".model.tt-tmp.safetensors"})
    EXPECT_FALSE(AtomicFile::isTemporaryName(name)) << name;
}

} // namespace
