//===- GradientReport.cpp - What the checks of derivatives found ----------===//
#include "tt/Reference/GradientCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/raw_ostream.h"

using namespace tt::reference;

bool GradientReport::passed() const {
  return error.empty() && !rows.empty() &&
         llvm::all_of(rows, [](const GradientCheckRow &row) { return row.passed; });
}

std::string GradientReport::table() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "check    direction      value        bound       result\n";
  for (const GradientCheckRow &row : rows) {
    stream << llvm::left_justify(row.check, 8) << " "
           << llvm::left_justify(row.direction, 14) << " "
           << llvm::format("%-12.3e", row.value)
           << (row.isLowerBound ? " >= " : " <= ")
           << llvm::format("%-8.1e", row.bound) << " "
           << (row.passed ? "pass" : "FAIL");
    if (!row.note.empty())
      stream << "  (" << row.note << ")";
    stream << "\n";
  }
  for (const LeftOutCheck &left : leftOut)
    stream << llvm::left_justify(left.check, 8) << " left out: '" << left.op << "' at "
           << left.place << " " << left.why << "\n";
  return text;
}
