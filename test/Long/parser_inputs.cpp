//===- parser_inputs.cpp - Millions of mutated inputs for a parser --------===//
//
// parser_inputs COUNT SEED DICTIONARY SEED_FILE...
//
// Runs a harness of test/Fuzz on COUNT inputs, without libFuzzer: every input is
// one of the seed files with one to four edits, or, one time in four, the input
// before with more. DICTIONARY has a word per line (\xNN for any byte). The same
// arguments give the same inputs. A harness aborts on what must not be; then the
// input is in parser_inputs.crash.
//
//===----------------------------------------------------------------------===//
#include "../Unit/Runtime/Mutator.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using tt::test::ExactBytes;
using tt::test::Mutator;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static std::string current;
static uint64_t number;

/// Keeps the input; what it calls is good enough for a process that is ending.
static void onAbort(int) {
  std::FILE *file = std::fopen("parser_inputs.crash", "wb");
  if (file) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "input %llu of %zu bytes: see parser_inputs.crash\n",
               (unsigned long long)number, current.size());
  std::signal(SIGABRT, SIG_DFL);
}

static std::string read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

static std::string unescape(const std::string &line) {
  std::string word;
  for (size_t i = 0; i < line.size(); ++i) {
    bool isEscape = line.compare(i, 2, "\\x") == 0 && i + 3 < line.size();
    word += isEscape ? char(std::strtol(line.substr(i + 2, 2).c_str(), nullptr, 16)) : line[i];
    i += isEscape ? 3 : 0;
  }
  return word;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: parser_inputs COUNT SEED DICTIONARY SEED_FILE...\n");
    return 1;
  }
  uint64_t count = std::strtoull(argv[1], nullptr, 10);
  Mutator mutator(std::strtoull(argv[2], nullptr, 10));
  std::vector<std::string> words = {""}, seeds;
  std::string dictionary = read(argv[3]);
  for (size_t at = 0; at < dictionary.size();) {
    size_t end = dictionary.find('\n', at);
    words.push_back(unescape(dictionary.substr(at, end - at)));
    at = end == std::string::npos ? end : end + 1;
  }
  for (int i = 4; i < argc; ++i)
    seeds.push_back(read(argv[i]));
  std::signal(SIGABRT, onAbort);
  auto start = std::chrono::steady_clock::now();
  uint64_t bytes = 0;
  for (number = 0; number < count; ++number) {
    bool goesOn = number > 0 && mutator.below(4) == 0 && current.size() < 1 << 16;
    current = mutator.mutate(goesOn ? current : seeds[mutator.below(seeds.size())], words);
    ExactBytes exact(current);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(exact.begin()), exact.size);
    bytes += current.size();
  }
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%llu inputs, %llu bytes, %.0f s\n", (unsigned long long)count,
              (unsigned long long)bytes, took.count());
  return 0;
}
