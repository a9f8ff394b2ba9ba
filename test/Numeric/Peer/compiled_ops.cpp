//===- compiled_ops.cpp - The op table, compiled --------------------------===//
//
// compiled-ops --errors=FILE [--shard=K --of=N]: every row of the op table that f32
// takes is compiled, values and gradients, and held against the interpreter: within
// the bound of tt/Check/ErrorBound.h; and against the row in f64 (whose constants,
// such as the 1/n of a mean, are no f32 numbers), by the norm, within twice the error
// that PyTorch makes in f32 on the same inputs or 8 roundings, whichever is more.
// The error of a tensor is |found - wanted| / max(|wanted|, 1e-3 |all tensors of the
// entry|); where the true gradient is 0 because terms cancel, it is relative to the
// terms, of which all tensors are the measure. Rows that PyTorch has no counterpart for have the first bound only.
//
// compiled-ops --export=FILE writes programs, inputs and right values for
// torch_errors.py, which writes the errors.
//
// The last line is "N passed, M failed".
//
//===----------------------------------------------------------------------===//
#include "../OpTableF32.h"
#include "ExportRow.h"

#include "tt/AD/Passes.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/Derivatives.h"

#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"

#include <CLI/CLI.hpp>
#include <cfloat>
#include <fmt/format.h>

using namespace tt;
using namespace tt::test;
using check::HostTensor;
using reference::Values;

namespace {
/// The errors of a peer by row and entry; null where it has none.
class PeerErrors {
public:
  bool read(const std::string &path, std::string &error);
  const llvm::json::Object *find(llvm::StringRef row, bool isGradients) const;
  /// The file says why the peer has no such row; true, too, without a file.
  bool isWithout(llvm::StringRef row) const {
    const llvm::json::Object *top = document.getAsObject();
    const llvm::json::Object *without = top ? top->getObject("without") : nullptr;
    return !top || (without && without->getString(row));
  }

private:
  llvm::json::Value document = nullptr;
};

using Named = std::map<std::string, HostTensor>;

/// What the row in f64 gives for an entry's inputs, by the entry's names.
class Truth {
public:
  explicit Truth(RowF32 &row)
      : module(mlir::parseSourceString<mlir::ModuleOp>(row.wideText,
                                                       row.module->getContext())) {}
  Named of(const check::EntryValues &values);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

class Check {
public:
  PeerErrors errors;
  unsigned passed = 0, failed = 0, compared = 0;
  /// The tensor closest to its bound.
  double worstShare = 0;
  std::string worst;

  void row(RowF32 &row);

private:
  void entry(const std::string &row, const check::EntryValues &values, Truth &truth);
  void fail(const std::string &text) {
    fmt::print("FAIL {}\n", text);
    hasFailed = true;
  }

  bool hasFailed = false;
};
} // namespace

bool PeerErrors::read(const std::string &path, std::string &error) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    error = path + ": cannot be read: " + file.getError().message();
    return false;
  }
  auto parsed = llvm::json::parse((*file)->getBuffer());
  if (!parsed) {
    error = path + ": " + llvm::toString(parsed.takeError());
    return false;
  }
  document = std::move(*parsed);
  return true;
}

const llvm::json::Object *PeerErrors::find(llvm::StringRef row, bool isGradients) const {
  const llvm::json::Object *top = document.getAsObject();
  const llvm::json::Object *rows = top ? top->getObject("rows") : nullptr;
  const llvm::json::Object *found = rows ? rows->getObject(row) : nullptr;
  return found ? found->getObject(isGradients ? "gradients" : "values") : nullptr;
}

static double normOf(const HostTensor &value) {
  double sum = 0;
  for (double x : value.floats().data)
    sum += std::isfinite(x) ? x * x : 0;
  return std::sqrt(sum);
}

static double distance(const HostTensor &a, const HostTensor &b) {
  double sum = 0;
  for (size_t i = 0; i < a.floats().data.size(); ++i) {
    double x = a.floats().data[i], y = b.floats().data[i];
    sum += x == y || (std::isnan(x) && std::isnan(y)) ? 0 : (x - y) * (x - y);
  }
  return std::sqrt(sum);
}

static bool isGradients(const check::EntryValues &values) {
  return values.wanted.front().name.rfind("d_arg", 0) == 0;
}

Named Truth::of(const check::EntryValues &values) {
  auto function = module->lookupSymbol<mlir::func::FuncOp>("f");
  auto find = [&](const char *prefix, unsigned i) {
    return values.inputs.find(prefix + std::to_string(i));
  };
  Values arguments, cotangents, g;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(find("arg", i)->second);
  Named named;
  if (!isGradients(values)) {
    auto outcome = reference::Interpreter<double>(*module).run("f", arguments);
    for (auto [i, value] : llvm::enumerate(outcome.results))
      named["result" + std::to_string(i)] = value;
    return named;
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto found = find("cotangent", i); found != values.inputs.end())
      cotangents.push_back(found->second);
  reference::Derivatives derivatives;
  std::string error;
  if (!derivatives.build(*module, function, "all", error) ||
      !derivatives.pullBack(arguments, cotangents, g, error))
    fmt::print("FAIL the row in f64: {}\n", error);
  else
    for (auto [i, value] : llvm::zip_equal(derivatives.active(), g))
      named["d_arg" + std::to_string(i)] = value;
  return named;
}

void Check::entry(const std::string &row, const check::EntryValues &values, Truth &truth) {
  const llvm::json::Object *peer = errors.find(row, isGradients(values));
  if (!peer && errors.isWithout(row))
    return;
  if (!peer)
    return fail(row + ": the peer's errors neither have the row nor say why: run "
                      "torch_errors.py");
  if (peer->getString("digest") != llvm::StringRef(digestOf(values)))
    return fail(row + ": other inputs than those of the peer's errors: run torch_errors.py");
  Named right = truth.of(values);
  double all = 0;
  for (const auto &[name, value] : right)
    if (value.isFloat())
      all = std::hypot(all, normOf(value));
  for (auto [wanted, found] : llvm::zip_equal(values.wanted, values.found)) {
    std::optional<double> theirs = peer->getNumber(wanted.name);
    if (!theirs || !found.isFloat())
      continue;
    auto exact = right.find(wanted.name);
    if (exact == right.end())
      return fail(row + ": the row in f64 has no " + wanted.name);
    double size = normOf(exact->second);
    size = size <= 1e-12 * all ? all : std::max(size, 1e-3 * all);
    double error = distance(found, exact->second);
    error = error == 0 ? 0 : error / size; // an infinite share of nothing is a failure
    double bound = std::max(2 * *theirs, 8 * double(FLT_EPSILON));
    ++compared;
    std::string text = fmt::format("{} {}: error {:.2e}, bound {:.2e}, PyTorch's error {:.2e}",
                                   row, wanted.name, error, bound, *theirs);
    if (!(error <= bound))
      fail(text);
    if (error / bound > worstShare) {
      worstShare = error / bound;
      worst = text;
    }
  }
}

void Check::row(RowF32 &row) {
  hasFailed = false;
  check::CompiledCheckOptions options;
  options.quick = true;
  options.inputs = row.inputs;
  Truth truth(row);
  options.onFirst = [&](const check::EntryValues &values) { entry(row.name, values, truth); };
  check::CompiledReport report = check::checkCompiled(row.function, options);
  if (!report.passed())
    fail(row.name + ": " + report.error + "\n" + report.table());
  ++(hasFailed ? failed : passed);
}

static int exportRows(std::vector<RowF32> &rows, const std::string &path) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (code) {
    fmt::print(stderr, "{}: cannot be written: {}\n", path, code.message());
    return 1;
  }
  llvm::json::OStream json(file);
  json.object([&] {
    for (RowF32 &row : rows)
      json.attributeObject(row.name, [&] {
        exportModule(json, *row.module);
        Truth truth(row);
        check::CompiledCheckOptions options;
        options.quick = true;
        options.inputs = row.inputs;
        options.onFirst = [&](const check::EntryValues &values) {
          json.attributeObject(isGradients(values) ? "gradients" : "values",
                               [&] { exportValues(json, values, truth.of(values)); });
        };
        (void)check::checkCompiled(row.function, options);
      });
  });
  return 0;
}

int main(int argc, char **argv) {
  CLI::App app("The op table, compiled, against the interpreter and PyTorch's errors");
  std::string errors, exported, only;
  unsigned shard = 1, of = 1;
  app.add_option("--errors", errors, "what torch_errors.py wrote");
  app.add_option("--export", exported, "write programs and values for torch_errors.py");
  app.add_option("--shard", shard, "from 1 to --of");
  app.add_option("--of", of, "shards");
  app.add_option("--only", only, "the row of this name");
  CLI11_PARSE(app, argc, argv);

  registerADPasses();
  mlir::MLIRContext context;
  loadGraphDialects(context);
  std::vector<RowF32> rows = opTableInF32(context);
  if (!exported.empty())
    return exportRows(rows, exported);
  Check check;
  std::string error;
  if (!errors.empty() && !check.errors.read(errors, error)) {
    fmt::print(stderr, "{}\n", error);
    return 1;
  }
  for (auto [i, row] : llvm::enumerate(rows))
    if (i % of == shard - 1 && (only.empty() || row.name == only))
      check.row(row);
  fmt::print("{} tensors held against PyTorch's errors, closest to its bound: {}\n"
             "{} passed, {} failed\n",
             check.compared, check.worst, check.passed, check.failed);
  return check.failed || !check.passed ? 1 : 0;
}
