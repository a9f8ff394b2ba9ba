// The two logs of a run: numbers that repeat bit for bit, and times.
#ifndef TT_TRAINER_RUNLOG_H
#define TT_TRAINER_RUNLOG_H

#include "tt/Trainer/CsvFile.h"

#include <optional>
#include <string>
#include <vector>

namespace tt::trainer {

struct LogRow {
  int64_t step = 0; // 0: before training, only the validation loss; counts
                    // skipped steps, too
  std::optional<float> loss, gradNorm, clip, learningRate;
  std::optional<int32_t> skipped;
  std::optional<float> validationLoss; // at evaluations
  std::vector<std::string> metrics;    // numbers as text; all or none
};

/// The shortest form that reads back the same; a NaN has no sign.
std::string formatFloat(float value);
std::string formatFloat(double value);

/// With a cell for each of `numMetrics`, empty where the row has none.
std::string formatLogRow(const LogRow &row, size_t numMetrics = 0);
std::optional<LogRow> parseLogRow(std::string_view line, size_t numMetrics = 0);

/// DIR/log.csv has one LogRow per step; a resumed run's equals an
/// uninterrupted run's byte for byte. DIR/timing.csv has what never repeats.
/// A metric's column is "metric:NAME", quoted where a comma or a quote asks for it.
class RunLog {
public:
  /// Opens and locks the files.
  bool open(const std::string &directory, const std::vector<std::string> &metrics,
            std::string &error);
  /// That a log in DIR, if there is one, has the columns of these metrics. Reads only,
  /// and before open().
  static bool checkColumns(const std::string &directory,
                           const std::vector<std::string> &metrics, std::string &error);
  /// Then either starts over,
  bool create(std::string &error);
  /// or goes on behind `step`. A log that ends before it is no error, see
  /// lastStep().
  bool resume(int64_t step, std::string &error);

  bool add(const LogRow &row, std::string &error);
  bool addTiming(int64_t step, double seconds, double tokensPerSecond,
                 std::string &error);
  bool sync(std::string &error) { return log.sync(error); }

  const std::vector<LogRow> &rows() const { return logRows; }
  /// -1: there is no row.
  int64_t lastStep() const {
    return logRows.empty() ? -1 : logRows.back().step;
  }

private:
  std::string path, header;
  size_t numMetrics = 0;
  CsvFile log, timing;
  std::vector<LogRow> logRows;
};

} // namespace tt::trainer
#endif
