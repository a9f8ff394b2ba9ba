//===- Programs.cpp - Chains that the tests of remat compile --------------===//
#include "Programs.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTDialect.h"
#include "tt/Kernels/Passes.h"
#include "tt/Memory/Passes.h"
#include "tt/Remat/Passes.h"
#include "tt/Training/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

using namespace tt::test;
using llvm::formatv;

static std::string join(const std::vector<std::string> &parts) {
  return llvm::join(parts, ", ");
}

std::string tt::test::gptProgram(const GPTShape &s) {
  auto tensor = [](std::vector<int64_t> shape) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + "f32>";
  };
  int64_t c = s.width, d = c / s.heads;
  std::string x = tensor({s.batch, s.sequence, c}),
              x3 = tensor({s.batch, s.sequence, 3 * c}),
              x4 = tensor({s.batch, s.sequence, 4 * c}),
              rows = tensor({s.batch, s.sequence}),
              split = tensor({s.batch, s.sequence, s.heads, d}),
              heads = tensor({s.batch, s.heads, s.sequence, d}),
              lse = tensor({s.batch, s.heads, s.sequence}), vec = tensor({c});
  const char *names[] = {"ln1", "wqkv", "wo", "bo", "ln2", "w1", "w2"};
  std::vector<std::string> types = {vec,         tensor({c, 3 * c}), tensor({c, c}),
                                    vec,         vec,                tensor({c, 4 * c}),
                                    tensor({4 * c, c})};
  std::string key = "tensor<2xi32>";
  std::vector<std::string> blockArgs = {"%x: " + x};
  for (int i = 0; i < 7; ++i)
    blockArgs.push_back(std::string("%") + names[i] + ": " + types[i]);
  blockArgs.push_back("%key: " + key);

  std::string t = "func.func private @block(" + join(blockArgs) + ") -> " + x + " {\n";
  auto norm = [&](const char *result, const char *input, const char *gamma) {
    t += formatv("%{0}, %{0}m, %{0}r = tt.layer_norm %{1}, %{2} eps = 1.0e-5 : ({3}, "
                 "{4}) -> ({3}, {5}, {5})\n", result, input, gamma, x, vec, rows).str();
  };
  auto linear = [&](const char *result, const char *input, const char *weights,
                    const std::string &from, int type, const std::string &to) {
    t += formatv("%{0} = tt.linear in_out %{1}, %{2} : ({3}, {4}) -> {5}\n", result,
                 input, weights, from, types[type], to).str();
  };
  auto dropout = [&](const char *result, const char *input, int site) {
    t += formatv("%{0} = tt.dropout %{1}, %key p = {2} site = {3} samples = {4} : "
                 "({5}, {6}) -> {5}\n", result, input, s.dropout, site, s.batch, x,
                 key).str();
  };
  norm("n1", "x", "ln1");
  linear("qkv", "n1", "wqkv", x, 1, x3);
  for (int i = 0; i < 3; ++i)
    t += formatv("%s{0} = tt.slice %qkv dim = 2 start = {1} size = {2} : ({3}) -> {4}\n"
                 "%p{0} = tt.reshape %s{0} : {4} -> {5}\n"
                 "%h{0} = tt.transpose %p{0} permutation = [0, 2, 1, 3] : ({5}) -> {6}\n",
                 i, i * c, c, x3, x, split, heads).str();
  t += formatv("%a, %lse = tt.attention %h0, %h1, %h2 causal scale = 0.25 : ({0}, {0}, "
               "{0}) -> ({0}, {1})\n", heads, lse).str();
  t += formatv("%at = tt.transpose %a permutation = [0, 2, 1, 3] : ({0}) -> {1}\n"
               "%ar = tt.reshape %at : {1} -> {2}\n", heads, split, x).str();
  t += formatv("%o = tt.linear in_out %ar, %wo, %bo : ({0}, {1}, {2}) -> {0}\n", x,
               types[2], vec).str();
  const char *first = "o", *second = "f2";
  if (s.dropout > 0) {
    dropout("od", "o", 0);
    first = "od";
  }
  t += formatv("%mid = tt.add %x, %{0} : {1}\n", first, x).str();
  norm("n2", "mid", "ln2");
  linear("f1", "n2", "w1", x, 5, x4);
  t += "%g = tt.gelu tanh %f1 : " + x4 + "\n";
  linear("f2", "g", "w2", x4, 6, x);
  if (s.dropout > 0) {
    dropout("fd", "f2", 1);
    second = "fd";
  }
  t += formatv("%y = tt.add %mid, %{0} : {1}\nreturn %y : {1}\n}\n", second, x).str();

  std::vector<std::string> arguments = {"%e0: " + x + " {tt.param = \"e\"}"};
  std::string calls;
  for (int64_t i = 0; i < s.layers; ++i) {
    std::vector<std::string> operands = {formatv("%e{0}", i)}, operandTypes = {x};
    for (int j = 0; j < 7; ++j) {
      std::string name = formatv("{0}.{1}", names[j], i);
      arguments.push_back(formatv("%{0}: {1} {{tt.param = \"{0}\"}", name, types[j]));
      operands.push_back("%" + name);
      operandTypes.push_back(types[j]);
    }
    operands.push_back(formatv("%k{0}", i));
    operandTypes.push_back(key);
    calls += formatv("%k{0} = tt.rng_fold %key site = {0} : {1}\n", i, key).str();
    calls += formatv("%e{0} = call @block({1}) : ({2}) -> {3}\n", i + 1, join(operands),
                     join(operandTypes), x).str();
  }
  arguments.push_back("%key: " + key + " {tt.input = \"key\"}");
  t += "func.func @loss(" + join(arguments) + ") -> tensor<f32> {\n" + calls;
  t += formatv("%sq = tt.square %e{0} : {1}\n%l = tt.mean %sq dims = [0, 1, 2] : ({1}) "
               "-> tensor<f32>\nreturn %l : tensor<f32>\n}\n", s.layers, x).str();
  return t;
}

std::string tt::test::tanhProgram(int64_t size) {
  std::string x = formatv("tensor<{0}x{0}xf32>", size);
  std::string t = formatv("func.func private @layer(%x: {0}) -> {0} {{\n"
                          "%y = tt.tanh %x : {0}\nreturn %y : {0}\n}\n"
                          "func.func @loss(%x0: {0} {{tt.param = \"x\"}) -> tensor<f32> {{\n",
                          x);
  for (int i = 0; i < 16; ++i)
    t += formatv("%x{0} = call @layer(%x{1}) : ({2}) -> {2}\n", i + 1, i, x).str();
  return t + formatv("%l = tt.sum %x16 dims = [0, 1] : ({0}) -> tensor<f32>\n"
                     "return %l : tensor<f32>\n}\n", x).str();
}

std::string tt::test::randomProgram(uint64_t seed) {
  std::mt19937 random(seed);
  const std::string x = "tensor<4x4xf32>", key = "tensor<2xi32>";
  std::string t = formatv(R"(
    func.func private @tanh(%x: {0}) -> {0} {{
      %y = tt.tanh %x : {0}
      return %y : {0}
    }
    func.func private @gelu(%x: {0}, %w: {0}) -> {0} {{
      %h = tt.linear in_out %x, %w : ({0}, {0}) -> {0}
      %y = tt.gelu tanh %h : {0}
      return %y : {0}
    }
    func.func private @scale(%x: {0}, %w: {0}) -> {0} {{
      %y = tt.mul %x, %w : {0}
      return %y : {0}
    }
    func.func private @side(%x: {0}, %s: {0}, %w: {0}) -> {0} {{
      %h = tt.linear in_out %s, %w : ({0}, {0}) -> {0}
      %e = tt.sigmoid %h : {0}
      %y = tt.mul %x, %e : {0}
      return %y : {0}
    }
    func.func private @drop(%x: {0}, %w: {0}, %key: {1}, %other: {1}) -> {0} {{
      %h = tt.linear in_out %x, %w : ({0}, {0}) -> {0}
      %d = tt.dropout %h, %key p = 0.25 site = 0 samples = 4 : ({0}, {1}) -> {0}
      %a = tt.tanh %d : {0}
      %y = tt.dropout %a, %other p = 0.5 site = 1 samples = 4 : ({0}, {1}) -> {0}
      return %y : {0}
    }
    func.func private @two(%x: {0}, %s: {0}, %w: {0}) -> ({0}, {0}) {{
      %h = tt.linear in_out %x, %w : ({0}, {0}) -> {0}
      %y = tt.tanh %h : {0}
      %z = tt.mul %y, %s : {0}
      return %y, %z : {0}, {0}
    })", x, key).str();
  std::string arguments = formatv("%v0: {0} {{tt.input = \"x\"}, %key: {1} "
                                  "{{tt.input = \"key\"}", x, key).str();
  std::string body;
  unsigned values = 1, weights = 0, keys = 0;
  auto value = [&] { // mostly the latest
    unsigned back = random() % 4 == 0 ? random() % std::min(values, 5u) : 0;
    return formatv("%v{0}", values - 1 - back).str();
  };
  auto weight = [&](bool mayBeFrozen = true) {
    std::string name = formatv("w{0}", weights++);
    bool frozen = mayBeFrozen && random() % 4 == 0;
    arguments += formatv(", %{0}: {1} {{tt.param = \"{0}\"{2}}", name, x,
                         frozen ? ", tt.frozen" : "").str();
    return "%" + name;
  };
  auto fold = [&] {
    body += formatv("%k{0} = tt.rng_fold %key site = {0} : {1}\n", keys, key).str();
    return formatv("%k{0}", keys++).str();
  };
  unsigned layers = 2 + random() % 9;
  for (unsigned i = 0; i < layers; ++i) {
    switch (random() % 7) {
    case 0:
      body += formatv("%v{0} = call @tanh({1}) : ({2}) -> {2}\n", values, value(), x).str();
      break;
    case 1:
      body += formatv("%v{0} = call @gelu({1}, {2}) : ({3}, {3}) -> {3}\n", values,
                      value(), weight(), x).str();
      break;
    case 2:
      body += formatv("%v{0} = call @scale({1}, {2}) : ({3}, {3}) -> {3}\n", values,
                      value(), weight(), x).str();
      break;
    case 3:
      body += formatv("%v{0} = call @side({1}, {2}, {3}) : ({4}, {4}, {4}) -> {4}\n",
                      values, value(), value(), weight(), x).str();
      break;
    case 4: {
      std::string first = fold(), second = fold();
      body += formatv("%v{0} = call @drop({1}, {2}, {3}, {4}) : ({5}, {5}, {6}, {6}) -> "
                      "{5}\n", values, value(), weight(), first, second, x, key).str();
      break;
    }
    case 5:
      body += formatv("%v{0}, %v{1} = call @two({2}, {3}, {4}) : ({5}, {5}, {5}) -> ({5}, "
                      "{5})\n", values, values + 1, value(), value(), weight(), x).str();
      ++values;
      break;
    case 6: // not a layer, but with a residual
      body += formatv("%v{0} = tt.sigmoid {1} : {2}\n", values, value(), x).str();
      break;
    }
    ++values;
    if (random() % 3 == 0) {
      std::string a = value(), b = value();
      body += formatv("%v{0} = tt.add {1}, {2} : {3}\n", values, a, b, x).str();
      ++values;
    }
  }
  std::string last = weight(false);
  body += formatv("%m = tt.mul %v{0}, {1} : {2}\n%q = tt.square %m : {2}\n"
                  "%l = tt.sum %q dims = [0, 1] : ({2}) -> tensor<f32>\n"
                  "return %l : tensor<f32>\n}\n", values - 1, last, x).str();
  return t + "\nfunc.func @loss(" + arguments + ") -> tensor<f32> {\n" + body;
}

static mlir::MLIRContext &context() {
  static mlir::MLIRContext *shared = [] {
    auto *context = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tt::TTDialect, mlir::func::FuncDialect>();
    return context;
  }();
  return *shared;
}

mlir::OwningOpRef<mlir::ModuleOp> tt::test::parse(const std::string &text) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context());
  if (!module) {
    ADD_FAILURE() << "does not parse:\n" << text;
    std::exit(1); // nothing to run
  }
  return module;
}

void tt::test::differentiate(mlir::ModuleOp module, const std::string &policy,
                             int64_t segments) {
  mlir::PassManager passes(&context());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  AutodiffPassOptions autodiff;
  autodiff.allowUnreached = true; // random programs have dead ends
  passes.addPass(createAutodiffPass(autodiff));
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  EXPECT_TRUE(mlir::succeeded(passes.run(module)));
  checkpoint(module, policy, segments);
  mlir::PassManager cleanup(&context());
  cleanup.addPass(mlir::createCanonicalizerPass());
  cleanup.addPass(mlir::createCSEPass());
  EXPECT_TRUE(mlir::succeeded(cleanup.run(module)));
}

void tt::test::checkpoint(mlir::ModuleOp module, const std::string &policy,
                          int64_t segments) {
  mlir::PassManager passes(&context());
  CheckpointPassOptions options;
  options.policy = policy;
  options.segments = segments;
  passes.addPass(createCheckpointPass(options));
  EXPECT_TRUE(mlir::succeeded(passes.run(module)));
}

void tt::test::buildEntries(mlir::ModuleOp module) {
  mlir::PassManager passes(&context());
  passes.addPass(createBuildTrainStepPass());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  EXPECT_TRUE(mlir::succeeded(passes.run(module)));
}

void tt::test::buildStep(mlir::ModuleOp module) {
  buildEntries(module);
  mlir::PassManager passes(&context());
  passes.addPass(createFormKernelsPass());
  passes.addPass(createBuildStepPass());
  passes.addPass(createPlanMemoryPass());
  EXPECT_TRUE(mlir::succeeded(passes.run(module)));
}
