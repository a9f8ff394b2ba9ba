// The GPT-2 family.
#include "ModelFamily.h"

#include "tt/Support/CheckedSize.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;

ParameterTable tt::frontend::listGpt2(const Gpt2Config &config,
                                      const std::string &prefix) {
  // Radford et al. 2019, as transformers writes it: the projections that end a
  // residual branch start smaller, by the square root of their number.
  std::string normal = normalInit(config.initializerRange);
  std::string residual = normalInit(config.initializerRange /
                                    std::sqrt(2.0 * double(config.layers)));
  int64_t width = config.width;
  ParameterLister list(prefix);
  list.inHead("wte.weight", {config.vocab, width}, normal);
  list.inHead("wpe.weight", {config.positions, width}, normal);

  auto norm = [&](const std::string &name) {
    list.inLayer(name + ".weight", {width}, "one");
    if (config.bias)
      list.inLayer(name + ".bias", {width}, "zero");
  };
  auto linear = [&](const std::string &name, int64_t in, int64_t out,
                    const std::string &init) {
    list.inLayer(name + ".weight", {in, out}, init);
    if (config.bias)
      list.inLayer(name + ".bias", {out}, "zero");
  };
  int64_t joint = (support::CheckedSize(3) * width).value();
  for (int64_t i = 0; i < config.layers; ++i) {
    list.startLayer("h." + std::to_string(i) + ".");
    norm("ln_1");
    linear("attn.c_attn", width, joint, normal);
    linear("attn.c_proj", width, width, residual);
    norm("ln_2");
    linear("mlp.c_fc", width, config.inner, normal);
    linear("mlp.c_proj", config.inner, width, residual);
  }
  list.inTail("ln_f.weight", {width}, "one");
  if (config.bias)
    list.inTail("ln_f.bias", {width}, "zero");
  if (!config.tied)
    list.inTail("lm_head.weight", {config.vocab, width}, normal,
                /*withPrefix=*/false);
  return list.take();
}

namespace {
class Gpt2 final : public ModelFamily {
public:
  explicit Gpt2(const Gpt2Config &config) : config(config) {}

  bool blockUsesKey() const override {
    return config.attentionDropout > 0 || config.residualDropout > 0;
  }
  Value embed(GraphBuilder &b, const LocalValues &p, Value tokens,
              Value key) const override;
  Value block(GraphBuilder &b, const LocalValues &p, Value x,
              Value key) const override;
  Value head(GraphBuilder &b, const LocalValues &p, Value x) const override;

private:
  Value norm(GraphBuilder &b, const LocalValues &p, const std::string &name,
             Value x) const {
    return b.named(name).layerNorm(x, p(name + ".weight"), p(name + ".bias"),
                                   config.epsilon);
  }
  Value linear(GraphBuilder &b, const LocalValues &p, const std::string &name,
               Value x) const {
    return b.named(name).linear(x, p(name + ".weight"), p(name + ".bias"),
                                WeightLayout::InOut);
  }
  Value attention(GraphBuilder &b, const LocalValues &p, Value x,
                  Value key) const;
  Value activate(GraphBuilder &b, Value x) const;

  Gpt2Config config;
};
} // namespace

std::unique_ptr<ModelFamily> tt::frontend::makeGpt2(const Gpt2Config &config) {
  return std::make_unique<Gpt2>(config);
}

Value Gpt2::embed(GraphBuilder &b, const LocalValues &p, Value tokens,
                  Value key) const {
  int64_t length = GraphBuilder::lastDim(tokens);
  Value words = b.named("words").embedding(p("wte.weight"), tokens);
  Value positions =
      b.named("positions").slice(p("wpe.weight"), 0, 0, length); // [T, C]
  positions =
      b.named("positions").broadcastTo(positions, GraphBuilder::shapeOf(words));
  Value x = b.named("x").add(words, positions);
  if (!key)
    return x;
  return b.named("x").dropout(x, key, config.embeddingDropout, /*site=*/0);
}

Value Gpt2::attention(GraphBuilder &b, const LocalValues &p, Value x,
                      Value key) const {
  double headSize = double(config.width / config.heads);
  Value joint = linear(b, p, "attn.c_attn", x); // [B, T, 3 C]
  Value parts[3];
  const char *names[] = {"q", "k", "v"};
  for (int64_t i = 0; i < 3; ++i) {
    int64_t start = (support::CheckedSize(i) * config.width).value();
    parts[i] = b.named(names[i]).slice(joint, -1, start, config.width);
    parts[i] = b.named(names[i]).splitHeads(parts[i], config.heads);
  }
  double scale = config.scaleAttention ? 1 / std::sqrt(headSize) : 1;
  double dropout = key ? config.attentionDropout : 0;
  Value y = b.named("attn").causalAttention(parts[0], parts[1], parts[2], scale,
                                            /*window=*/0,
                                            {dropout, key, /*site=*/0});
  y = b.named("attn").mergeHeads(y);
  return linear(b, p, "attn.c_proj", y);
}

Value Gpt2::activate(GraphBuilder &b, Value x) const {
  b.named("act");
  switch (config.activation) {
  case Activation::GeluErf:
    return b.gelu(x, GeluApprox::Erf);
  case Activation::GeluTanh:
    return b.gelu(x, GeluApprox::Tanh);
  case Activation::Relu:
    return b.unary<ReluOp>(x);
  case Activation::Silu:
    return b.unary<SiluOp>(x);
  }
  llvm_unreachable("all activations are listed");
}

Value Gpt2::block(GraphBuilder &b, const LocalValues &p, Value x,
                  Value key) const {
  double dropout = key ? config.residualDropout : 0;
  Value y = attention(b, p, norm(b, p, "ln_1", x), key);
  y = b.named("drop").dropout(y, key, dropout, /*site=*/1);
  x = b.named("mid").add(x, y);

  y = linear(b, p, "mlp.c_fc", norm(b, p, "ln_2", x));
  y = linear(b, p, "mlp.c_proj", activate(b, y));
  y = b.named("drop").dropout(y, key, dropout, /*site=*/2);
  return b.named("out").add(x, y);
}

Value Gpt2::head(GraphBuilder &b, const LocalValues &p, Value x) const {
  Value weight = p(config.tied ? "wte.weight" : "lm_head.weight");
  x = norm(b, p, "ln_f", x);
  return b.named("logits").linear(x, weight, Value(), WeightLayout::OutIn);
}
