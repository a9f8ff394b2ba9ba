//===- op_table_page.cpp - The page of what the op table holds ------------===//
//
// usage: op-table-page FILE.md
//
// Per op: the shapes and types of its rows, and of those that differentiating a row
// makes, the degenerate values among them, and what it refuses.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"
#include "ValueTable.h"

#include "tt/AD/Passes.h"
#include "tt/IR/TTOps.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

using namespace tt::test;

namespace {

/// Of one op.
struct Entry {
  int rows = 0;
  std::set<std::string> shapes, types, degenerate;
  std::vector<const Refusal *> refusals;
};

using Entries = std::map<std::string, Entry>;

std::string shapeOf(mlir::RankedTensorType type) {
  std::string text = "[";
  for (int64_t size : type.getShape())
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

void lookAt(mlir::RankedTensorType type, Entry &entry) {
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  entry.types.insert(element);
  if (type.getRank() == 0)
    entry.degenerate.insert("rank 0");
  for (int64_t size : type.getShape())
    if (size < 2)
      entry.degenerate.insert("size " + std::to_string(size));
}

void lookAt(mlir::Operation *op, Entry &entry) {
  std::string shapes;
  for (mlir::Value operand : op->getOperands())
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(operand.getType())) {
      shapes += (shapes.empty() ? "" : " ") + shapeOf(type);
      lookAt(type, entry);
    }
  for (mlir::Type result : op->getResultTypes())
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(result)) {
      if (op->getNumOperands() == 0)
        shapes += (shapes.empty() ? "" : " ") + shapeOf(type);
      lookAt(type, entry);
    }
  if (!shapes.empty())
    entry.shapes.insert(shapes);
}

/// What the row's own inputs hold, where it has some.
std::set<std::string> specialValues(const Values &inputs) {
  std::set<std::string> found;
  for (const AnyTensor<double> &input : inputs) {
    if (!input.isFloat())
      continue;
    for (double x : input.floats().data) {
      if (x == 0)
        found.insert("value 0");
      if (std::isinf(x))
        found.insert("infinite values");
      if (std::isnan(x))
        found.insert("values that are no number");
    }
  }
  return found;
}

/// Names the ops of a module and adds them to the entries.
std::set<std::string> lookAtOps(mlir::ModuleOp module, Entries &entries) {
  std::set<std::string> names;
  module.walk([&](mlir::Operation *op) {
    if (op->getName().getDialectNamespace() != "tt")
      return;
    std::string name = op->getName().getStringRef().str();
    names.insert(name);
    lookAt(op, entries[name]);
  });
  return names;
}

void count(const std::set<std::string> &names, const std::set<std::string> &special,
           Entries &entries) {
  for (const std::string &name : names) {
    Entry &entry = entries[name];
    ++entry.rows;
    entry.degenerate.insert(special.begin(), special.end());
  }
}

void lookAtRows(Entries &entries, const std::vector<OpCase> &table) {
  for (const OpCase &row : table) {
    Program program(row.text);
    std::set<std::string> names = lookAtOps(program.module(), entries);
    tt::AutodiffPassOptions options;
    options.function = "f";
    options.wrt = row.wrt;
    options.allowUnreached = true;
    mlir::PassManager passes(program.module().getContext());
    passes.addPass(tt::createExpandRepeatPass());
    passes.addPass(tt::createAutodiffPass(options));
    if (succeeded(passes.run(program.module())))
      names.merge(lookAtOps(program.module(), entries));
    count(names, specialValues(row.inputs), entries);
  }
}

void lookAtValues(Entries &entries) {
  for (const ValueCase &row : valueTable()) {
    Program program(row.text);
    count(lookAtOps(program.module(), entries), specialValues(row.inputs), entries);
  }
}

std::string joined(const std::set<std::string> &texts, const char *separator,
                   size_t most = 1000) {
  std::string text;
  size_t count = 0;
  for (const std::string &part : texts) {
    if (count++ == most)
      return text + separator + "and " + std::to_string(texts.size() - most) + " more";
    text += (text.empty() ? "" : separator) + part;
  }
  return text;
}

/// Text inside a cell of a table.
std::string cell(const std::string &text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
  return escaped;
}

void write(std::ostream &out, const std::string &name, const Entry &entry) {
  out << "\n## " << name << "\n\n";
  if (!entry.rows)
    out << "No rows; [OpCoverage](OpCoverage.md) says where it is tested.\n";
  else
    out << entry.rows << " rows of element types " << joined(entry.types, ", ")
        << ". Operands: " << joined(entry.shapes, "; ", 8) << ".\nDegenerate: "
        << (entry.degenerate.empty() ? "none" : joined(entry.degenerate, ", ")) << ".\n";
  if (entry.refusals.empty()) {
    out << "\nRefusals: none of its own.\n";
    return;
  }
  out << "\n| refused | case | diagnostic |\n|---|---|---|\n";
  for (const Refusal *row : entry.refusals)
    out << "| " << (row->constraint.empty() ? "-" : row->constraint) << " | "
        << cell(row->why) << " | " << cell(row->errors.empty() ? "" : row->errors.front())
        << " |\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: op-table-page FILE.md\n";
    return 1;
  }
  Entries entries;
  Program any("func.func @f() { return }");
  for (mlir::RegisteredOperationName op :
       any.module().getContext()->getRegisteredOperations())
    if (op.getDialectNamespace() == "tt")
      entries[op.getStringRef().str()];
  lookAtRows(entries, opTable());
  lookAtRows(entries, edgeTable());
  lookAtValues(entries);
  std::vector<Refusal> refusals = refusalTable();
  for (const Refusal &row : refusals)
    entries[row.op].refusals.push_back(&row);
  std::ofstream file(argv[1]);
  file << "# The op table\n\nMade by `op-table-page` from the rows of "
          "`test/Numeric/OpTable*.cpp`, which the ladder checks and random programs are "
          "put together from, from their adjoints, from `edgeTable()` "
          "and from `valueTable()`, whose values and gradients "
          "are worked out by hand; refusals are those of "
          "`test/dialect/tt/*/invalid*.mlir`. Rows are differentiated in f64; what runs in "
          "f32 on the CPU is in [OpCoverage](OpCoverage.md).\n";
  for (const auto &[name, entry] : entries)
    write(file, name, entry);
  std::cout << entries.size() << " ops, " << refusals.size() << " refusals\n";
  return file.flush() && !entries.empty() ? 0 : 1;
}
