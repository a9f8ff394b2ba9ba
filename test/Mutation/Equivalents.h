//===- Equivalents.h - Changes that change nothing --------------*- C++ -*-===//
#ifndef TT_TEST_MUTATION_EQUIVALENTS_H
#define TT_TEST_MUTATION_EQUIVALENTS_H

#include "Mutate.h"

namespace tt::test {

/// Why this mutant of this program computes the same derivatives although its
/// text differs; null if it is not known to.
const char *equivalenceReason(const std::string &program, const Mutant &mutant);

} // namespace tt::test

#endif
