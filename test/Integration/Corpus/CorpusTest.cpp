//===- CorpusTest.cpp - Programs that once went wrong ---------------------===//
//
// Each program of Inputs/ is compiled in several ways; its entry `grad` must give
// the loss and the gradients of the reference interpreter in f64, and all ways the
// same bits. A program that shows a fault is added here before the fault is mended.
//
//===----------------------------------------------------------------------===//
#include "../../Common/InputFiles.h"

#include "tt/AD/Passes.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Check/FunctionInputs.h"
#include "tt/Check/LibraryRun.h"
#include "tt/IR/TTDialect.h"
#include "tt/Pipelines/Compile.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Training/LossResult.h"
#include "tt/Training/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace tt;

namespace {

class CorpusTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    loadGraphDialects(context);
    std::string error;
    module = loadModule(context, GetParam(), error);
    ASSERT_TRUE(module) << error;
    for (auto function : module->getOps<mlir::func::FuncOp>())
      if (function.isPublic())
        detachMetrics(function);
    mlir::PassManager passes(&context);
    passes.addPass(createExpandRepeatPass());
    passes.addPass(createAutodiffPass());
    passes.addPass(createBuildTrainStepPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    grad = module->lookupSymbol<mlir::func::FuncOp>("grad");
    reference::Random random(11);
    inputs = reference::randomInputs(grad, random);
    check::roundToTypes(grad, inputs);
    ASSERT_TRUE(check::expect(*module, "grad", inputs, 11, wanted, error)) << error;
  }

  /// The results of `grad`, compiled with these options.
  std::vector<check::NamedTensor> run(CompileOptions options, uint32_t threads);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp grad;
  std::vector<check::HostTensor> inputs;
  std::vector<check::Expectation> wanted;
  check::LibraryFolder folder;
};

std::vector<check::NamedTensor> CorpusTest::run(CompileOptions options, uint32_t threads) {
  options.input = GetParam();
  options.output = folder.newName();
  CompileResult result;
  std::string error;
  EXPECT_TRUE(compileModel(options, result, error)) << error;
  runtime::ModelOptions bind;
  bind.threads = threads;
  auto model = check::LibraryRun::open(result.library, bind, error);
  EXPECT_TRUE(model) << error;
  if (!model)
    return {};
  std::map<std::string, check::HostTensor> byName;
  for (unsigned i = 0; i < grad.getNumArguments(); ++i) {
    std::string name = check::argumentName(grad, i);
    if (grad.getArgAttr(i, kParamAttr))
      EXPECT_TRUE(model->setParameter(name, inputs[i], error)) << error;
    else
      byName[name] = inputs[i];
  }
  std::vector<check::NamedTensor> results;
  EXPECT_TRUE(model->call(*model->findEntry("grad", error), byName, results, error)) << error;
  return results;
}

TEST_P(CorpusTest, compiledEqualsReference) {
  CompileOptions options;
  options.target = "cpu:native";
  std::vector<check::NamedTensor> first = run(options, 1);
  ASSERT_EQ(first.size(), wanted.size());
  for (size_t i = 0; i < first.size(); ++i) {
    check::Comparison found = check::compare(wanted[i], check::decode(first[i].value));
    EXPECT_TRUE(found.passed) << first[i].name << ": error " << found.error << ", bound "
                              << found.bound << "; element " << found.worst << " is "
                              << found.found << " for " << found.wanted;
    // A bound that says nothing would hide a fault.
    EXPECT_LE(found.bound, 1e-4) << first[i].name;
  }
  auto sameBits = [&](const std::vector<check::NamedTensor> &other) {
    ASSERT_EQ(other.size(), first.size());
    for (size_t i = 0; i < first.size(); ++i)
      EXPECT_EQ(first[i].value.bytes, other[i].value.bytes) << first[i].name;
  };
  sameBits(run(options, 3));
  CompileOptions apart = options;
  apart.fuse = false;
  apart.checkpoint = "full";
  sameBits(run(apart, 2));
  CompileOptions older = options;
  older.target = "cpu:x86-64-v3";
  older.schedule = "alternate";
  older.checkpoint = "sqrt";
  sameBits(run(older, 2));
}

INSTANTIATE_TEST_SUITE_P(Programs, CorpusTest,
                         testing::ValuesIn(test::inputFiles(TT_CORPUS_INPUTS)), test::inputName);

} // namespace
