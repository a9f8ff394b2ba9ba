// The folder of a run, which one that is refused leaves as it was.
#ifndef TT_TRAINER_RUNFOLDER_H
#define TT_TRAINER_RUNFOLDER_H

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tt::trainer {

class RunFolder {
public:
  /// Makes it, and those above it that are missing.
  bool make(const std::string &path, std::string &error);
  /// Removes a run's files that were not there before make(), and the folders
  /// that it made if nothing else is in them.
  void undo() const;

private:
  std::filesystem::path folder;
  std::vector<std::filesystem::path> made; // the innermost first
  std::set<std::string> before;            // files of a run
};

} // namespace tt::trainer
#endif
