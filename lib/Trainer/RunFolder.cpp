#include "tt/Trainer/RunFolder.h"

#include <fmt/format.h>
#include <unistd.h>

using namespace tt::trainer;
namespace fs = std::filesystem;

static constexpr const char *kFiles[] = {
    "model.mlir", "model.so",   "model.h",  "model.json",
    "log.csv",    "timing.csv", "loss.svg", "checkpoint.safetensors"};

bool RunFolder::make(const std::string &path, std::string &error) {
  std::error_code status;
  folder = fs::absolute(path, status);
  if (folder.filename().empty())
    folder = folder.parent_path();
  // A link that leads nowhere is there, too.
  for (fs::path at = folder;
       !fs::exists(fs::symlink_status(at, status)) && at != at.parent_path();
       at = at.parent_path())
    made.push_back(at);
  for (const char *file : kFiles)
    if (fs::exists(folder / file, status))
      before.insert(file);
  status.clear();
  fs::create_directories(path, status);
  if (status || !fs::is_directory(path, status)) {
    error = fmt::format("{}: cannot make the directory: {}", path,
                        status ? status.message() : "it is a file");
    return false;
  }
  if (access(path.c_str(), W_OK | X_OK) == 0)
    return true;
  error = fmt::format("{}: found a directory that cannot be written to, wanted "
                      "one for the run's files",
                      path);
  return false;
}

void RunFolder::undo() const {
  std::error_code ignored;
  for (const char *file : kFiles)
    if (!before.count(file))
      fs::remove(folder / file, ignored);
  for (const fs::path &directory : made)
    fs::remove(directory, ignored);
}
