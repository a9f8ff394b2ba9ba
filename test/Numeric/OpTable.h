//===- OpTable.h - The op table: every op in small shapes -------*- C++ -*-===//
//
// One list of small programs @f in f64, each around one op (or a few), in shapes
// that include size 1 and primes. The ladder checks the derivatives of each;
// random programs are put together from them, and a page of the docs lists them. A
// new op comes with its rows: programs, and refusals for its constraints.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_NUMERIC_OPTABLE_H
#define TT_TEST_NUMERIC_OPTABLE_H

#include "tt/Reference/Tensor.h"

#include <ostream>
#include <string>
#include <vector>

namespace tt::test {

struct OpCase {
  std::string name; // letters, digits and underscores
  std::string text; // a module with a public function @f
  /// As the option of tt-autodiff: which arguments are differentiated.
  std::string wrt = "all";
  /// Empty: random ones that suit the ops.
  std::vector<reference::AnyTensor<double>> inputs = {};
};

/// All rows.
std::vector<OpCase> opTable();

/// More rows: size 1, primes, ranks 0 and 4 of ops with kinks or without a derivative.
/// Mutants are made of opTable() alone: at size 1 most compute the same.
std::vector<OpCase> edgeTable();

/// A program that does not verify.
struct Refusal {
  std::string name;       // "Loss_3": family and number of the case
  std::string op;         // "tt.cross_entropy"
  std::string constraint; // "C1"; "" if the constraint has no number
  std::string why;        // what the case says of itself
  std::vector<std::string> errors; // parts of the diagnostics, all of them
  std::string text;
};

/// How GoogleTest and ctest show a row: by its name, not its bytes.
inline void PrintTo(const OpCase &row, std::ostream *out) { *out << row.name; }
inline void PrintTo(const Refusal &row, std::ostream *out) { *out << row.name; }

/// All refusals, by family.
std::vector<Refusal> refusalTable();

// The rows of one family are appended by one function.
void addElementwiseRows(std::vector<OpCase> &table);
void addShapeRows(std::vector<OpCase> &table);
void addLinearRows(std::vector<OpCase> &table);
void addNormRows(std::vector<OpCase> &table);
void addElementLossRows(std::vector<OpCase> &table);
void addLinearLossRows(std::vector<OpCase> &table);
void addStatisticsRows(std::vector<OpCase> &table);
void addLossRows(std::vector<OpCase> &table);
void addAttentionRows(std::vector<OpCase> &table);
/// Powers, rounding, quantisation, indices, order, rope scaling, custom rules.
void addOrderRows(std::vector<OpCase> &table);
/// Calls, values with several readers, a tied head.
void addProgramRows(std::vector<OpCase> &table);

// Short forms for writing rows.

/// "tensor<SHAPExf64>".
std::string f64Type(const std::string &shape);
/// The name with every other character replaced by an underscore.
std::string tidyName(std::string name);

} // namespace tt::test

#endif
