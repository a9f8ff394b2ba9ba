//===- CheckpointTest.cpp - Recompute costs and changes no bit ------------===//
#include "Programs.h"

#include "tt/IR/TTOps.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Remat/ReplayCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tt;
using namespace tt::test;
using namespace tt::reference;

/// Calls `visit` for each op in the kernels that @train_step launches.
static void walkStep(ModuleOp module, llvm::function_ref<void(Operation *)> visit) {
  SymbolTable symbols(module);
  for (auto step : module.getOps<StepOp>())
    if (step.getSymName() == "train_step")
      for (LaunchOp launch : step.getBody().getOps<LaunchOp>())
        symbols.lookup<KernelOp>(launch.getKernel()).getBody().walk(visit);
}

static int64_t linearFlops(ModuleOp module) {
  int64_t sum = 0;
  walkStep(module, [&](Operation *op) {
    if (auto cost = dyn_cast<CostOpInterface>(op))
      if (isa<LinearOp, MatmulOp>(op))
        sum += cost.getMatmulFlops();
  });
  return sum;
}

static int64_t arenaBytes(ModuleOp module) {
  return module->getAttrOfType<DictionaryAttr>("tt.memory")
      .getAs<IntegerAttr>("arena").getInt();
}

/// The loss and every gradient, by the interpreter in typed f32.
static std::vector<float> gradients(ModuleOp module, uint64_t seed) {
  auto grad = module.lookupSymbol<func::FuncOp>("grad");
  reference::Random random(seed);
  Options options;
  options.mode = Mode::Typed;
  std::vector<AnyTensor<float>> inputs;
  for (const AnyTensor<double> &input : randomInputs(grad, random))
    inputs.push_back(convertTo<float>(input));
  Outcome<float> outcome = Interpreter<float>(module, options).run("grad", inputs);
  EXPECT_EQ(outcome.error, "");
  std::vector<float> all;
  for (const AnyTensor<float> &result : outcome.results)
    all.insert(all.end(), result.floats().data.begin(), result.floats().data.end());
  return all;
}

static bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Claim R8: counted linear FLOPs after everything that is dead is gone. The last
/// linear of a replayed segment feeds no adjoint.
TEST(CheckpointTest, LinearFlopsOfReplays) {
  const GPTShape shape{12, 2, 8, 32, 4};
  auto plain = parse(gptProgram(shape));
  differentiate(*plain, "none");
  buildStep(*plain);
  const int64_t unit = shape.batch * shape.sequence * shape.width * shape.width;
  const int64_t base = linearFlops(*plain);
  EXPECT_EQ(base, 72 * unit * shape.layers);
  for (int64_t k : {1, 2, 3, 4, 6, 12}) {
    const int64_t s = shape.layers / k;
    auto module = parse(gptProgram(shape));
    differentiate(*module, k == 1 ? "full" : "sqrt", k == 1 ? 0 : s);
    buildStep(*module);
    EXPECT_EQ(linearFlops(*module), base + (s - 1) * (24 * k - 8) * unit) << "k = " << k;
    double ratio = double(linearFlops(*module)) / double(base);
    if (k == 1)
      EXPECT_NEAR(ratio, 1.2037, 5e-5);
    RecordProperty("ratio_k" + std::to_string(k), std::to_string(ratio));
  }
}

/// Claim R6, RF-08: dropout, every plan, the same bits; another seed differs.
TEST(CheckpointTest, GradientsHaveTheSameBits) {
  const GPTShape shape{5, 2, 4, 8, 2, 0.25};
  auto build = [&](const char *policy, int64_t segments) {
    auto module = parse(gptProgram(shape));
    differentiate(*module, policy, segments);
    buildEntries(*module);
    return module;
  };
  auto plain = build("none", 0);
  std::vector<float> wanted = gradients(*plain, 1);
  for (float value : wanted)
    ASSERT_TRUE(std::isfinite(value));
  EXPECT_TRUE(sameBits(gradients(*build("full", 0), 1), wanted));
  EXPECT_TRUE(sameBits(gradients(*build("sqrt", 0), 1), wanted));
  for (int64_t segments = 1; segments <= 5; ++segments)
    EXPECT_TRUE(sameBits(gradients(*build("sqrt", segments), 1), wanted)) << segments;
  EXPECT_FALSE(sameBits(gradients(*plain, 2), wanted));
}

TEST(CheckpointTest, RandomChainsKeepTheirBits) {
  unsigned shorter = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    auto plain = parse(randomProgram(seed));
    differentiate(*plain, "none");
    unsigned before =
        plain->lookupSymbol<func::FuncOp>("loss_fwd").getNumResults();
    buildEntries(*plain);
    std::vector<float> wanted = gradients(*plain, seed);
    for (const char *policy : {"full", "sqrt"}) {
      auto module = parse(randomProgram(seed));
      differentiate(*module, policy);
      auto backward = module->lookupSymbol<func::FuncOp>("loss_bwd");
      EXPECT_TRUE(succeeded(verifyReplays(backward)));
      shorter += module->lookupSymbol<func::FuncOp>("loss_fwd").getNumResults() < before;
      buildEntries(*module);
      ASSERT_TRUE(sameBits(gradients(*module, seed), wanted))
          << policy << ", seed " << seed << "\n" << randomProgram(seed);
      if (seed % 10 == 0) {
        auto step = parse(randomProgram(seed));
        differentiate(*step, policy);
        buildStep(*step);
      }
    }
  }
  EXPECT_GT(shorter, 200u); // of 600
}

/// RF-24: recompute that nothing later removes.
TEST(CheckpointTest, SixteenTanh) {
  const int64_t MiB = 1 << 20;
  auto count = [](ModuleOp module) {
    int64_t tanh = 0;
    walkStep(module, [&](Operation *op) { tanh += isa<TanhOp>(op); });
    return tanh;
  };
  auto plain = parse(tanhProgram(1024));
  differentiate(*plain, "none");
  buildStep(*plain);
  EXPECT_EQ(count(*plain), 16);
  EXPECT_GE(arenaBytes(*plain), 64 * MiB);
  auto module = parse(tanhProgram(1024));
  differentiate(*module, "sqrt", 4);
  buildStep(*module);
  EXPECT_GE(count(*module), 25);
  EXPECT_LE(count(*module), 32);
  EXPECT_LE(arenaBytes(*module), 44 * MiB);

  auto small = parse(tanhProgram(8)), smallPlain = parse(tanhProgram(8));
  differentiate(*small, "sqrt", 4);
  buildEntries(*small);
  differentiate(*smallPlain, "none");
  buildEntries(*smallPlain);
  EXPECT_TRUE(sameBits(gradients(*small, 1), gradients(*smallPlain, 1)));
}

/// The arena follows the plan: each policy below the one before.
TEST(CheckpointTest, ArenaFalls) {
  const GPTShape shape{12, 2, 64, 32, 4};
  auto arena = [&](const char *policy, int64_t segments) {
    auto module = parse(gptProgram(shape));
    differentiate(*module, policy, segments);
    buildStep(*module);
    return arenaBytes(*module);
  };
  int64_t none = arena("none", 0), layerSqrt = arena("sqrt", 3), full = arena("full", 0),
          best = arena("sqrt", 0);
  RecordProperty("none", std::to_string(none));
  RecordProperty("layer_sqrt", std::to_string(layerSqrt));
  RecordProperty("full", std::to_string(full));
  RecordProperty("sqrt", std::to_string(best));
  EXPECT_LT(layerSqrt, none / 2);
  EXPECT_LT(full, layerSqrt);
  EXPECT_LE(best, full);
  for (int64_t segments = 1; segments <= 12; ++segments)
    EXPECT_LE(best, arena("sqrt", segments) * 1.02) << segments;
}

/// RF-25: the input of a segment is data, only weights from outside are trained.
TEST(CheckpointTest, FrozenInputOfSegments) {
  const char *text = R"(
    func.func private @scale(%x: tensor<2xf32>, %w: tensor<f32>) -> tensor<2xf32> {
      %b = tt.broadcast %w dims = [] : tensor<f32> -> tensor<2xf32>
      %y = tt.mul %x, %b : tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @loss(%x: tensor<2xf32> {tt.input = "x"}, %w: tensor<f32> {tt.param = "w"},
                    %v: tensor<f32> {tt.param = "v"}) -> tensor<f32> {
      %y = call @scale(%x, %w) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      %z = call @scale(%y, %v) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      %s = tt.square %z : tensor<2xf32>
      %l = tt.sum %s dims = [0] : (tensor<2xf32>) -> tensor<f32>
      return %l : tensor<f32>
    })";
  for (const char *policy : {"none", "full", "sqrt"}) {
    auto module = parse(text);
    differentiate(*module, policy);
    buildEntries(*module);
    auto grad = module->lookupSymbol<func::FuncOp>("grad");
    std::vector<AnyTensor<float>> inputs;
    inputs.push_back(Tensor<float>({2}, std::vector<float>{1, 2}));
    inputs.push_back(Tensor<float>({}, std::vector<float>{3}));
    inputs.push_back(Tensor<float>({}, std::vector<float>{1}));
    while (inputs.size() < grad.getNumArguments())
      inputs.push_back(IntTensor(reference::Shape{}, std::vector<int64_t>{1}));
    Outcome<float> outcome = Interpreter<float>(*module).run("grad", inputs);
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.results[0].floats()[0], 45) << policy;
    EXPECT_EQ(outcome.results[1].floats()[0], 30) << policy;
    EXPECT_EQ(outcome.results[2].floats()[0], 90) << policy;
  }
}

/// Callers that exist already follow the pair.
TEST(CheckpointTest, CallersFollow) {
  const GPTShape shape{4, 1, 4, 8, 2, 0.25};
  auto before = parse(gptProgram(shape));
  differentiate(*before, "none");
  buildEntries(*before);
  std::vector<float> wanted = gradients(*before, 1);
  checkpoint(*before, "full");
  EXPECT_TRUE(succeeded(verify(*before)));
  EXPECT_TRUE(sameBits(gradients(*before, 1), wanted));
  EXPECT_TRUE(succeeded(verifyReplays(before->lookupSymbol<func::FuncOp>("loss_bwd"))));
}

/// A replay that reads a kept value directly is found.
TEST(CheckpointTest, MissingBarrierIsFound) {
  auto module = parse(gptProgram({3, 1, 4, 8, 2}));
  differentiate(*module, "full");
  auto backward = module->lookupSymbol<func::FuncOp>("loss_bwd");
  ASSERT_TRUE(succeeded(verifyReplays(backward)));
  backward.walk([](RematBarrierOp barrier) {
    barrier.replaceAllUsesWith(barrier.getInput());
  });
  std::string message;
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(verifyReplays(backward)));
  EXPECT_NE(message.find("through tt.remat_barrier"), std::string::npos) << message;
}
