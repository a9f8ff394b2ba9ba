//===- LibraryRun.h - A library called on host values -----------*- C++ -*-===//
#ifndef TT_CHECK_LIBRARYRUN_H
#define TT_CHECK_LIBRARYRUN_H

#include "tt/Check/HostTensors.h"
#include "tt/runtime/Model.h"

#include <map>

namespace tt::check {

/// A tensor of a library by name: what an entry returned, or a parameter.
struct NamedTensor {
  std::string name;
  Encoded value;
};

/// An instance of a model library that takes and gives the interpreter's
/// values. Errors read "PATH: ...: found ..., wanted ...".
class LibraryRun {
public:
  static std::unique_ptr<LibraryRun>
  bind(std::shared_ptr<const runtime::Library> library, const std::string &path,
       const runtime::ModelOptions &options, std::string &error);
  /// Opens and binds.
  static std::unique_ptr<LibraryRun> open(const std::string &path,
                                          const runtime::ModelOptions &options,
                                          std::string &error);

  const runtime::Library &library() const { return model->library(); }
  std::shared_ptr<const runtime::Library> shared() const { return opened; }
  runtime::Model &instance() { return *model; }

  /// The entry's number; an error lists the entries that there are.
  std::optional<uint32_t> findEntry(const std::string &name, std::string &error) const;

  bool setParameter(const std::string &name, const HostTensor &value, std::string &error);
  /// kind: 0 parameters, 1 optimizer state.
  bool getTensors(uint32_t kind, std::vector<NamedTensor> &tensors, std::string &error);

  /// Every input of the entry must be in `inputs`.
  bool call(uint32_t entry, const std::map<std::string, HostTensor> &inputs,
            std::vector<NamedTensor> &outputs, std::string &error);
  /// The same on bytes that have the entry's types.
  bool callEncoded(uint32_t entry, const std::vector<Encoded> &inputs,
                   std::vector<NamedTensor> &outputs, std::string &error);

private:
  LibraryRun() = default;

  std::string path;
  std::shared_ptr<const runtime::Library> opened;
  std::unique_ptr<runtime::Model> model;
};

} // namespace tt::check

#endif
