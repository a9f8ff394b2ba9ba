// The safetensors writer: the reference's bytes, and nothing that the reader would
// refuse.
#include "SafetensorsBytes.h"

using namespace tt::runtime;
using namespace tt::runtime::test;

namespace {

struct TestTensor {
  const char *name;
  SafetensorsDtype dtype;
  std::vector<int64_t> shape;
};

struct TestContents {
  std::vector<TestTensor> tensors;
  std::vector<std::pair<const char *, const char *>> metadata;

  SafetensorsContents describe() {
    SafetensorsContents contents;
    contents.ctx = this;
    contents.numTensors = static_cast<uint32_t>(tensors.size());
    contents.tensor = [](void *ctx, uint32_t index, const char *&name,
                         SafetensorsDtype &dtype, uint32_t &rank,
                         int64_t *shape) {
      TestTensor &tensor = static_cast<TestContents *>(ctx)->tensors[index];
      name = tensor.name;
      dtype = tensor.dtype;
      rank = static_cast<uint32_t>(tensor.shape.size());
      for (size_t i = 0; i < tensor.shape.size() && i < 8; ++i)
        shape[i] = tensor.shape[i];
    };
    contents.numMetadata = static_cast<uint32_t>(metadata.size());
    contents.metadata = [](void *ctx, uint32_t index, const char *&key,
                           const char *&value) {
      auto &pair = static_cast<TestContents *>(ctx)->metadata[index];
      key = pair.first;
      value = pair.second;
    };
    return contents;
  }
};

ByteSink appendTo(std::string &out) {
  return {&out, [](void *ctx, const void *data, uint64_t bytes, ErrorText) {
            static_cast<std::string *>(ctx)->append(
                static_cast<const char *>(data), bytes);
            return true;
          }};
}

/// "" or the error; `out` receives the header.
std::string writeHeader(TestContents contents, std::string &out,
                        uint64_t &dataBytes) {
  char message[256] = "";
  out.clear();
  bool ok = writeSafetensorsHeader(contents.describe(), appendTo(out),
                                   dataBytes, {message, sizeof message});
  EXPECT_EQ(ok, std::string_view(message).empty());
  return message;
}

TEST(SafetensorsWriterTest, WritesTheReferencesBytes) {
  std::string out;
  uint64_t bytes = 0;
  ASSERT_EQ(writeHeader({{{"w", SafetensorsDtype::F32, {2, 3}},
                          {"s", SafetensorsDtype::I8, {}}},
                         {{"k", "v"}}},
                        out, bytes),
            "");
  std::string header =
      R"({"__metadata__":{"k":"v"},)"
      R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
      R"("s":{"dtype":"I8","shape":[],"data_offsets":[24,25]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(out, makeFile(header, 0));
  EXPECT_EQ(bytes, 25u);
  EXPECT_EQ(check(out + std::string(25, 'x')), "");
}

TEST(SafetensorsWriterTest, WritesWhatItReads) {
  std::string out;
  uint64_t bytes = 0;
  const char *name = "\"\\\b\f\n\r\t\x01/é😀";
  ASSERT_EQ(writeHeader({{{name, SafetensorsDtype::BF16, {0, 7}}},
                         {{name, name}, {"", ""}}},
                        out, bytes),
            "");
  ASSERT_EQ(check(out), "");
  std::vector<char> scratch(
      SafetensorsReader::scratchBytes(out.data(), out.size()));
  SafetensorsReader reader;
  ASSERT_TRUE(reader.openBuffer(out.data(), out.size(), scratch.data(),
                                scratch.size(), {}));
  SafetensorsTensor tensor;
  EXPECT_TRUE(reader.find(name, tensor));
  JsonText value;
  ASSERT_TRUE(reader.findMetadata(name, value));
  EXPECT_TRUE(jsonEquals(value, name));
  EXPECT_EQ(writeHeader({}, out, bytes), "");
  EXPECT_EQ(check(out), "");
}

TEST(SafetensorsWriterTest, RefusesToWriteWhatItCouldNotRead) {
  std::string out;
  uint64_t bytes;
  auto error = [&](TestTensor tensor) {
    return writeHeader({{tensor}, {}}, out, bytes);
  };
  auto f32 = SafetensorsDtype::F32;
  EXPECT_NE(error({nullptr, f32, {}}), "");
  EXPECT_NE(error({"\xff", f32, {}}), "");
  EXPECT_NE(error({"__metadata__", f32, {}}), "");
  EXPECT_NE(error({"w", f32, {-1}}), "");
  EXPECT_NE(error({"w", f32, {1, 1, 1, 1, 1, 1, 1, 1, 1}}), "");
  EXPECT_NE(error({"w", f32, {(int64_t(1) << 40) + 1}}), "");
  EXPECT_NE(error({"w", f32, {1 << 30, 1 << 30}}), "");
  EXPECT_NE(error({"w", SafetensorsDtype(99), {1}}), "");
  EXPECT_TRUE(out.empty()); // nothing was written
  EXPECT_EQ(error({"w", SafetensorsDtype::I8, {int64_t(1) << 40, 1 << 7}}), "");
  EXPECT_NE(error({"w", SafetensorsDtype::I8, {int64_t(1) << 40, 1 << 8}}), "");
  EXPECT_EQ(writeHeader({{}, {{"a", "1"}, {"b", "2"}, {"a", "3"}}}, out, bytes),
            "found metadata key \"a\" twice, wanted unique keys");
  EXPECT_NE(writeHeader({{}, {{"a", nullptr}}}, out, bytes), "");
  TestContents many;
  many.metadata.resize(1025, {"a", "b"});
  EXPECT_NE(writeHeader(many, out, bytes), "");
}

TEST(SafetensorsWriterTest, PassesOnTheSinksFailure) {
  TestContents contents = {{{"w", SafetensorsDtype::F32, {1}}}, {}};
  ByteSink full = {nullptr, [](void *, const void *, uint64_t,
                               ErrorText error) { return error.fail("full"); }};
  char message[64] = "";
  uint64_t bytes;
  EXPECT_FALSE(writeSafetensorsHeader(contents.describe(), full, bytes,
                                      {message, sizeof message}));
  EXPECT_STREQ(message, "full");
  std::string name(10000, 'x'); // more than the writer's own buffer
  contents.tensors[0].name = name.c_str();
  EXPECT_FALSE(writeSafetensorsHeader(contents.describe(), full, bytes, {}));
  std::string out;
  ASSERT_EQ(writeHeader(contents, out, bytes), "");
  EXPECT_EQ(check(out + "abcd"), "");
}

} // namespace
