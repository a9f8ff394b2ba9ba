// What the model families have in common.
#ifndef TT_LIB_FRONTEND_MODELFAMILY_H
#define TT_LIB_FRONTEND_MODELFAMILY_H

#include "tt/Frontend/GraphBuilder.h"
#include "tt/Frontend/Models.h"

#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tt::frontend {

/// Parameters by local name; a null value for one that the model has not
/// (a bias), which the builder's ops take as absent.
class LocalValues {
public:
  void set(llvm::StringRef name, mlir::Value value) { values[name] = value; }
  mlir::Value operator()(llvm::StringRef name) const {
    return values.lookup(name);
  }

private:
  llvm::StringMap<mlir::Value> values;
};

/// Emits the parts of a model. `key` is null where there is no dropout.
class ModelFamily {
public:
  virtual ~ModelFamily() = default;

  /// Dropout in the layers: @block takes a key.
  virtual bool blockUsesKey() const = 0;
  /// Tokens [B, T] -> [B, T, C]. May use site 0 of the key.
  virtual mlir::Value embed(GraphBuilder &b, const LocalValues &p,
                            mlir::Value tokens, mlir::Value key) const = 0;
  /// One layer, [B, T, C] -> [B, T, C].
  virtual mlir::Value block(GraphBuilder &b, const LocalValues &p,
                            mlir::Value x, mlir::Value key) const = 0;
  /// [B, T, C] -> logits [B, T, V].
  virtual mlir::Value head(GraphBuilder &b, const LocalValues &p,
                           mlir::Value x) const = 0;
};

std::unique_ptr<ModelFamily> makeGpt2(const Gpt2Config &config);
std::unique_ptr<ModelFamily> makeLlama(const LlamaConfig &config);

/// Fills a table layer by layer.
class ParameterLister {
public:
  explicit ParameterLister(std::string prefix) : prefix(std::move(prefix)) {}

  void inHead(const char *local, std::vector<int64_t> shape, std::string init) {
    table.head.push_back(make(prefix, local, std::move(shape), init));
  }
  void startLayer(const std::string &layer) {
    layerPrefix = prefix + layer;
    table.layers.emplace_back();
  }
  void inLayer(const std::string &local, std::vector<int64_t> shape,
               std::string init) {
    table.layers.back().push_back(
        make(layerPrefix, local, std::move(shape), init));
  }
  void inTail(const char *local, std::vector<int64_t> shape, std::string init,
              bool withPrefix = true) {
    table.tail.push_back(
        make(withPrefix ? prefix : "", local, std::move(shape), init));
  }
  ParameterTable take() { return std::move(table); }

private:
  static Parameter make(const std::string &front, const std::string &local,
                        std::vector<int64_t> shape, std::string &init) {
    return {front + local, local, std::move(shape), std::move(init)};
  }

  std::string prefix, layerPrefix;
  ParameterTable table;
};

ParameterTable listGpt2(const Gpt2Config &config, const std::string &prefix);
ParameterTable listLlama(const LlamaConfig &config, const std::string &prefix);

/// "normal:0.02", with the shortest digits that read back as `deviation`.
std::string normalInit(double deviation);

} // namespace tt::frontend
#endif
