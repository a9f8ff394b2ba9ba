// Safetensors files in memory, for the tests of the reader and the writer.
#ifndef TT_TEST_UNIT_RUNTIME_SAFETENSORSBYTES_H
#define TT_TEST_UNIT_RUNTIME_SAFETENSORSBYTES_H

#include "Mutator.h"

#include "tt/runtime/Safetensors.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tt::runtime::test {

/// A file: length, header, data of `dataBytes` bytes 0, 1, 2, ...
inline std::string makeFile(std::string header, size_t dataBytes) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += static_cast<char>(header.size() >> (8 * i));
  file += header;
  for (size_t i = 0; i < dataBytes; ++i)
    file += static_cast<char>(i);
  return file;
}

/// "" or the error of a file in memory; both ways of reading must agree.
inline std::string check(std::string_view file, bool foreignDtypes = false) {
  tt::test::ExactBytes bytes(file);
  uint64_t size = SafetensorsReader::scratchBytes(bytes.begin(), bytes.size);
  std::vector<char> scratch(size);
  char message[512] = "";
  SafetensorsReader reader;
  bool ok = reader.openBuffer(bytes.begin(), bytes.size, scratch.data(),
                              scratch.size(), {message, sizeof message},
                              foreignDtypes);
  EXPECT_EQ(ok, std::string_view(message).empty());
  if (!ok) {
    EXPECT_EQ(reader.count(), 0u);
    return message;
  }
  // Every tensor lies inside, can be found, and has the size of its shape.
  for (uint32_t i = 0; i < reader.count(); ++i) {
    SafetensorsTensor tensor = reader.at(i), found;
    EXPECT_LE(tensor.offset + tensor.bytes, file.size());
    std::string name(tensor.name.size, '\0');
    name.resize(jsonDecode(tensor.name, name.data(), name.size()));
    if (name.find('\0') != std::string::npos)
      continue;
    EXPECT_TRUE(reader.find(name.c_str(), found));
    EXPECT_EQ(found.offset, tensor.offset);
    EXPECT_EQ(found.bytes, tensor.bytes);
  }
  uint64_t cursor = 0;
  JsonText key, value;
  uint32_t pairs = 0;
  while (reader.nextMetadata(cursor, key, value))
    ++pairs;
  EXPECT_EQ(pairs, reader.metadataCount());
  return message;
}

inline std::string checkHeader(const std::string &header, size_t dataBytes) {
  return check(makeFile(header, dataBytes));
}

} // namespace tt::runtime::test

#endif
