#include "tt/Trainer/Console.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace tt::trainer;

bool Console::print(std::string_view output) {
  while (!hasFailed() && !output.empty()) {
    ssize_t put = write(fd, output.data(), output.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      text = std::string("standard output: cannot write: ") + strerror(errno);
    else
      output.remove_prefix(put);
  }
  return !hasFailed();
}

bool Console::isTerminal() const {
  const char *kind = getenv("TERM");
  return isatty(fd) && kind && strcmp(kind, "dumb") != 0;
}

unsigned Console::width() const {
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}
