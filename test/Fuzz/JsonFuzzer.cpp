// Any bytes as JSON. The first byte chooses the depth limit.
#include "tt/runtime/Json.h"

#include <cstdlib>
#include <memory>

using namespace tt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size == 0)
    return 0;
  JsonLimits limits;
  limits.maxDepth = bytes[0];
  const char *text = reinterpret_cast<const char *>(bytes + 1);
  size_t capacity = (size - 1) / 5 + 1;
  std::unique_ptr<uint32_t[]> keys(new uint32_t[capacity]);
  char message[128] = "";
  JsonReader reader(text, size - 1, keys.get(), capacity,
                    {message, sizeof message}, limits);
  for (;;) {
    JsonEvent event = reader.next();
    if (event == JsonEvent::Key || event == JsonEvent::String) {
      char out[64];
      if (jsonDecode(reader.text(), out, sizeof out) > reader.text().size)
        abort();
      if (jsonCompare(reader.text(), reader.text()) != 0)
        abort();
    }
    if (event == JsonEvent::Error && message[0] == 0)
      abort();
    if (event == JsonEvent::End || event == JsonEvent::Error)
      return 0;
  }
}
