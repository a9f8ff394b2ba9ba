//===- BisectTest.cpp - Faults in a recorded step are found ---------------===//
#include "tt/Check/Bisect.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Check/FunctionInputs.h"
#include "tt/Pipelines/Compile.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/Interpreter.h"
#include "tt/runtime/ModelTable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace tt;
using namespace tt::check;

namespace {
// Line 2 is a linear, 3 a gelu, 4 a log.
constexpr char kGraph[] =
    R"(func.func @loss(%w: tensor<8x6xf32> {tt.param = "w"}, %s: tensor<4x6xf32> {tt.param = "s"}, %x: tensor<4x8xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %g = tt.gelu tanh %y : tensor<4x6xf32>
  %l = tt.log %s : tensor<4x6xf32>
  %m = tt.mul %g, %l : tensor<4x6xf32>
  %loss = tt.mean %m dims = [0, 1] : (tensor<4x6xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
)";

/// The phase function that stands in for a kernel's, see plantFault.
tt_kernel_fn original;
uint32_t spoiltOperand;
void spoil(char *const *operands, int64_t task, int64_t iteration, char *shared,
           char *worker) {
  original(operands, task, iteration, shared, worker);
  reinterpret_cast<float *>(operands[spoiltOperand])[0] *= 1.001f;
}

class BisectTest : public testing::Test {
protected:
  void SetUp() override {
    std::string base = folder.newName(), error;
    graph = base + ".mlir";
    std::ofstream(graph) << kGraph;
    CompileOptions options;
    options.input = graph;
    options.output = base;
    options.fuse = false; // a kernel for each op: which one is spoilt is plain
    CompileResult result;
    ASSERT_TRUE(compileModel(options, result, error)) << error;
    run = LibraryRun::open(result.library, {}, error);
    ASSERT_TRUE(run) << error;
    path = result.library;
    how.graph = graph;
    how.output = base + "-minimal";
  }

  /// A step with all of `s` set to `scale`.
  void recordStep(double scale) {
    std::string error;
    ASSERT_TRUE(run->instance().init(3));
    reference::Tensor<double> w({8, 6}, 0.3), s({4, 6}, scale), x({4, 8}, 0.5);
    for (int i = 0; i < 32; ++i)
      x[i] += 0.01 * i;
    ASSERT_TRUE(run->setParameter("w", w, error)) << error;
    ASSERT_TRUE(run->setParameter("s", s, error)) << error;
    uint32_t entry = *run->findEntry("train_step", error);
    std::map<std::string, HostTensor> values = {{"x", x}};
    reference::IntTensor one;
    one[0] = 1;
    reference::Tensor<double> rate;
    rate[0] = 1e-3;
    values["step"] = values["seed"] = one;
    values["learning_rate"] = rate;
    std::vector<Encoded> inputs;
    for (const tt_tensor_info &info : run->library().inputs(entry)) {
      inputs.emplace_back();
      ASSERT_TRUE(encodeFor(info, values.at(info.name), inputs.back(), error)) << error;
    }
    std::vector<NamedTensor> outputs;
    StepRecord taken;
    ASSERT_TRUE(taken.takeBefore(*run, path, entry, inputs, error)) << error;
    ASSERT_TRUE(run->callEncoded(entry, inputs, outputs, error)) << error;
    ASSERT_TRUE(taken.takeAfter(*run, outputs, error)) << error;
    // Through a file, as the tools do it.
    std::string file = how.output + "-record.safetensors";
    ASSERT_TRUE(taken.write(file, error)) << error;
    ASSERT_TRUE(record.read(file, error)) << error;
  }

  LibraryFolder folder;
  std::string graph, path;
  std::unique_ptr<LibraryRun> run;
  StepRecord record;
  BisectOptions how;
};
} // namespace

TEST_F(BisectTest, aGoodStepHasNoFinding) {
  recordStep(2.0);
  EXPECT_EQ(record.parameters.size(), 2u);
  EXPECT_EQ(record.newParameters.size(), 2u); // both are trained
  EXPECT_EQ(record.states.size(), 4u);
  BisectReport report = bisect(record, run->library().desc(), how);
  EXPECT_EQ(report.error, "");
  EXPECT_FALSE(report.finding) << report.text();
  EXPECT_EQ(report.replayDifference, "");
  EXPECT_GT(report.numLaunches, 5u);
}

TEST_F(BisectTest, aSpoiltKernelIsNamed) {
  recordStep(2.0);
  tt_model_desc model = *run->library().desc();
  std::vector<tt_kernel_row> kernels(model.kernels, model.kernels + model.num_kernels);
  std::vector<tt_phase_row> phases;
  std::string name, error;
  runtime::ModelOptions v4;
  v4.isaLevel = 4;
  unsigned isa = runtime::Model::bind(run->shared(), v4, error) ? TT_ISA_V4 : TT_ISA_V3;
  for (tt_kernel_row &kernel : kernels) {
    if (std::string(kernel.name).rfind("gelu_", 0) != 0 ||
        std::string(kernel.name).rfind("gelu_bwd", 0) == 0)
      continue;
    ASSERT_EQ(kernel.num_phases, 1u);
    phases.assign(kernel.phases, kernel.phases + 1);
    original = phases[0].fn[isa];
    phases[0].fn[isa] = spoil;
    spoiltOperand = kernel.num_operands - 1;
    kernel.phases = phases.data();
    name = kernel.name;
    break;
  }
  ASSERT_NE(name, "");
  model.kernels = kernels.data();
  BisectReport report = bisect(record, &model, how);
  ASSERT_EQ(report.error, "");
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->op, "tt.gelu");
  EXPECT_NE(report.finding->place.find(".mlir:3:"), std::string::npos) << report.text();
  EXPECT_NE(report.finding->what.find("leaves its bound"), std::string::npos)
      << report.text();
  // Compiled anew the op is right, and the report says so.
  EXPECT_NE(report.finding->scope.find("or in this library"), std::string::npos);
  EXPECT_EQ(report.finding->program, how.output + ".mlir");
}

TEST_F(BisectTest, theFirstOpThatIsNotFiniteIsNamed) {
  recordStep(-2.0);
  BisectReport report = bisect(record, run->library().desc(), how);
  ASSERT_EQ(report.error, "");
  ASSERT_TRUE(report.finding) << report.text();
  EXPECT_EQ(report.finding->op, "tt.log");
  EXPECT_NE(report.finding->place.find(".mlir:4:"), std::string::npos) << report.text();
  EXPECT_NE(report.finding->what.find("not finite: nan at [0, 0]"), std::string::npos)
      << report.text();

  // The program written shows it by itself.
  mlir::MLIRContext context;
  loadGraphDialects(context);
  std::string error;
  auto module = loadModule(context, report.finding->program, error);
  ASSERT_TRUE(module) << error;
  auto function = findFunction(*module, "", report.finding->program, error);
  ASSERT_TRUE(function) << error;
  std::vector<HostTensor> inputs;
  ASSERT_TRUE(readInputs({{}, report.finding->inputs, {}}, function, inputs, error)) << error;
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].floats()[0], -2.0);
  auto outcome = reference::Interpreter<double>(*module).run("minimal", inputs);
  ASSERT_TRUE(outcome.succeeded()) << outcome.error;
  EXPECT_TRUE(std::isnan(outcome.results[0].floats()[0]));
}

TEST_F(BisectTest, aRecordThatDoesNotFitIsRefused) {
  recordStep(2.0);
  StepRecord other = record;
  other.hash = "0123";
  EXPECT_NE(bisect(other, run->library().desc(), how).error.find("0123"), std::string::npos);
  std::string text(kGraph);
  text.replace(text.find("gelu tanh"), 9, "gelu erf ");
  std::ofstream(graph) << text;
  BisectReport report = bisect(record, run->library().desc(), how);
  EXPECT_NE(report.error.find("expected the graph of the record's library"),
            std::string::npos)
      << report.error;
}

TEST_F(BisectTest, anInputThatIsNotFiniteIsNamed) {
  recordStep(2.0);
  for (NamedTensor &input : record.inputs)
    if (input.name == "x") {
      float bad = NAN;
      std::memcpy(input.value.bytes.data() + 4 * 9, &bad, 4);
    }
  BisectReport report = bisect(record, run->library().desc(), how);
  ASSERT_TRUE(report.finding);
  EXPECT_EQ(report.finding->what, "input x is not finite before the call: nan at [1, 1]");
}
