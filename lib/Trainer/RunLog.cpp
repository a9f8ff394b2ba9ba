#include "tt/Trainer/RunLog.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

using namespace tt::trainer;

static constexpr char kLogHeader[] =
    "step,loss,grad_norm,clip,learning_rate,skipped,validation_loss";
static constexpr char kTimingHeader[] = "step,seconds,tokens_per_second";

/// The shortest form that reads back the same; a NaN has no sign.
static std::string formatFloat(std::optional<float> value) {
  if (!value)
    return "";
  return std::isnan(*value) ? "nan" : fmt::format("{}", *value);
}

std::string tt::trainer::formatLogRow(const LogRow &row) {
  return fmt::format("{},{},{},{},{},{},{}", row.step, formatFloat(row.loss),
                     formatFloat(row.gradNorm), formatFloat(row.clip),
                     formatFloat(row.learningRate),
                     row.skipped ? fmt::format("{}", *row.skipped) : "",
                     formatFloat(row.validationLoss));
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

std::optional<LogRow> tt::trainer::parseLogRow(std::string_view line) {
  LogRow row;
  if (std::count(line.begin(), line.end(), ',') != 6)
    return std::nullopt;
  bool isGood = parseInt(nextCell(line), row.step);
  for (auto *value : {&row.loss, &row.gradNorm, &row.clip, &row.learningRate})
    isGood = isGood && parseFloat(nextCell(line), *value);
  std::string skipped = nextCell(line);
  if (!skipped.empty())
    isGood = isGood && parseInt(skipped, row.skipped.emplace());
  isGood = isGood && parseFloat(nextCell(line), row.validationLoss);
  if (!isGood)
    return std::nullopt;
  return row;
}

bool RunLog::open(const std::string &directory, std::string &error) {
  path = directory + "/log.csv";
  return log.open(path, error) && timing.open(directory + "/timing.csv", error);
}

bool RunLog::create(std::string &error) {
  logRows.clear();
  return log.create(kLogHeader, error) && timing.create(kTimingHeader, error);
}

bool RunLog::resume(int64_t step, std::string &error) {
  logRows.clear();
  std::vector<std::string> lines, timingLines;
  if (!log.resume(kLogHeader, step, lines, error) ||
      !timing.resume(kTimingHeader, step, timingLines, error))
    return false;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::optional<LogRow> row = parseLogRow(lines[i]);
    if (!row) {
      error = fmt::format("{}:{}: found a damaged line, wanted the columns {}",
                          path, i + 2, kLogHeader);
      return false;
    }
    logRows.push_back(*row);
  }
  return true;
}

bool RunLog::add(const LogRow &row, std::string &error) {
  logRows.push_back(row);
  return log.append(formatLogRow(row), error);
}

bool RunLog::addTiming(int64_t step, double seconds, double tokensPerSecond,
                       std::string &error) {
  return timing.append(
      fmt::format("{},{:.6f},{:.1f}", step, seconds, tokensPerSecond), error);
}
