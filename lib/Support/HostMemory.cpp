#include "tt/Support/HostMemory.h"

#include <sys/sysinfo.h>

using namespace tt::support;

bool tt::support::checkHostMemory(CheckedSize bytes, const std::string &what,
                                  std::string &error) {
  struct sysinfo info = {};
  if (sysinfo(&info) != 0)
    return true; // an allocation that fails will say so
  CheckedSize memory =
      CheckedSize::fromUnsigned(info.totalram) * CheckedSize(int64_t(info.mem_unit));
  if (bytes.isAtMost(memory.valueOr(INT64_MAX)))
    return true;
  error = "error: expected " + what + " to fit into this machine's memory of " +
          std::to_string(memory.value()) + " bytes, but got " +
          (bytes.isValid() ? std::to_string(bytes.value()) : "more than 2^63") + " bytes";
  return false;
}
