#include "tt/Trainer/RunLog.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <fmt/format.h>

using namespace tt::trainer;

static constexpr char kLogHeader[] =
    "step,loss,grad_norm,clip,learning_rate,skipped,validation_loss";
static constexpr char kTimingHeader[] = "step,seconds,tokens_per_second";

std::string tt::trainer::formatFloat(float value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}
std::string tt::trainer::formatFloat(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

static std::string formatCell(std::optional<float> value) {
  return value ? formatFloat(*value) : "";
}

std::string tt::trainer::formatLogRow(const LogRow &row, size_t numMetrics) {
  std::string text = fmt::format(
      "{},{},{},{},{},{},{}", row.step, formatCell(row.loss), formatCell(row.gradNorm),
      formatCell(row.clip), formatCell(row.learningRate),
      row.skipped ? fmt::format("{}", *row.skipped) : "", formatCell(row.validationLoss));
  for (size_t i = 0; i < numMetrics; ++i)
    text += "," + (i < row.metrics.size() ? row.metrics[i] : std::string());
  return text;
}

/// A cell of the first line, as RFC 4180 quotes it.
static std::string quote(const std::string &cell) {
  if (cell.find_first_of(",\"") == cell.npos)
    return cell;
  std::string quoted = "\"";
  for (char c : cell)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// Takes the cell up to the next comma.
static std::string nextCell(std::string_view &line) {
  size_t end = line.find(',');
  std::string cell(line.substr(0, end));
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  return cell;
}

static bool parseFloat(const std::string &cell, std::optional<float> &value) {
  if (cell.empty())
    return true;
  char *end;
  value = std::strtof(cell.c_str(), &end);
  return *end == 0;
}

template <typename Int>
static bool parseInt(const std::string &cell, Int &value) {
  const char *end = cell.data() + cell.size();
  auto result = std::from_chars(cell.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

/// Cells behind the others: all are numbers, or all are empty.
static bool parseMetrics(std::string_view line, size_t count,
                         std::vector<std::string> &metrics) {
  size_t numEmpty = 0;
  for (size_t i = 0; i < count; ++i) {
    std::optional<float> value;
    metrics.push_back(nextCell(line));
    if (!parseFloat(metrics.back(), value))
      return false;
    numEmpty += !value;
  }
  if (numEmpty == count)
    metrics.clear();
  return numEmpty == 0 || numEmpty == count;
}

std::optional<LogRow> tt::trainer::parseLogRow(std::string_view line, size_t numMetrics) {
  LogRow row;
  if (size_t(std::count(line.begin(), line.end(), ',')) != 6 + numMetrics)
    return std::nullopt;
  bool isGood = parseInt(nextCell(line), row.step);
  for (auto *value : {&row.loss, &row.gradNorm, &row.clip, &row.learningRate})
    isGood = isGood && parseFloat(nextCell(line), *value);
  std::string skipped = nextCell(line);
  if (!skipped.empty())
    isGood = isGood && parseInt(skipped, row.skipped.emplace());
  isGood = isGood && parseFloat(nextCell(line), row.validationLoss) &&
           parseMetrics(line, numMetrics, row.metrics);
  if (!isGood)
    return std::nullopt;
  return row;
}

static std::string headerOf(const std::vector<std::string> &metrics) {
  std::string header = kLogHeader;
  for (const std::string &name : metrics)
    header += "," + quote("metric:" + name);
  return header;
}

bool RunLog::checkColumns(const std::string &directory,
                          const std::vector<std::string> &metrics, std::string &error) {
  std::string path = directory + "/log.csv", wanted = headerOf(metrics), found;
  std::error_code status; // what is no regular file is open()'s to refuse
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, status)))
    return true;
  std::ifstream file(path, std::ios::binary);
  // Less than a line is left by a process that died at once.
  if (!std::getline(file, found) || file.eof() || found == wanted)
    return true;
  error = CsvFile::otherHeader(path, wanted);
  return false;
}

bool RunLog::open(const std::string &directory, const std::vector<std::string> &metrics,
                  std::string &error) {
  path = directory + "/log.csv";
  header = headerOf(metrics);
  numMetrics = metrics.size();
  return log.open(path, error) && timing.open(directory + "/timing.csv", error);
}

bool RunLog::create(std::string &error) {
  logRows.clear();
  return log.create(header, error) && timing.create(kTimingHeader, error);
}

bool RunLog::resume(int64_t step, std::string &error) {
  logRows.clear();
  std::vector<std::string> lines, timingLines;
  if (!log.resume(header, step, lines, error) ||
      !timing.resume(kTimingHeader, step, timingLines, error))
    return false;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::optional<LogRow> row = parseLogRow(lines[i], numMetrics);
    if (!row) {
      error = fmt::format("{}:{}: found a damaged line, wanted the columns {}",
                          path, i + 2, header);
      return false;
    }
    logRows.push_back(*row);
  }
  return true;
}

bool RunLog::add(const LogRow &row, std::string &error) {
  logRows.push_back(row);
  return log.append(formatLogRow(row, numMetrics), error);
}

bool RunLog::addTiming(int64_t step, double seconds, double tokensPerSecond,
                       std::string &error) {
  return timing.append(
      fmt::format("{},{:.6f},{:.1f}", step, seconds, tokensPerSecond), error);
}
