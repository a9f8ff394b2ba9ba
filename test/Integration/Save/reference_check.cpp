// Answers for differential.py: reads files from stdin, each after its length
// in 8 bytes, and prints a line for each: "ok", or the reader's error.
#include "tt/runtime/Safetensors.h"

#include <cstdio>
#include <vector>

using namespace tt::runtime;

int main() {
  uint64_t size;
  while (fread(&size, sizeof size, 1, stdin) == 1) {
    std::vector<char> file(size);
    if (size > 0 && fread(file.data(), 1, size, stdin) != size)
      return 1;
    std::vector<char> scratch(
        SafetensorsReader::scratchBytes(file.data(), size));
    char message[512] = "ok";
    SafetensorsReader reader;
    reader.openBuffer(file.data(), size, scratch.data(), scratch.size(),
                      {message, sizeof message}, /*foreignDtypes=*/true);
    puts(message);
    fflush(stdout);
  }
  return 0;
}
