#include "tt/runtime/Model.h"
#include "../../Common/TemporaryDirectory.h"
#include "TinyModel.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>

using namespace tt::runtime;

#ifndef TT_TINY_LIBRARY
#error "the build defines TT_TINY_LIBRARY, the path of tiny.so"
#endif

TEST(Model, SymbolOfAPath) {
  EXPECT_EQ(modelSymbol("./gpt2.so"), "gpt2_model");
  EXPECT_EQ(modelSymbol("/a.b/gpt-2.124M.so"), "gpt_2_124M_model");
  EXPECT_EQ(modelSymbol("./3b.so"), "_3b_model");
}

TEST(Model, Library) {
  std::string error;
  auto library = Library::open(TT_TINY_LIBRARY, error);
  ASSERT_TRUE(library) << error;
  EXPECT_NE(library->functions().call, &tt_call) << "not the test's own copy";
  EXPECT_EQ(library->findEntry("train_step"), uint32_t(TINY_TRAIN_STEP));
  EXPECT_EQ(library->findEntry("nothing"), std::nullopt);
  ASSERT_EQ(library->tensors(1).size(), 3u);
  EXPECT_STREQ(library->tensors(0)[0].name, "w");
  EXPECT_STREQ(library->inputs(TINY_LOGITS)[2].name, "x");
  EXPECT_STREQ(library->outputs(TINY_LOGITS)[0].name, "y");
}

TEST(Model, TrainsSavesAndLoads) {
  std::string error;
  auto library = Library::open(TT_TINY_LIBRARY, error);
  ASSERT_TRUE(library) << error;
  ModelOptions options;
  options.threads = 2;
  auto model = Model::bind(library, options, error);
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->sizes().threads, 2u);
  ASSERT_TRUE(model->init(1));
  float x[TINY_WIDTH] = {1}, y[TINY_WIDTH], z[TINY_WIDTH];
  int32_t ids[TINY_IDS] = {0, 1, 2, 3};
  uint8_t flags[2] = {};
  const void *stepInputs[] = {x}, *inputs[] = {ids, flags, x};
  int64_t step = 0;
  void *stepOutputs[] = {&step};
  ASSERT_TRUE(model->call(TINY_TRAIN_STEP, stepInputs, stepOutputs));
  EXPECT_EQ(step, 1);
  void *outputs[] = {y, nullptr};
  ASSERT_TRUE(model->call(TINY_LOGITS, inputs, outputs)) << model->error();
  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("model.safetensors");
  ASSERT_TRUE(model->save(path, true, {{"who", "test"}})) << model->error();

  options.threads = 1;
  auto other = Model::bind(library, options, error);
  ASSERT_TRUE(other) << error;
  ASSERT_TRUE(other->load(path, true)) << other->error();
  outputs[0] = z;
  ASSERT_TRUE(other->call(TINY_LOGITS, inputs, outputs));
  EXPECT_EQ(memcmp(y, z, sizeof(y)), 0);
  EXPECT_GT(other->workerTasks()[0], 0u);

  ids[2] = 8;
  EXPECT_FALSE(model->call(TINY_LOGITS, inputs, outputs));
  EXPECT_EQ(model->status(), TT_ERR_INDEX);
  EXPECT_NE(model->error().find("'ids'"), std::string::npos) << model->error();
}

TEST(Model, Errors) {
  std::string error;
  EXPECT_FALSE(Library::open("tiny.so", error));
  EXPECT_NE(error.find("'./tiny.so'"), std::string::npos) << error;
  EXPECT_FALSE(Library::open("./nothing.so", error));
  EXPECT_NE(error.find("nothing.so"), std::string::npos) << error;
  EXPECT_FALSE(Library::open(TT_NOT_A_MODEL, error));
  EXPECT_NE(error.find("not a model library"), std::string::npos) << error;
  auto library = Library::open(TT_TINY_LIBRARY, error);
  ASSERT_TRUE(library);
  ModelOptions options;
  options.threads = 1000;
  EXPECT_FALSE(Model::bind(library, options, error));
  EXPECT_NE(error.find("at most 256"), std::string::npos) << error;
}

TEST(Model, WithoutState) {
  std::string error;
  auto library = Library::open(TT_TINY_LIBRARY, error);
  ASSERT_TRUE(library) << error;
  ModelOptions options;
  options.withState = false;
  auto model = Model::bind(library, options, error);
  ASSERT_TRUE(model) << error;
  float x[TINY_WIDTH] = {};
  const void *inputs[] = {x};
  EXPECT_FALSE(model->call(TINY_TRAIN_STEP, inputs, nullptr));
  EXPECT_EQ(model->status(), TT_ERR_STATE);
}
