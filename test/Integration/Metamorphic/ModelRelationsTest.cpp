//===- ModelRelationsTest.cpp - What a compiled model must not depend on --===//
//
// Relations between results of compiled models that need no truth: order of samples,
// padding, ops that change nothing, a loss in parts. As exact as they are in f32: the
// same bits where no sum is made in another order, else what rounding can do.
//
//===----------------------------------------------------------------------===//
#include "../../Random/Identities.h"
#include "CompiledGraph.h"

#include "tt/Frontend/GraphBuilder.h"
#include "tt/Frontend/Models.h"
#include "tt/IR/Emit.h"
#include "tt/Reference/RandomInputs.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::check;
using namespace tt::test;
using reference::Random;

namespace {

constexpr int64_t kVocab = 29, kPositions = 40, kIgnore = -100;

frontend::ModelConfig configOf(const std::string &family) {
  if (family == "gpt") {
    frontend::Gpt2Config gpt;
    gpt.vocab = kVocab;
    gpt.positions = kPositions;
    gpt.width = 16;
    gpt.layers = gpt.heads = 2;
    gpt.inner = 40;
    return gpt;
  }
  frontend::LlamaConfig llama;
  llama.vocab = kVocab;
  llama.positions = kPositions;
  llama.width = 16;
  llama.layers = llama.heads = 2;
  llama.kvHeads = 1;
  llama.headSize = 8;
  llama.inner = 24;
  return llama;
}

/// Samples of tokens, and the token that follows each; some targets do not count.
struct Batch {
  int64_t samples, length;
  std::vector<int64_t> tokens, targets;

  static Batch draw(int64_t samples, int64_t length) {
    Random random(7);
    Batch batch{samples, length, {}, {}};
    for (int64_t i = 0; i < samples * length; ++i) {
      batch.tokens.push_back(random.integer(0, kVocab));
      batch.targets.push_back(random.unit() < 0.2 ? kIgnore : random.integer(0, kVocab));
    }
    return batch;
  }
  NamedValues with(NamedValues parameters) const {
    parameters["tokens"] = integers({samples, length}, tokens);
    parameters["targets"] = integers({samples, length}, targets);
    return parameters;
  }
  int64_t numCounted() const {
    return targets.size() - llvm::count(targets, kIgnore);
  }
  /// Sample order[i] in place i.
  Batch permuted(ArrayRef<int64_t> order) const {
    Batch batch = *this;
    for (auto [to, from] : llvm::enumerate(order))
      for (int64_t t = 0; t < length; ++t) {
        batch.tokens[to * length + t] = tokens[from * length + t];
        batch.targets[to * length + t] = targets[from * length + t];
      }
    return batch;
  }
  /// Longer samples: the tokens behind the end are any, their targets do not count.
  Batch padded(int64_t longer) const {
    Batch batch{samples, longer, {}, {}};
    for (int64_t s = 0; s < samples; ++s)
      for (int64_t t = 0; t < longer; ++t) {
        bool isIn = t < length;
        batch.tokens.push_back(isIn ? tokens[s * length + t] : (3 * t + s) % kVocab);
        batch.targets.push_back(isIn ? targets[s * length + t] : kIgnore);
      }
    return batch;
  }
  /// Only the targets of one sample count.
  Batch only(int64_t sample) const {
    Batch batch = *this;
    for (int64_t i = 0; i < samples * length; ++i)
      if (i / length != sample)
        batch.targets[i] = kIgnore;
    return batch;
  }
};

class ModelRelations : public testing::TestWithParam<const char *> {
protected:
  using Change = std::function<void(ModuleOp)>;
  CompiledGraph compile(int64_t samples, int64_t length, const Change &change = {}) {
    frontend::ModelConfig config = configOf(GetParam());
    auto module = frontend::buildModel(&context, config, {samples, length},
                                       frontend::defaultPrefix(config));
    if (change)
      change(*module);
    return CompiledGraph(context, frontend::printModule(*module));
  }

  MLIRContext context;
};

/// Loss and gradients add up samples in another order, so they agree up to rounding. No
/// sample's logits see another sample: their bits move with it.
TEST_P(ModelRelations, orderOfSamples) {
  CompiledGraph graph = compile(3, 19);
  NamedValues parameters = graph.drawParameters(1);
  Batch batch = Batch::draw(3, 19);
  SmallVector<int64_t> order = {2, 0, 1};
  NamedValues plain = batch.with(parameters), moved = batch.permuted(order).with(parameters);
  auto expected = graph.expected(plain);
  NamedValues found = graph.gradients(plain);
  expectNear(graph.gradients(moved), found, expected);
  for (int64_t position : {0, 7, 18}) {
    std::vector<double> rows = graph.logits(plain, position).floats().data;
    std::vector<double> others = graph.logits(moved, position).floats().data;
    for (auto [to, from] : llvm::enumerate(order))
      EXPECT_EQ(ArrayRef(others).slice(to * kVocab, kVocab),
                ArrayRef(rows).slice(from * kVocab, kVocab))
          << "sample " << from << " at " << position;
  }
  // Targets that stay where they were are another batch: the bound tells them apart.
  Batch wrong = batch.permuted(order);
  wrong.targets = batch.targets;
  std::string text;
  EXPECT_GT(countApart(graph.gradients(wrong.with(parameters)), found, expected, text),
            expected.size() / 2);
}

/// Under a causal mask no token sees the padding behind it, and targets that do not
/// count add zeros. Sums over the batch are longer and may be cut in other places.
TEST_P(ModelRelations, paddingBehindTheEnd) {
  CompiledGraph exact = compile(2, 19), longer = compile(2, 37);
  NamedValues parameters = exact.drawParameters(2);
  Batch batch = Batch::draw(2, 19), padded = batch.padded(37);
  NamedValues values = batch.with(parameters), paddedValues = padded.with(parameters);
  auto expected = exact.expected(values);
  NamedValues found = exact.gradients(values);
  expectNear(longer.gradients(paddedValues), found, expected);
  for (int64_t position : {0, 7, 18})
    EXPECT_EQ(longer.logits(paddedValues, position).floats().data,
              exact.logits(values, position).floats().data)
        << position;
  // One target of the padding that counts is seen.
  padded.targets[20] = 5;
  std::string text;
  EXPECT_GT(countApart(longer.gradients(padded.with(parameters)), found, expected, text),
            expected.size() / 2);
}

/// Reshapes, transposes, pads and joins and their inverses, times 1, plus 0: fusion and
/// layout change, no rounding does.
TEST_P(ModelRelations, opsThatChangeNothing) {
  CompiledGraph plain = compile(2, 19);
  NamedValues values = Batch::draw(2, 19).with(plain.drawParameters(3));
  NamedValues found = plain.gradients(values);
  for (uint64_t seed : {1, 2}) {
    unsigned before = 0, after = 0;
    CompiledGraph other = compile(2, 19, [&](ModuleOp module) {
      module.walk([&](Operation *) { ++before; });
      Random random(seed);
      insertIdentities(module, random);
      module.walk([&](Operation *) { ++after; });
    });
    EXPECT_GT(after, before + 30);
    SCOPED_TRACE(seed);
    expectSameBits(other.gradients(values), found);
  }
}

/// A cotangent 4 times as large: every product and sum of the adjoint is 4 times as
/// large, in every bit of its fraction.
TEST_P(ModelRelations, lossTimesFour) {
  CompiledGraph plain = compile(2, 19), scaled = compile(2, 19, [](ModuleOp module) {
    auto loss = module.lookupSymbol<func::FuncOp>("loss");
    Operation *end = loss.getBody().front().getTerminator();
    OpBuilder builder(end);
    Emit e(builder, end->getLoc());
    end->setOperand(0, e.scale(end->getOperand(0), 4));
  });
  NamedValues values = Batch::draw(2, 19).with(plain.drawParameters(4));
  NamedValues wanted = plain.gradients(values);
  for (auto &[name, value] : wanted)
    for (double &x : value.floats().data)
      x *= 4;
  expectSameBits(scaled.gradients(values), wanted);
}

/// The mean over all targets from the means over each sample's: by counts, for the loss
/// and for every gradient. Roundings of the four runs add up like a random walk.
TEST_P(ModelRelations, partsOfTheBatch) {
  CompiledGraph graph = compile(3, 19);
  NamedValues parameters = graph.drawParameters(1);
  Batch batch = Batch::draw(3, 19);
  NamedValues whole = graph.gradients(batch.with(parameters)), sum = whole;
  auto expected = graph.expected(batch.with(parameters));
  for (auto &[name, value] : sum)
    value.floats().data.assign(value.floats().data.size(), 0);
  for (int64_t sample = 0; sample < 3; ++sample) {
    Batch part = batch.only(sample);
    double factor = double(part.numCounted()) / double(batch.numCounted());
    auto expectedPart = graph.expected(part.with(parameters));
    for (const auto &[name, value] : graph.gradients(part.with(parameters)))
      for (int64_t i = 0; i < value.floats().size(); ++i) {
        sum[name].floats()[i] += factor * value.floats()[i];
        double &spread = expected[name].spread[i];
        spread = std::hypot(spread, factor * expectedPart[name].spread[i]);
      }
  }
  expectNear(sum, whole, expected);
}

INSTANTIATE_TEST_SUITE_P(Compiled, ModelRelations, testing::Values("gpt", "llama"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
