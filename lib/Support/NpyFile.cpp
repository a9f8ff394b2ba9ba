// NumPy .npy files, read strictly.
//
// A file is "\x93NUMPY", two bytes of version, the length of the header (2
// bytes in version 1, 4 in 2 and 3), the header, and the data. The header is a
// Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
#include "tt/Support/NpyFile.h"

#include "tt/Support/CheckedSize.h"
#include "tt/Support/Escape.h"
#include "tt/runtime/AtomicFile.h"
#include "tt/runtime/ErrorText.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tt::support;
using namespace tt::runtime;

namespace {
constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kMaxHeader = 1 << 16;
constexpr size_t kMaxRank = 32;

struct TypeName {
  const char *descr;
  SafetensorsDtype dtype;
};
constexpr TypeName kTypes[] = {
    {"<f8", SafetensorsDtype::F64}, {"<f4", SafetensorsDtype::F32},
    {"<f2", SafetensorsDtype::F16}, {"<i8", SafetensorsDtype::I64},
    {"<i4", SafetensorsDtype::I32}, {"|i1", SafetensorsDtype::I8},
    {"|b1", SafetensorsDtype::BOOL}};

/// Reads the header's dictionary; the first problem stops it.
class HeaderParser {
public:
  HeaderParser(std::string_view text, NpyArray &array)
      : rest(text), array(array) {}

  /// What is wrong, or "".
  std::string parse() {
    expect('{');
    for (int entries = 0; problem.empty() && !accept('}'); ++entries) {
      if (entries > 0 && !accept(',') && problem.empty()) {
        reject("a comma or '}'");
        break;
      }
      if (accept('}'))
        break;
      entry();
    }
    skipSpace();
    if (problem.empty() && !rest.empty())
      reject("nothing after the dictionary");
    if (problem.empty() && !(hasType && hasOrder && hasShape))
      problem = "found a header without all of the keys descr, fortran_order "
                "and shape";
    return problem;
  }

private:
  void skipSpace() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t'))
      rest.remove_prefix(1);
  }
  bool accept(char c) {
    skipSpace();
    if (!problem.empty() || rest.empty() || rest[0] != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      reject(std::string("'") + c + "'");
  }
  bool acceptWord(std::string_view word) {
    skipSpace();
    if (!problem.empty() || rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }
  void reject(const std::string &wanted) {
    if (problem.empty())
      problem = "found \"" + escapeTerminal(std::string(rest.substr(0, 20))) +
                "\" in the header, wanted " + wanted;
  }

  std::string string() {
    skipSpace();
    char quote = rest.empty() ? '\0' : rest[0];
    size_t end = quote == '\'' || quote == '"' ? rest.find(quote, 1)
                                               : std::string_view::npos;
    if (end == std::string_view::npos) {
      reject("a string");
      return "";
    }
    std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return text;
  }

  void entry() {
    std::string key = string();
    expect(':');
    if (!problem.empty())
      return;
    bool *seen = key == "descr"           ? &hasType
                 : key == "fortran_order" ? &hasOrder
                 : key == "shape"         ? &hasShape
                                          : nullptr;
    if (!seen || *seen) {
      problem = "found the key \"" + escapeTerminal(key) +
                "\" in the header, wanted descr, fortran_order and shape once each";
      return;
    }
    *seen = true;
    if (seen == &hasType)
      type();
    else if (seen == &hasOrder)
      order();
    else
      shape();
  }

  void type() {
    std::string descr = string();
    if (!problem.empty())
      return;
    for (const TypeName &candidate : kTypes)
      if (descr == candidate.descr) {
        array.dtype = candidate.dtype;
        return;
      }
    problem = "found the element type \"" + escapeTerminal(descr) +
              "\", wanted <f8, <f4, <f2, <i8, <i4, |i1 or |b1";
  }

  void order() {
    if (acceptWord("False"))
      return;
    if (acceptWord("True"))
      problem = "found Fortran order, wanted C order (numpy.ascontiguousarray)";
    else
      reject("True or False");
  }

  void shape() {
    array.shape.clear();
    expect('(');
    while (problem.empty() && !accept(')')) {
      number();
      if (accept(')')) {
        // (3) would be a number, not a tuple.
        if (array.shape.size() == 1)
          reject("a comma after a single dimension");
        return;
      }
      expect(',');
    }
  }

  void number() {
    skipSpace();
    size_t digits = 0;
    int64_t value = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9' &&
           digits < 15)
      value = value * 10 + (rest[digits++] - '0');
    if (digits == 0 || (digits > 1 && rest[0] == '0') ||
        value > CheckedSize::kMaxDimension || array.shape.size() >= kMaxRank)
      return reject("at most 32 dimensions, each in [0, 2^40]");
    rest.remove_prefix(digits);
    array.shape.push_back(value);
  }

  std::string_view rest;
  NpyArray &array;
  std::string problem;
  bool hasType = false, hasOrder = false, hasShape = false;
};
} // namespace

bool tt::support::parseNpy(std::string_view file, std::string_view name,
                           NpyArray &array, std::string &error) {
  auto fail = [&](const std::string &text) {
    error = escapeTerminal(std::string(name)) + ": " + text;
    return false;
  };
  if (file.size() < 10 || file.substr(0, 6) != kMagic)
    return fail("found no NumPy header, wanted a .npy file");
  unsigned major = (unsigned char)file[6], minor = (unsigned char)file[7];
  if (major < 1 || major > 3 || minor != 0)
    return fail("found version " + std::to_string(major) + "." +
                std::to_string(minor) + ", wanted 1.0, 2.0 or 3.0");
  size_t lengthBytes = major == 1 ? 2 : 4, length = 0;
  if (file.size() < 8 + lengthBytes)
    return fail("found the end of the file inside the header");
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | (unsigned char)file[8 + i];
  size_t begin = 8 + lengthBytes;
  if (length > kMaxHeader || length > file.size() - begin)
    return fail("found a header of " + std::to_string(length) +
                " bytes, wanted at most 65536 and the whole of it");
  NpyArray parsed;
  std::string problem = HeaderParser(file.substr(begin, length), parsed).parse();
  if (!problem.empty())
    return fail(problem);
  CheckedSize bytes = CheckedSize::product(parsed.shape) *
                      CheckedSize(safetensorsDtypeBytes(parsed.dtype));
  std::string_view data = file.substr(begin + length);
  if (!bytes.isTensorBytes() || uint64_t(bytes.value()) != data.size())
    return fail("found " + std::to_string(data.size()) +
                " bytes of data, wanted " +
                (bytes.isTensorBytes() ? std::to_string(bytes.value())
                                       : "a shape of at most 2^47 bytes"));
  if (parsed.dtype == SafetensorsDtype::BOOL)
    for (char c : data)
      if (c != 0 && c != 1)
        return fail("found a boolean that is neither 0 nor 1");
  parsed.bytes.assign(data.begin(), data.end());
  array = std::move(parsed);
  return true;
}

bool tt::support::readNpyFile(const std::string &path, NpyArray &array,
                              std::string &error) {
  auto fail = [&](const std::string &text) {
    error = escapeTerminal(path) + ": " + text;
    return false;
  };
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail(ErrnoText(errno).text);
  struct stat info;
  std::string text;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return fail(std::string("found ") + fileKind(info.st_mode) + ", wanted a regular file");
  }
  char buffer[1 << 16];
  ssize_t count;
  while ((count = read(fd, buffer, sizeof buffer)) > 0)
    text.append(buffer, size_t(count));
  int readError = errno;
  close(fd);
  if (count < 0)
    return fail(ErrnoText(readError).text);
  return parseNpy(text, path, array, error);
}

bool tt::support::writeNpyFile(const std::string &path, const NpyArray &array,
                               std::string &error) {
  std::string header = "{'descr': '";
  const TypeName *type = nullptr;
  for (const TypeName &candidate : kTypes)
    if (candidate.dtype == array.dtype)
      type = &candidate;
  if (!type) {
    error = escapeTerminal(path) + ": found element type " +
            safetensorsDtypeName(array.dtype) + ", wanted one that NumPy has";
    return false;
  }
  header += type->descr;
  header += "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(array.shape[i]);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // Data starts at a multiple of 64.
  while ((kMagic.size() + 4 + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  std::string front(kMagic);
  front += '\x01';
  front += '\0';
  front += char(header.size() & 0xff);
  front += char(header.size() >> 8);
  front += header;

  char text[512] = "";
  ErrorText where{text, sizeof text};
  AtomicFile file;
  if (file.open(path.c_str(), where) &&
      file.write(front.data(), front.size(), where) &&
      file.write(array.bytes.data(), array.bytes.size(), where) &&
      file.commit(where))
    return true;
  error = text;
  return false;
}
