//===- LibraryBytes.cpp - Libraries that are not put in place yet ---------===//
#include "LibraryBytes.h"
#include "Stages.h"
#include "tt/Lowering/CPU/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace tt;

std::vector<uint32_t> tt::runnableLevels(uint32_t mask) {
  std::vector<uint32_t> levels;
  for (auto [isa, level] : {std::pair(TT_ISA_V3, 3u), {TT_ISA_V4, 4u}})
    if (mask & (1u << isa) && cpu::hostSupports(cpu::getTarget(isa)))
      levels.push_back(level);
  return levels;
}

LogicalResult tt::planLibrary(ModuleOp module, const CompileOptions &options,
                              uint32_t levels, StringRef name,
                              aot::KernelCompiler &compiler, aot::ModelPlan &plan) {
  std::vector<aot::KernelPlan> kernels;
  if (failed(compiler.emit(kernels)) || failed(runMemoryStage(module)))
    return failure();
  plan.name = aot::toIdentifier(name);
  plan.maxThreads = options.maxThreads;
  plan.isaMask = levels;
  return aot::readModelPlan(module, std::move(kernels), plan);
}

std::shared_ptr<const runtime::Library>
tt::openBytes(const aot::Object &bytes, StringRef name, std::string &error) {
  SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("tt-certify", folder)) {
    error = "cannot make a temporary folder: " + code.message();
    return nullptr;
  }
  std::string path = (folder + "/" + aot::toIdentifier(name) + ".so").str();
  std::error_code code;
  {
    llvm::raw_fd_ostream out(path, code);
    if (!code)
      out.write(bytes.data(), bytes.size());
    out.close();
    if (!code && out.has_error())
      code = out.error();
    out.clear_error();
  }
  std::shared_ptr<const runtime::Library> library;
  if (code)
    error = "cannot write " + path + ": " + code.message();
  else
    library = runtime::Library::open(path, error);
  llvm::sys::fs::remove_directories(folder); // the loader has mapped it
  return library;
}

static bool setParameters(runtime::Model &model, const NamedBytes &values,
                          std::string &error) {
  const runtime::Library &library = model.library();
  std::vector<tt_tensor_info> parameters = library.tensors(0);
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    auto found = values.find(parameters[i].name);
    if (found == values.end())
      continue;
    if (!model.setParameter(i, found->second.data(), found->second.size())) {
      error = model.error();
      return false;
    }
  }
  return true;
}

bool tt::runEntry(runtime::Model &model, const std::string &entry,
                  const NamedBytes &values, std::vector<std::vector<char>> &outputs,
                  std::string &error) {
  const runtime::Library &library = model.library();
  std::optional<uint32_t> number = library.findEntry(entry);
  if (!number) {
    error = "the library has no entry '" + entry + "'";
    return false;
  }
  if (!setParameters(model, values, error))
    return false;
  std::vector<std::vector<char>> storage;
  for (const tt_tensor_info &info : library.inputs(*number)) {
    auto found = values.find(info.name);
    storage.push_back(found == values.end() ? std::vector<char>(info.bytes)
                                            : found->second);
    if (found == values.end() && std::strcmp(info.name, "step") == 0)
      storage.back()[0] = 1;
    storage.back().resize(info.bytes);
  }
  std::vector<const void *> in;
  for (const std::vector<char> &bytes : storage)
    in.push_back(bytes.data());
  outputs.clear();
  std::vector<void *> out;
  for (const tt_tensor_info &info : library.outputs(*number))
    outputs.emplace_back(info.bytes);
  for (std::vector<char> &bytes : outputs)
    out.push_back(bytes.data());
  if (model.call(*number, in.data(), out.data()))
    return true;
  error = model.error();
  return false;
}
