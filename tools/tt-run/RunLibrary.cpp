// tt-run on a compiled library: calls an entry on files.
#include "LibraryInputs.h"
#include "Options.h"
#include "Results.h"

#include "tt/Check/StepRecord.h"
#include "tt/Support/StandardOutput.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

using namespace tt;
using namespace tt::check;
using namespace tt::run;

/// The named entry, or the only one.
static std::optional<uint32_t> chooseEntry(const Options &options, const LibraryRun &run,
                                           std::string &error) {
  const auto &tt = run.library().functions();
  if (!options.entry.empty() || tt.entry_count(run.library().desc()) != 1)
    return run.findEntry(options.entry, error);
  return 0;
}

/// First values of parameters and state.
static bool setParameters(const Options &options, LibraryRun &run, std::string &error) {
  runtime::Model &model = run.instance();
  if (options.withState && options.parameters.empty()) {
    error = "error: --with-state: found no --parameters, which has the state";
    return false;
  }
  if (options.parameters.empty() && !options.initSeed &&
      !run.library().tensors(0).empty()) {
    error = "error: found no parameters, wanted --parameters=FILE or --init-seed=N";
    return false;
  }
  // First of all: state that a file does not give starts as in a new run.
  if (model.init(options.initSeed.value_or(0)) &&
      (options.parameters.empty() || model.load(options.parameters, options.withState)))
    return true;
  error = "error: " + model.error();
  return false;
}

/// The call whose results are printed, recorded if the user wants that.
static bool callOnce(const Options &options, LibraryRun &run, uint32_t entry,
                     const std::vector<Encoded> &inputs, std::vector<NamedTensor> &outputs,
                     std::string &error) {
  StepRecord record;
  record.level = std::to_string(options.level);
  if (options.recordFile.empty())
    return run.callEncoded(entry, inputs, outputs, error);
  return record.takeBefore(run, options.file, entry, inputs, error) &&
         run.callEncoded(entry, inputs, outputs, error) &&
         record.takeAfter(run, outputs, error) && record.write(options.recordFile, error);
}

/// Runs the entry again and again and prints what it takes.
static bool timeRuns(const Options &options, LibraryRun &run, uint32_t entry,
                     const std::vector<Encoded> &inputs, std::string &error) {
  std::vector<double> times;
  std::vector<NamedTensor> outputs;
  for (int64_t i = 0; i < options.timedRuns; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (!run.callEncoded(entry, inputs, outputs, error))
      return false;
    std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - start;
    times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  size_t n = times.size();
  support::printOut(fmt::format(
      "time: median {:.3f} ms, smallest {:.3f} ms, largest {:.3f} ms; {} runs after "
      "the first, {} thread{}\n",
      (times[n / 2] + times[(n - 1) / 2]) / 2, times[0], times[n - 1], n, options.threads,
      options.threads == 1 ? "" : "s"));
  return true;
}

int tt::run::runLibrary(const Options &options) {
  std::string error;
  runtime::ModelOptions bind;
  bind.threads = options.threads;
  bind.isaLevel = options.level;
  auto run = LibraryRun::open(options.file, bind, error);
  if (!run)
    return fail("error: " + error);
  std::optional<uint32_t> entry = chooseEntry(options, *run, error);
  if (!entry)
    return fail("error: " + error);
  std::vector<Encoded> inputs;
  std::vector<NamedTensor> outputs;
  std::vector<std::string> names;
  for (const tt_tensor_info &info : run->library().outputs(*entry))
    names.push_back(info.name);
  if (!probeOutputs(options, names, error) ||
      !readLibraryInputs(options, *run, *entry, inputs, error) ||
      !setParameters(options, *run, error))
    return fail(error);
  if (!callOnce(options, *run, *entry, inputs, outputs, error))
    return fail("error: " + error);
  std::vector<Result> results;
  for (NamedTensor &output : outputs)
    results.push_back({output.name, decode(output.value), output.value.dtype});
  for (const Result &result : results)
    print(result, /*isDouble=*/false);
  if (!writeResults(options, std::move(results), error))
    return fail("error: " + error);
  if (!options.saveFile.empty() && !run->instance().save(options.saveFile, /*withState=*/true))
    return fail("error: " + run->instance().error());
  if (options.timedRuns && !timeRuns(options, *run, *entry, inputs, error))
    return fail("error: " + error);
  return 0;
}
