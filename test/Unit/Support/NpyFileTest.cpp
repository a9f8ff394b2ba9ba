// .npy files: what NumPy writes is read, anything else is refused.
#include "tt/Support/NpyFile.h"

#include "../../Common/TemporaryDirectory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tt::support;
using tt::runtime::SafetensorsDtype;

/// A file of the given header and data, version 1.0.
static std::string npy(const std::string &header, const std::string &data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(header.size() & 0xff);
  file += char(header.size() >> 8);
  return file + header + data;
}
static std::string errorOf(const std::string &file) {
  NpyArray array;
  std::string error;
  EXPECT_FALSE(parseNpy(file, "x.npy", array, error));
  return error;
}

TEST(NpyFileTest, readsWhatNumPyWrites) {
  // numpy.save of numpy.array([[1, 2, 3], [4, 5, 6]], numpy.float32).
  float data[6] = {1, 2, 3, 4, 5, 6};
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.append(117 - header.size(), ' ');
  header += '\n';
  NpyArray array;
  std::string error;
  ASSERT_TRUE(parseNpy(npy(header, std::string((char *)data, 24)), "x.npy",
                       array, error))
      << error;
  EXPECT_EQ(array.dtype, SafetensorsDtype::F32);
  EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(array.bytes.data(), data, 24), 0);
}

TEST(NpyFileTest, readsScalarsEmptyAndVersion2) {
  NpyArray array;
  std::string error;
  EXPECT_TRUE(parseNpy(npy("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", "12345678"), "x", array, error));
  EXPECT_TRUE(array.shape.empty());
  EXPECT_TRUE(parseNpy(npy("{\"shape\":(0,5),\"fortran_order\":False,\"descr\":\"|b1\"}\n", ""), "x", array, error));
  EXPECT_EQ(array.shape, (std::vector<int64_t>{0, 5}));
  std::string file = npy("{'descr': '|i1', 'fortran_order': False, 'shape': (1,)}", "a");
  file[6] = 2;
  file.insert(10, 2, '\0');
  EXPECT_TRUE(parseNpy(file, "x", array, error)) << error;
}

TEST(NpyFileTest, refusesTheRest) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
  EXPECT_EQ(errorOf(""), "x.npy: found no NumPy header, wanted a .npy file");
  EXPECT_EQ(errorOf("\x93NUMPY\x04" + std::string(10, '\0')),
            "x.npy: found version 4.0, wanted 1.0, 2.0 or 3.0");
  EXPECT_EQ(errorOf(npy(good, "123")), "x.npy: found 3 bytes of data, wanted 4");
  EXPECT_EQ(errorOf(npy(good, "12345")), "x.npy: found 5 bytes of data, wanted 4");
  EXPECT_EQ(errorOf(npy(good, "1234").substr(0, 30)),
            "x.npy: found a header of 55 bytes, wanted at most 65536 and the whole of it");
  auto with = [](const std::string &from, const std::string &to) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
    header.replace(header.find(from), from.size(), to);
    return errorOf(npy(header, "1234"));
  };
  EXPECT_NE(with("<f4", ">f4").find("element type \">f4\""), std::string::npos);
  EXPECT_NE(with("<f4", "|O").find("element type \"|O\""), std::string::npos);
  EXPECT_NE(with("False", "True").find("Fortran order"), std::string::npos);
  EXPECT_NE(with("False", "0").find("True or False"), std::string::npos);
  EXPECT_NE(with("(1,)", "(1)").find("a comma after"), std::string::npos);
  EXPECT_NE(with("(1,)", "(-1,)").find("dimensions"), std::string::npos);
  EXPECT_NE(with("(1,)", "(99999999999999999999,)").find("dimensions"), std::string::npos);
  EXPECT_NE(with("(1,)", "(1099511627776, 1099511627776)").find("wanted a shape"),
            std::string::npos);
  EXPECT_NE(with("'shape'", "'descr'").find("once each"), std::string::npos);
  EXPECT_NE(with("'shape'", "'x\x1b[2J'").find("x\\x1b[2J"), std::string::npos);
  EXPECT_NE(with(", 'shape': (1,)", "").find("without all of the keys"), std::string::npos);
  EXPECT_NE(with("}", "} x").find("nothing after"), std::string::npos);
  EXPECT_NE(with("{", "[").find("'{'"), std::string::npos);
  EXPECT_NE(errorOf(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "\x02"))
                .find("boolean"),
            std::string::npos);
}

/// No cut and no flip of a byte of a file crashes or reads past its end.
TEST(NpyFileTest, survivesDamage) {
  std::string file = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "1234");
  NpyArray array;
  std::string error;
  for (size_t i = 0; i < file.size(); ++i) {
    EXPECT_FALSE(parseNpy(std::string_view(file).substr(0, i), "x", array, error));
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[i] = char(damaged[i] ^ (1 << bit));
      parseNpy(damaged, "x", array, error);
    }
  }
}

TEST(NpyFileTest, writesAndReadsBack) {
  tt::test::TemporaryDirectory directory;
  std::string path = directory.path("array.npy");
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{}, {2}, {2, 1}, {0, 3}}) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    NpyArray array{SafetensorsDtype::F16, shape, std::vector<char>(size_t(count) * 2, 'x')};
    NpyArray back;
    std::string error;
    ASSERT_TRUE(writeNpyFile(path, array, error)) << error;
    ASSERT_TRUE(readNpyFile(path, back, error)) << error;
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.bytes, array.bytes);
  }
  unlink(path.c_str());
  std::string error;
  NpyArray array;
  EXPECT_FALSE(readNpyFile(path, array, error));
  array.dtype = SafetensorsDtype::BF16;
  EXPECT_FALSE(writeNpyFile(path, array, error));
  EXPECT_NE(error.find("BF16"), std::string::npos);
}
