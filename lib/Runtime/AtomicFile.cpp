// Replacing a file by all or nothing.
#include "tt/runtime/AtomicFile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::runtime;

/// Interrupted calls without progress before we give up.
static constexpr int kMaxInterrupts = 1000;
static constexpr int kMaxNames = 100;
static constexpr char kSuffix[] = ".tt-tmp";

/// Repeats a call while it is interrupted.
template <typename Call> static auto retry(Call call) {
  auto result = call();
  for (int i = 0; result < 0 && errno == EINTR && i < kMaxInterrupts; ++i)
    result = call();
  return result;
}

bool AtomicFile::isTemporaryName(const char *name) {
  size_t size = strlen(name), suffix = sizeof kSuffix - 1;
  return size > suffix && name[0] == '.' &&
         strcmp(name + size - suffix, kSuffix) == 0;
}

bool AtomicFile::failWith(const char *what, int errnoValue, ErrorText error) {
  error.fail("cannot save \"%s\": %s failed: %s", path, what,
             ErrnoText(errnoValue).text);
  abandon();
  return false;
}

void AtomicFile::abandon() {
  if (fd >= 0)
    close(fd);
  if (directory >= 0 && temporary[0])
    retry([this] { return unlinkat(directory, temporary, 0); });
  if (directory >= 0)
    close(directory);
  fd = directory = -1;
  temporary[0] = 0;
}

bool AtomicFile::openDirectory(ErrorText error) {
  char *slash = strrchr(path, '/');
  target = slash ? slash + 1 : path;
  const char *name = slash == path ? "/" : slash ? path : ".";
  if (slash)
    *slash = slash == path ? '/' : 0;
  directory = retry(
      [&] { return ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  int failure = errno;
  if (slash)
    *slash = '/';
  return directory >= 0 || failWith("opening its directory", failure, error);
}

bool AtomicFile::createTemporary(int mode, ErrorText error) {
  for (int i = 0; i < kMaxNames; ++i) {
    snprintf(temporary, sizeof temporary, ".%.200s.%ld.%d%s", target,
             static_cast<long>(getpid()), i, kSuffix);
    fd = retry([&] {
      return openat(directory, temporary,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    mode);
    });
    if (fd >= 0)
      return true;
    if (errno != EEXIST) // that one was left by a dead process or is in use
      break;
  }
  int failure = errno;
  temporary[0] = 0; // not ours
  return failWith("creating a temporary beside it", failure, error);
}

bool AtomicFile::open(const char *newPath, ErrorText error) {
  abandon();
  total = 0;
  size_t size = newPath ? strlen(newPath) : 0;
  if (size == 0)
    return error.fail("cannot save: found an empty path, wanted a file name");
  if (size >= sizeof path) {
    PrintableText shown(newPath, size);
    return error.fail("cannot save \"%s\": found a path of %zu bytes, wanted "
                      "fewer than %zu",
                      shown.text, size, sizeof path);
  }
  memcpy(path, newPath, size + 1);
  if (path[size - 1] == '/')
    return failWith("naming a file", EISDIR, error);
  if (!openDirectory(error))
    return false;

  struct stat old;
  bool exists = false;
  int found = retry([&] {
    return fstatat(directory, target, &old, AT_SYMLINK_NOFOLLOW);
  });
  if (found == 0)
    exists = true;
  else if (errno != ENOENT)
    return failWith("looking at it", errno, error);
  if (exists && !S_ISREG(old.st_mode)) {
    error.fail("cannot save \"%s\": found %s, wanted a regular file or a new "
               "name",
               path, fileKind(old.st_mode));
    abandon();
    return false;
  }
  if (!createTemporary(exists ? 0600 : 0666, error))
    return false;
  if (exists && retry([&] { return fchmod(fd, old.st_mode & 07777); }) != 0)
    return failWith("setting the temporary's mode", errno, error);
  return true;
}

bool AtomicFile::write(const void *data, uint64_t bytes, ErrorText error) {
  if (fd < 0)
    return error.fail("cannot save: found no open file, wanted open() first");
  const char *from = static_cast<const char *>(data);
  while (bytes > 0) {
    size_t chunk = bytes < (1u << 30) ? bytes : 1u << 30;
    ssize_t put = retry([&] { return ::write(fd, from, chunk); });
    if (put <= 0) // 0: no progress, as on a full device
      return failWith("writing", put < 0 ? errno : ENOSPC, error);
    from += put;
    total += static_cast<uint64_t>(put);
    bytes -= static_cast<uint64_t>(put);
  }
  return true;
}

bool AtomicFile::commit(ErrorText error) {
  if (fd < 0)
    return error.fail("cannot save: found no open file, wanted open() first");
  if (retry([this] { return fsync(fd); }) != 0)
    return failWith("fsync", errno, error);
  int closed = close(fd); // never twice: the number is free even on an error
  fd = -1;
  if (closed != 0 && errno != EINTR)
    return failWith("closing", errno, error);
  if (retry([this] {
        return renameat(directory, temporary, directory, target);
      }) != 0)
    return failWith("renaming the temporary to it", errno, error);
  temporary[0] = 0;
  // Some file systems cannot fsync a directory and say EINVAL.
  if (retry([this] { return fsync(directory); }) != 0 && errno != EINVAL) {
    error.fail("saved \"%s\", but it may not survive a power cut: fsync of its "
               "directory failed: %s",
               path, ErrnoText(errno).text);
    abandon();
    return false;
  }
  abandon();
  return true;
}

ByteSink AtomicFile::sink() {
  return {this, [](void *ctx, const void *data, uint64_t bytes,
                   ErrorText error) {
            return static_cast<AtomicFile *>(ctx)->write(data, bytes, error);
          }};
}
