#include "tt/Trainer/CsvFile.h"

#include "tt/runtime/ErrorText.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::trainer;

CsvFile::~CsvFile() {
  if (fd >= 0)
    close(fd);
}

bool CsvFile::fail(const char *what, std::string &error) const {
  error = fmt::format("{}: cannot {}: {}", filePath, what, strerror(errno));
  return false;
}

bool CsvFile::open(const std::string &path, std::string &error) {
  filePath = path;
  fd = ::open(path.c_str(),
              O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail("open for writing", error);
  struct stat status;
  if (fstat(fd, &status) != 0)
    return fail("look at it", error);
  if (!S_ISREG(status.st_mode)) {
    error = fmt::format("{}: found {}, wanted a regular file", path,
                        tt::runtime::fileKind(status.st_mode));
    return false;
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    return true;
  if (errno == EWOULDBLOCK) {
    error = fmt::format("{}: found another tt-train writing to it, wanted a "
                        "directory of our own",
                        path);
    return false;
  }
  return errno == ENOLCK || errno == EOPNOTSUPP || fail("lock", error);
}

std::string CsvFile::otherHeader(const std::string &path, std::string_view header) {
  return fmt::format("{}:1: found another first line, wanted \"{}\"", path, header);
}

bool CsvFile::truncate(uint64_t bytes, std::string &error) {
  return ftruncate(fd, static_cast<off_t>(bytes)) == 0 || fail("cut", error);
}

bool CsvFile::create(std::string_view header, std::string &error) {
  return truncate(0, error) && append(header, error);
}

static bool readAll(int fd, std::string &text) {
  char buffer[1 << 16];
  for (;;) {
    ssize_t got = pread(fd, buffer, sizeof buffer, off_t(text.size()));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0;
    text.append(buffer, got);
  }
}

/// The step of a line, if it has one.
static std::optional<int64_t> stepOf(std::string_view line) {
  int64_t step;
  auto [end, status] =
      std::from_chars(line.data(), line.data() + line.size(), step);
  if (status != std::errc() || end == line.data() + line.size() || *end != ',')
    return std::nullopt;
  return step;
}

bool CsvFile::resume(std::string_view header, int64_t step,
                     std::vector<std::string> &lines, std::string &error) {
  lines.clear();
  std::string text;
  if (!readAll(fd, text))
    return fail("read", error);
  size_t end = text.find('\n');
  if (end == std::string::npos || text.substr(0, end) != header) {
    // A process that died at once leaves less than the header.
    if (header.substr(0, text.size()) == text)
      return truncate(0, error) && append(header, error);
    error = otherHeader(filePath, header);
    return false;
  }
  size_t kept = end + 1;
  int64_t before = -1;
  while ((end = text.find('\n', kept)) != std::string::npos) {
    std::string line = text.substr(kept, end - kept);
    std::optional<int64_t> number = stepOf(line);
    if (number && *number > step)
      break;
    if (!number || *number <= before) {
      error = fmt::format("{}:{}: found a damaged line, wanted a step past {}",
                          filePath, lines.size() + 2, before);
      return false;
    }
    before = *number;
    kept = end + 1;
    lines.push_back(std::move(line));
  }
  return truncate(kept, error);
}

bool CsvFile::append(std::string_view line, std::string &error) {
  std::string bytes(line);
  bytes += '\n';
  for (size_t done = 0; done < bytes.size();) {
    ssize_t put = write(fd, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return fail("write", error);
    done += put;
  }
  return true;
}

bool CsvFile::sync(std::string &error) {
  return fsync(fd) == 0 || fail("fsync", error);
}
