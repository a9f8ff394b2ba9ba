//===- CertifyBits.cpp - A twin, compiled in several ways -----------------===//
//
// Checkpointed or not, one thread or several, each vector level: the same bits.
// And once against the interpreter in f64. Each of the N ops of the flat gradient
// rounds n times, n being at most the largest dimension; roundings of random
// signs add up to 8 * 2^-24 * sqrt(N n), see CertifyKernels.cpp. A graph may magnify
// its roundings (1 - tanh^2 near 1 has few digits): the bound is at least 6 times what
// changes of the interpreter's values by their roundings do to the result, as in
// tt/Check/ErrorBound.h.
//
//===----------------------------------------------------------------------===//
#include "Certify.h"
#include "Stages.h"
#include "tt/AD/Passes.h"
#include "tt/Training/Passes.h"

#include "tt/IR/TTOps.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/Perturbation.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace tt;
using certify::Finding;
using certify::Part;
using reference::AnyTensor;

namespace {

/// One way to compile and run the twin.
struct Variant {
  std::string checkpoint;
  uint32_t threads, level;

  std::string name() const {
    return "checkpoint=" + checkpoint + ", " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads") + ", x86-64-v" + std::to_string(level);
  }
};

/// The twin's gradient in f64 and what the libraries are run on.
struct Truth {
  std::vector<std::string> names; // of the results of @grad
  std::vector<AnyTensor<double>> results;
  std::vector<Type> elements; // of the results
  std::vector<double> spreads; // of each result: the norm of what roundings change
  std::vector<std::vector<bool>> undecided; // integers that roundings change
  NamedBytes values;
  int64_t ops = 0;   // that a value passes at most
  int64_t terms = 1; // that an op sums at most, about
  bool compute(ModuleOp twin, uint64_t seed, std::string &error);

private:
  void perturb(ModuleOp module, const std::vector<AnyTensor<double>> &inputs, uint64_t seed);
};

} // namespace

static std::vector<char> bytesOf(const AnyTensor<double> &value, Type element) {
  std::vector<char> bytes;
  auto append = [&](auto x) {
    const char *p = reinterpret_cast<const char *>(&x);
    bytes.insert(bytes.end(), p, p + sizeof x);
  };
  if (value.isFloat()) {
    for (double x : value.floats().data)
      element.isF64() ? append(x) : append(float(x));
    return bytes;
  }
  for (int64_t x : value.ints().data)
    if (element.isInteger(64))
      append(x);
    else if (element.isInteger(32))
      append(int32_t(x));
    else
      append(int8_t(x));
  return bytes;
}

/// Ops of `function` with those of its callees, each call counted.
static int64_t countOps(func::FuncOp function) {
  int64_t count = 0;
  for (Operation &op : function.getBody().front()) {
    ++count;
    if (auto call = dyn_cast<func::CallOp>(op))
      count += countOps(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr()));
  }
  return count;
}

void Truth::perturb(ModuleOp module, const std::vector<AnyTensor<double>> &inputs,
                    uint64_t seed) {
  std::vector<std::vector<double>> squares;
  for (const AnyTensor<double> &result : results) {
    squares.emplace_back(result.isFloat() ? result.floats().size() : 0, 0);
    undecided.emplace_back(result.isFloat() ? 0 : result.ints().size(), false);
  }
  auto add = [&](const std::vector<AnyTensor<double>> &changed) {
    for (size_t i = 0; i < results.size(); ++i)
      if (results[i].isFloat())
        reference::addSquaredChanges(changed[i].floats(), results[i].floats(), squares[i]);
      else
        for (size_t k = 0; k < undecided[i].size(); ++k)
          if (changed[i].ints()[k] != results[i].ints()[k])
            undecided[i][k] = true;
  };
  std::string error; // of a run that is refused: the unchanged one was not
  reference::forEachPerturbedRun(module, "grad", inputs, seed, add, error);
  for (const std::vector<double> &ofResult : squares)
    spreads.push_back(std::sqrt(std::accumulate(ofResult.begin(), ofResult.end(), 0.0)));
}

bool Truth::compute(ModuleOp twin, uint64_t seed, std::string &error) {
  OwningOpRef<ModuleOp> module = cast<ModuleOp>(twin->clone());
  PassManager passes(module->getContext());
  AutodiffPassOptions autodiff;
  autodiff.allowUnreached = true; // whether it may be is the compilation's to say
  passes.addPass(createAutodiffPass(autodiff));
  passes.addPass(createBuildTrainStepPass());
  if (failed(passes.run(*module)))
    return false;
  auto grad = module->lookupSymbol<func::FuncOp>("grad");
  reference::Random random(seed);
  std::vector<AnyTensor<double>> inputs = reference::randomInputs(grad, random);
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (input.isFloat())
      for (double &x : input.floats().data)
        x = float(x); // the library's parameters are f32
    auto name = grad.getArgAttrOfType<StringAttr>(i, kParamAttr);
    if (!name)
      name = grad.getArgAttrOfType<StringAttr>(i, kInputAttr);
    if (name)
      values[name.str()] = bytesOf(input, getElementTypeOrSelf(grad.getArgumentTypes()[i]));
  }
  auto outcome = reference::Interpreter<double>(*module).run("grad", inputs);
  error = outcome.error;
  results = std::move(outcome.results);
  if (error.empty())
    perturb(*module, inputs, seed);
  for (unsigned i = 0; i < grad.getNumResults(); ++i) {
    elements.push_back(getElementTypeOrSelf(grad.getResultTypes()[i]));
    names.push_back(grad.getResultAttrOfType<StringAttr>(i, kOutputAttr).str());
  }
  ops = countOps(grad);
  module->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        for (int64_t size : type.getShape())
          terms = std::max(terms, size);
  });
  float rate = 1e-3f;
  values["learning_rate"].assign(reinterpret_cast<char *>(&rate),
                                 reinterpret_cast<char *>(&rate) + sizeof rate);
  return error.empty();
}

static bool compileTwin(ModuleOp twin, CompileOptions options, uint32_t levels,
                        aot::Object &library, std::string &error) {
  OwningOpRef<ModuleOp> module = cast<ModuleOp>(twin->clone());
  options.function.clear(); // the only public one
  if (failed(runAdjointStage(*module, options)) || failed(runKernelStage(*module, options)))
    return false;
  aot::KernelCompiler compiler(*module, levels);
  aot::ModelPlan plan;
  aot::Object tables;
  std::vector<aot::Object> objects;
  if (failed(planLibrary(*module, options, levels, "twin", compiler, plan)) ||
      !compiler.compile(llvm::hardware_concurrency().compute_thread_count(), objects, error,
                        {}, options.isCancelled) ||
      !aot::emitTables(plan, tables, error))
    return false;
  objects.push_back(std::move(tables));
  return aot::linkLibrary(objects, "twin.so", library, error);
}

/// Gradients, then one step of training and all parameters and moments.
static bool runVariant(const std::shared_ptr<const runtime::Library> &library,
                       const Variant &variant, const Truth &truth,
                       std::vector<std::vector<char>> &results, std::string &error) {
  runtime::ModelOptions bind;
  bind.threads = variant.threads;
  bind.isaLevel = variant.level;
  auto model = runtime::Model::bind(library, bind, error);
  std::vector<std::vector<char>> outputs;
  if (!model || !model->init(1) ||
      !runEntry(*model, "grad", truth.values, results, error) ||
      !runEntry(*model, "train_step", truth.values, outputs, error))
    return false;
  results.insert(results.end(), outputs.begin(), outputs.end());
  for (uint32_t kind : {0u, 1u}) {
    std::vector<tt_tensor_info> infos = library->tensors(kind);
    for (uint32_t i = 0; i < infos.size(); ++i) {
      results.emplace_back(infos[i].bytes);
      std::vector<char> &to = results.back();
      if (!(kind ? model->getState(i, to.data(), to.size())
                 : model->getParameter(i, to.data(), to.size()))) {
        error = model->error();
        return false;
      }
    }
  }
  return true;
}

static double normOf(const AnyTensor<double> &tensor) {
  double sum = 0;
  for (double x : tensor.floats().data)
    sum += x * x;
  return std::sqrt(sum);
}

/// Element i of a tensor of floats in memory.
static double floatAt(const std::vector<char> &bytes, size_t i, Type element) {
  auto read = [&](auto x) {
    std::memcpy(&x, bytes.data() + i * sizeof x, sizeof x);
    return double(x);
  };
  return element.isF64() ? read(double()) : read(float());
}

/// |a - g| over max(|g|, |all gradients| / 1000).
static Finding compareFloats(const Truth &truth, size_t i, double all,
                             const std::vector<char> &found) {
  const AnyTensor<double> &wanted = truth.results[i];
  double error = 0;
  for (auto [j, value] : llvm::enumerate(wanted.floats().data))
    error = std::hypot(error, floatAt(found, j, truth.elements[i]) - value);
  Finding finding;
  double size = std::max({normOf(wanted), 1e-3 * all, 1e-30});
  finding.value = error / size;
  finding.bound = std::max(8 * 0x1p-24 * std::sqrt(double(truth.ops * truth.terms)),
                           reference::kNormFactor * truth.spreads[i] / size);
  return finding;
}

/// Integers are exact, but for decisions within roundings.
static Finding compareIntegers(const Truth &truth, size_t i, const std::vector<char> &found) {
  std::vector<char> wanted = bytesOf(truth.results[i], truth.elements[i]);
  size_t count = truth.undecided[i].size(), size = count ? wanted.size() / count : 0;
  Finding finding;
  finding.note = "elements that differ";
  for (size_t k = 0; k < count; ++k)
    finding.value += !truth.undecided[i][k] &&
                     std::memcmp(wanted.data() + k * size, found.data() + k * size, size) != 0;
  return finding;
}

/// Tensor by tensor.
static void compareWithTruth(const Truth &truth, const std::string &variant,
                             const std::vector<std::vector<char>> &results, Part &part) {
  double all = 0; // of the gradients: metrics may be of any size
  for (size_t i = 0; i < truth.results.size(); ++i)
    if (StringRef(truth.names[i]).starts_with("grad:"))
      all = std::hypot(all, normOf(truth.results[i]));
  for (size_t i = 0; i < truth.results.size(); ++i) {
    Finding finding = truth.results[i].isFloat() ? compareFloats(truth, i, all, results[i])
                                                 : compareIntegers(truth, i, results[i]);
    finding.check = "compiled";
    finding.subject = "'" + truth.names[i] + "', " + variant;
    finding.passed = finding.value <= finding.bound;
    part.findings.push_back(finding);
  }
}

bool Certifier::checkSameBits(ModuleOp twin, Part &part, std::string &error) {
  std::vector<uint32_t> runnable = runnableLevels(levels);
  if (runnable.empty()) {
    error = "error: certificate: this machine runs none of the library's vector levels; "
            "certify on one that does, or compile for --target=cpu:native";
    return false;
  }
  Truth truth;
  if (!truth.compute(twin, result.seed, error))
    return false;
  std::vector<std::vector<char>> first;
  for (StringRef checkpoint : {"none", "full", "sqrt"}) {
    CompileOptions how = options;
    how.checkpoint = checkpoint.str();
    aot::Object bytes;
    if (!compileTwin(twin, how, levels, bytes, error))
      return false;
    auto library = openBytes(bytes, "twin", error);
    if (!library)
      return false;
    for (uint32_t level : runnable)
      for (uint32_t threads : {1u, 4u}) {
        Variant variant{checkpoint.str(), std::min(threads, options.maxThreads), level};
        std::vector<std::vector<char>> results;
        if (!runVariant(library, variant, truth, results, error))
          return false;
        if (first.empty()) {
          first = results;
          compareWithTruth(truth, variant.name(), results, part);
          continue;
        }
        Finding finding;
        finding.check = "same bits";
        finding.subject = variant.name();
        finding.note = "tensors that differ from the first variant's";
        for (auto [a, b] : llvm::zip_equal(first, results))
          finding.value += a != b;
        finding.passed = finding.value == 0;
        part.findings.push_back(finding);
      }
  }
  part.note = std::to_string(runnable.size()) + " of " +
              std::to_string(llvm::popcount(levels)) + " vector levels run here";
  return true;
}
