// One atomic save of a small safetensors file, for kill_save.py:
//   save_loop PATH SEED          saves tensors whose bytes follow from SEED
//   save_loop --check PATH       prints the SEED of a whole, valid file
// The exit status is 0, or 1 with the error on stderr.
#include "tt/runtime/AtomicFile.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace tt::runtime;

static constexpr uint32_t kTensors = 3;
static constexpr int64_t kElements = 1000;
static char message[512];
static ErrorText error = {message, sizeof message};

static int fail() {
  fprintf(stderr, "%s\n", message);
  return 1;
}

static void fill(int32_t *values, int seed, uint32_t tensor) {
  for (int64_t i = 0; i < kElements; ++i)
    values[i] = static_cast<int32_t>(seed * 1000003 + int(tensor) * 4099 + i);
}

static void describe(void *, uint32_t index, const char *&name,
                     SafetensorsDtype &dtype, uint32_t &rank, int64_t *shape) {
  static const char *const names[kTensors] = {"a", "b", "c"};
  name = names[index];
  dtype = SafetensorsDtype::I32;
  rank = 1;
  shape[0] = kElements;
}

static int save(const char *path, int seed) {
  char text[16];
  snprintf(text, sizeof text, "%d", seed);
  SafetensorsContents contents;
  contents.ctx = text;
  contents.numTensors = kTensors;
  contents.tensor = describe;
  contents.numMetadata = 1;
  contents.metadata = [](void *ctx, uint32_t, const char *&key,
                         const char *&value) {
    key = "seed";
    value = static_cast<const char *>(ctx);
  };
  AtomicFile file;
  uint64_t dataBytes;
  if (!file.open(path, error) ||
      !writeSafetensorsHeader(contents, file.sink(), dataBytes, error))
    return fail();
  int32_t values[kElements];
  for (uint32_t i = 0; i < kTensors; ++i) {
    fill(values, seed, i);
    if (!file.write(values, sizeof values, error))
      return fail();
  }
  return file.commit(error) ? 0 : fail();
}

static int check(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return perror(path), 1;
  static char memory[65536];
  SafetensorsReader reader;
  if (!reader.openFd(fd, memory, sizeof memory, error))
    return fail();
  JsonText value;
  char text[16] = "";
  if (!reader.findMetadata("seed", value))
    return error.fail("found no seed"), fail();
  jsonDecode(value, text, sizeof text - 1);
  int32_t found[kElements], wanted[kElements];
  for (uint32_t i = 0; i < kTensors; ++i) {
    SafetensorsTensor tensor = reader.at(i);
    fill(wanted, atoi(text), i);
    if (tensor.bytes != sizeof found || !reader.read(fd, tensor, found, error))
      return fail();
    if (memcmp(found, wanted, sizeof found) != 0)
      return error.fail("tensor %u: found other bytes than were saved", i),
             fail();
  }
  printf("%s\n", text);
  return 0;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // as AtomicFile.h asks of its callers
  if (argc == 3 && strcmp(argv[1], "--check") == 0)
    return check(argv[2]);
  if (argc == 3)
    return save(argv[1], atoi(argv[2]));
  fprintf(stderr, "usage: save_loop PATH SEED | --check PATH\n");
  return 2;
}
