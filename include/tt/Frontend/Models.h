// From a model's configuration to a module of the tt dialect.
#ifndef TT_FRONTEND_MODELS_H
#define TT_FRONTEND_MODELS_H

#include "tt/Frontend/ModelConfig.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace tt::frontend {

struct Parameter {
  std::string name;  // as in the checkpoint: "transformer.h.0.ln_1.weight"
  std::string local; // without prefix and layer: "ln_1.weight"
  std::vector<int64_t> shape;
  std::string init; // value of tt.init
};

/// All parameters of a model in the order of its entry function's arguments:
/// `head` before the layers, then each layer's, then `tail`.
struct ParameterTable {
  std::vector<Parameter> head;
  std::vector<std::vector<Parameter>> layers;
  std::vector<Parameter> tail;

  /// Pointers into this table, which must not be a temporary.
  std::vector<const Parameter *> all() const &;
  std::vector<const Parameter *> all() const && = delete;
};

/// "transformer." or "model.": what transformers' models with a language
/// model head put in front of names. The head itself has no prefix.
std::string defaultPrefix(const ModelConfig &config);
ParameterTable listParameters(const ModelConfig &config,
                              const std::string &prefix);

struct EntryShape {
  int64_t batch = 1;
  int64_t seq = 1;
  bool f64 = false;    // f32 otherwise
  bool logits = false; // adds @logits, without dropout
};

/// Checks what the two together must fulfil, sizes that overflow included.
bool checkEntryShape(const ModelConfig &config, const EntryShape &shape,
                     std::string &error);

/// `@block` (one layer, private) and `@loss(parameters, tokens, targets)`,
/// which calls it once per layer; with dropout `@loss` takes a `key` too.
/// The arguments must have passed checkEntryShape.
mlir::OwningOpRef<mlir::ModuleOp> buildModel(mlir::MLIRContext *context,
                                             const ModelConfig &config,
                                             const EntryShape &shape,
                                             const std::string &prefix);

} // namespace tt::frontend
#endif
