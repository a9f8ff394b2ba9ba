#include "Bound.h"

#include "../../Common/TemporaryDirectory.h"
#include "Checksum.h"

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace tt::runtime;
using namespace tt::runtime::test;

namespace {

class CheckpointTest : public testing::Test {
protected:
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string &bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), bytes.size());
  }
  /// In place: thousands of new files would be slow.
  void poke(size_t position, char byte) const {
    int fd = open(path.c_str(), O_WRONLY);
    EXPECT_EQ(pwrite(fd, &byte, 1, position), 1);
    close(fd);
  }
  tt_status load(Bound &bound, int withState) const {
    return tt_load(bound.handle, path.c_str(), withState);
  }
  tt_status save(Bound &bound, int withState,
                 std::vector<const char *> metadata = {}) const {
    return tt_save(bound.handle, path.c_str(), withState, metadata.data(),
                   metadata.size() / 2);
  }

  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("checkpoint.safetensors");
};

std::string contents(const GuardedRegion &region) {
  return {region.data(), region.bytes};
}

/// A model some steps into its training.
void train(Bound &bound) {
  ASSERT_EQ(tt_init(bound.handle, 11), TT_OK);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(bound.callTrainStep(), TT_OK);
}

/// Header of a file made by hand around `data`.
std::string safetensors(std::string header, const std::string &data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  uint64_t size = header.size();
  return std::string(reinterpret_cast<char *>(&size), 8) + header + data;
}

} // namespace

TEST(Checksum, KnownAnswersInAnyPieces) {
  const std::string text = "Nobody inspects the spammish repetition";
  const std::pair<std::string, uint64_t> cases[] = {{"", 0xef46db3751d8e999},
                                                    {"abc", 0x44bc2cf5ad770999},
                                                    {text, 0xfbcea83c8a378bf1}};
  for (const auto &[input, wanted] : cases)
    for (size_t cut = 0; cut <= input.size(); ++cut) {
      Checksum sum;
      sum.add(input.data(), cut);
      sum.add(input.data() + cut, input.size() - cut);
      EXPECT_EQ(sum.value(), wanted) << input << " cut at " << cut;
    }
}

TEST_F(CheckpointTest, RoundTrip) {
  Bound from(2), to(1);
  train(from);
  ASSERT_EQ(save(from, 1, {"note", "f\xc3\xbcr \"dich\"\n", "a", ""}), TT_OK)
      << tt_last_error();
  ASSERT_EQ(tt_init(to.handle, 1), TT_OK);
  ASSERT_EQ(load(to, 1), TT_OK) << tt_last_error();
  float expected[TINY_WIDTH], found[TINY_WIDTH];
  int64_t expectedStep, foundStep;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(from.callLogits(expected), TT_OK);
    ASSERT_EQ(to.callLogits(found), TT_OK);
    EXPECT_EQ(memcmp(expected, found, sizeof(found)), 0);
    ASSERT_EQ(from.callTrainStep(&expectedStep), TT_OK);
    ASSERT_EQ(to.callTrainStep(&foundStep), TT_OK);
    EXPECT_EQ(foundStep, expectedStep);
  }
  std::string file = read();
  EXPECT_NE(file.find("\"tt.hash\":\"00c0ffee\""), std::string::npos);
  EXPECT_NE(file.find("\"sgd.m.w\""), std::string::npos);
}

TEST_F(CheckpointTest, ParametersOnly) {
  Bound from(1), to(1);
  train(from);
  ASSERT_EQ(save(from, 0), TT_OK);
  EXPECT_EQ(read().find("sgd.m.w"), std::string::npos);
  ASSERT_EQ(tt_init(to.handle, 1), TT_OK);
  std::string before = contents(*to.state);
  ASSERT_EQ(load(to, 0), TT_OK) << tt_last_error();
  EXPECT_EQ(contents(*to.state), before);
  EXPECT_STATUS(load(to, 1), TT_ERR_FORMAT, "'sgd.m.w'", "not there");
  // State that is there may be left alone.
  ASSERT_EQ(save(from, 1), TT_OK);
  ASSERT_EQ(load(to, 0), TT_OK);
  EXPECT_EQ(contents(*to.state), before);
}

TEST_F(CheckpointTest, SameStateSameFile) {
  Bound a(1), b(4);
  train(a);
  train(b);
  ASSERT_EQ(save(a, 1), TT_OK);
  std::string first = read();
  ASSERT_EQ(save(b, 1), TT_OK);
  EXPECT_EQ(read(), first);
}

TEST_F(CheckpointTest, EveryFlippedBitAndTruncationIsRefused) {
  Bound from(1), to(1);
  train(from);
  ASSERT_EQ(save(from, 1, {"step", "1000"}), TT_OK);
  ASSERT_EQ(tt_init(to.handle, 1), TT_OK);
  std::string good = read();
  std::string parameters = contents(*to.parameters),
              state = contents(*to.state);
  for (size_t i = 0; i < good.size(); ++i) {
    poke(i, good[i] ^ 1 << i % 8);
    tt_status status = load(to, 1);
    ASSERT_TRUE(status == TT_ERR_FORMAT || status == TT_ERR_IO)
        << "byte " << i << ": " << tt_last_error();
    poke(i, good[i]);
  }
  for (size_t size = 0; size < good.size(); size += size < 700 ? 1 : 97) {
    write(good.substr(0, size));
    ASSERT_EQ(load(to, 1), TT_ERR_FORMAT) << size;
  }
  write(good + std::string(1, 0));
  ASSERT_EQ(load(to, 1), TT_ERR_FORMAT);
  EXPECT_EQ(contents(*to.parameters), parameters);
  EXPECT_EQ(contents(*to.state), state);
  write(good);
  EXPECT_EQ(load(to, 1), TT_OK);
}

TEST_F(CheckpointTest, ForeignFile) {
  Bound to(1);
  ASSERT_EQ(tt_init(to.handle, 1), TT_OK);
  std::string data(10 + 1184 + 3, 1);
  write(
      safetensors(R"({"b":{"dtype":"BF16","shape":[5],"data_offsets":[0,10]},)"
                  R"("w":{"dtype":"F32","shape":[8,37],)"
                  R"("data_offsets":[10,1194]},)"
                  R"("mask":{"dtype":"U8","shape":[3],)"
                  R"("data_offsets":[1194,1197]}})",
                  data));
  ASSERT_EQ(load(to, 0), TT_OK) << tt_last_error();
  uint16_t b[5];
  ASSERT_EQ(tt_param_get(to.handle, TINY_B, b, 10), TT_OK);
  EXPECT_EQ(b[4], 0x0101);
}

TEST_F(CheckpointTest, WrongNamesTypesAndShapes) {
  Bound to(1);
  ASSERT_EQ(tt_init(to.handle, 1), TT_OK);
  std::string before = contents(*to.parameters);
  std::string w = R"("w":{"dtype":"F32","shape":[8,37],)"
                  R"("data_offsets":[0,1184]})";
  auto withB = [&](const std::string &b, size_t bytes) {
    write(safetensors("{" + w + b + "}", std::string(1184 + bytes, 0)));
  };
  withB("", 0);
  EXPECT_STATUS(load(to, 0), TT_ERR_FORMAT, "'b'", "not there", path.c_str());
  withB(R"(,"b":{"dtype":"F16","shape":[5],"data_offsets":[1184,1194]})", 10);
  EXPECT_STATUS(load(to, 0), TT_ERR_FORMAT, "'b'", "BF16[5]", "F16[5]");
  withB(R"(,"b":{"dtype":"BF16","shape":[5,1],"data_offsets":[1184,1194]})",
        10);
  EXPECT_STATUS(load(to, 0), TT_ERR_FORMAT, "'b'", "BF16[5]", "BF16[5, 1]");
  withB(R"(,"b":{"dtype":"BF16","shape":[4],"data_offsets":[1184,1192]})", 8);
  EXPECT_STATUS(load(to, 0), TT_ERR_FORMAT, "'b'", "BF16[4]");
  withB(R"(,"b":{"dtype":"U8","shape":[10],"data_offsets":[1184,1194]})", 10);
  EXPECT_STATUS(load(to, 0), TT_ERR_FORMAT, "'b'", "U8[10]");
  EXPECT_EQ(contents(*to.parameters), before);
}

// The header of such a file does not fit the arena.
TEST_F(CheckpointTest, HugeHeader) {
  Bound from(1), to(1);
  train(from);
  std::string value(100000, 'x');
  ASSERT_EQ(save(from, 1, {"text", value.c_str()}), TT_OK) << tt_last_error();
  ASSERT_EQ(load(to, 1), TT_OK) << tt_last_error();
  float expected[TINY_WIDTH], found[TINY_WIDTH];
  ASSERT_EQ(from.callLogits(expected), TT_OK);
  ASSERT_EQ(to.callLogits(found), TT_OK);
  EXPECT_EQ(memcmp(expected, found, sizeof(found)), 0);
  EXPECT_TRUE(to.areCanariesIntact());
}

TEST_F(CheckpointTest, Misuse) {
  Bound bound(1);
  ASSERT_EQ(tt_init(bound.handle, 1), TT_OK);
  EXPECT_STATUS(tt_save(nullptr, path.c_str(), 0, nullptr, 0), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_save(bound.handle, nullptr, 0, nullptr, 0), TT_ERR_ARGUMENT,
                "path");
  EXPECT_STATUS(tt_save(bound.handle, path.c_str(), 0, nullptr, 1),
                TT_ERR_ARGUMENT, "metadata");
  EXPECT_STATUS(save(bound, 0, {"a", nullptr}), TT_ERR_ARGUMENT, "no value");
  EXPECT_STATUS(save(bound, 0, {nullptr, "a"}), TT_ERR_ARGUMENT, "no key");
  EXPECT_STATUS(save(bound, 0, {"a", "\xff"}), TT_ERR_ARGUMENT, "UTF-8");
  EXPECT_STATUS(save(bound, 0, {"a", "1", "a", "2"}), TT_ERR_ARGUMENT,
                "'a' is given twice");
  EXPECT_STATUS(save(bound, 0, {"tt.hash", "1"}), TT_ERR_ARGUMENT, "reserved");
  EXPECT_STATUS(save(bound, 0, {"tt.checksum", "1"}), TT_ERR_ARGUMENT,
                "reserved");
  EXPECT_STATUS(tt_save(bound.handle, path.c_str(), 0,
                        std::vector<const char *>(2046, "a").data(), 1023),
                TT_ERR_ARGUMENT, "at most 1021");
  EXPECT_NE(access(path.c_str(), F_OK), 0) << "a refused save left a file";
  EXPECT_STATUS(tt_save(bound.handle, "/nonexistent/dir/x", 0, nullptr, 0),
                TT_ERR_IO, "/nonexistent/dir/x");
  EXPECT_STATUS(tt_load(nullptr, path.c_str(), 0), TT_ERR_ARGUMENT, "NULL");
  EXPECT_STATUS(tt_load(bound.handle, nullptr, 0), TT_ERR_ARGUMENT, "path");
  EXPECT_STATUS(tt_load(bound.handle, "/nonexistent/x", 0), TT_ERR_IO,
                "/nonexistent/x", "No such file");
  EXPECT_STATUS(tt_load(bound.handle, "/tmp", 0), TT_ERR_FORMAT, "regular");
  EXPECT_STATUS(tt_load(bound.handle, "/dev/null", 0), TT_ERR_FORMAT,
                "regular");
}
