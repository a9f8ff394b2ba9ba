//===- OpRefusals.cpp - The op table's rows that must be refused ----------===//
//
// The rows are the cases of test/dialect/tt/*/invalid*.mlir, so that each stands in one
// place: what comes before a case, "// tt.op (C1): why", says which constraint it
// breaks, and its expected errors are the diagnostic's text.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tt::test;
using llvm::StringRef;

/// The texts in double braces of the lines of `text` that expect an error.
static std::vector<std::string> expectedErrors(StringRef text) {
  std::vector<std::string> errors;
  for (StringRef line : llvm::split(text, '\n')) {
    if (!line.contains("expected-error"))
      continue;
    auto [before, after] = line.split("{{");
    errors.push_back(after.rsplit("}}").first.str());
  }
  return errors;
}

/// The op of "'tt.op' op ..."; "" if the error does not name one.
static std::string opOf(StringRef error) {
  StringRef rest = error.split("'tt.").second;
  return rest.empty() ? "" : "tt." + rest.split('\'').first.str();
}

/// "// tt.op (C1): why" from the comment before a case. A "(C2)" after it is another
/// constraint that the case breaks, too.
static void readMarker(StringRef text, Refusal &row) {
  std::string comment;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.starts_with("// RUN"))
      continue;
    if (line.consume_front("//"))
      comment += (comment.empty() ? "" : " ") + line.trim().str();
    else if (!line.empty())
      break;
  }
  row.why = comment;
  StringRef rest = comment;
  if (!rest.consume_front("tt."))
    return;
  StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  rest = rest.drop_front(name.size());
  if (!rest.consume_front(" (C"))
    return;
  row.op = "tt." + name.str();
  row.constraint = "C" + rest.split(')').first.str();
  row.why = rest.split(')').second.ltrim(": ").str();
}

static void addFile(const std::string &path, std::vector<Refusal> &table) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return;
  StringRef family = llvm::sys::path::filename(llvm::sys::path::parent_path(path));
  // invalid-bwd.mlir of Attention: Attention_bwd_1, ...
  StringRef part = llvm::sys::path::stem(path).substr(StringRef("invalid").size());
  StringRef rest = (*buffer)->getBuffer();
  for (int number = 1; !rest.empty(); ++number) {
    StringRef text;
    std::tie(text, rest) = rest.split("// -----");
    Refusal row;
    row.text = text.str();
    row.errors = expectedErrors(text);
    readMarker(text, row);
    for (const std::string &error : row.errors)
      if (row.op.empty())
        row.op = opOf(error);
    row.name = family.str() + (part.empty() ? "" : "_" + part.drop_front().str()) + "_" +
               std::to_string(number);
    table.push_back(std::move(row));
  }
}

std::vector<Refusal> tt::test::refusalTable() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator at(TT_DIALECT_TESTS, error), end;
       at != end && !error; at.increment(error))
    if (llvm::sys::path::filename(at->path()).starts_with("invalid"))
      paths.push_back(at->path());
  llvm::sort(paths);
  std::vector<Refusal> table;
  for (const std::string &path : paths)
    addFile(path, table);
  return table;
}
