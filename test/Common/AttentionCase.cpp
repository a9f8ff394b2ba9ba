//===- AttentionCase.cpp - One form of tt.attention for tests -------------===//
#include "AttentionCase.h"

#include <limits>

using namespace tt::test;
using tt::reference::AnyTensor;
using tt::reference::IntTensor;
using tt::reference::Random;
using tt::reference::Shape;
using tt::reference::Tensor;

std::string AttentionCase::tensor(const std::vector<int64_t> &shape,
                                  const std::string &of) const {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + of + ">";
}

static Shape biasShape(const AttentionCase &c) {
  bool ofBatches = c.bias == "full" || c.bias == "batches";
  bool ofHeads = c.bias == "full" || c.bias == "heads";
  return {ofBatches ? c.batch : 1, ofHeads ? c.heads : 1, c.queries, c.keys};
}

std::string AttentionCase::biasType() const { return tensor(biasShape(*this), element); }

AttentionCase::Operands AttentionCase::operands() const {
  Operands all = {{"%q", q()}, {"%k", k()}, {"%v", k()}};
  if (segments) {
    all.push_back({"%qs", tensor({batch, queries}, "i32")});
    all.push_back({"%ks", tensor({batch, keys}, "i32")});
  }
  if (slopes)
    all.push_back({"%slopes", tensor({heads}, element)});
  if (!bias.empty())
    all.push_back({"%bias", biasType()});
  if (sinks)
    all.push_back({"%sinks", tensor({heads}, element)});
  if (dropout > 0)
    all.push_back({"%key", "tensor<2xi32>"});
  return all;
}

AttentionCase::Operands AttentionCase::adjointOperands() const {
  return {{"%output", q()}, {"%lse", lse()}, {"%d_output", q()}, {"%d_lse", lse()}};
}

std::string AttentionCase::list(const Operands &operands, bool types) {
  std::string text;
  for (const auto &[name, type] : operands)
    text += (text.empty() ? "" : ", ") + (types ? type : name);
  return text;
}

std::string AttentionCase::maskOperands() const {
  std::string text;
  if (segments)
    text += " segments(%qs, %ks)";
  if (slopes)
    text += " slopes(%slopes)";
  if (!bias.empty())
    text += " bias(%bias)";
  if (sinks)
    text += " sinks(%sinks)";
  if (dropout > 0)
    text += " key(%key)";
  return text + (causal ? " causal" : "");
}

std::string AttentionCase::attributes() const {
  std::string text;
  auto add = [&](const std::string &name, const std::string &value) {
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  };
  auto number = [&](const std::string &name, int64_t value) {
    add(name, std::to_string(value) + " : i64");
  };
  if (left >= 0)
    number("window_left", left);
  if (right >= 0)
    number("window_right", right);
  if (prefix > 0)
    number("prefix", prefix);
  if (softcap > 0)
    add("softcap", std::to_string(softcap) + " : f64");
  if (dropout > 0) {
    add("dropout_p", std::to_string(dropout) + " : f64");
    number("site", 5);
  }
  if (blockQ > 0)
    number("block_q", blockQ);
  if (blockK > 0)
    number("block_k", blockK);
  return " scale = 0.625 {" + text + "}"; // exact in every element type
}

std::string AttentionCase::forwardOp() const {
  return "%o, %l = tt.attention %q, %k, %v" + maskOperands() + attributes() + " : (" +
         list(operands(), true) + ") -> (" + q() + ", " + lse() + ")";
}

std::string AttentionCase::adjointOp() const {
  Operands all = operands(), own = adjointOperands();
  all.insert(all.begin() + 3, own.begin(), own.end());
  bool hasBias = !bias.empty();
  return "%dq, %dk, %dv" + std::string(hasBias ? ", %db" : "") +
         " = tt.attention_bwd %q, %k, %v, %output, %lse, %d_output d_lse(%d_lse)" +
         maskOperands() + (hasBias ? " with_d_bias" : "") + attributes() + " : (" +
         list(all, true) + ") -> (" + q() + ", " + k() + ", " + k() +
         (hasBias ? ", " + biasType() : "") + ")";
}

static std::string signature(const AttentionCase::Operands &operands) {
  std::string text;
  for (const auto &[name, type] : operands)
    text += (text.empty() ? "" : ", ") + name + ": " + type;
  return "(" + text + ")";
}

/// Operands of the function of the adjoint: the forward's, then its own.
static AttentionCase::Operands allOperands(const AttentionCase &c) {
  AttentionCase::Operands all = c.operands(), own = c.adjointOperands();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

static AttentionCase::Operands gradients(const AttentionCase &c) {
  AttentionCase::Operands all = {{"%dq", c.q()}, {"%dk", c.k()}, {"%dv", c.k()}};
  if (!c.bias.empty())
    all.push_back({"%db", c.biasType()});
  return all;
}

static std::string wrap(const std::string &head, const AttentionCase::Operands &operands,
                        const AttentionCase::Operands &results,
                        const std::string &attributes, const std::string &op,
                        const std::string &terminator) {
  return head + signature(operands) + " -> (" + AttentionCase::list(results, true) + ")" +
         attributes + " {\n" + op + "\n" + terminator + " " +
         AttentionCase::list(results, false) + " : " + AttentionCase::list(results, true) +
         "\n}\n";
}

std::string AttentionCase::forward(bool returnLse) const {
  Operands results = {{"%o", q()}, {"%l", lse()}};
  if (!returnLse)
    results.pop_back();
  return wrap("func.func @f", operands(), results, "", forwardOp(), "return");
}

std::string AttentionCase::adjoint() const {
  return wrap("func.func @f", allOperands(*this), gradients(*this), "", adjointOp(),
              "return");
}

static std::string kernelAttributes(const std::string &schedule) {
  return " attributes {anchor = \"attention\", numerics = {}, schedule = " + schedule + "}";
}

std::string AttentionCase::forwardKernel(const std::string &schedule) const {
  return wrap("tt.kernel @a", operands(), {{"%o", q()}, {"%l", lse()}},
              kernelAttributes(schedule), forwardOp(), "tt.yield");
}

std::string AttentionCase::adjointKernel(const std::string &schedule) const {
  return wrap("tt.kernel @a", allOperands(*this), gradients(*this),
              kernelAttributes(schedule), adjointOp(), "tt.yield");
}

/// Uniform values that f32 holds, too.
static Tensor<double> randomTensor(Random &random, Shape shape, double low, double high) {
  Tensor<double> result(std::move(shape));
  for (double &x : result.data)
    x = double(float(random.between(low, high)));
  return result;
}

std::vector<AnyTensor<double>> AttentionCase::inputs(Random &random) const {
  Shape ofKeys = {batch, keyHeads, keys, headSize};
  std::vector<AnyTensor<double>> all = {likeOutput(random),
                                        randomTensor(random, ofKeys, -1.25, 1.25),
                                        randomTensor(random, ofKeys, -1.25, 1.25)};
  if (segments) {
    IntTensor qs({batch, queries}), ks({batch, keys});
    for (int64_t b = 0; b < batch; ++b) {
      int64_t id = 0;
      for (int64_t j = 0; j < keys; ++j)
        ks[b * keys + j] = id += random.integer(0, 4) == 0;
      for (int64_t i = 0; i < queries; ++i) {
        int64_t place = std::max<int64_t>(i + keys - queries, 0);
        qs[b * queries + i] = ks[b * keys + place];
      }
    }
    all.push_back(std::move(qs));
    all.push_back(std::move(ks));
  }
  if (slopes)
    all.push_back(randomTensor(random, {heads}, 0.125, 0.5));
  if (!bias.empty()) {
    Tensor<double> values = randomTensor(random, biasShape(*this), -1, 1);
    for (double &x : values.data)
      if (biasHides && random.integer(0, 4) == 0)
        x = -std::numeric_limits<double>::infinity();
    all.push_back(std::move(values));
  }
  if (sinks)
    all.push_back(randomTensor(random, {heads}, -1, 1));
  if (dropout > 0)
    all.push_back(IntTensor({2}, {1234567, -76543}));
  return all;
}

Tensor<double> AttentionCase::likeOutput(Random &random) const {
  return randomTensor(random, {batch, heads, queries, headSize}, -1.25, 1.25);
}

Tensor<double> AttentionCase::likeLse(Random &random) const {
  return randomTensor(random, {batch, heads, queries}, -1.25, 1.25);
}

std::string AttentionCase::name() const {
  std::string text;
  auto add = [&](bool has, const std::string &part) {
    if (has)
      text += "_" + part;
  };
  add(true, std::to_string(batch) + "_" + std::to_string(heads) + "_" +
                std::to_string(keyHeads) + "_" + std::to_string(queries) + "x" +
                std::to_string(keys) + "_" + std::to_string(headSize));
  add(causal, "causal");
  add(left >= 0, "left" + std::to_string(left));
  add(right >= 0, "right" + std::to_string(right));
  add(prefix > 0, "prefix" + std::to_string(prefix));
  add(softcap > 0, "softcap");
  add(dropout > 0, "dropout");
  add(segments, "segments");
  add(slopes, "slopes");
  add(sinks, "sinks");
  add(!bias.empty(), "bias_" + bias + (biasHides ? "_hides" : ""));
  add(blockQ > 0, "q" + std::to_string(blockQ));
  add(blockK > 0, "k" + std::to_string(blockK));
  return text.substr(1);
}

const std::vector<void (*)(AttentionCase &)> &AttentionCase::features() {
  static const std::vector<void (*)(AttentionCase &)> all = {
      [](AttentionCase &c) { c.causal = true; },
      [](AttentionCase &c) { c.left = 1; },
      [](AttentionCase &c) { c.left = 2, c.right = c.causal ? -1 : 1; },
      [](AttentionCase &c) {
        c.causal |= c.left < 0;
        c.prefix = std::min<int64_t>(2, c.keys);
      },
      [](AttentionCase &c) { c.segments = true; },
      [](AttentionCase &c) { c.slopes = true; },
      [](AttentionCase &c) { c.bias = "full"; },
      [](AttentionCase &c) { c.bias = "heads"; },
      [](AttentionCase &c) { c.bias = "one", c.biasHides = true; },
      [](AttentionCase &c) { c.softcap = 1.5; },
      [](AttentionCase &c) { c.sinks = true; },
      [](AttentionCase &c) { c.dropout = 0.25; }};
  return all;
}

AttentionCase AttentionCase::random(Random &random) {
  auto one = [&](auto... options) {
    int64_t all[] = {int64_t(options)...};
    return all[random.integer(0, int64_t(sizeof...(options)))];
  };
  AttentionCase c;
  c.batch = one(1, 2);
  c.keyHeads = one(1, 2);
  c.heads = c.keyHeads * one(1, 1, 2, 3);
  c.queries = one(1, 7, 16, 33, 40, 70);
  c.keys = one(1, 8, 13, 33, 48, 71, 90);
  c.headSize = one(1, 5, 8, 16, 24);
  c.causal = one(0, 1);
  if (one(0, 0, 1))
    c.left = one(0, 1, 5, 20);
  if (!c.causal && one(0, 0, 1))
    c.right = one(0, 1, 6, 30);
  if ((c.causal || c.left >= 0 || c.right >= 0) && one(0, 0, 1))
    c.prefix = std::min(c.keys, one(1, 4, 17, 33));
  if (one(0, 0, 1))
    c.softcap = 1.5;
  if (one(0, 0, 1))
    c.dropout = 0.25;
  c.segments = one(0, 0, 1);
  c.slopes = one(0, 0, 1);
  c.sinks = one(0, 0, 1);
  static const char *const biases[] = {"", "", "", "full", "heads", "batches", "one"};
  c.bias = biases[random.integer(0, 7)];
  c.biasHides = !c.bias.empty() && one(0, 1);
  c.blockQ = one(0, 0, 16, 48);
  c.blockK = one(0, 16, 32, 17);
  return c;
}
