// Parameters from safetensors files.
#include "tt/Frontend/Weights.h"

#include "../../Common/TemporaryDirectory.h"
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <unistd.h>

using namespace tt::frontend;
using namespace tt::support;
using tt::runtime::SafetensorsDtype;

static Gpt2Config tinyGpt2() {
  Gpt2Config config;
  config.vocab = 5;
  config.positions = 3;
  config.width = 2;
  config.layers = 1;
  config.heads = 1;
  config.inner = 4;
  return config;
}

namespace {
struct Tensor {
  SafetensorsDtype dtype = SafetensorsDtype::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};
using Tensors = std::map<std::string, Tensor>;

class Weights : public testing::Test {
protected:
  static Tensor floats(std::vector<int64_t> shape, float first) {
    Tensor tensor{SafetensorsDtype::F32, shape, {}};
    size_t count = 1;
    for (int64_t size : shape)
      count *= size_t(size);
    for (size_t i = 0; i < count; ++i) {
      float value = first + float(i);
      const char *from = reinterpret_cast<const char *>(&value);
      tensor.bytes.insert(tensor.bytes.end(), from, from + 4);
    }
    return tensor;
  }
  static Tensors complete(const ModelConfig &config, const char *prefix) {
    Tensors tensors;
    float first = 0;
    ParameterTable table = listParameters(config, prefix);
    for (const Parameter *parameter : table.all())
      tensors[parameter->name] = floats(parameter->shape, first += 100);
    return tensors;
  }
  std::string write(const char *name, const Tensors &tensors) {
    std::vector<SafetensorsInput> inputs;
    for (const auto &[tensorName, tensor] : tensors)
      inputs.push_back(
          {tensorName, tensor.dtype, tensor.shape, tensor.bytes.data()});
    std::string path = temporary.path(name), error;
    EXPECT_TRUE(writeSafetensorsFile(path, inputs, {}, error)) << error;
    return path;
  }
  /// The message without the directory; empty if all is well.
  std::string check(const Tensors &tensors,
                    const ModelConfig &config = tinyGpt2()) {
    Checkpoint checkpoint;
    std::string error;
    if (checkpoint.open({write("model.safetensors", tensors)}, error))
      checkpoint.check(config, error);
    size_t at = error.find(directory + "/");
    return at == 0 ? error.substr(directory.size() + 1) : error;
  }

  tt::test::TemporaryDirectory temporary;
  const std::string &directory = temporary.path();
};
} // namespace

TEST_F(Weights, CompleteCheckpoints) {
  EXPECT_EQ(check(complete(tinyGpt2(), "transformer.")), "");
  EXPECT_EQ(check(complete(tinyGpt2(), "")), "");
}

TEST_F(Weights, MissingTensor) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors.erase("transformer.h.0.attn.c_attn.bias");
  EXPECT_EQ(check(tensors),
            "model.safetensors: tensor \"transformer.h.0.attn.c_attn.bias\": "
            "found none, wanted one of shape [6]");
  EXPECT_EQ(check({}), "model.safetensors: tensor \"transformer.wte.weight\": "
                       "found none, wanted one of shape [5, 2]");
}

TEST_F(Weights, ExtraTensor) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["score.weight"] = floats({2, 3}, 0);
  EXPECT_EQ(check(tensors),
            "model.safetensors: tensor \"score.weight\": found shape [2, 3], "
            "wanted no tensor of this name in a gpt2 model of this "
            "configuration");
  tensors.erase("score.weight");
  tensors["transformer.h.1.ln_1.weight"] = floats({2}, 0); // a layer too many
  EXPECT_NE(check(tensors), "");
}

TEST_F(Weights, WrongShape) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["transformer.h.0.mlp.c_fc.weight"] = floats({4, 2}, 0);
  EXPECT_EQ(check(tensors),
            "model.safetensors: tensor \"transformer.h.0.mlp.c_fc.weight\": "
            "found shape [4, 2], wanted shape [2, 4]");
}

TEST_F(Weights, WrongElementType) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["transformer.ln_f.bias"] = {
      SafetensorsDtype::I32, {2}, std::vector<char>(8)};
  EXPECT_EQ(check(tensors),
            "model.safetensors: tensor \"transformer.ln_f.bias\": found I32, "
            "wanted F32, BF16, F16 or F64");
}

TEST_F(Weights, BuffersAreIgnored) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["transformer.h.0.attn.bias"] = {
      SafetensorsDtype::U8, {1, 1, 3, 3}, std::vector<char>(9)};
  tensors["transformer.h.0.attn.masked_bias"] = floats({}, -1e4f);
  EXPECT_EQ(check(tensors), "");
  tensors["transformer.h..attn.bias"] = floats({}, 0);
  EXPECT_NE(check(tensors), "");
}

TEST_F(Weights, TiedHead) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["lm_head.weight"] = tensors["transformer.wte.weight"];
  EXPECT_EQ(check(tensors), "");
  tensors["lm_head.weight"].bytes[0] ^= 1;
  EXPECT_EQ(check(tensors),
            "model.safetensors: tensor \"lm_head.weight\": found values other "
            "than those of \"transformer.wte.weight\", wanted equal ones, as "
            "tie_word_embeddings is true");
  Gpt2Config untied = tinyGpt2();
  untied.tied = false;
  EXPECT_EQ(check(tensors, untied), "");
}

TEST_F(Weights, Shards) {
  Tensors all = complete(tinyGpt2(), "transformer."), one, two;
  for (auto &[name, tensor] : all)
    (one.size() < 5 ? one : two)[name] = tensor;
  std::string first = write("1.safetensors", one),
              second = write("2.safetensors", two), error;
  Checkpoint checkpoint;
  ASSERT_TRUE(checkpoint.open({first, second}, error)) << error;
  EXPECT_TRUE(checkpoint.check(tinyGpt2(), error)) << error;
  EXPECT_FALSE(checkpoint.open({first, second, first}, error));
  EXPECT_TRUE(checkpoint.open({second}, error));
  EXPECT_FALSE(checkpoint.check(tinyGpt2(), error));
}

TEST_F(Weights, ConvertWidensExactly) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  // 1, -2, smallest subnormal, infinity of each type
  auto raw = [](SafetensorsDtype dtype, std::vector<uint16_t> bits) {
    Tensor tensor{dtype, {2, 4}, std::vector<char>(16)};
    bits.resize(8);
    std::memcpy(tensor.bytes.data(), bits.data(), 16);
    return tensor;
  };
  tensors["transformer.h.0.mlp.c_fc.weight"] =
      raw(SafetensorsDtype::F16, {0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000});
  Tensor bf16 =
      raw(SafetensorsDtype::BF16, {0x3f80, 0xc000, 0x0001, 0x7f80, 0x8000});
  bf16.shape = {4, 2};
  tensors["transformer.h.0.mlp.c_proj.weight"] = bf16;

  Checkpoint checkpoint;
  std::string error, out = temporary.path("out.safetensors");
  std::vector<std::string> warnings;
  ASSERT_TRUE(checkpoint.open({write("in.safetensors", tensors)}, error));
  ASSERT_TRUE(checkpoint.convert(tinyGpt2(), false, out, error, warnings))
      << error;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("mlp.c_proj.weight\": 1 values are not finite"),
            std::string::npos);

  SafetensorsFile file;
  ASSERT_TRUE(file.open(out, error)) << error;
  EXPECT_EQ(file.metadata().at("format"), "pt");
  auto values = [&](const char *name) {
    std::vector<char> bytes;
    EXPECT_TRUE(file.read(*file.find(name), bytes, error)) << error;
    std::vector<float> floats(bytes.size() / 4);
    std::memcpy(floats.data(), bytes.data(), bytes.size());
    return floats;
  };
  EXPECT_EQ(values("transformer.h.0.mlp.c_fc.weight"),
            (std::vector<float>{1, -2, 0x1p-24f, 65504, -0.0f, 0, 0, 0}));
  EXPECT_EQ(values("transformer.h.0.mlp.c_proj.weight"),
            (std::vector<float>{1, -2, 0x1p-133f, HUGE_VALF, -0.0f, 0, 0, 0}));
  EXPECT_EQ(values("transformer.wte.weight")[3], 103);
  ParameterTable table = listParameters(tinyGpt2(), "transformer.");
  EXPECT_EQ(file.tensors().size(), table.all().size());
}

TEST_F(Weights, F64IsNotNarrowed) {
  Tensors tensors = complete(tinyGpt2(), "transformer.");
  tensors["transformer.ln_f.bias"] = {
      SafetensorsDtype::F64, {2}, std::vector<char>(16)};
  Checkpoint checkpoint;
  std::string error, out = temporary.path("out.safetensors");
  std::vector<std::string> warnings;
  ASSERT_TRUE(checkpoint.open({write("in.safetensors", tensors)}, error));
  EXPECT_FALSE(checkpoint.convert(tinyGpt2(), false, out, error, warnings));
  EXPECT_NE(error.find("found F64, wanted F32, BF16 or F16 (F64 needs"),
            std::string::npos);
  EXPECT_NE(access(out.c_str(), F_OK), 0) << "nothing is written";
  EXPECT_TRUE(checkpoint.convert(tinyGpt2(), true, out, error, warnings));
}

TEST_F(Weights, InputIsKnown) {
  std::string path =
      write("in.safetensors", complete(tinyGpt2(), "transformer."));
  Checkpoint checkpoint;
  std::string error;
  ASSERT_TRUE(checkpoint.open({path}, error));
  EXPECT_TRUE(checkpoint.isOneOfFiles(directory + "/./in.safetensors"));
  EXPECT_FALSE(checkpoint.isOneOfFiles(directory + "/other.safetensors"));
}
