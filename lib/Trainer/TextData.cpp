#include "tt/Trainer/TextData.h"

#include "tt/runtime/ErrorText.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::trainer;

static constexpr size_t kMaxText = size_t(1) << 30;

bool tt::trainer::readTextFile(const std::string &path, std::string &text,
                               std::string &error) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    error = fmt::format("{}: cannot open: {}", path, strerror(errno));
    return false;
  }
  struct stat status;
  if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    error = fmt::format("{}: found {}, wanted a regular file", path,
                        tt::runtime::fileKind(status.st_mode));
    close(fd);
    return false;
  }
  text.clear();
  std::vector<char> buffer(1 << 20);
  ssize_t got;
  while ((got = read(fd, buffer.data(), buffer.size())) != 0) {
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 || text.size() + got > kMaxText)
      break;
    text.append(buffer.data(), got);
  }
  int failure = errno;
  close(fd);
  if (got < 0)
    error = fmt::format("{}: cannot read: {}", path, strerror(failure));
  else if (got > 0)
    error = fmt::format("{}: found more than {} bytes, wanted at most that",
                        path, kMaxText);
  else if (text.empty())
    error = fmt::format("{}: found an empty file, wanted text", path);
  return got == 0 && !text.empty();
}

uint64_t tt::trainer::hashText(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text)
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  return hash;
}

bool TextData::assign(std::string_view text, const std::string &name,
                      const Vocabulary &vocabulary, double validationPart,
                      int64_t context, std::string &error) {
  if (!vocabulary.encode(text, name, tokens, error))
    return false;
  auto held = static_cast<size_t>(
      std::floor(static_cast<double>(tokens.size()) * validationPart));
  numTraining = tokens.size() - held;
  if (numTraining < static_cast<size_t>(context) + 1) {
    error = fmt::format("{}: found {} {} to train on ({} less {} held out), "
                        "wanted at least {}: "
                        "the model's context of {} and one",
                        name, numTraining, vocabulary.unit(), tokens.size(),
                        held, context + 1, context);
    return false;
  }
  if (held < 2) {
    error = fmt::format("{}: found {} {} held out for validation, wanted at "
                        "least 2",
                        name, held, vocabulary.unit());
    return false;
  }
  return true;
}
