// tt-check --bisect.
#include "CheckFile.h"

#include "tt/Check/Bisect.h"
#include "tt/Support/Escape.h"
#include "tt/Support/OutputProbe.h"
#include "tt/Support/StandardOutput.h"

#include <fmt/format.h>
#include <unistd.h>

using namespace tt;
using namespace tt::check;

static std::string safe(const std::string &text) {
  return support::escapeTerminal(text, /*keepNewlines=*/true);
}

static int fail(const std::string &text) {
  fmt::print(stderr, "tt-check: {}\n", safe(text));
  return 1;
}

int tt::check::bisectFile(const CommandLine &line) {
  StepRecord record;
  std::string error;
  if (!record.read(line.record, error))
    return fail("error: " + error);
  std::string path = line.library.empty() ? record.library : line.library;
  // Its code runs; it is the one that the record was made with, or named here.
  for (const char *ending : {".mlir", ".safetensors"})
    if (!line.output.empty() &&
        !support::probeOutput(line.output + ending, error, {line.record, line.file, path}))
      return fail("error: " + error);
  auto library = runtime::Library::open(
      path.find('/') == std::string::npos ? "./" + path : path, error);
  if (!library)
    return fail("error: " + error + " (--library names another place)");
  BisectOptions how;
  how.graph = line.file;
  how.output = line.output;
  how.progress = [](const std::string &text) {
    if (isatty(STDERR_FILENO))
      fmt::print(stderr, "\r\033[K{}", safe(text));
  };
  BisectReport report = bisect(record, library->desc(), how);
  if (isatty(STDERR_FILENO))
    fmt::print(stderr, "\r\033[K");
  if (!report.error.empty())
    return fail(report.error);
  support::printOut(safe(report.text()));
  return report.finding || !report.replayDifference.empty() ? 1 : 0;
}
