//===- gradients.cpp - A compiled model against the truth -----------------===//
//
// gradients LIBRARY.so WEIGHTS.safetensors REFERENCE.safetensors
//
// REFERENCE is what make_tiny.py computed in f64: tokens, targets, logits,
// loss, grad.NAME, and error32.NAME, the error that PyTorch makes in f32. The
// error of a tensor is |found - wanted| / max(|wanted|, 1e-3 |all gradients|),
// by 2-norms; ours may be twice PyTorch's, or 8 f32 roundings.
//
//===----------------------------------------------------------------------===//
#include "tt/Check/LibraryRun.h"
#include "tt/Support/SafetensorsFile.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace tt::runtime;
using tt::support::SafetensorsFile;

static unsigned passed = 0, failed = 0;

static bool check(bool ok, const std::string &what) {
  std::printf("%s %s\n", ok ? "PASS" : "FAIL", what.c_str());
  ++(ok ? passed : failed);
  return ok;
}

/// The gradient closest to its bound.
static double worstShare = 0;
static std::string worst;

static void checkError(const std::string &name, double error, double bound) {
  char text[512];
  std::snprintf(text, sizeof text, "%s: error %.2e, bound %.2e", name.c_str(), error, bound);
  check(error <= bound, text);
  if (name.rfind("grad:", 0) == 0 && !(error / bound <= worstShare)) {
    worstShare = error / bound;
    worst = text;
  }
}

namespace {
struct Problem {
  SafetensorsFile reference;
  std::unique_ptr<tt::check::LibraryRun> model;

  std::vector<double> wanted(const std::string &name);
  std::vector<std::vector<char>> run(const char *entry, int64_t position);
  void checkLogits();
  void checkGradients();
};
} // namespace

/// A tensor of the reference as doubles; empty if there is none.
std::vector<double> Problem::wanted(const std::string &name) {
  const auto *tensor = reference.find(name);
  std::vector<char> raw;
  std::string error;
  if (!tensor || !reference.read(*tensor, raw, error)) {
    check(false, "the reference has " + name + error);
    return {};
  }
  bool isWide = tensor->dtype == SafetensorsDtype::F64;
  std::vector<double> values(raw.size() / (isWide ? 8 : 4));
  for (size_t i = 0; i < values.size(); ++i) {
    float narrow;
    if (isWide)
      std::memcpy(&values[i], &raw[8 * i], 8);
    else
      std::memcpy(&narrow, &raw[4 * i], 4), values[i] = narrow;
  }
  return values;
}

static std::vector<double> asFloats(const std::vector<char> &raw) {
  std::vector<float> values(raw.size() / 4);
  std::memcpy(values.data(), raw.data(), raw.size());
  return {values.begin(), values.end()};
}

/// Outputs of an entry on the reference's tokens and targets.
std::vector<std::vector<char>> Problem::run(const char *entry, int64_t position) {
  std::string error;
  auto number = model->findEntry(entry, error);
  if (!check(number.has_value(), std::string("the library has ") + entry))
    return {};
  std::vector<tt::check::Encoded> inputs;
  for (const tt_tensor_info &info : model->library().inputs(*number)) {
    tt::check::Encoded input;
    input.bytes.resize(info.bytes);
    if (const auto *tensor = reference.find(info.name))
      reference.read(*tensor, input.bytes, error);
    else if (std::string(info.name) == "position") // i32 or i64
      std::memcpy(input.bytes.data(), &position, std::min<size_t>(info.bytes, 8));
    inputs.push_back(std::move(input)); // step and seed: zero
  }
  std::vector<tt::check::NamedTensor> outputs;
  if (!model->callEncoded(*number, inputs, outputs, error)) {
    check(false, std::string(entry) + " runs: " + error);
    return {};
  }
  std::vector<std::vector<char>> bytes;
  for (tt::check::NamedTensor &output : outputs)
    bytes.push_back(std::move(output.value.bytes));
  return bytes;
}

/// One row per sample for each position.
void Problem::checkLogits() {
  std::vector<double> all = wanted("logits");
  const auto *tensor = reference.find("logits");
  if (!tensor || tensor->shape.size() != 3)
    return;
  int64_t batch = tensor->shape[0], rows = tensor->shape[1], vocab = tensor->shape[2];
  double largest = 0, worst = 0;
  for (double value : all)
    largest = std::max(largest, std::fabs(value));
  for (int64_t t = 0; t < rows; ++t) {
    auto out = run("logits", t);
    if (out.empty() || out[0].size() != size_t(batch * vocab * 4))
      return (void)check(false, "logits are a row per sample");
    std::vector<double> found = asFloats(out[0]);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t v = 0; v < vocab; ++v) {
        double d = std::fabs(found[b * vocab + v] - all[(b * rows + t) * vocab + v]);
        worst = d <= worst ? worst : d; // NaN counts
      }
  }
  checkError("logits", worst, 1e-5);
  checkError("logits, relative to the largest", worst / largest, 1e-5);
}

static double norm(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

void Problem::checkGradients() {
  auto number = model->library().findEntry("grad");
  auto out = run("grad", 0);
  if (out.empty())
    return;
  std::vector<tt_tensor_info> infos = model->library().outputs(*number);
  const double least = 8 * FLT_EPSILON;
  double all = 0;
  for (const auto &tensor : reference.tensors())
    if (tensor.name.rfind("grad.", 0) == 0)
      all = std::hypot(all, norm(wanted(tensor.name)));
  unsigned parameters = model->library().tensors(0).size();
  check(infos.size() == parameters + 1, "loss and a gradient per parameter");
  for (size_t i = 0; i < infos.size(); ++i) {
    std::string name = infos[i].name;
    std::vector<double> found = asFloats(out[i]);
    if (name == "loss") {
      double loss = wanted("loss").at(0);
      checkError("loss", std::fabs(found[0] - loss) / loss, least);
      continue;
    }
    std::string parameter = name.substr(name.find(':') + 1);
    std::vector<double> truth = wanted("grad." + parameter);
    if (!check(name.rfind("grad:", 0) == 0 && truth.size() == found.size(),
               name + " has its parameter's size"))
      continue;
    std::vector<double> rest = found;
    for (size_t j = 0; j < rest.size(); ++j)
      rest[j] -= truth[j];
    checkError(name, norm(rest) / std::max(norm(truth), 1e-3 * all),
               std::max(least, 2 * wanted("error32." + parameter).at(0)));
    if (!reference.find("error32." + parameter + ".key"))
      continue;
    // In exact arithmetic the key bias has no gradient at all: the rows of dS sum to 0.
    std::vector<double> key(found.begin() + found.size() / 3,
                            found.begin() + 2 * (found.size() / 3));
    checkError(name + ", key part, exactly 0", norm(key) / (1e-3 * all),
               std::max(least, 2 * wanted("error32." + parameter + ".key").at(0)));
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: gradients LIBRARY.so WEIGHTS REFERENCE\n");
    return 1;
  }
  std::string error;
  auto library = Library::open(argv[1], error);
  if (!library)
    return std::printf("FAIL %s\n", error.c_str()), 1;
  for (uint32_t level : {3u, 4u}) {
    Problem problem;
    ModelOptions options;
    options.threads = 2;
    options.isaLevel = level;
    problem.model = tt::check::LibraryRun::bind(library, argv[1], options, error);
    if (!problem.model && error.find("level") != std::string::npos) {
      std::printf("level %u not run: %s\n", level, error.c_str());
      continue;
    }
    if (!check(problem.model != nullptr, "binds at level " + std::to_string(level) + error) ||
        !check(problem.reference.open(argv[3], error), "reference opens " + error) ||
        !check(problem.model->instance().load(argv[2], false), "weights load"))
      break;
    problem.checkLogits();
    problem.checkGradients();
  }
  std::printf("worst %s\n%u passed, %u failed\n", worst.c_str(), passed, failed);
  return failed || !passed ? 1 : 0;
}
