//===- CorpusTest.cpp - Programs that once went wrong ---------------------===//
//
// Each program of Inputs/ is compiled in several ways; its entry `grad` must give
// the loss and the gradients of the reference interpreter in f64, and all ways the
// same bits. A program that shows a fault is added here before the fault is mended.
//
//===----------------------------------------------------------------------===//
#include "tt/AD/Passes.h"
#include "tt/IR/TTDialect.h"
#include "tt/Pipelines/Compile.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Training/Passes.h"
#include "tt/runtime/Model.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tt;
using reference::AnyTensor;

namespace {

/// The raw bytes of a value as the library takes it.
std::vector<char> bytesOf(const AnyTensor<double> &value, tt_dtype dtype) {
  std::vector<char> bytes;
  auto append = [&](auto x) {
    const char *p = reinterpret_cast<const char *>(&x);
    bytes.insert(bytes.end(), p, p + sizeof x);
  };
  if (value.isFloat()) {
    for (double x : value.floats().data)
      append(float(x));
    return bytes;
  }
  for (int64_t x : value.ints().data) {
    if (dtype == TT_I64)
      append(x);
    else if (dtype == TT_I32)
      append(int32_t(x));
    else
      append(int8_t(x));
  }
  return bytes;
}

class CorpusTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    loadGraphDialects(context);
    std::string error;
    module = loadModule(context, GetParam(), error);
    ASSERT_TRUE(module) << error;
    mlir::PassManager passes(&context);
    passes.addPass(createAutodiffPass());
    passes.addPass(createBuildTrainStepPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    grad = module->lookupSymbol<mlir::func::FuncOp>("grad");
    reference::Random random(11);
    inputs = reference::randomInputs(grad, random);
    // The library sees floats rounded to f32; so must the truth.
    for (AnyTensor<double> &input : inputs)
      if (input.isFloat())
        for (double &x : input.floats().data)
          x = float(x);
    auto outcome = reference::Interpreter<double>(*module).run("grad", inputs);
    ASSERT_TRUE(outcome.succeeded()) << outcome.error;
    wanted = outcome.results;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tt-corpus", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// The results of `grad`, compiled with these options.
  std::vector<std::vector<float>> run(CompileOptions options, uint32_t threads);
  void compare(const std::vector<std::vector<float>> &found);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp grad;
  std::vector<AnyTensor<double>> inputs, wanted;
  llvm::SmallString<128> folder;
};

std::vector<std::vector<float>> CorpusTest::run(CompileOptions options, uint32_t threads) {
  static int counter = 0;
  options.input = GetParam();
  options.output = (folder + "/m" + std::to_string(counter++)).str();
  CompileResult result;
  std::string error;
  EXPECT_TRUE(compileModel(options, result, error)) << error;
  auto library = runtime::Library::open(options.output + ".so", error);
  EXPECT_TRUE(library) << error;
  if (!library)
    return {};
  runtime::ModelOptions bind;
  bind.threads = threads;
  auto model = runtime::Model::bind(library, bind, error);
  EXPECT_TRUE(model) << error;
  uint32_t entry = *library->findEntry("grad");
  std::vector<tt_tensor_info> inputInfos = library->inputs(entry);
  std::vector<tt_tensor_info> outputInfos = library->outputs(entry);
  std::vector<std::vector<char>> storage;
  size_t next = 0;
  for (unsigned i = 0; i < grad.getNumArguments(); ++i) {
    auto name = grad.getArgAttrOfType<mlir::StringAttr>(i, kParamAttr);
    std::vector<char> bytes =
        bytesOf(inputs[i], name ? TT_F32 : inputInfos[next].dtype);
    if (!name) {
      storage.push_back(bytes);
      ++next;
      continue;
    }
    uint32_t index = 0;
    EXPECT_EQ(library->functions().param_find(library->desc(), name.str().c_str(), &index),
              TT_OK);
    EXPECT_TRUE(model->setParameter(index, bytes.data(), bytes.size())) << model->error();
  }
  std::vector<const void *> in;
  for (auto &bytes : storage)
    in.push_back(bytes.data());
  std::vector<std::vector<float>> results;
  std::vector<void *> out;
  for (const tt_tensor_info &info : outputInfos)
    results.emplace_back(info.bytes / sizeof(float));
  for (auto &values : results)
    out.push_back(values.data());
  EXPECT_TRUE(model->call(entry, in.data(), out.data())) << model->error();
  return results;
}

void CorpusTest::compare(const std::vector<std::vector<float>> &found) {
  ASSERT_EQ(found.size(), wanted.size());
  double all = 0;
  for (size_t i = 1; i < wanted.size(); ++i)
    for (double x : wanted[i].floats().data)
      all += x * x;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::vector<double> &truth = wanted[i].floats().data;
    ASSERT_EQ(found[i].size(), truth.size());
    double error = 0, norm = 0;
    for (size_t j = 0; j < truth.size(); ++j) {
      error += (found[i][j] - truth[j]) * (found[i][j] - truth[j]);
      norm += truth[j] * truth[j];
    }
    double scale = std::max({std::sqrt(norm), 1e-3 * std::sqrt(all), 1e-30});
    EXPECT_LE(std::sqrt(error) / scale, 2e-5) << "result " << i;
  }
}

TEST_P(CorpusTest, compiledEqualsReference) {
  CompileOptions options;
  options.target = "cpu:native";
  std::vector<std::vector<float>> first = run(options, 1);
  compare(first);
  auto sameBits = [&](const std::vector<std::vector<float>> &other) {
    ASSERT_EQ(other.size(), first.size());
    for (size_t i = 0; i < first.size(); ++i)
      EXPECT_EQ(std::memcmp(first[i].data(), other[i].data(),
                            first[i].size() * sizeof(float)), 0)
          << "result " << i;
  };
  sameBits(run(options, 3));
  CompileOptions apart = options;
  apart.fuse = false;
  sameBits(run(apart, 2));
  CompileOptions older = options;
  older.target = "cpu:x86-64-v3";
  older.schedule = "alternate";
  sameBits(run(older, 2));
}

std::vector<std::string> programs() {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(TT_CORPUS_INPUTS, code), end; it != end && !code;
       it.increment(code))
    paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string nameOf(const testing::TestParamInfo<std::string> &info) {
  return llvm::sys::path::stem(info.param).str();
}

INSTANTIATE_TEST_SUITE_P(Programs, CorpusTest, testing::ValuesIn(programs()), nameOf);

} // namespace
