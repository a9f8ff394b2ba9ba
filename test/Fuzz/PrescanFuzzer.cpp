// Any bytes as .mlir text: an answer in bounded time, with a place inside it.
#include "tt/Support/SourcePrescan.h"

#include <cstdlib>

using namespace tt::support;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(bytes), size);
  PrescanLimits limits;
  limits.maxAliasUses = 1000;
  limits.maxDepth = 16;
  std::optional<PrescanError> error = prescanSource(text, limits);
  if (error && (error->line > size + 1 || error->column > size + 1 ||
                error->found.empty() || error->wanted.empty()))
    abort();
  return 0;
}
