// From a model's configuration to a module.
#include "tt/Frontend/Models.h"

#include "ModelFamily.h"
#include "tt/Support/CheckedSize.h"

#include <algorithm>
#include <charconv>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;
using tt::support::CheckedSize;

std::string tt::frontend::normalInit(double deviation) {
  char digits[32];
  auto end = std::to_chars(digits, digits + sizeof digits, deviation).ptr;
  return "normal:" + std::string(digits, end);
}

//===----------------------------------------------------------------------===//
// Over the families
//===----------------------------------------------------------------------===//

std::string_view tt::frontend::familyName(const ModelConfig &config) {
  return std::holds_alternative<Gpt2Config>(config) ? "gpt2" : "llama";
}

double tt::frontend::largestDropout(const ModelConfig &config) {
  if (auto *gpt2 = std::get_if<Gpt2Config>(&config))
    return std::max({gpt2->embeddingDropout, gpt2->attentionDropout,
                     gpt2->residualDropout});
  return std::get<LlamaConfig>(config).attentionDropout;
}

void tt::frontend::setDropout(ModelConfig &config, double p) {
  if (auto *gpt2 = std::get_if<Gpt2Config>(&config))
    gpt2->embeddingDropout = gpt2->attentionDropout = gpt2->residualDropout = p;
  else
    std::get<LlamaConfig>(config).attentionDropout = p;
}

std::string tt::frontend::defaultPrefix(const ModelConfig &config) {
  return std::holds_alternative<Gpt2Config>(config) ? "transformer." : "model.";
}

ParameterTable tt::frontend::listParameters(const ModelConfig &config,
                                            const std::string &prefix) {
  if (auto *gpt2 = std::get_if<Gpt2Config>(&config))
    return listGpt2(*gpt2, prefix);
  return listLlama(std::get<LlamaConfig>(config), prefix);
}

std::vector<const Parameter *> ParameterTable::all() const & {
  std::vector<const Parameter *> parameters;
  auto append = [&](const std::vector<Parameter> &some) {
    for (const Parameter &parameter : some)
      parameters.push_back(&parameter);
  };
  append(head);
  for (const std::vector<Parameter> &layer : layers)
    append(layer);
  append(tail);
  return parameters;
}

static std::unique_ptr<ModelFamily> makeFamily(const ModelConfig &config) {
  if (auto *gpt2 = std::get_if<Gpt2Config>(&config))
    return makeGpt2(*gpt2);
  return makeLlama(std::get<LlamaConfig>(config));
}

bool tt::frontend::checkEntryShape(const ModelConfig &config,
                                   const EntryShape &shape,
                                   std::string &error) {
  auto fail = [&](const std::string &text) {
    error = text;
    return false;
  };
  auto [vocab, positions, inner] = std::visit(
      [](const auto &c) {
        return std::array{c.vocab, c.positions, c.inner};
      },
      config);
  if (shape.batch < 1 || shape.batch > (1 << 24))
    return fail("batch: found " + std::to_string(shape.batch) +
                ", wanted an integer in [1, 2^24]");
  if (shape.seq < 1 || shape.seq > positions)
    return fail("seq: found " + std::to_string(shape.seq) +
                ", wanted an integer in [1, " + std::to_string(positions) +
                "], the positions of the model");
  CheckedSize width(shape.f64 ? 8 : 4), total(0);
  ParameterTable table = listParameters(config, defaultPrefix(config));
  for (const Parameter *parameter : table.all()) {
    CheckedSize bytes = CheckedSize::product(parameter->shape) * width;
    total += bytes;
    if (!bytes.isTensorBytes())
      return fail("parameter \"" + parameter->name +
                  "\": wanted at most 2^47 bytes, but it has more");
  }
  if (!total.isArenaBytes())
    return fail("the parameters have more than 2^47 bytes");
  for (int64_t last : {vocab, inner})
    if (!(CheckedSize::product({shape.batch, shape.seq, last}) * width)
             .isTensorBytes())
      return fail("an activation of shape [" + std::to_string(shape.batch) +
                  ", " + std::to_string(shape.seq) + ", " +
                  std::to_string(last) + "] has more than 2^47 bytes");
  return true;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
class ModelBuilder {
public:
  ModelBuilder(MLIRContext *context, const ModelConfig &config,
               const EntryShape &shape, const std::string &prefix)
      : b(context), config(config), shape(shape),
        table(listParameters(config, prefix)), family(makeFamily(config)) {
    if (shape.f64)
      b.setElementType(b.opBuilder().getF64Type());
    std::visit(
        [&](const auto &c) {
          vocab = c.vocab;
          width = c.width;
        },
        config);
  }

  OwningOpRef<ModuleOp> build() {
    bool dropout = largestDropout(config) > 0;
    func::FuncOp block = buildBlock("block", family->blockUsesKey());
    buildEntry(block, dropout);
    if (shape.logits) {
      if (family->blockUsesKey())
        block = buildBlock("block_eval", /*withKey=*/false);
      buildLogits(block);
    }
    return b.takeModule();
  }

private:
  using Arguments = SmallVector<GraphBuilder::Argument>;

  func::FuncOp buildBlock(StringRef name, bool withKey);
  void buildEntry(func::FuncOp block, bool withKey);
  void buildLogits(func::FuncOp block);
  Arguments entryArguments();
  Value emitLogits(ArrayRef<Value> arguments, func::FuncOp block, Value tokens,
                   Value key);

  GraphBuilder b;
  const ModelConfig &config;
  const EntryShape &shape;
  ParameterTable table;
  std::unique_ptr<ModelFamily> family;
  int64_t vocab = 0, width = 0;
};
} // namespace

func::FuncOp ModelBuilder::buildBlock(StringRef name, bool withKey) {
  Arguments arguments = {b.argument("x", {shape.batch, shape.seq, width})};
  for (const Parameter &parameter : table.layers.front())
    arguments.push_back(b.argument(parameter.local, parameter.shape));
  if (withKey)
    arguments.push_back(b.key());
  for (GraphBuilder::Argument &argument : arguments)
    argument.attributes.clear(); // roles belong to entry functions
  SmallVector<Value> values =
      b.beginFunction(name, arguments, /*isPrivate=*/true);
  LocalValues locals;
  for (auto [i, parameter] : llvm::enumerate(table.layers.front()))
    locals.set(parameter.local, values[1 + i]);
  Value key = withKey ? values.back() : Value();
  return b.endFunction({family->block(b, locals, values.front(), key)});
}

ModelBuilder::Arguments ModelBuilder::entryArguments() {
  Arguments arguments;
  for (const Parameter *parameter : table.all())
    arguments.push_back(
        b.parameter(parameter->name, parameter->shape, parameter->init));
  arguments.push_back(b.indices("tokens", {shape.batch, shape.seq}, vocab));
  return arguments;
}

/// `arguments` starts with all parameters.
Value ModelBuilder::emitLogits(ArrayRef<Value> arguments, func::FuncOp block,
                               Value tokens, Value key) {
  LocalValues locals;
  ArrayRef<Value> rest = arguments;
  for (const Parameter &parameter : table.head) {
    locals.set(parameter.local, rest.front());
    rest = rest.drop_front();
  }
  ArrayRef<Value> layers = rest;
  for (const auto &layer : table.layers)
    rest = rest.drop_front(layer.size());
  for (auto [i, parameter] : llvm::enumerate(table.tail))
    locals.set(parameter.local, rest[i]);

  Value x = family->embed(b, locals, tokens, key);
  for (auto [i, layer] : llvm::enumerate(table.layers)) {
    SmallVector<Value> operands = {x};
    operands.append(layers.begin(), layers.begin() + layer.size());
    layers = layers.drop_front(layer.size());
    std::string number = std::to_string(i);
    if (key && family->blockUsesKey()) // site 0 is the embedding's
      operands.push_back(b.named("key" + number).rngFold(key, 1 + i));
    x = b.named("x" + number).call(block, operands).front();
  }
  return family->head(b, locals, x);
}

void ModelBuilder::buildEntry(func::FuncOp block, bool withKey) {
  Arguments arguments = entryArguments();
  arguments.push_back(b.indices("targets", {shape.batch, shape.seq}, vocab));
  arguments.back().attributes.push_back(b.attribute(kIndexIgnoreAttr, -100));
  if (withKey)
    arguments.push_back(b.key());
  SmallVector<Value> values = b.beginFunction("loss", arguments);
  Value key = withKey ? values.pop_back_val() : Value();
  Value targets = values.pop_back_val(), tokens = values.pop_back_val();
  Value logits = emitLogits(values, block, tokens, key);
  b.endFunction({b.named("loss").crossEntropyMean(logits, targets)}, {"loss"});
}

void ModelBuilder::buildLogits(func::FuncOp block) {
  SmallVector<Value> values = b.beginFunction("logits", entryArguments());
  Value tokens = values.pop_back_val();
  b.endFunction({emitLogits(values, block, tokens, Value())}, {"logits"});
}

OwningOpRef<ModuleOp> tt::frontend::buildModel(MLIRContext *context,
                                               const ModelConfig &config,
                                               const EntryShape &shape,
                                               const std::string &prefix) {
  return ModelBuilder(context, config, shape, prefix).build();
}
