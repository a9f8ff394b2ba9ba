//===- StepFaultsTest.cpp - Reported faults of a training step ------------===//
//
// Cases whose right values are those of parameters, moments and norms after a step:
// small models are compiled, and their libraries trained.
//
//===----------------------------------------------------------------------===//
#include "tt/Check/CheckCompiled.h"
#include "tt/Check/LibraryRun.h"
#include "tt/Pipelines/Compile.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tt;
using namespace tt::check;

namespace {

using Numbers = std::vector<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();

class StepFaultsTest : public testing::Test {
protected:
  bool compile(const std::string &text, double clipNorm, std::string &error);
  /// Compiles and binds, with moments of zeros.
  void start(const std::string &text, double clipNorm = 0);
  void set(const std::string &name, const Numbers &values);
  /// A step at learning rate 0.1; `count` is the number of the step, from 1.
  void step(std::map<std::string, HostTensor> inputs, int64_t count);
  Numbers parameter(const std::string &name) { return tensor(0, name); }
  Numbers state(const std::string &name) { return tensor(1, name); }
  size_t numStates() { return run->library().tensors(1).size(); }
  double output(const std::string &name) { return outputs.at(name)[0]; }
  /// Every byte that a step may change.
  std::vector<std::vector<char>> bits();

  std::map<std::string, Numbers> outputs;
  std::unique_ptr<LibraryRun> run;

private:
  Numbers tensor(uint32_t kind, const std::string &name);
  LibraryFolder folder;
  std::string path;
};

bool StepFaultsTest::compile(const std::string &text, double clipNorm, std::string &error) {
  path = folder.newName();
  CompileOptions options;
  options.input = path + ".mlir";
  options.output = path;
  options.beta2 = 0.999;
  options.weightDecay = 0;
  options.clipNorm = clipNorm;
  std::error_code code;
  llvm::raw_fd_ostream(options.input, code) << text;
  CompileResult result;
  return !code && compileModel(options, result, error);
}

void StepFaultsTest::start(const std::string &text, double clipNorm) {
  std::string error;
  ASSERT_TRUE(compile(text, clipNorm, error)) << error;
  run = LibraryRun::open(path + ".so", runtime::ModelOptions(), error);
  ASSERT_TRUE(run) << error;
  ASSERT_TRUE(run->instance().init(1)) << run->instance().error();
}

void StepFaultsTest::set(const std::string &name, const Numbers &values) {
  for (const tt_tensor_info &info : run->library().tensors(0)) {
    if (name != info.name)
      continue;
    std::string error;
    reference::Shape shape(info.shape, info.shape + info.rank);
    EXPECT_TRUE(run->setParameter(name, reference::Tensor<double>(shape, values), error))
        << error;
    return;
  }
  ADD_FAILURE() << "no parameter " << name;
}

void StepFaultsTest::step(std::map<std::string, HostTensor> inputs, int64_t count) {
  inputs["step"] = reference::IntTensor({}, std::vector<int64_t>{count});
  inputs["seed"] = reference::IntTensor({}, std::vector<int64_t>{1});
  inputs["learning_rate"] = reference::Tensor<double>({}, Numbers{0.1});
  std::vector<NamedTensor> found;
  std::string error;
  auto entry = run->findEntry("train_step", error);
  ASSERT_TRUE(entry && run->call(*entry, inputs, found, error)) << error;
  outputs.clear();
  for (const NamedTensor &one : found) {
    HostTensor value = decode(one.value);
    outputs[one.name] = value.isFloat() ? value.floats().data
                                        : Numbers(value.ints().data.begin(),
                                                  value.ints().data.end());
  }
}

Numbers StepFaultsTest::tensor(uint32_t kind, const std::string &name) {
  std::vector<NamedTensor> tensors;
  std::string error;
  EXPECT_TRUE(run->getTensors(kind, tensors, error)) << error;
  for (const NamedTensor &one : tensors)
    if (one.name == name)
      return decode(one.value).floats().data;
  ADD_FAILURE() << "no tensor " << name;
  return {};
}

std::vector<std::vector<char>> StepFaultsTest::bits() {
  std::vector<std::vector<char>> all;
  std::string error;
  for (uint32_t kind : {0u, 1u}) {
    std::vector<NamedTensor> tensors;
    EXPECT_TRUE(run->getTensors(kind, tensors, error)) << error;
    for (NamedTensor &one : tensors)
      all.push_back(std::move(one.value.bytes));
  }
  return all;
}

HostTensor floats(const Numbers &values) {
  return reference::Tensor<double>({int64_t(values.size())}, values);
}
HostTensor ids(const std::vector<int64_t> &values) {
  return reference::IntTensor({int64_t(values.size())}, values);
}

void expectNear(const Numbers &found, const Numbers &wanted, double relative = 1e-5) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], relative * std::fabs(wanted[i])) << "element " << i;
}

/// loss = sum(w * c): c is the gradient of w.
std::string sumOfProducts(size_t n) {
  std::string t = "tensor<" + std::to_string(n) + "xf32>";
  return "func.func @loss(%w: " + t + " {tt.param = \"w\"}, %c: " + t +
         " {tt.input = \"c\"}) -> (tensor<f32> {tt.output = \"loss\"}) { %p = tt.mul %w, %c : " +
         t + " %l = tt.sum %p dims = [0] : (" + t + ") -> tensor<f32> return %l : tensor<f32> }";
}

// RF-20: two matrices of ones, a frozen one and a constant of ones beside them.
TEST_F(StepFaultsTest, equalParametersKeepTheirMoments) {
  start(R"(func.func @loss(%x: tensor<2x2xf32> {tt.input = "x"},
      %a: tensor<2x2xf32> {tt.param = "a"}, %b: tensor<2x2xf32> {tt.param = "b"},
      %c: tensor<2x2xf32> {tt.param = "c", tt.frozen}) -> (tensor<f32> {tt.output = "loss"}) {
    %d = tt.constant dense<1.0> : tensor<2x2xf32>
    %0 = tt.linear in_out %x, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %1 = tt.linear in_out %0, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = tt.linear in_out %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = tt.linear in_out %x, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = tt.add %1, %2 : tensor<2x2xf32>
    %5 = tt.add %4, %3 : tensor<2x2xf32>
    %l = tt.sum %5 dims = [0, 1] : (tensor<2x2xf32>) -> tensor<f32>
    return %l : tensor<f32> })");
  for (const char *name : {"a", "b", "c"})
    set(name, Numbers(4, 1));
  HostTensor x = reference::Tensor<double>({2, 2}, Numbers{1, 2, 3, 4});
  step({{"x", x}}, 1);
  EXPECT_EQ(output("loss"), 80);
  EXPECT_EQ(numStates(), 4u) << "m and v of a and b, none of c";
  expectNear(state("adam.m.a"), {0.8, 0.8, 1.2, 1.2});
  expectNear(state("adam.m.b"), {1, 1, 1, 1});
  expectNear(state("adam.v.a"), {0.064, 0.064, 0.144, 0.144});
  expectNear(state("adam.v.b"), {0.1, 0.1, 0.1, 0.1});
  EXPECT_NEAR(output("grad_norm"), std::sqrt(2 * 64 + 2 * 144 + 4 * 100), 1e-3);
  expectNear(parameter("a"), Numbers(4, 0.9)); // each by lr, whatever its gradient
  expectNear(parameter("b"), Numbers(4, 0.9));
  EXPECT_EQ(parameter("c"), Numbers(4, 1));
}

// RF-23: one gradient, one pair of moments, one update; once in the norm.
TEST_F(StepFaultsTest, tiedMatrixCountsOnce) {
  start(R"(func.func @loss(%i: tensor<1xi32> {tt.input = "i", tt.index_limit = 3},
      %t: tensor<1xi32> {tt.input = "t", tt.index_limit = 3},
      %e: tensor<3x2xf32> {tt.param = "e"}) -> (tensor<f32> {tt.output = "loss"}) {
    %h = tt.embedding %e, %i : (tensor<3x2xf32>, tensor<1xi32>) -> tensor<1x2xf32>
    %z = tt.linear out_in %h, %e : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
    %l, %lse = tt.cross_entropy mean %z, %t : (tensor<1x3xf32>, tensor<1xi32>) -> (tensor<f32>, tensor<1xf32>)
    return %l : tensor<f32> })");
  const Numbers before = {0.5, -0.25, 1, 0.75, -0.5, 0.25};
  const Numbers gradient = {0.370742, -0.185371, -0.129258, 0.064629, -0.595197, 0.620742};
  set("e", before);
  step({{"i", ids({2})}, {"t", ids({0})}}, 1);
  EXPECT_NEAR(output("loss"), 1.352801, 2e-5);
  EXPECT_EQ(numStates(), 2u);
  double squares = 0;
  Numbers m, v, after;
  for (size_t i = 0; i < gradient.size(); ++i) {
    squares += gradient[i] * gradient[i];
    m.push_back(0.1 * gradient[i]);
    v.push_back(0.001 * gradient[i] * gradient[i]);
    after.push_back(before[i] - (gradient[i] > 0 ? 0.1 : -0.1));
  }
  EXPECT_NEAR(output("grad_norm"), std::sqrt(squares), 1e-5);
  expectNear(state("adam.m.e"), m);
  expectNear(state("adam.v.e"), v, 2e-5);
  expectNear(parameter("e"), after);
}

// RF-26 A: squares of 1e40 do not fit f32; C: zeros; D: squares of 1e-60.
TEST_F(StepFaultsTest, clipOfHugeZeroAndTinyGradients) {
  start(sumOfProducts(100), 1);
  set("w", Numbers(100, 1));
  step({{"c", floats(Numbers(100, 1e20))}}, 1);
  expectNear({output("grad_norm")}, {1e21});
  expectNear(state("adam.m.w"), Numbers(100, 0.01)); // a tenth of 0.1 each
  EXPECT_EQ(output("skipped"), 0);

  start(sumOfProducts(4), 1);
  set("w", {1, -2, 0.5, 1});
  step({{"c", floats(Numbers(4, 0))}}, 1);
  EXPECT_EQ(output("grad_norm"), 0);
  EXPECT_EQ(output("clip"), 1);
  EXPECT_EQ(parameter("w"), (Numbers{1, -2, 0.5, 1}));
  EXPECT_EQ(state("adam.m.w"), Numbers(4, 0));
  step({{"c", floats(Numbers(4, 1e-30))}}, 1);
  expectNear({output("grad_norm")}, {2e-30});
  EXPECT_EQ(output("clip"), 1);
  expectNear(state("adam.m.w"), Numbers(4, 1e-31));
}

// RF-26 B and E: the norm is reported, and no weight or moment changes.
TEST_F(StepFaultsTest, infiniteAndNanGradientsChangeNothing) {
  start(sumOfProducts(2), 1);
  set("w", {1, 2});
  step({{"c", floats({0.5, 0.25})}}, 1);
  auto before = bits();
  step({{"c", floats({kInf, 1})}}, 2);
  EXPECT_EQ(output("grad_norm"), kInf);
  EXPECT_EQ(output("skipped"), 1);
  EXPECT_TRUE(bits() == before);
  step({{"c", floats({std::nan(""), 1})}}, 2);
  EXPECT_TRUE(std::isnan(output("grad_norm")));
  EXPECT_EQ(output("skipped"), 1);
  EXPECT_TRUE(bits() == before);
}

// RF-26 F: max_norm is --clip-norm to the user. The op names it max_norm, and the pass both.
TEST_F(StepFaultsTest, negativeMaxNormIsRefused) {
  std::string error;
  EXPECT_FALSE(compile(sumOfProducts(2), -1, error));
  EXPECT_NE(error.find("expected --clip-norm in [2^-126, 2^128) or 0, but got -1"), std::string::npos)
      << error;
}

// RF-27: Adam on 0.1 and 0.2, with a call in between whose gradient is infinite.
TEST_F(StepFaultsTest, skippedCallLeavesNoTrace) {
  start(sumOfProducts(1));
  set("w", {1});
  step({{"c", floats({0.1})}}, 1);
  step({{"c", floats({kInf})}}, 2);
  EXPECT_EQ(output("skipped"), 1);
  step({{"c", floats({0.2})}}, 2); // t is the caller's
  expectNear(parameter("w"), {0.803481814}, 1e-7);
  expectNear(state("adam.m.w"), {0.029});
  expectNear(state("adam.v.w"), {4.999e-05});
}

// RF-27, the kind: one infinite gradient skips every parameter of the step.
TEST_F(StepFaultsTest, oneInfiniteGradientSkipsAll) {
  start(R"(func.func @loss(%c: tensor<2xf32> {tt.input = "c"}, %a: tensor<2xf32> {tt.param = "a"},
      %b: tensor<2xf32> {tt.param = "b"}) -> (tensor<f32> {tt.output = "loss"}) {
    %one = tt.constant dense<1.0> : tensor<2xf32>
    %p = tt.mul %a, %c : tensor<2xf32>
    %q = tt.mul %b, %one : tensor<2xf32>
    %s = tt.add %p, %q : tensor<2xf32>
    %l = tt.sum %s dims = [0] : (tensor<2xf32>) -> tensor<f32>
    return %l : tensor<f32> })");
  set("a", {1, 2});
  set("b", {3, 4});
  auto before = bits();
  step({{"c", floats({1, kInf})}}, 1);
  EXPECT_EQ(output("skipped"), 1);
  EXPECT_TRUE(bits() == before);
  step({{"c", floats({1, 1})}}, 1);
  EXPECT_EQ(output("skipped"), 0);
  expectNear(parameter("b"), {2.9, 3.9});
}

} // namespace
