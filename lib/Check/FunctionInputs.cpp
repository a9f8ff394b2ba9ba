//===- FunctionInputs.cpp - A function's arguments from files -------------===//
#include "tt/Check/FunctionInputs.h"
#include "tt/Check/KnownTensors.h"

#include "tt/IR/TTDialect.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Reference/SizeCheck.h"
#include "tt/Support/SafetensorsFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tt;
using namespace tt::check;

FunctionOpInterface tt::check::findFunction(ModuleOp module, const std::string &name,
                                            const std::string &file,
                                            std::string &error) {
  if (!name.empty()) {
    auto found = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, name));
    if (!found || found.isExternal())
      error = file + ": error: expected a function @" +
              name + " with a body";
    return error.empty() ? found : FunctionOpInterface();
  }
  FunctionOpInterface only;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (only) {
      error = file +
              ": error: expected one public function or --function=NAME";
      return {};
    }
    only = function;
  }
  if (!only)
    error = file + ": error: expected a public function";
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
std::string tt::check::argumentName(FunctionOpInterface function, unsigned i) {
  return nameOf(DictionaryAttr::get(function->getContext(), function.getArgAttrs(i)),
                {kParamAttr, kInputAttr, kStateAttr}, "arg" + std::to_string(i));
}
std::string tt::check::resultName(FunctionOpInterface function, unsigned i) {
  return nameOf(
      DictionaryAttr::get(function->getContext(), function.getResultAttrs(i)),
      {kOutputAttr, kUpdatesAttr}, "result" + std::to_string(i));
}

/// Opens the safetensors file, every tensor of which is an argument.
static bool openFile(const std::string &path, FunctionOpInterface function,
                     support::SafetensorsFile &file, std::string &error) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    names.push_back(argumentName(function, i));
  std::string wanted =
      "an argument of @" + cast<SymbolOpInterface>(*function).getName().str();
  return file.open(path, error) && checkKnownTensors(file, names, wanted, error);
}

/// An error of a file, as others begin.
static bool failFile(std::string &error) {
  error = "error: " + error;
  return false;
}

bool tt::check::readInputs(const InputFiles &files, FunctionOpInterface function,
                           std::vector<HostTensor> &inputs, std::string &error) {
  error = reference::checkSizes(function);
  if (!error.empty())
    return false;
  support::SafetensorsFile file;
  if (!files.safetensors.empty() && !openFile(files.safetensors, function, file, error))
    return failFile(error);
  if (files.randomSeed) {
    reference::Random random(*files.randomSeed);
    inputs = reference::randomInputs(function, random);
  }
  inputs.resize(function.getNumArguments());
  size_t next = 0;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = argumentName(function, i);
    if (const auto *tensor = files.safetensors.empty() ? nullptr : file.find(name)) {
      Encoded encoded{tensor->dtype, tensor->shape, {}};
      if (!file.read(*tensor, encoded.bytes, error))
        return failFile(error);
      inputs[i] = decode(encoded);
    } else if (next < files.npy.size()) {
      if (!readNpy(files.npy[next++], inputs[i], error))
        return failFile(error);
    } else if (!files.randomSeed) {
      error = "error: found no value for argument " + std::to_string(i) + " (" + name +
              "), wanted --input, --inputs or --random-seed";
      return false;
    }
  }
  if (next == files.npy.size())
    return true;
  error = "error: found more --input options than arguments to fill";
  return false;
}
