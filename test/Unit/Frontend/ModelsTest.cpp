// Modules of the model families.
#include "tt/Frontend/Models.h"
#include "tt/Frontend/GraphBuilder.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::frontend;

static Gpt2Config tinyGpt2() {
  Gpt2Config config;
  config.vocab = 61;
  config.positions = 12;
  config.width = 16;
  config.layers = 3;
  config.heads = 2;
  config.inner = 64;
  return config;
}

static LlamaConfig tinyLlama() {
  LlamaConfig config;
  config.vocab = 61;
  config.positions = 12;
  config.width = 24;
  config.layers = 3;
  config.heads = 4;
  config.kvHeads = 2;
  config.headSize = 6;
  config.inner = 40;
  return config;
}

namespace {
class Models : public testing::Test {
protected:
  OwningOpRef<ModuleOp> build(const ModelConfig &config,
                              EntryShape shape = {2, 7}) {
    std::string error;
    EXPECT_TRUE(checkEntryShape(config, shape, error)) << error;
    auto module = buildModel(&context, config, shape, defaultPrefix(config));
    EXPECT_TRUE(succeeded(verify(*module)));
    return module;
  }
  static func::FuncOp function(ModuleOp module, StringRef name) {
    return module.lookupSymbol<func::FuncOp>(name);
  }
  static int64_t countCalls(func::FuncOp function, StringRef callee) {
    int64_t count = 0;
    function.walk(
        [&](func::CallOp call) { count += call.getCallee() == callee; });
    return count;
  }
  template <typename OpTy> static int64_t count(Operation *root) {
    int64_t count = 0;
    root->walk([&](OpTy) { ++count; });
    return count;
  }

  MLIRContext context;
};
} // namespace

static std::string errorOf(const ModelConfig &config, EntryShape shape) {
  std::string error;
  EXPECT_FALSE(checkEntryShape(config, shape, error));
  return error;
}

TEST_F(Models, OneBlockIsCalledOncePerLayer) {
  for (const ModelConfig &config :
       {ModelConfig(tinyGpt2()), ModelConfig(tinyLlama())}) {
    auto module = build(config);
    func::FuncOp block = function(*module, "block");
    EXPECT_TRUE(block.isPrivate());
    EXPECT_EQ(countCalls(function(*module, "loss"), "block"), 3);
    EXPECT_EQ(count<AttentionOp>(*module), 1);
    EXPECT_EQ(llvm::range_size(module->getOps<func::FuncOp>()), 2);
    EXPECT_EQ(count<DropoutOp>(*module), 0);
  }
}

TEST_F(Models, ArgumentsOfTheEntry) {
  auto module = build(tinyGpt2());
  func::FuncOp loss = function(*module, "loss");
  ASSERT_EQ(loss.getNumArguments(), 2u + 3 * 12 + 2 + 2);
  auto text = [&](unsigned i, StringRef name) {
    auto attribute = loss.getArgAttrOfType<StringAttr>(i, name);
    return attribute ? attribute.getValue() : StringRef();
  };
  EXPECT_EQ(text(0, kParamAttr), "transformer.wte.weight");
  EXPECT_EQ(text(4, kParamAttr), "transformer.h.0.attn.c_attn.weight");
  EXPECT_EQ(text(40, kInputAttr), "tokens");
  EXPECT_EQ(text(41, kInputAttr), "targets");
  EXPECT_EQ(loss.getArgAttrOfType<IntegerAttr>(40, kIndexLimitAttr).getInt(),
            61);
  EXPECT_EQ(loss.getArgAttrOfType<IntegerAttr>(41, kIndexIgnoreAttr).getInt(),
            -100);
  EXPECT_FALSE(loss.getArgAttr(40, kIndexIgnoreAttr));
  EXPECT_EQ(loss.getResultAttrOfType<StringAttr>(0, kOutputAttr).getValue(),
            "loss");
  EXPECT_TRUE(loss.isPublic());
  // Blocks have no roles: they are called with different parameters.
  func::FuncOp block = function(*module, "block");
  for (unsigned i = 0; i < block.getNumArguments(); ++i)
    EXPECT_FALSE(block.getArgAttr(i, kParamAttr));
}

TEST_F(Models, Initialisers) {
  ParameterTable table = listParameters(tinyGpt2(), "transformer.");
  auto init = [&](StringRef name) {
    for (const Parameter *parameter : table.all())
      if (parameter->name == name)
        return parameter->init;
    return std::string("none");
  };
  EXPECT_EQ(init("transformer.wpe.weight"), "normal:0.02");
  EXPECT_EQ(init("transformer.h.1.attn.c_attn.weight"), "normal:0.02");
  // 0.02 / sqrt(2 * 3)
  EXPECT_EQ(init("transformer.h.1.attn.c_proj.weight").substr(0, 17),
            "normal:0.00816496");
  EXPECT_EQ(init("transformer.h.1.mlp.c_proj.weight"),
            init("transformer.h.0.attn.c_proj.weight"));
  EXPECT_EQ(init("transformer.h.2.mlp.c_fc.bias"), "zero");
  EXPECT_EQ(init("transformer.ln_f.weight"), "one");
  EXPECT_EQ(init("transformer.ln_f.bias"), "zero");
}

TEST_F(Models, TiedHeadReadsTheEmbedding) {
  Gpt2Config config = tinyGpt2();
  auto module = build(config);
  Value table = function(*module, "loss").getArgument(0);
  EXPECT_EQ(llvm::range_size(table.getUsers()), 2);
  config.tied = false;
  module = build(config);
  table = function(*module, "loss").getArgument(0);
  EXPECT_TRUE(table.hasOneUse());
}

TEST_F(Models, WithoutBias) {
  Gpt2Config config = tinyGpt2();
  config.bias = false;
  auto module = build(config);
  EXPECT_EQ(function(*module, "block").getNumArguments(), 1u + 6);
  module->walk([](LinearOp op) { EXPECT_FALSE(op.getBias()); });
  module->walk([](LayerNormOp op) { EXPECT_FALSE(op.getBeta()); });
}

TEST_F(Models, LlamaBiases) {
  LlamaConfig config = tinyLlama();
  config.attentionBias = true;
  EXPECT_EQ(function(*build(config), "block").getNumArguments(), 1u + 9 + 4);
  config.mlpBias = true;
  EXPECT_EQ(function(*build(config), "block").getNumArguments(), 1u + 9 + 7);
}

TEST_F(Models, HeadSizeOfItsOwn) {
  LlamaConfig config = tinyLlama();
  config.headSize = 8; // 4 * 8 is not the width, 24
  auto module = build(config);
  module->walk([](AttentionOp op) {
    EXPECT_EQ(GraphBuilder::shapeOf(op.getQ()),
              ArrayRef<int64_t>({2, 4, 7, 8}));
    EXPECT_EQ(GraphBuilder::shapeOf(op.getK()),
              ArrayRef<int64_t>({2, 2, 7, 8}));
  });
}

TEST_F(Models, SlidingWindow) {
  LlamaConfig config = tinyLlama();
  auto left = [&](int64_t window) {
    config.slidingWindow = window;
    std::optional<uint64_t> found;
    build(config)->walk([&](AttentionOp op) { found = op.getWindowLeft(); });
    return found;
  };
  EXPECT_EQ(left(3), 2u); // the query itself and two before it
  EXPECT_EQ(left(7), std::nullopt); // as long as the sequence
  EXPECT_EQ(left(0), std::nullopt);
}

TEST_F(Models, DropoutTakesAKeyPerCall) {
  ModelConfig config = tinyGpt2();
  setDropout(config, 0.1);
  auto module = build(config);
  func::FuncOp loss = function(*module, "loss"),
               block = function(*module, "block");
  EXPECT_EQ(
      loss.getArgAttrOfType<StringAttr>(loss.getNumArguments() - 1, kInputAttr)
          .getValue(),
      "key");
  EXPECT_EQ(count<DropoutOp>(block), 2);
  EXPECT_EQ(count<AttentionOp>(block), 1);
  EXPECT_EQ(count<DropoutOp>(loss), 1);
  for (func::FuncOp f : {loss, block}) {
    std::vector<uint64_t> sites;
    f.walk([&](RngFoldOp op) { sites.push_back(op.getSite()); });
    f.walk([&](DropoutOp op) { sites.push_back(op.getSite()); });
    f.walk([&](AttentionOp op) { sites.push_back(*op.getSite()); });
    std::sort(sites.begin(), sites.end());
    EXPECT_TRUE(std::adjacent_find(sites.begin(), sites.end()) == sites.end());
  }
  EXPECT_EQ(count<RngFoldOp>(loss), 3);
}

TEST_F(Models, LogitsAreWithoutDropout) {
  for (double p : {0.0, 0.5}) {
    ModelConfig config = tinyLlama();
    setDropout(config, p);
    auto module = build(config, {2, 7, /*f64=*/false, /*logits=*/true});
    func::FuncOp logits = function(*module, "logits");
    EXPECT_EQ(countCalls(logits, p > 0 ? "block_eval" : "block"), 3);
    EXPECT_EQ(count<RngFoldOp>(logits), 0);
    EXPECT_EQ(logits.getResultAttrOfType<StringAttr>(0, kOutputAttr).getValue(),
              "logits");
  }
}

TEST_F(Models, F64) {
  auto module = build(tinyLlama(), {2, 7, /*f64=*/true});
  std::string text = printModule(*module);
  EXPECT_EQ(text.find("f32>"), std::string::npos);
}

TEST_F(Models, AllWorkloadsVerifyAndPrintTheSameTwice) {
  for (const char *name : {"W1a", "W1b", "W2", "W3"}) {
    Workload workload = *findWorkload(name);
    EntryShape shape{workload.batch, workload.seq};
    std::string text = printModule(*build(workload.model, shape));
    EXPECT_TRUE(parseSourceString<ModuleOp>(text, &context));
    MLIRContext other;
    EXPECT_EQ(text, printModule(*buildModel(&other, workload.model, shape,
                                            defaultPrefix(workload.model))));
  }
}

TEST_F(Models, ParameterCounts) {
  auto values = [](const char *name) {
    ModelConfig config = findWorkload(name)->model;
    ParameterTable table = listParameters(config, "");
    int64_t total = 0;
    for (const Parameter *parameter : table.all()) {
      int64_t count = 1;
      for (int64_t size : parameter->shape)
        count *= size;
      total += count;
    }
    return total;
  };
  EXPECT_EQ(values("W1a"), 124439808); // GPT-2 small, as published
  EXPECT_EQ(values("W3"),
            2 * 32000 * 512 + 512 +
                8 * (2 * 512 + 2 * 512 * 512 + 2 * 256 * 512 + 3 * 1376 * 512));
}

TEST_F(Models, EntryShapes) {
  Gpt2Config config = tinyGpt2();
  EXPECT_EQ(errorOf(config, {0, 7}),
            "batch: found 0, wanted an integer in [1, 2^24]");
  EXPECT_EQ(errorOf(config, {2, 13}),
            "seq: found 13, wanted an integer in [1, 12], the positions of the "
            "model");
  EXPECT_EQ(errorOf(config, {2, 0}),
            "seq: found 0, wanted an integer in [1, 12], the positions of the "
            "model");
}

TEST_F(Models, SizesPastTheLimit) {
  Gpt2Config config = tinyGpt2();
  config.vocab = 1 << 30;
  config.width = 1 << 20;
  EXPECT_EQ(errorOf(config, {1, 1}),
            "parameter \"transformer.wte.weight\": wanted at most 2^47 bytes, "
            "but it has more");
  config.width = 1 << 14; // 2^44 values, 2^46 bytes: one fits, two do not
  config.tied = false;
  config.layers = 4096;
  EXPECT_EQ(errorOf(config, {1, 1}),
            "the parameters have more than 2^47 bytes");
  config = tinyGpt2();
  config.positions = 1 << 24;
  EXPECT_EQ(errorOf(config, {1 << 24, 1 << 24}),
            "an activation of shape [16777216, 16777216, 61] has more than "
            "2^47 bytes");
}
