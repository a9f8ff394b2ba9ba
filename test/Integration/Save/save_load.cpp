//===- save_load.cpp - Save and load of compiled libraries ----------------===//
//
// save_load DIR LIBRARY.so OTHER.so...: every file that LIBRARY saves in the
// empty folder DIR resumes to the same bits in every library (variants of one
// model), and what is no such file is refused with a text and changes nothing.
//
//===----------------------------------------------------------------------===//
#include "../Step/StepRunner.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::test;
using LibraryPtr = std::shared_ptr<const tt::runtime::Library>;

static unsigned passed = 0, failed = 0;

static bool check(bool ok, const std::string &what, const std::string &detail = "") {
  std::printf("%s %s%s%s\n", ok ? "PASS" : "FAIL", what.c_str(),
              ok || detail.empty() ? "" : ": ", ok ? "" : detail.c_str());
  ++(ok ? passed : failed);
  return ok;
}

static std::unique_ptr<StepRunner> start(const LibraryPtr &library, uint32_t threads) {
  std::string error;
  auto runner = std::make_unique<StepRunner>(library, threads, 0);
  bool ok = runner->bind(0, error) && runner->init(99, error);
  return check(ok, "binds", error) ? std::move(runner) : nullptr;
}

static void train(StepRunner &runner, int64_t first, int64_t count) {
  std::string error;
  if (!runner.train(first, count, error))
    check(false, "trains", error);
}

static std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
static void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Six steps at once, or three, a file and three more elsewhere.
static void checkResume(const std::string &path, const std::vector<LibraryPtr> &libraries) {
  auto whole = start(libraries[0], 1), half = start(libraries[0], 1);
  if (!whole || !half)
    return;
  train(*whole, 1, 6);
  train(*half, 1, 3);
  const auto &tt = libraries[0]->functions();
  const char *metadata[] = {"step", "3"};
  check(tt.save(half->instance, path.c_str(), 1, metadata, 1) == TT_OK, "saves",
        tt.last_error());
  std::string bytes = readFile(path);
  for (const LibraryPtr &library : libraries)
    for (uint32_t threads : {1u, 4u}) {
      auto resumed = start(library, threads);
      if (!resumed)
        continue;
      const auto &other = library->functions();
      if (!check(other.load(resumed->instance, path.c_str(), 1) == TT_OK, "loads",
                 other.last_error()))
        continue;
      check(resumed->stateHash() == half->stateHash(), "what is loaded is what was saved");
      train(*resumed, 4, 3);
      check(resumed->hash() == whole->hash(), "resumed training has the same bits");
      if (library != libraries[0])
        continue; // its hash is in what it saves
      resumed = start(library, threads);
      if (!resumed || other.load(resumed->instance, path.c_str(), 1) != TT_OK)
        continue;
      other.save(resumed->instance, (path + ".again").c_str(), 1, metadata, 1);
      check(readFile(path + ".again") == bytes, "saved again: the same file");
    }
}

/// A load that must fail, and change nothing.
static void refuse(StepRunner &runner, const std::string &path, const std::string &what,
                   const std::string &wanted, int withState = 1) {
  uint64_t before = runner.stateHash();
  const auto &tt = runner.library->functions();
  tt_status status = tt.load(runner.instance, path.c_str(), withState);
  std::string text = status == TT_OK ? "" : tt.last_error();
  check(status != TT_OK && text.find(wanted) != std::string::npos &&
            text.find(path) != std::string::npos,
        "refused: " + what, "status " + std::to_string(status) + ": " + text);
  check(runner.stateHash() == before, "  and nothing has changed");
}

static void checkForeignFiles(const std::string &folder, const std::string &saved,
                              StepRunner &runner) {
  std::string good = readFile(saved), path = folder + "/foreign.safetensors";
  auto refuseBytes = [&](const std::string &bytes, const std::string &what,
                         const std::string &wanted) {
    writeFile(path, bytes);
    refuse(runner, path, what, wanted);
  };
  /// The good file with one text of its header replaced by one of its length.
  auto edited = [&](const std::string &from, const std::string &to) {
    std::string bytes = good;
    size_t at = bytes.find(from);
    return at == std::string::npos || from.size() != to.size() ? std::string()
                                                               : bytes.replace(at, to.size(), to);
  };
  refuse(runner, folder + "/absent", "a file that is not there", "No such file");
  refuse(runner, folder, "a folder", "");
  refuse(runner, "/dev/null", "a device", "");
  refuseBytes("", "an empty file", "found");
  refuseBytes(std::string(100, '\0'), "zeros", "found");
  refuseBytes("PK\x03\x04 not a safetensors file", "another format", "found");
  refuseBytes(std::string(8, '\xff') + good.substr(8), "a header length of 2^64 - 1", "found");
  refuseBytes(good.substr(0, good.size() - 1), "one byte too few", "found");
  refuseBytes(good + "x", "one byte too many", "found");
  refuseBytes(good.substr(0, good.size() / 2), "half a file", "found");
  for (size_t at : {good.size() - 1, good.size() / 2, good.size() - good.size() / 4}) {
    std::string bytes = good;
    bytes[at] ^= 1;
    refuseBytes(bytes, "a flipped bit at " + std::to_string(at), "checksum");
  }
  refuseBytes(edited("\"F32\"", "\"I32\""), "another dtype", "F32");
  refuseBytes(edited("\"shape\":[", "\"shape\":{"), "a broken header", "found");
}

/// A file of parameters only is enough without the state, not with it.
static void checkWithoutState(const std::string &folder, StepRunner &runner) {
  const auto &tt = runner.library->functions();
  std::string path = folder + "/parameters.safetensors";
  check(tt.save(runner.instance, path.c_str(), 0, nullptr, 0) == TT_OK, "saves parameters",
        tt.last_error());
  check(tt.load(runner.instance, path.c_str(), 0) == TT_OK, "loads parameters",
        tt.last_error());
  refuse(runner, path, "a file without the optimizer's state", "expected tensor");
}

/// A save that must fail.
static void checkBadTargets(const std::string &folder, StepRunner &runner) {
  const auto &tt = runner.library->functions();
  auto refused = [&](const std::string &path, const std::string &what) {
    tt_status status = tt.save(runner.instance, path.c_str(), 1, nullptr, 0);
    std::string text = status == TT_OK ? "" : tt.last_error();
    check(status != TT_OK && text.find(path) != std::string::npos, "not saved: " + what,
          "status " + std::to_string(status) + ": " + text);
  };
  refused(folder + "/absent/x", "in a folder that is not there");
  refused(folder, "over a folder");
  refused("/dev/full", "to /dev/full");
  check(tt.save(runner.instance, nullptr, 1, nullptr, 0) == TT_ERR_ARGUMENT,
        "not saved: without a path");
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: save_load DIR LIBRARY.so OTHER.so...\n");
    return 1;
  }
  std::string folder = argv[1], error, saved = folder + "/saved.safetensors";
  mkdir(folder.c_str(), 0777);
  std::vector<LibraryPtr> libraries;
  for (int i = 2; i < argc; ++i) {
    LibraryPtr library = tt::runtime::Library::open(argv[i], error);
    if (!check(library != nullptr, argv[i], error))
      return 1;
    libraries.push_back(library);
  }
  checkResume(saved, libraries);
  if (auto runner = start(libraries[0], 2)) {
    train(*runner, 1, 1);
    checkForeignFiles(folder, saved, *runner);
    checkWithoutState(folder, *runner);
    checkBadTargets(folder, *runner);
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed ? 1 : 0;
}
