// tt-run --reference: interprets a function of a .mlir file.
#include "Options.h"
#include "Results.h"

#include "tt/Check/FunctionInputs.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tt;
using namespace tt::check;
using namespace tt::run;
using tt::runtime::SafetensorsDtype;

/// A float result has its own type in typed mode, else the precision's.
static SafetensorsDtype fileDtype(Type type, const Options &options) {
  Type element = cast<RankedTensorType>(type).getElementType();
  if (isa<IntegerType>(element) || options.mode == "typed")
    return dtypeOf(element);
  return options.precision == "f64" ? SafetensorsDtype::F64
                                    : SafetensorsDtype::F32;
}

template <typename T>
static bool interpret(const Options &options, ModuleOp module,
                      FunctionOpInterface function,
                      const std::vector<HostTensor> &inputs,
                      std::vector<HostTensor> &results, std::string &error) {
  reference::Options how;
  how.mode = options.mode == "typed" ? reference::Mode::Typed : reference::Mode::Ideal;
  how.strictIndices = options.strict;
  std::vector<reference::AnyTensor<T>> converted;
  for (const HostTensor &input : inputs)
    converted.push_back(reference::convertTo<T>(input));
  auto outcome = reference::Interpreter<T>(module, how)
                     .run(cast<SymbolOpInterface>(*function).getName(), converted);
  error = outcome.error;
  for (auto &result : outcome.results) {
    if (!result.isFloat()) {
      results.push_back(result.ints());
      continue;
    }
    const reference::Tensor<T> &floats = result.floats();
    results.push_back(reference::Tensor<double>(
        floats.shape, std::vector<double>(floats.data.begin(), floats.data.end())));
  }
  return error.empty();
}

int tt::run::runReference(const Options &options) {
  MLIRContext context;
  loadGraphDialects(context);
  std::string error;
  OwningOpRef<ModuleOp> module = loadModule(context, options.file, error);
  if (!module)
    return fail(error);
  FunctionOpInterface function =
      findFunction(*module, options.function, options.file, error);
  std::vector<HostTensor> inputs, results;
  InputFiles files{options.inputs, options.inputFile, options.randomSeed};
  std::vector<std::string> names;
  for (unsigned i = 0; function && i < function.getNumResults(); ++i)
    names.push_back(resultName(function, i));
  if (!function || !probeOutputs(options, names, error) || !readInputs(files, function, inputs, error))
    return fail(error);
  bool isDouble = options.precision == "f64";
  bool done = isDouble ? interpret<double>(options, *module, function, inputs,
                                           results, error)
                       : interpret<float>(options, *module, function, inputs,
                                          results, error);
  if (!done)
    return fail(error);
  std::vector<Result> named;
  for (auto [i, value] : llvm::enumerate(results))
    named.push_back({resultName(function, i), std::move(value),
                     fileDtype(function.getResultTypes()[i], options)});
  for (const Result &result : named)
    print(result, isDouble);
  return writeResults(options, std::move(named), error) ? 0 : fail("error: " + error);
}
