// How much memory this machine has.
#ifndef TT_SUPPORT_HOSTMEMORY_H
#define TT_SUPPORT_HOSTMEMORY_H

#include "tt/Support/CheckedSize.h"

#include <string>

namespace tt::support {

/// False with an error if this machine's memory cannot hold `bytes`, so that a
/// user's type ends in a diagnostic and not in a failed allocation. `what`
/// stands in the text: "error: expected WHAT to fit into ...".
bool checkHostMemory(CheckedSize bytes, const std::string &what, std::string &error);

} // namespace tt::support
#endif
