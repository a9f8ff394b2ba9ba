// A CSV file that grows by a line per step and can be cut back to a step.
#ifndef TT_TRAINER_CSVFILE_H
#define TT_TRAINER_CSVFILE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tt::trainer {

/// Lines start with the step's number and rise. Each goes to the system at
/// once, so that a killed process loses none. Opening takes a lock: a second
/// writer is refused.
class CsvFile {
public:
  CsvFile() = default;
  ~CsvFile();
  CsvFile(const CsvFile &) = delete;
  CsvFile &operator=(const CsvFile &) = delete;

  /// Opens or creates the file and locks it; its contents stay.
  bool open(const std::string &path, std::string &error);
  /// Starts over.
  bool create(std::string_view header, std::string &error);
  /// Keeps the lines of steps up to `step`, which it returns in `lines`
  /// (without newline), and cuts off the rest. An empty file gets the header.
  /// One with another header or a damaged line stays as it is.
  bool resume(std::string_view header, int64_t step,
              std::vector<std::string> &lines, std::string &error);

  /// What resume() says of a file with another first line.
  static std::string otherHeader(const std::string &path, std::string_view header);

  /// Adds a line; `line` has no newline.
  bool append(std::string_view line, std::string &error);
  /// Onto the disk.
  bool sync(std::string &error);

private:
  bool truncate(uint64_t bytes, std::string &error);
  bool fail(const char *what, std::string &error) const;

  int fd = -1;
  std::string filePath;
};

} // namespace tt::trainer
#endif
