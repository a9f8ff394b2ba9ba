// tt-run --reference: interprets a function of a .mlir file.
#include "Options.h"
#include "TensorFiles.h"

#include "tt/IR/TTDialect.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Support/Escape.h"
#include "tt/Support/SafetensorsFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <set>

using namespace mlir;
using namespace tt;
using namespace tt::run;
using tt::runtime::SafetensorsDtype;

/// Results of more elements are not printed in full.
static constexpr int64_t kPrinted = 64;

static std::string safe(const std::string &text) {
  return support::escapeTerminal(text, /*keepNewlines=*/true);
}

static int fail(const std::string &text) {
  fmt::print(stderr, "tt-run: {}\n", safe(text));
  return 1;
}

static FunctionOpInterface findFunction(ModuleOp module, const Options &options,
                                        std::string &error) {
  if (!options.function.empty()) {
    auto found = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, options.function));
    if (!found || found.isExternal())
      error = options.file + ": error: expected a function @" +
              options.function + " with a body";
    return error.empty() ? found : FunctionOpInterface();
  }
  FunctionOpInterface only;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (only) {
      error = options.file +
              ": error: expected one public function or --function=NAME";
      return {};
    }
    only = function;
  }
  if (!only)
    error = options.file + ": error: expected a public function";
  return only;
}

/// The name of an argument or result in a file.
static std::string nameOf(DictionaryAttr attributes, ArrayRef<StringRef> roles,
                          const std::string &otherwise) {
  for (StringRef role : roles)
    if (auto name = attributes ? attributes.getAs<StringAttr>(role) : StringAttr())
      return name.str();
  return otherwise;
}
static std::string argumentName(FunctionOpInterface function, unsigned i) {
  return nameOf(DictionaryAttr::get(function->getContext(), function.getArgAttrs(i)),
                {kParamAttr, kInputAttr, kStateAttr}, "arg" + std::to_string(i));
}
static std::string resultName(FunctionOpInterface function, unsigned i) {
  return nameOf(
      DictionaryAttr::get(function->getContext(), function.getResultAttrs(i)),
      {kOutputAttr, kUpdatesAttr}, "result" + std::to_string(i));
}

/// Values by name from --inputs, the rest in order from --input, the rest
/// random if a seed is given.
static bool readInputs(const Options &options, FunctionOpInterface function,
                       std::vector<HostTensor> &inputs, std::string &error) {
  support::SafetensorsFile file;
  if (!options.inputFile.empty() && !file.open(options.inputFile, error))
    return false;
  if (options.randomSeed) {
    reference::Random random(*options.randomSeed);
    inputs = reference::randomInputs(function, random);
  }
  inputs.resize(function.getNumArguments());
  size_t next = 0;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = argumentName(function, i);
    if (const auto *tensor = options.inputFile.empty() ? nullptr : file.find(name)) {
      Encoded encoded{tensor->dtype, tensor->shape, {}};
      if (!file.read(*tensor, encoded.bytes, error))
        return false;
      inputs[i] = decode(encoded);
    } else if (next < options.inputs.size()) {
      if (!readNpy(options.inputs[next++], inputs[i], error))
        return false;
    } else if (!options.randomSeed) {
      error = "error: found no value for argument " + std::to_string(i) + " (" +
              name + "), wanted --input, --inputs or --random-seed";
      return false;
    }
  }
  if (next == options.inputs.size())
    return true;
  error = "error: found more --input options than arguments to fill";
  return false;
}

static SafetensorsDtype dtypeOf(Type element) {
  if (isa<IntegerType>(element))
    switch (element.getIntOrFloatBitWidth()) {
    case 64:
      return SafetensorsDtype::I64;
    case 32:
      return SafetensorsDtype::I32;
    case 8:
      return SafetensorsDtype::I8;
    default:
      return SafetensorsDtype::BOOL;
    }
  if (element.isF64())
    return SafetensorsDtype::F64;
  if (element.isBF16())
    return SafetensorsDtype::BF16;
  return element.isF16() ? SafetensorsDtype::F16 : SafetensorsDtype::F32;
}

/// A float result has its own type in typed mode, else the precision's.
static SafetensorsDtype fileDtype(Type type, const Options &options) {
  Type element = cast<RankedTensorType>(type).getElementType();
  if (isa<IntegerType>(element) || options.mode == "typed")
    return dtypeOf(element);
  return options.precision == "f64" ? SafetensorsDtype::F64
                                    : SafetensorsDtype::F32;
}

static void print(const std::string &name, const HostTensor &value, bool isDouble) {
  size_t count = value.isFloat() ? value.floats().data.size()
                                 : value.ints().data.size();
  fmt::print("{} {}[{}]", safe(name), value.isFloat() ? "float" : "int",
             fmt::join(value.shape(), ", "));
  if (count > size_t(kPrinted)) {
    fmt::print(": {} elements, not printed\n", count);
    return;
  }
  fmt::print(" =");
  for (size_t i = 0; i < count; ++i) {
    if (!value.isFloat())
      fmt::print(" {}", value.ints().data[i]);
    else if (isDouble)
      fmt::print(" {}", value.floats().data[i]);
    else
      fmt::print(" {}", float(value.floats().data[i]));
  }
  fmt::print("\n");
}

static bool writeOutputs(const Options &options, FunctionOpInterface function,
                         const std::vector<HostTensor> &results, std::string &error) {
  std::vector<support::SafetensorsInput> tensors;
  std::vector<Encoded> kept(results.size());
  std::set<std::string> names;
  for (auto [i, value] : llvm::enumerate(results)) {
    std::string name = resultName(function, i);
    if (!names.insert(name).second) // two results of one name
      name += ".result" + std::to_string(i);
    SafetensorsDtype dtype = fileDtype(function.getResultTypes()[i], options);
    if (!options.outputDirectory.empty()) {
      std::string leaf = name;
      std::replace(leaf.begin(), leaf.end(), '/', '_');
      if (!writeNpy(options.outputDirectory + "/" + leaf + ".npy", value, dtype, error))
        return false;
    }
    kept[i] = encode(value, dtype);
    tensors.push_back({name, dtype, kept[i].shape, kept[i].bytes.data()});
  }
  return options.outputFile.empty() ||
         support::writeSafetensorsFile(options.outputFile, tensors, {}, error);
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
  FunctionOpInterface function = findFunction(*module, options, error);
  std::vector<HostTensor> inputs, results;
  if (!function || !readInputs(options, function, inputs, error))
    return fail(error);
  bool isDouble = options.precision == "f64";
  bool done = isDouble ? interpret<double>(options, *module, function, inputs,
                                           results, error)
                       : interpret<float>(options, *module, function, inputs,
                                          results, error);
  if (!done)
    return fail(error);
  for (auto [i, value] : llvm::enumerate(results))
    print(resultName(function, i), value, isDouble);
  if (!writeOutputs(options, function, results, error))
    return fail(error);
  return 0;
}
