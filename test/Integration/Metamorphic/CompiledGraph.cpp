//===- CompiledGraph.cpp - A training library beside its truth ------------===//
#include "CompiledGraph.h"

#include "tt/AD/Passes.h"
#include "tt/Check/FunctionInputs.h"
#include "tt/IR/TTDialect.h"
#include "tt/Pipelines/Compile.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Training/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tt;
using namespace tt::check;
using namespace tt::test;

CompiledGraph::CompiledGraph(MLIRContext &context, const std::string &text) {
  loadGraphDialects(context);
  std::string path = directory.path("graph.mlir"), error;
  writeText(path, text);
  training = loadModule(context, path, error);
  EXPECT_TRUE(training) << error;
  if (!training)
    return;
  PassManager passes(&context);
  passes.addPass(createAutodiffPass());
  passes.addPass(createBuildTrainStepPass());
  EXPECT_TRUE(succeeded(passes.run(*training)));
  grad = training->lookupSymbol<func::FuncOp>("grad");
  CompileOptions options;
  options.input = path;
  options.output = directory.path("graph");
  options.target = "cpu:native";
  CompileResult result;
  EXPECT_TRUE(compileModel(options, result, error)) << error;
  runtime::ModelOptions bind;
  bind.threads = 2;
  library = LibraryRun::open(result.library, bind, error);
  EXPECT_TRUE(library) << error;
}

NamedValues CompiledGraph::drawParameters(uint64_t seed) {
  reference::Random random(seed);
  NamedValues values;
  values["step"] = integers({}, {1});
  values["seed"] = integers({}, {0});
  for (unsigned i = 0; i < grad.getNumArguments(); ++i) {
    auto init = grad.getArgAttrOfType<StringAttr>(i, kInitAttr);
    if (!grad.getArgAttr(i, kParamAttr))
      continue;
    auto shape = cast<RankedTensorType>(grad.getArgumentTypes()[i]).getShape();
    reference::Tensor<double> value(reference::Shape(shape.begin(), shape.end()));
    double middle = init && init.getValue() == "one" ? 1 : 0;
    for (double &x : value.data)
      x = float(middle + random.between(-0.4, 0.4));
    values[argumentName(grad, i)] = std::move(value);
  }
  return values;
}

NamedValues CompiledGraph::call(const std::string &entry, const NamedValues &values) {
  std::string error;
  for (const tt_tensor_info &info : library->library().tensors(0))
    EXPECT_TRUE(library->setParameter(info.name, values.at(info.name), error)) << error;
  std::vector<NamedTensor> results;
  auto number = library->findEntry(entry, error);
  EXPECT_TRUE(number && library->call(*number, values, results, error)) << error;
  NamedValues named;
  for (const NamedTensor &result : results)
    named[result.name] = decode(result.value);
  return named;
}

NamedValues CompiledGraph::gradients(const NamedValues &values) {
  return call("grad", values);
}

HostTensor CompiledGraph::logits(const NamedValues &values, int64_t position) {
  NamedValues all = values;
  all["position"] = integers({}, {position});
  return call("logits", all).at("logits");
}

std::map<std::string, Expectation> CompiledGraph::expected(const NamedValues &values) {
  std::vector<HostTensor> inputs;
  for (unsigned i = 0; i < grad.getNumArguments(); ++i)
    inputs.push_back(values.at(argumentName(grad, i)));
  std::vector<Expectation> results;
  std::string error;
  EXPECT_TRUE(expect(*training, "grad", inputs, 1, results, error)) << error;
  std::map<std::string, Expectation> named;
  for (auto [i, result] : llvm::enumerate(results)) {
    result.name = resultName(grad, i);
    named[result.name] = result;
  }
  return named;
}

void tt::test::expectSameBits(const NamedValues &found, const NamedValues &wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto &[name, value] : wanted)
    EXPECT_EQ(found.at(name).floats().data, value.floats().data) << name;
}

unsigned tt::test::countApart(const NamedValues &found, const NamedValues &wanted,
                              const std::map<std::string, Expectation> &expected,
                              std::string &text) {
  std::vector<Expectation> gradients;
  for (const auto &[name, result] : expected)
    if (name != "loss")
      gradients.push_back(result);
  unsigned numApart = 0;
  for (auto [name, result] : expected) {
    result.wanted = wanted.at(name);
    Comparison row = compare(result, found.at(name),
                             name == "loss" ? 0 : gradientFloor(gradients));
    // A bound that says nothing would hide a fault.
    EXPECT_LE(row.bound, 1e-4) << name;
    if (row.passed)
      continue;
    ++numApart;
    text += name + ": error " + std::to_string(row.error) + ", bound " +
            std::to_string(row.bound) + "; element " + std::to_string(row.worst) + " is " +
            std::to_string(row.found) + " for " + std::to_string(row.wanted) + "\n";
  }
  return numApart;
}

void tt::test::expectNear(const NamedValues &found, const NamedValues &wanted,
                          const std::map<std::string, Expectation> &expected) {
  std::string text;
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_EQ(countApart(found, wanted, expected, text), 0u) << text;
}

HostTensor tt::test::integers(std::vector<int64_t> shape, std::vector<int64_t> values) {
  return reference::IntTensor(std::move(shape), std::move(values));
}
