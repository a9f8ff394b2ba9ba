// tt_selfcheck of a certified library: passes with any threads and level, changes
// nothing that training sees, and finds what has been changed in the file.
//
// usage: tt-selfcheck-test CERTIFIED.so UNCERTIFIED.so FOLDER
#include "../Step/StepRunner.h"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace tt;
using test::StepRunner;
using Bytes = std::vector<char>;

static int failures = 0;

static void expect(bool condition, const std::string &text) {
  if (condition)
    return;
  ++failures;
  std::printf("FAILED: %s\n", text.c_str());
}

static std::shared_ptr<const runtime::Library> openLibrary(const std::string &path) {
  std::string error;
  auto library = runtime::Library::open(path, error);
  expect(library != nullptr, error);
  return library;
}

/// The status of a self-check, with scratch as the library asks for it.
static tt_status selfcheck(StepRunner &runner, std::vector<double> *found = nullptr) {
  const auto &tt = runner.library->functions();
  uint64_t bytes = 0;
  if (tt_status status = tt.selfcheck_query(runner.library->desc(), &bytes))
    return status;
  test::GuardedRegion scratch;
  expect(scratch.allocate(bytes, 0), "no memory for scratch");
  if (found)
    found->resize(runner.library->outputs(*runner.library->findEntry("grad")).size());
  return tt.selfcheck(runner.instance, bytes ? scratch.data() : nullptr, bytes,
                      found ? found->data() : nullptr);
}

/// Six steps; with a self-check, the same bits as without one.
static uint64_t train(const std::shared_ptr<const runtime::Library> &library,
                      uint32_t threads, uint32_t level, bool check) {
  StepRunner runner(library, threads, level);
  std::string error;
  bool done = runner.bind(0xa5, error) && runner.init(3, error) &&
              runner.train(1, 3, error);
  if (done && check) {
    uint64_t before = runner.stateHash();
    tt_status status = selfcheck(runner);
    expect(status == TT_OK, "self-check: " + std::string(library->functions().last_error()));
    expect(runner.stateHash() == before, "a self-check changed parameters or state");
  }
  done = done && runner.train(4, 3, error);
  expect(done, error);
  return runner.hash();
}

static Bytes readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// Flips a bit of every place where the file holds this double: the lowest one of
/// byte `byte`.
static int flip(Bytes &file, double value, int byte) {
  int count = 0;
  for (size_t i = 0; i + sizeof value <= file.size(); ++i)
    if (std::memcmp(file.data() + i, &value, sizeof value) == 0) {
      file[i + byte] ^= 1;
      ++count;
      i += sizeof value - 1;
    }
  return count;
}

/// Puts the checksum right, so that the file is opened.
static void sign(Bytes &file) {
  size_t end = file.size() - sizeof(runtime::LibraryTrailer);
  auto trailer = runtime::LibraryTrailer::of(file.data(), end);
  std::memcpy(file.data() + end, &trailer, sizeof trailer);
}

/// The self-check of a changed copy must fail and name an output. Unsigned, the copy
/// is not opened.
static void expectFound(const std::string &path, Bytes changed,
                        const std::string &folder, const std::string &what,
                        const std::string &name) {
  std::string copy = folder + path.substr(path.rfind('/')), error;
  std::ofstream(copy, std::ios::binary).write(changed.data(), changed.size());
  expect(!runtime::checkLibraryFile(copy, error), what + ": no checksum says so");
  sign(changed);
  std::ofstream(copy, std::ios::binary).write(changed.data(), changed.size());
  auto library = openLibrary(copy);
  if (!library)
    return;
  StepRunner runner(library, 2, 0);
  expect(runner.bind(0, error), error);
  tt_status status = selfcheck(runner);
  std::string text = library->functions().last_error();
  std::printf("%s: %s\n", what.c_str(), text.c_str());
  expect(status == TT_ERR_CHECK && text.find("'" + name) != std::string::npos,
         what + ": status " + std::to_string(status) + ": " + text);
}

/// Too little scratch is refused before anything runs.
static void expectScratch(const std::shared_ptr<const runtime::Library> &library) {
  StepRunner runner(library, 1, 0);
  std::string error;
  uint64_t bytes = 0;
  const auto &tt = library->functions();
  expect(runner.bind(0, error), error);
  expect(tt.selfcheck_query(library->desc(), &bytes) == TT_OK, "query");
  std::printf("scratch %llu bytes\n", (unsigned long long)bytes);
  if (!bytes)
    return;
  expect(tt.selfcheck(runner.instance, nullptr, 0, nullptr) == TT_ERR_MEMORY, "no scratch");
  std::vector<char> memory(bytes + 64);
  expect(tt.selfcheck(runner.instance, memory.data(), bytes - 1, nullptr) == TT_ERR_MEMORY,
         "scratch one byte short");
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  std::string certified = argv[1], folder = argv[3];
  auto library = openLibrary(certified), plain = openLibrary(argv[2]);
  if (!library || !plain)
    return 1;
  uint64_t wanted = train(library, 1, 0, false);
  std::vector<double> sums;
  bool hasV4 = __builtin_cpu_supports("x86-64-v4");
  if (!hasV4)
    std::printf("x86-64-v4 is not checked: this CPU lacks it\n");
  for (uint32_t threads : {1u, 3u})
    for (uint32_t level = 3; level <= (hasV4 ? 4u : 3u); ++level)
      expect(train(library, threads, level, true) == wanted,
             "training after a self-check gives other bits");
  expectScratch(library);
  {
    StepRunner runner(library, 2, 0), bare(plain, 1, 0);
    std::string error;
    expect(runner.bind(0, error) && bare.bind(0, error), error);
    expect(selfcheck(runner, &sums) == TT_OK && !sums.empty(), "sums");
    expect(selfcheck(bare) == TT_ERR_STATE &&
               std::string(plain->functions().last_error()).find("--certify") !=
                   std::string::npos,
           "a library without a certificate says so");
    std::vector<double> own;
    expect(selfcheck(bare, &own) == TT_ERR_STATE && own == sums,
           "it gives its sums, and says that it compared nothing");
  }
  Bytes original = readFile(certified);
  std::vector<tt_tensor_info> outputs = library->outputs(*library->findEntry("grad"));
  Bytes changed = original;
  expect(flip(changed, sums.back(), 0) == 1, "the last sum is in the file once");
  expectFound(certified, changed, folder, "a stored sum", outputs.back().name);
  changed = original;
  expect(flip(changed, 0.02, 5) > 0, "the tables hold an initialiser of 0.02");
  expectFound(certified, changed, folder, "a table entry", "");
  std::printf("%zu sums, %d failed\n", sums.size(), failures);
  return failures ? 1 : 0;
}
