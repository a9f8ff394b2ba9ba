// Whole safetensors files: written, read back, refused with the path.
#include "tt/Support/SafetensorsFile.h"

#include "../../Common/TemporaryDirectory.h"
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::support;
using tt::runtime::SafetensorsDtype;

namespace {

class SafetensorsFileTest : public testing::Test {
protected:
  std::string bytes() {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("file.safetensors"), error;
};

TEST_F(SafetensorsFileTest, RoundTrip) {
  float weights[6] = {1, 2, 3, 4, 5, 6};
  int64_t step = 42;
  char mask[3] = {0, 1, 0};
  std::vector<SafetensorsInput> tensors = {
      {"w", SafetensorsDtype::F32, {2, 3}, weights},
      {"mask", SafetensorsDtype::BOOL, {3}, mask},
      {"step", SafetensorsDtype::I64, {}, &step},
      {"none", SafetensorsDtype::F32, {0, 4}, nullptr}};
  ASSERT_TRUE(writeSafetensorsFile(path, tensors, {{"k", "é\n"}}, error))
      << error;
  std::string first = bytes();
  std::swap(tensors[0], tensors[2]);
  ASSERT_TRUE(writeSafetensorsFile(path, tensors, {{"k", "é\n"}}, error));
  EXPECT_EQ(bytes(), first); // the input's order does not matter

  SafetensorsFile file;
  ASSERT_TRUE(file.open(path, error)) << error;
  ASSERT_EQ(file.tensors().size(), 4u);
  EXPECT_EQ(file.tensors()[0].name, "step"); // the largest elements first
  EXPECT_EQ(file.metadata().at("k"), "é\n");
  EXPECT_EQ(file.find("q"), nullptr);
  const SafetensorsFile::Tensor *w = file.find("w");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(w->bytes, 24u);
  EXPECT_EQ(w->offset % 4, 0u);
  std::vector<char> copy;
  ASSERT_TRUE(file.read(*w, copy, error)) << error;
  EXPECT_EQ(memcmp(copy.data(), weights, 24), 0);
  SafetensorsFile moved = std::move(file);
  ASSERT_TRUE(moved.read(*moved.find("none"), copy, error)) << error;
  EXPECT_TRUE(copy.empty());
}

TEST_F(SafetensorsFileTest, ErrorsNameThePath) {
  SafetensorsFile file;
  EXPECT_FALSE(file.open(path, error));
  EXPECT_EQ(error, path + ": cannot open: No such file or directory");
  std::ofstream(path) << "short";
  EXPECT_FALSE(file.open(path, error));
  EXPECT_EQ(error, path + ": found a file of 5 bytes, wanted at least 8");
  EXPECT_FALSE(file.open("/tmp", error));
  EXPECT_EQ(error, "/tmp: found a directory, wanted a regular file");
  EXPECT_TRUE(file.tensors().empty());
}

TEST_F(SafetensorsFileTest, APipeDoesNotBlock) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  SafetensorsFile file;
  EXPECT_FALSE(file.open(path, error));
}

TEST_F(SafetensorsFileTest, RefusesToWriteNonsense) {
  float one = 1;
  SafetensorsInput tensor = {"w", SafetensorsDtype::F32, {1}, &one};
  EXPECT_FALSE(writeSafetensorsFile(path, {tensor, tensor}, {}, error));
  EXPECT_EQ(error, path + ": found tensor \"w\" twice, wanted unique names");
  tensor.name = std::string("a\0b", 3);
  EXPECT_FALSE(writeSafetensorsFile(path, {tensor}, {}, error));
  tensor.name = "w";
  tensor.shape = std::vector<int64_t>(9, 1);
  EXPECT_FALSE(writeSafetensorsFile(path, {tensor}, {}, error));
  EXPECT_EQ(error, path + ": tensor \"w\": found rank 9, wanted at most 8");
  tensor.shape = {1};
  EXPECT_FALSE(writeSafetensorsFile("/nowhere/x", {tensor}, {}, error));
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

} // namespace
