//===- LibraryRun.cpp - A library called on host values -------------------===//
#include "tt/Check/LibraryRun.h"

using namespace tt::check;
using tt::runtime::Library;
using tt::runtime::SafetensorsDtype;

std::unique_ptr<LibraryRun> LibraryRun::bind(std::shared_ptr<const Library> library,
                                             const std::string &path,
                                             const runtime::ModelOptions &options,
                                             std::string &error) {
  std::unique_ptr<LibraryRun> run(new LibraryRun);
  run->path = path;
  run->opened = library;
  run->model = runtime::Model::bind(library, options, error);
  if (run->model)
    return run;
  error = path + ": " + error;
  return nullptr;
}

std::unique_ptr<LibraryRun> LibraryRun::open(const std::string &path,
                                             const runtime::ModelOptions &options,
                                             std::string &error) {
  // The loader searches for names without '/'; a user means the file here.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  auto library = Library::open(file, error);
  return library ? bind(library, path, options, error) : nullptr;
}

std::optional<uint32_t> LibraryRun::findEntry(const std::string &name,
                                              std::string &error) const {
  if (auto entry = library().findEntry(name))
    return entry;
  error = path + (name.empty() ? ": found no --entry" : ": found no entry \"" + name + "\"") +
          ", wanted one of";
  const auto &tt = library().functions();
  for (uint32_t i = 0; i < tt.entry_count(library().desc()); ++i)
    error += std::string(i ? ", " : " ") + tt.entry_name(library().desc(), i);
  return std::nullopt;
}

bool LibraryRun::setParameter(const std::string &name, const HostTensor &value,
                              std::string &error) {
  std::vector<tt_tensor_info> parameters = library().tensors(0);
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    if (name != parameters[i].name)
      continue;
    Encoded encoded;
    if (!encodeFor(parameters[i], value, encoded, error)) {
      error = path + ": parameter " + error;
      return false;
    }
    if (model->setParameter(i, encoded.bytes.data(), encoded.bytes.size()))
      return true;
    error = path + ": " + model->error();
    return false;
  }
  error = path + ": found no parameter \"" + name + "\"";
  return false;
}

bool LibraryRun::getTensors(uint32_t kind, std::vector<NamedTensor> &tensors,
                            std::string &error) {
  std::vector<tt_tensor_info> infos = library().tensors(kind);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const tt_tensor_info &info = infos[i];
    NamedTensor tensor;
    tensor.name = info.name;
    tensor.value.dtype = SafetensorsDtype(info.dtype);
    tensor.value.shape.assign(info.shape, info.shape + info.rank);
    tensor.value.bytes.resize(info.bytes);
    char *to = tensor.value.bytes.data();
    if (!(kind ? model->getState(i, to, info.bytes)
               : model->getParameter(i, to, info.bytes))) {
      error = path + ": " + model->error();
      return false;
    }
    tensors.push_back(std::move(tensor));
  }
  return true;
}

bool LibraryRun::call(uint32_t entry, const std::map<std::string, HostTensor> &inputs,
                      std::vector<NamedTensor> &outputs, std::string &error) {
  std::vector<Encoded> encoded;
  for (const tt_tensor_info &info : library().inputs(entry)) {
    auto found = inputs.find(info.name);
    if (found == inputs.end()) {
      error = path + ": input " + info.name + ": found no value, wanted " + typeText(info);
      return false;
    }
    encoded.emplace_back();
    if (!encodeFor(info, found->second, encoded.back(), error)) {
      error = path + ": input " + error;
      return false;
    }
  }
  return callEncoded(entry, encoded, outputs, error);
}

bool LibraryRun::callEncoded(uint32_t entry, const std::vector<Encoded> &inputs,
                             std::vector<NamedTensor> &outputs, std::string &error) {
  outputs.clear();
  for (const tt_tensor_info &info : library().outputs(entry)) {
    NamedTensor output;
    output.name = info.name;
    output.value.dtype = SafetensorsDtype(info.dtype);
    output.value.shape.assign(info.shape, info.shape + info.rank);
    output.value.bytes.resize(info.bytes);
    outputs.push_back(std::move(output));
  }
  std::vector<const void *> in;
  for (const Encoded &input : inputs)
    in.push_back(input.bytes.data());
  std::vector<void *> out;
  for (NamedTensor &output : outputs)
    out.push_back(output.value.bytes.data());
  if (model->call(entry, in.data(), out.data()))
    return true;
  error = path + ": " + model->error();
  return false;
}
