// The safetensors reader, with the holes that other loaders had.
#include "SafetensorsBytes.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tt::runtime;
using namespace tt::runtime::test;
using tt::test::ExactBytes;

namespace {

/// One tensor "w" with the given fields.
std::string oneTensor(const std::string &dtype, const std::string &shape,
                      const std::string &offsets) {
  return "{\"w\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}}";
}

const char *kTwo = R"({"__metadata__":{"format":"pt","n":"é"},)"
                   R"("b":{"dtype":"F32","shape":[2,3],"data_offsets":[4,28]},)"
                   R"("a":{"data_offsets":[0,4],"shape":[2],"dtype":"BF16"}})";

class TemporaryFd {
public:
  explicit TemporaryFd(std::string_view bytes)
      : fd(memfd_create("test", MFD_CLOEXEC)) {
    EXPECT_EQ(write(fd, bytes.data(), bytes.size()), ssize_t(bytes.size()));
  }
  ~TemporaryFd() { close(fd); }
  int fd;
};

TEST(SafetensorsTest, ReadsTensorsAndMetadata) {
  TemporaryFd file(makeFile(kTwo, 28));
  uint64_t size = 0;
  char message[256] = "";
  ErrorText error = {message, sizeof message};
  ASSERT_TRUE(SafetensorsReader::memoryBytes(file.fd, size, error)) << message;
  std::vector<char> memory(size);
  SafetensorsReader reader;
  ASSERT_TRUE(reader.openFd(file.fd, memory.data(), size, error)) << message;
  ASSERT_EQ(reader.count(), 2u);
  EXPECT_TRUE(jsonEquals(reader.at(0).name, "a")); // in the data's order
  SafetensorsTensor tensor;
  ASSERT_TRUE(reader.find("b", tensor));
  EXPECT_EQ(tensor.dtype, SafetensorsDtype::F32);
  ASSERT_EQ(tensor.rank, 2u);
  EXPECT_EQ(tensor.shape[0], 2);
  EXPECT_EQ(tensor.shape[1], 3);
  EXPECT_EQ(tensor.bytes, 24u);
  EXPECT_EQ(tensor.offset, 8 + strlen(kTwo) + 4);
  char bytes[24];
  ASSERT_TRUE(reader.read(file.fd, tensor, bytes, error)) << message;
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(bytes[23], 27);
  ASSERT_TRUE(reader.readSlice(file.fd, tensor, 20, 4, bytes, error));
  EXPECT_EQ(bytes[0], 24);
  EXPECT_FALSE(reader.readSlice(file.fd, tensor, 21, 4, bytes, error));
  EXPECT_FALSE(reader.readSlice(file.fd, tensor, 1, ~0ull, bytes, error));
  EXPECT_FALSE(reader.find("c", tensor));
  EXPECT_FALSE(reader.find("__metadata__", tensor));
  EXPECT_EQ(reader.metadataCount(), 2u);
  JsonText value;
  ASSERT_TRUE(reader.findMetadata("n", value));
  EXPECT_TRUE(jsonEquals(value, "é"));
  EXPECT_FALSE(reader.findMetadata("x", value));
}

TEST(SafetensorsTest, ReadsUnalignedMemoryAndSaysWhenItIsTooSmall) {
  TemporaryFd file(makeFile(kTwo, 28));
  uint64_t size = 0;
  ASSERT_TRUE(SafetensorsReader::memoryBytes(file.fd, size, {}));
  std::vector<char> memory(size + 8);
  char message[256] = "";
  for (int shift = 0; shift < 8; ++shift) {
    SafetensorsReader reader;
    EXPECT_TRUE(reader.openFd(file.fd, memory.data() + shift, size, {}));
    EXPECT_FALSE(reader.openFd(file.fd, memory.data() + shift, size - 1,
                               {message, sizeof message}));
    EXPECT_FALSE(
        reader.openFd(file.fd, memory.data(), 10, {message, sizeof message}));
  }
  EXPECT_TRUE(strstr(message, "found 10 bytes of memory")) << message;
}

TEST(SafetensorsTest, NoticesAFileThatShrinks) {
  std::string bytes = makeFile(kTwo, 28);
  TemporaryFd file(bytes);
  std::vector<char> memory(4096);
  SafetensorsReader reader;
  ASSERT_TRUE(reader.openFd(file.fd, memory.data(), memory.size(), {}));
  ASSERT_EQ(ftruncate(file.fd, static_cast<off_t>(bytes.size() - 1)), 0);
  SafetensorsTensor tensor;
  ASSERT_TRUE(reader.find("b", tensor));
  char to[24], message[256] = "";
  EXPECT_FALSE(reader.read(file.fd, tensor, to, {message, sizeof message}));
  EXPECT_TRUE(strstr(message, "tensor \"b\": found the end of the file"))
      << message;
}

TEST(SafetensorsTest, RefusesWhatIsNoRegularFile) {
  uint64_t size;
  char message[256] = "";
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  EXPECT_FALSE(
      SafetensorsReader::memoryBytes(fds[0], size, {message, sizeof message}));
  EXPECT_FALSE(
      SafetensorsReader::memoryBytes(-1, size, {message, sizeof message}));
  EXPECT_TRUE(strstr(message, "fstat failed")) << message;
  close(fds[0]);
  close(fds[1]);
}

//===----------------------------------------------------------------------===//
// The holes of other loaders (robustness.md, fact 5)
//===----------------------------------------------------------------------===//

TEST(SafetensorsTest, ShapeProductThatWraps) { // LiteRT#9255, sd.cpp#1876
  EXPECT_NE(
      checkHeader(oneTensor("F32", "[4294967296,4294967296]", "[0,0]"), 0), "");
  EXPECT_NE(
      checkHeader(oneTensor("F32", "[4611686018427387904,4]", "[0,0]"), 0), "");
  EXPECT_NE(
      checkHeader(oneTensor("I8", "[1099511627776,1099511627776]", "[0,0]"), 0),
      "");
  EXPECT_NE(checkHeader(oneTensor("F64", "[2305843009213693952]", "[0,0]"), 0),
            "");
  EXPECT_NE(checkHeader(oneTensor("F32", "[-1,-4]", "[0,16]"), 16), "");
  EXPECT_NE(checkHeader(oneTensor("I8", "[18446744073709551616]", "[0,0]"), 0),
            "");
}

TEST(SafetensorsTest, SizeFromShapeAgainstOffsets) { // mlx#3363, fastllm#712
  EXPECT_EQ(checkHeader(oneTensor("F32", "[4]", "[0,8]"), 8),
            "tensor \"w\": found data_offsets [0, 8], wanted 16 bytes, as its "
            "shape of F32 takes");
  EXPECT_NE(checkHeader(oneTensor("F32", "[1]", "[0,8]"), 8), "");
  EXPECT_NE(checkHeader(oneTensor("F32", "[2]", "[8,0]"), 8), "");
  EXPECT_NE(checkHeader(oneTensor("F32", "[0]", "[0,8]"), 8), "");
  EXPECT_NE(checkHeader(oneTensor("F32", "[]", "[0,8]"), 8), "");
}

TEST(SafetensorsTest, HeaderLengthThatWraps) { // fastllm#712
  for (uint64_t length :
       {~0ull, ~0ull - 7, 1ull << 63, (1ull << 32) + 2, 100000001ull, 17ull}) {
    std::string file = makeFile("{}              ", 0);
    for (int i = 0; i < 8; ++i)
      file[i] = static_cast<char>(length >> (8 * i));
    EXPECT_NE(check(file).find("header length"), std::string::npos) << length;
  }
  EXPECT_EQ(check(makeFile("{}              ", 0)), "");
}

TEST(SafetensorsTest, UnknownDtypeIsNotSkipped) { // kekzl/imp#1603
  EXPECT_EQ(
      checkHeader(oneTensor("F33", "[1]", "[0,1]"), 1),
      "tensor \"w\": found \"F33\" at byte 22, wanted a known dtype: F64, "
      "F32, BF16, F16, I64, I32, I8 or BOOL");
  EXPECT_EQ(checkHeader(oneTensor("U8", "[1]", "[0,1]"), 1),
            "tensor \"w\": found \"U8\" at byte 22, wanted a supported dtype "
            "(this one is unsupported): F64, F32, BF16, F16, I64, I32, I8 or "
            "BOOL");
  EXPECT_NE(checkHeader(oneTensor("f32", "[1]", "[0,4]"), 4), "");
  EXPECT_NE(checkHeader(oneTensor("", "[1]", "[0,4]"), 4), "");
}

TEST(SafetensorsTest, ListsForeignDtypesOnRequest) {
  struct Row {
    const char *name;
    size_t bytes;
  };
  for (Row row : {Row{"U8", 1},
                  {"I16", 2},
                  {"U16", 2},
                  {"U32", 4},
                  {"U64", 8},
                  {"F8_E4M3", 1},
                  {"F8_E5M2", 1},
                  {"F8_E8M0", 1},
                  {"C64", 8}}) {
    std::string offsets = "[0," + std::to_string(row.bytes) + "]";
    std::string file = makeFile(oneTensor(row.name, "[1]", offsets), row.bytes);
    EXPECT_EQ(check(file, true), "") << row.name;
    EXPECT_NE(check(file), "") << row.name;
  }
  // What is listed is what the message names.
  EXPECT_EQ(check(makeFile(oneTensor("F4", "[2]", "[0,1]"), 1), true),
            "tensor \"w\": found \"F4\" at byte 22, wanted a known dtype: F64, F32, BF16, "
            "F16, I64, I32, I8, BOOL, U8, I16, U16, U32, U64, F8_E4M3, F8_E5M2, F8_E8M0 or "
            "C64");
  for (Row row : {Row{"F64", 8},
                  {"F32", 4},
                  {"BF16", 2},
                  {"F16", 2},
                  {"I64", 8},
                  {"I32", 4},
                  {"I8", 1},
                  {"BOOL", 1}}) {
    std::string offsets = "[0," + std::to_string(row.bytes) + "]";
    EXPECT_EQ(checkHeader(oneTensor(row.name, "[]", offsets), row.bytes), "");
  }
}

//===----------------------------------------------------------------------===//
// Offsets, names, structure
//===----------------------------------------------------------------------===//

std::string twoTensors(const std::string &first, const std::string &second) {
  return R"({"a":{"dtype":"I8","shape":[4],"data_offsets":)" + first +
         R"(},"b":{"dtype":"I8","shape":[4],"data_offsets":)" + second + "}}";
}

TEST(SafetensorsTest, DataIsTiledWithoutGaps) {
  EXPECT_EQ(checkHeader(twoTensors("[0,4]", "[4,8]"), 8), "");
  EXPECT_EQ(checkHeader(twoTensors("[4,8]", "[0,4]"), 8), "");
  EXPECT_EQ(checkHeader(twoTensors("[0,4]", "[5,9]"), 9),
            "tensor \"b\": found data_offsets [5, 9], wanted a begin of 4, "
            "where the tensor before it ends");
  EXPECT_NE(checkHeader(twoTensors("[0,4]", "[2,6]"), 6), ""); // overlap
  EXPECT_NE(checkHeader(twoTensors("[0,4]", "[0,4]"), 4), ""); // the same
  EXPECT_NE(checkHeader(twoTensors("[1,5]", "[5,9]"), 9), ""); // gap in front
  EXPECT_NE(checkHeader(twoTensors("[0,4]", "[4,8]"), 7), ""); // past the end
  EXPECT_EQ(checkHeader(twoTensors("[0,4]", "[4,8]"), 9),
            "found 9 bytes of data, wanted 8, where the last tensor ends");
  EXPECT_NE(checkHeader(twoTensors("[0,4]", "[9223372036854775803,"
                                            "9223372036854775807]"),
                        8),
            "");
}

TEST(SafetensorsTest, EmptyTensorsAreAllowedAnywhere) {
  EXPECT_EQ(checkHeader("{}", 0), "");
  EXPECT_NE(checkHeader("{}", 1), "");
  EXPECT_EQ(
      checkHeader(R"({"z":{"dtype":"F32","shape":[0,5],)"
                  R"("data_offsets":[4,4]},"b":{"dtype":"I8","shape":[4],)"
                  R"("data_offsets":[0,4]},"y":{"dtype":"I8","shape":[0],)"
                  R"("data_offsets":[0,0]},"x":{"dtype":"I8","shape":[0],)"
                  R"("data_offsets":[0,0]}})",
                  4),
      "");
  EXPECT_NE(checkHeader(oneTensor("I8", "[0]", "[1,1]"), 1), "");
}

TEST(SafetensorsTest, NamesAreUnique) {
  std::string entry = R"(:{"dtype":"I8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_NE(checkHeader("{\"a\"" + entry + ",\"a\"" + entry + "}", 0), "");
  EXPECT_NE(checkHeader("{\"a\"" + entry + ",\"\\u0061\"" + entry + "}", 0),
            "");
  EXPECT_EQ(checkHeader("{\"a\"" + entry + ",\"b\"" + entry + "}", 0), "");
  EXPECT_NE(checkHeader(R"({"__metadata__":{},"__metadata__":{}})", 0), "");
  EXPECT_NE(checkHeader(R"({"__metadata__":{"a":"1","a":"2"}})", 0), "");
  EXPECT_NE(checkHeader(R"({"w":{"dtype":"I8","dtype":"F32","shape":[0],)"
                        R"("data_offsets":[0,0]}})",
                        0),
            "");
}

TEST(SafetensorsTest, RefusesWrongStructure) {
  for (const char *header :
       {"",
        " {}",
        "[]",
        "null",
        "{",
        "{} x",
        "{}{}",
        "{\"w\":1}",
        "{\"w\":{}}",
        "{\"w\":[]}",
        R"({"w":{"dtype":"I8","shape":[0]}})",
        R"({"w":{"dtype":"I8","data_offsets":[0,0]}})",
        R"({"w":{"shape":[0],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":[0,0],"x":1}})",
        R"({"w":{"dtype":8,"shape":[0],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":0,"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":[0.0],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":[-0],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":["0"],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":[[0]],"data_offsets":[0,0]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":[0]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":[0,0,0]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":[-1,-1]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":[0,1e0]}})",
        R"({"w":{"dtype":"I8","shape":[0],"data_offsets":null}})",
        R"({"w":{"dtype":"I8","shape":[0,1,1,1,1,1,1,1,1],)"
        R"("data_offsets":[0,0]}})",
        R"({"__metadata__":{"a":1}})",
        R"({"__metadata__":{"a":{"b":"c"}}})",
        R"({"__metadata__":[]})",
        R"({"__metadata__":null})"})
    EXPECT_NE(checkHeader(header, 0), "") << header;
  EXPECT_EQ(checkHeader(R"({"__metadata__":{}})", 0), "");
  EXPECT_EQ(checkHeader("{}\n\t ", 0), "");
}

TEST(SafetensorsTest, RefusesBadNames) {
  std::string entry = R"(:{"dtype":"I8","shape":[0],"data_offsets":[0,0]}})";
  EXPECT_NE(checkHeader("{\"\xff\"" + entry, 0), "");
  EXPECT_NE(checkHeader("{\"a\nb\"" + entry, 0), "");
  EXPECT_EQ(checkHeader("{\"\\u0000\\u001b\"" + entry, 0), "");
  // What the error shows of a name is printable.
  std::string message = checkHeader("{\"\xc2\x9b\":1}", 0);
  EXPECT_NE(message.find("tensor \"\\xc2\\x9b\""), std::string::npos)
      << message;
}

TEST(SafetensorsTest, RefusesEveryTruncation) {
  std::string file = makeFile(kTwo, 28);
  ASSERT_EQ(check(file), "");
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(check(file.substr(0, size)), "") << size;
  // The header cut short with its length changed to match.
  std::string header = kTwo;
  for (size_t size = 0; size < header.size(); ++size)
    EXPECT_NE(checkHeader(header.substr(0, size), 28), "") << size;
}

TEST(SafetensorsTest, ScratchSufficesForTheDensestHeaders) {
  std::string tensors = "{";
  for (int i = 0; i < 5000; ++i)
    tensors += (i ? "," : "") + ("\"" + std::to_string(i)) +
               R"(":{"dtype":"I8","shape":[],"data_offsets":[)" +
               std::to_string(i) + "," + std::to_string(i + 1) + "]}";
  EXPECT_EQ(checkHeader(tensors + "}", 5000), "");
  std::string pairs = "{\"__metadata__\":{";
  for (int i = 0; i < 5000; ++i)
    pairs += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
  EXPECT_EQ(checkHeader(pairs + "}}", 0), "");
  std::string same = "{\"__metadata__\":{\"\":\"\"";
  for (int i = 0; i < 5000; ++i)
    same += ",\"\":\"\"";
  EXPECT_NE(checkHeader(same + "}}", 0).find("duplicate"), std::string::npos);
}

TEST(SafetensorsTest, SurvivesMutations) {
  tt::test::Mutator mutator(2);
  std::vector<std::string> words = {"{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "\"",
                                    "0",
                                    "4",
                                    "28",
                                    "\"F64\"",
                                    "\"U8\"",
                                    "4294967296",
                                    "9223372036854775807",
                                    "-1",
                                    "\\u0061",
                                    "__metadata__",
                                    "\"shape\":[]"};
  uint64_t accepted = 0;
  uint64_t count = tt::test::repeatFor(2.0, [&] {
    std::string file;
    if (mutator.below(4) == 0)
      file = mutator.mutate(makeFile(kTwo, 28), words);
    else
      file = makeFile(mutator.mutate(kTwo, words), 28);
    accepted += check(file, mutator.below(2) == 0).empty();
  });
  EXPECT_GT(accepted, 0u);
  std::printf("%llu mutants, %llu accepted\n",
              static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(accepted));
}

} // namespace
