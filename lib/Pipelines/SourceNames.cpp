//===- SourceNames.cpp - The names that values have in the source ---------===//
#include "SourceNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tt;

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// The text of line and column (from 1), to the end of the line.
static StringRef textAt(ArrayRef<StringRef> lines, FileLineColLoc place) {
  if (place.getLine() < 1 || place.getLine() > lines.size())
    return {};
  return lines[place.getLine() - 1].drop_front(
      std::min<size_t>(place.getColumn() - 1, lines[place.getLine() - 1].size()));
}

/// The names left of `=` on the op's line: "%a, %b:2 =". A pack `%b:2` stands for
/// %b#0 and %b#1.
static std::vector<std::string> resultNames(ArrayRef<StringRef> lines, FileLineColLoc place) {
  std::vector<std::string> names;
  if (place.getLine() < 1 || place.getLine() > lines.size())
    return names;
  StringRef left = lines[place.getLine() - 1].take_front(place.getColumn() - 1).rtrim();
  if (!left.consume_back("="))
    return names;
  size_t start = left.rfind(';'); // several ops on a line: the last list of names
  left = left.drop_front(start == StringRef::npos ? 0 : start + 1);
  left = left.drop_front(std::min(left.size(), left.find('%')));
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  for (StringRef part : parts) {
    auto [name, count] = part.trim().split(':');
    unsigned n = 1;
    if (count.empty() || count.getAsInteger(10, n)) {
      names.push_back(name.trim().str());
      continue;
    }
    for (unsigned i = 0; i < n; ++i)
      names.push_back((name.trim() + "#" + Twine(i)).str());
  }
  return names;
}

static std::string argumentName(ArrayRef<StringRef> lines, FileLineColLoc place) {
  StringRef text = textAt(lines, place);
  if (!text.starts_with("%"))
    return "";
  size_t length = 1;
  while (length < text.size() && isNameCharacter(text[length]))
    ++length;
  return text.take_front(length).str();
}

std::vector<NamedValue> tt::namedValues(ModuleOp module, StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::vector<NamedValue> values;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    std::string in = function.getSymName().str();
    for (BlockArgument argument : function.getArguments())
      if (auto place = dyn_cast<FileLineColLoc>(argument.getLoc()))
        values.push_back({in, argumentName(lines, place), place, 0, true,
                          argument.getArgNumber()});
    function.walk([&](Operation *op) {
      auto place = dyn_cast<FileLineColLoc>(op->getLoc());
      if (!place || op == function)
        return;
      std::vector<std::string> names = resultNames(lines, place);
      for (unsigned i = 0; i < op->getNumResults() && i < names.size(); ++i)
        values.push_back({in, names[i], place, i, false, 0});
    });
  }
  return values;
}
