//===- Model.h - Compiled models for C++ programs ---------------*- C++ -*-===//
//
// Opens a model library and owns an instance's memory. Header only, for C++
// users and tools; the library itself is reached through its own tt_*
// functions, so a program that links the runtime too cannot mix the two up.
//
//   std::string error;
//   auto library = tt::runtime::Library::open("./gpt2.so", error);
//   auto model = library ? tt::runtime::Model::bind(library, {}, error)
//                        : nullptr;
//   if (!model)
//     return complain(error);
//   model->init(/*seed=*/1);
//   if (!model->call(entry, inputs, outputs))
//     return complain(model->error());
//
// Nothing throws except std::bad_alloc. Link with ${CMAKE_DL_LIBS}.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_MODEL_H
#define TT_RUNTIME_MODEL_H

#include "tt/runtime/LibraryFile.h"
#include "tt/runtime/tt.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime {

/// All functions of tt.h, as members of tt::runtime::Functions without their
/// prefix.
#define TT_RUNTIME_FUNCTIONS(X)                                                \
  X(model_query)                                                               \
  X(model_bind)                                                                \
  X(release)                                                                   \
  X(init)                                                                      \
  X(tensor_count)                                                              \
  X(tensor_at)                                                                 \
  X(param_find)                                                                \
  X(param_get)                                                                 \
  X(param_set)                                                                 \
  X(state_get)                                                                 \
  X(state_set)                                                                 \
  X(entry_count)                                                               \
  X(entry_name)                                                                \
  X(entry_find)                                                                \
  X(entry_input_count)                                                         \
  X(entry_output_count)                                                        \
  X(entry_input)                                                               \
  X(entry_output)                                                              \
  X(call)                                                                      \
  X(save)                                                                      \
  X(load)                                                                      \
  X(last_error)                                                                \
  X(worker_tasks)

/// One library's functions.
struct Functions {
#define TT_RUNTIME_MEMBER(NAME) decltype(&::tt_##NAME) NAME = nullptr;
  TT_RUNTIME_FUNCTIONS(TT_RUNTIME_MEMBER)
#undef TT_RUNTIME_MEMBER
  // Null in libraries made before there was a self-check.
  decltype(&::tt_selfcheck_query) selfcheck_query = nullptr;
  decltype(&::tt_selfcheck) selfcheck = nullptr;
};

/// The name of the function that gives a library's tables: its file name
/// without directory and ".so", what cannot be in a C name replaced by '_',
/// and "_model".
inline std::string modelSymbol(const std::string &path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.size() > 3 && name.compare(name.size() - 3, 3, ".so") == 0)
    name.resize(name.size() - 3);
  for (char &c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9')))
      c = '_';
  if (!name.empty() && name[0] >= '0' && name[0] <= '9')
    name.insert(name.begin(), '_');
  return name + "_model";
}

/// An open model library. Opening one runs its code: only open what you trust.
class Library {
public:
  /// Opens by explicit path: without a '/' the loader would search for it, so
  /// such a path is refused. So is a file that is cut, or has another checksum
  /// than it was written with. Null and a text on failure.
  static std::shared_ptr<const Library> open(const std::string &path,
                                             std::string &error) {
    if (path.find('/') == std::string::npos) {
      error = "expected a path with '/', such as './" + path + "', but got '" +
              path + "'";
      return nullptr;
    }
    if (!checkLibraryFile(path, error))
      return nullptr;
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char *reason = dlerror();
      error = "cannot open model library: " + std::string(reason ? reason : "");
      return nullptr;
    }
    std::shared_ptr<Library> library(new Library(handle));
    return library->lookUp(path, error) ? library : nullptr;
  }

  ~Library() { dlclose(handle); }
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const tt_model_desc *desc() const { return model; }
  const Functions &functions() const { return table; }

  /// The entry's number, if there is one of that name.
  std::optional<uint32_t> findEntry(const std::string &name) const {
    uint32_t entry;
    if (table.entry_find(model, name.c_str(), &entry) != TT_OK)
      return std::nullopt;
    return entry;
  }
  /// kind: 0 parameters, 1 optimizer state.
  std::vector<tt_tensor_info> tensors(uint32_t kind) const {
    return collect(table.tensor_count(model, kind),
                   [&](uint32_t i, tt_tensor_info *info) {
                     return table.tensor_at(model, kind, i, info);
                   });
  }
  std::vector<tt_tensor_info> inputs(uint32_t entry) const {
    return collect(table.entry_input_count(model, entry),
                   [&](uint32_t i, tt_tensor_info *info) {
                     return table.entry_input(model, entry, i, info);
                   });
  }
  std::vector<tt_tensor_info> outputs(uint32_t entry) const {
    return collect(table.entry_output_count(model, entry),
                   [&](uint32_t i, tt_tensor_info *info) {
                     return table.entry_output(model, entry, i, info);
                   });
  }

private:
  explicit Library(void *newHandle) : handle(newHandle) {}

  bool lookUp(const std::string &path, std::string &error) {
    const char *missing = nullptr;
#define TT_RUNTIME_LOOK_UP(NAME)                                               \
  table.NAME =                                                                 \
      reinterpret_cast<decltype(table.NAME)>(dlsym(handle, "tt_" #NAME));      \
  if (!table.NAME)                                                             \
    missing = "tt_" #NAME;
    TT_RUNTIME_FUNCTIONS(TT_RUNTIME_LOOK_UP)
#undef TT_RUNTIME_LOOK_UP
    table.selfcheck_query = reinterpret_cast<decltype(table.selfcheck_query)>(
        dlsym(handle, "tt_selfcheck_query"));
    table.selfcheck = reinterpret_cast<decltype(table.selfcheck)>(
        dlsym(handle, "tt_selfcheck"));
    std::string symbol = modelSymbol(path);
    using ModelFn = const tt_model_desc *(*)(void);
    auto getModel = reinterpret_cast<ModelFn>(dlsym(handle, symbol.c_str()));
    if (!missing && !getModel)
      missing = symbol.c_str();
    if (missing) {
      error = "'" + path + "' is not a model library: it has no " + missing;
      return false;
    }
    model = getModel();
    // Checks magic, ABI version and sizes of the tables.
    tt_sizes sizes = {};
    sizes.struct_size = sizeof(sizes);
    if (table.model_query(model, 1, &sizes) == TT_OK)
      return true;
    error = "'" + path + "': " + table.last_error();
    return false;
  }

  template <typename Get>
  static std::vector<tt_tensor_info> collect(uint32_t count, Get get) {
    std::vector<tt_tensor_info> result;
    for (uint32_t i = 0; i < count; ++i) {
      tt_tensor_info info = {};
      info.struct_size = sizeof(info);
      if (get(i, &info) == TT_OK)
        result.push_back(info);
    }
    return result;
  }

  void *handle;
  const tt_model_desc *model = nullptr;
  Functions table;
};

/// Zeroed pages from the system.
class Pages {
public:
  Pages() = default;
  ~Pages() {
    if (start)
      munmap(start, size);
  }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  bool allocate(uint64_t bytes) {
    size = bytes ? bytes : 1; // an empty region has an address, too
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start = memory == MAP_FAILED ? nullptr : memory;
    return start != nullptr;
  }
  void *data() const { return start; }

private:
  void *start = nullptr;
  uint64_t size = 0;
};

struct ModelOptions {
  uint32_t threads = 1;
  uint32_t isaLevel = 0; // 0: best; 3, 4: x86-64-v3, -v4
  bool withState = true; // false: no memory for the optimizer
  tt_parallel_for_fn parallelFor = nullptr;
  void *parallelForCtx = nullptr;
};

/// An instance with its memory. Parameters are zero until init, load or
/// setParameter. Methods that return bool leave a text in error() on false.
class Model {
public:
  static std::unique_ptr<Model> bind(std::shared_ptr<const Library> library,
                                     const ModelOptions &options,
                                     std::string &error) {
    std::unique_ptr<Model> model(new Model(std::move(library)));
    if (model->bindMemory(options))
      return model;
    error = model->error();
    return nullptr;
  }

  ~Model() {
    if (instance)
      fn().release(instance);
  }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  bool init(uint64_t seed) { return check(fn().init(instance, seed)); }
  bool call(uint32_t entry, const void *const *inputs, void *const *outputs) {
    return check(fn().call(instance, entry, inputs, outputs));
  }
  bool
  save(const std::string &path, bool withState,
       const std::vector<std::pair<std::string, std::string>> &metadata = {}) {
    std::vector<const char *> pointers;
    for (const auto &[key, value] : metadata) {
      pointers.push_back(key.c_str());
      pointers.push_back(value.c_str());
    }
    return check(fn().save(instance, path.c_str(), withState, pointers.data(),
                           uint32_t(metadata.size())));
  }
  bool load(const std::string &path, bool withState) {
    return check(fn().load(instance, path.c_str(), withState));
  }
  bool getParameter(uint32_t index, void *to, uint64_t bytes) {
    return check(fn().param_get(instance, index, to, bytes));
  }
  bool setParameter(uint32_t index, const void *from, uint64_t bytes) {
    return check(fn().param_set(instance, index, from, bytes));
  }
  bool getState(uint32_t index, void *to, uint64_t bytes) {
    return check(fn().state_get(instance, index, to, bytes));
  }
  bool setState(uint32_t index, const void *from, uint64_t bytes) {
    return check(fn().state_set(instance, index, from, bytes));
  }
  /// Tasks run per worker since bind.
  std::vector<uint64_t> workerTasks() {
    std::vector<uint64_t> tasks(memorySizes.threads);
    check(fn().worker_tasks(instance, tasks.data(), memorySizes.threads));
    return tasks;
  }

  /// The sums that a certificate stores, from a library that has none yet.
  bool selfcheckSums(std::vector<double> &sums) {
    sums.clear();
    if (selfcheck(&sums))
      return true;
    return lastStatus == TT_ERR_STATE && !sums.empty() && sums[0] == sums[0];
  }

  /// Compares the certificate's gradients with this machine's; see
  /// tt_selfcheck. `found`, unless null, gets the sums, NaN where none was formed.
  bool selfcheck(std::vector<double> *found = nullptr) {
    uint64_t bytes = 0;
    if (!fn().selfcheck || !fn().selfcheck_query) {
      lastStatus = TT_ERR_STATE;
      text = "the library was made before there was a self-check";
      return false;
    }
    if (!check(fn().selfcheck_query(lib->desc(), &bytes)))
      return false;
    Pages scratch;
    if (bytes && !scratch.allocate(bytes)) {
      lastStatus = TT_ERR_MEMORY;
      text = "the system has no " + std::to_string(bytes) + " bytes for a self-check";
      return false;
    }
    std::optional<uint32_t> entry = lib->findEntry("grad");
    if (found)
      found->assign(entry ? lib->outputs(*entry).size() : 0, NAN);
    return check(fn().selfcheck(instance, scratch.data(), bytes,
                                found ? found->data() : nullptr));
  }

  const Library &library() const { return *lib; }
  const tt_sizes &sizes() const { return memorySizes; }
  tt_instance *handle() { return instance; }
  tt_status status() const { return lastStatus; }
  const std::string &error() const { return text; }

private:
  explicit Model(std::shared_ptr<const Library> library)
      : lib(std::move(library)) {}

  const Functions &fn() const { return lib->functions(); }

  bool check(tt_status status) {
    lastStatus = status;
    if (status == TT_OK)
      return true;
    text = fn().last_error();
    return false;
  }

  bool bindMemory(const ModelOptions &options) {
    memorySizes.struct_size = sizeof(memorySizes);
    if (!check(fn().model_query(lib->desc(), options.threads, &memorySizes)))
      return false;
    const tt_sizes &s = memorySizes;
    if (!control.allocate(s.instance_bytes) ||
        !parameters.allocate(s.parameter_bytes) ||
        (options.withState && !state.allocate(s.state_bytes)) ||
        !arena.allocate(s.arena_bytes)) {
      lastStatus = TT_ERR_MEMORY;
      text = "the system has no memory for the model: it needs " +
             std::to_string(s.instance_bytes + s.parameter_bytes +
                            s.state_bytes + s.arena_bytes) +
             " bytes";
      return false;
    }
    tt_memory memory = {sizeof(tt_memory),
                        control.data(),
                        s.instance_bytes,
                        parameters.data(),
                        s.parameter_bytes,
                        state.data(),
                        options.withState ? s.state_bytes : 0,
                        arena.data(),
                        s.arena_bytes};
    tt_bind_options bindOptions = {sizeof(tt_bind_options), options.threads,
                                   options.isaLevel, options.parallelFor,
                                   options.parallelForCtx};
    return check(
        fn().model_bind(lib->desc(), &memory, &bindOptions, &instance));
  }

  std::shared_ptr<const Library> lib; // outlives the instance
  Pages control, parameters, state, arena;
  tt_sizes memorySizes = {};
  tt_instance *instance = nullptr;
  tt_status lastStatus = TT_OK;
  std::string text;
};

} // namespace tt::runtime

#endif
