// Replacing a file by all or nothing. Part of the model library: libc only,
// allocates nothing.
#ifndef TT_RUNTIME_ATOMICFILE_H
#define TT_RUNTIME_ATOMICFILE_H

#include "tt/runtime/ErrorText.h"
#include "tt/runtime/Safetensors.h"

#include <limits.h>
#include <stdint.h>

namespace tt::runtime {

/// open -> write ... -> commit. The bytes go to a temporary beside the target,
/// which is fsynced and renamed over the target; then the directory is
/// fsynced. Whenever the process dies, the target is the old file or the new
/// one, whole.
///
/// Every function returns false on error with a text that names the path and
/// the system's reason; the temporary is gone then, the target is as it was,
/// and the object may be opened again. One case differs, and says so: if only
/// the directory's fsync fails, the new file is in place but may not survive
/// a power cut.
///
/// The target must be a new name or a regular file: a link, a directory, a
/// pipe or a device is refused. Its permission bits are kept.
///
/// Past RLIMIT_FSIZE the kernel sends SIGXFSZ, whose default action ends the
/// process: a caller that sets such a limit must ignore that signal, then
/// EFBIG is reported like a full disk.
///
/// A killed process can leave a temporary: ".NAME.PID.N.tt-tmp". No load opens
/// one unless it is asked for by that very name; tools that list a directory
/// skip what isTemporaryName() knows.
///
/// `path` is relative to the directory current at open(); later calls work in
/// that directory even if it is renamed.
class AtomicFile {
public:
  AtomicFile() = default;
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  ~AtomicFile() { abandon(); }

  bool open(const char *path, ErrorText error);
  /// Any number of times, any size; there is no buffer in between.
  bool write(const void *data, uint64_t bytes, ErrorText error);
  bool commit(ErrorText error);
  /// Removes the temporary; the target stays as it was. Harmless after commit.
  void abandon();

  bool isOpen() const { return fd >= 0; }
  uint64_t written() const { return total; }
  /// This file as the sink of writeSafetensorsHeader.
  ByteSink sink();

  static bool isTemporaryName(const char *name);

private:
  bool openDirectory(ErrorText error);
  bool createTemporary(int mode, ErrorText error);
  bool failWith(const char *what, int errnoValue, ErrorText error);

  int directory = -1;
  int fd = -1;
  uint64_t total = 0;
  char path[PATH_MAX] = {};
  const char *target = path; // the last component of path
  char temporary[NAME_MAX + 1] = {};
};

} // namespace tt::runtime
#endif
