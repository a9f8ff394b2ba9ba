// The Llama family.
#include "ModelFamily.h"

#include "tt/Support/CheckedSize.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;

ParameterTable tt::frontend::listLlama(const LlamaConfig &config,
                                       const std::string &prefix) {
  std::string normal = normalInit(config.initializerRange);
  int64_t width = config.width;
  int64_t q = (support::CheckedSize(config.heads) * config.headSize).value();
  int64_t kv = (support::CheckedSize(config.kvHeads) * config.headSize).value();
  ParameterLister list(prefix);
  list.inHead("embed_tokens.weight", {config.vocab, width}, normal);

  auto linear = [&](const std::string &name, int64_t out, int64_t in,
                    bool bias) {
    list.inLayer(name + ".weight", {out, in}, normal);
    if (bias)
      list.inLayer(name + ".bias", {out}, "zero");
  };
  for (int64_t i = 0; i < config.layers; ++i) {
    list.startLayer("layers." + std::to_string(i) + ".");
    list.inLayer("input_layernorm.weight", {width}, "one");
    linear("self_attn.q_proj", q, width, config.attentionBias);
    linear("self_attn.k_proj", kv, width, config.attentionBias);
    linear("self_attn.v_proj", kv, width, config.attentionBias);
    linear("self_attn.o_proj", width, q, config.attentionBias);
    list.inLayer("post_attention_layernorm.weight", {width}, "one");
    linear("mlp.gate_proj", config.inner, width, config.mlpBias);
    linear("mlp.up_proj", config.inner, width, config.mlpBias);
    linear("mlp.down_proj", width, config.inner, config.mlpBias);
  }
  list.inTail("norm.weight", {width}, "one");
  if (!config.tied)
    list.inTail("lm_head.weight", {config.vocab, width}, normal,
                /*withPrefix=*/false);
  return list.take();
}

namespace {
class Llama final : public ModelFamily {
public:
  explicit Llama(const LlamaConfig &config) : config(config) {}

  bool blockUsesKey() const override { return config.attentionDropout > 0; }
  Value embed(GraphBuilder &b, const LocalValues &p, Value tokens,
              Value key) const override {
    return b.named("x").embedding(p("embed_tokens.weight"), tokens);
  }
  Value block(GraphBuilder &b, const LocalValues &p, Value x,
              Value key) const override;
  Value head(GraphBuilder &b, const LocalValues &p, Value x) const override;

private:
  Value norm(GraphBuilder &b, const LocalValues &p, const std::string &name,
             Value x) const {
    return b.named(name).rmsNorm(x, p(name + ".weight"), config.epsilon);
  }
  Value linear(GraphBuilder &b, const LocalValues &p, const std::string &name,
               Value x) const {
    return b.named(name).linear(x, p(name + ".weight"), p(name + ".bias"),
                                WeightLayout::OutIn);
  }
  /// A projection cut into heads, [B, H, T, D].
  Value heads(GraphBuilder &b, const LocalValues &p, const std::string &name,
              Value x, int64_t count) const {
    Value y = linear(b, p, "self_attn." + name + "_proj", x);
    return b.named(name).splitHeads(y, count);
  }
  Value attention(GraphBuilder &b, const LocalValues &p, Value x,
                  Value key) const;

  LlamaConfig config;
};
} // namespace

std::unique_ptr<ModelFamily>
tt::frontend::makeLlama(const LlamaConfig &config) {
  return std::make_unique<Llama>(config);
}

Value Llama::attention(GraphBuilder &b, const LocalValues &p, Value x,
                       Value key) const {
  Value q = heads(b, p, "q", x, config.heads);
  Value k = heads(b, p, "k", x, config.kvHeads);
  Value v = heads(b, p, "v", x, config.kvHeads);
  q = b.named("q_rope").rope(q, config.theta, RopeLayout::HalfSplit,
                              config.ropeScaling);
  k = b.named("k_rope").rope(k, config.theta, RopeLayout::HalfSplit,
                              config.ropeScaling);
  double dropout = key ? config.attentionDropout : 0;
  Value y = b.named("attn").causalAttention(
      q, k, v, 1 / std::sqrt(double(config.headSize)), config.slidingWindow,
      {dropout, key, /*site=*/0});
  y = b.named("attn").mergeHeads(y);
  return linear(b, p, "self_attn.o_proj", y);
}

Value Llama::block(GraphBuilder &b, const LocalValues &p, Value x,
                   Value key) const {
  Value y = attention(b, p, norm(b, p, "input_layernorm", x), key);
  x = b.named("mid").add(x, y);

  y = norm(b, p, "post_attention_layernorm", x);
  Value gate = linear(b, p, "mlp.gate_proj", y);
  Value up = linear(b, p, "mlp.up_proj", y);
  y = linear(b, p, "mlp.down_proj", b.named("act").swiglu(gate, up));
  return b.named("out").add(x, y);
}

Value Llama::head(GraphBuilder &b, const LocalValues &p, Value x) const {
  Value weight = p(config.tied ? "embed_tokens.weight" : "lm_head.weight");
  x = norm(b, p, "norm", x);
  return b.named("logits").linear(x, weight, Value(), WeightLayout::OutIn);
}
