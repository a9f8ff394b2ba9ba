//===- ValueTable.h - Values and gradients at the edges ---------*- C++ -*-===//
//
// What the ladder cannot sample: ties, kinks, infinities, NaN, indices outside, tensors
// without elements. The wanted numbers are worked out by hand from the ops' texts.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_NUMERIC_VALUETABLE_H
#define TT_TEST_NUMERIC_VALUETABLE_H

#include "OpTable.h"
#include "Program.h"

namespace tt::test {

struct ValueCase {
  std::string name; // letters, digits and underscores
  std::string text; // a module with a public function @f
  Values inputs, results;
  /// Of the float inputs, from cotangents 1, 2, 3, ... of the float results; empty if the
  /// row has none.
  Values gradients;
};

inline void PrintTo(const ValueCase &row, std::ostream *out) { *out << row.name; }

std::vector<ValueCase> valueTable();

} // namespace tt::test

#endif
