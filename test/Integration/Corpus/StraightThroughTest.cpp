//===- StraightThroughTest.cpp - Descent through rounding, compiled -------===//
//
// 20 steps of x -= 0.1 d/dx (round(x) - 7)^2 from 2.3 with a compiled library, in
// f32. The interpreter's run in f64 is in test/Numeric/QuantiseTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "tt/Pipelines/Compile.h"
#include "tt/runtime/Model.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tt;

static std::string lossThrough(const std::string &round) {
  return "func.func @loss(%x: tensor<f32> {tt.param = \"x\"}) -> (tensor<f32> {tt.output = "
         "\"loss\"}) { %r = tt." + round + " %x : tensor<f32> "
         "%t = tt.constant dense<7.0> : tensor<f32> %d = tt.sub %r, %t : tensor<f32> "
         "%l = tt.square %d : tensor<f32> return %l : tensor<f32> }";
}

class StraightThroughTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tt-straight", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  bool compile(const std::string &text, std::string &error) {
    CompileOptions options;
    options.target = "cpu:native";
    options.input = (folder + "/m.mlir").str();
    options.output = (folder + "/m").str();
    std::error_code code;
    llvm::raw_fd_ostream(options.input, code) << text;
    CompileResult result;
    return !code && compileModel(options, result, error);
  }
  llvm::SmallString<128> folder;
};

TEST_F(StraightThroughTest, endsWhereItRoundsToTheTarget) {
  std::string error;
  ASSERT_TRUE(compile(lossThrough("round_ste"), error)) << error;
  auto library = runtime::Library::open((folder + "/m.so").str(), error);
  ASSERT_TRUE(library) << error;
  auto model = runtime::Model::bind(library, runtime::ModelOptions(), error);
  ASSERT_TRUE(model) << error;
  uint32_t entry = *library->findEntry("grad"), index = 0;
  ASSERT_EQ(library->functions().param_find(library->desc(), "x", &index), TT_OK);
  std::vector<int64_t> zeros(library->inputs(entry).size()); // seed and step, if asked
  std::vector<const void *> inputs;
  for (int64_t &zero : zeros)
    inputs.push_back(&zero);
  float x = 2.3f;
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(model->setParameter(index, &x, sizeof x)) << model->error();
    float loss = 0, gradient = 0;
    void *outputs[] = {&loss, &gradient};
    ASSERT_TRUE(model->call(entry, inputs.data(), outputs)) << model->error();
    x -= 0.1f * gradient;
  }
  EXPECT_EQ(x, 6.69999885559082f);
}

// The true derivative of rounding is 0 everywhere: such a parameter is not trained,
// and the compiler says so instead of leaving it at 2.3.
TEST_F(StraightThroughTest, aTrueDerivativeTrainsNothing) {
  std::string error;
  EXPECT_FALSE(compile(lossThrough("round"), error));
  EXPECT_NE(error.find("parameter \"x\""), std::string::npos) << error;
}
