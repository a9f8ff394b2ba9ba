// As save_loop.cpp, for kill_save.py, but what is saved is the state of the
// compiled model in TT_SAVE_LIBRARY after two training steps:
//   compiled_save_loop PATH SEED        saves what follows from SEED (1 or 2)
//   compiled_save_loop --check PATH     prints the SEED of a whole, valid file
#include "../Step/StepRunner.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tt::test;

static std::string error;

static int fail(const std::string &text) {
  fprintf(stderr, "%s\n", text.c_str());
  return 1;
}

static std::unique_ptr<StepRunner> bind() {
  const char *path = getenv("TT_SAVE_LIBRARY");
  auto library = tt::runtime::Library::open(path ? path : "", error);
  if (!library)
    return nullptr;
  auto runner = std::make_unique<StepRunner>(library, 1, 0);
  return runner->bind(0, error) ? std::move(runner) : nullptr;
}

static bool trainFrom(StepRunner &runner, int seed) {
  return runner.init(seed, error) && runner.train(1, 2, error);
}

static int save(const char *path, int seed) {
  auto runner = bind();
  if (!runner || !trainFrom(*runner, seed))
    return fail(error);
  const char *metadata[] = {"seed", seed == 1 ? "1" : "2"};
  const auto &tt = runner->library->functions();
  if (tt.save(runner->instance, path, 1, metadata, 1) != TT_OK)
    return fail(tt.last_error());
  return 0;
}

static int check(const char *path) {
  auto loaded = bind();
  if (!loaded)
    return fail(error);
  const auto &tt = loaded->library->functions();
  if (tt.load(loaded->instance, path, 1) != TT_OK)
    return fail(tt.last_error());
  for (int seed : {1, 2}) {
    auto fresh = bind();
    if (!fresh || !trainFrom(*fresh, seed))
      return fail(error);
    if (fresh->stateHash() == loaded->stateHash())
      return printf("%d\n", seed), 0;
  }
  return fail("found a state of neither seed");
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // as AtomicFile.h asks of its callers
  if (argc == 3 && strcmp(argv[1], "--check") == 0)
    return check(argv[2]);
  if (argc == 3)
    return save(argv[1], atoi(argv[2]));
  fprintf(stderr, "usage: compiled_save_loop PATH SEED | --check PATH\n");
  return 2;
}
