//===- ExportRow.h - A program and its values as JSON -----------*- C++ -*-===//
#ifndef TT_TEST_NUMERIC_PEER_EXPORTROW_H
#define TT_TEST_NUMERIC_PEER_EXPORTROW_H

#include "tt/Check/CheckCompiled.h"

#include "llvm/Support/JSON.h"

namespace tt::test {

/// Of everything that an entry is given; goldens hold for these values only.
std::string digestOf(const check::EntryValues &values);

/// The functions of a module, for torch_errors.py: values are numbers that count
/// from 0 in each function, attributes are numbers, strings or lists.
void exportModule(llvm::json::OStream &json, mlir::ModuleOp module);
/// {"digest", "inputs": {name: tensor}, "wanted": {name: tensor}}; a tensor is
/// {"shape", "isFloat", "data"}, in f64.
void exportValues(llvm::json::OStream &json, const check::EntryValues &values,
                  const std::map<std::string, check::HostTensor> &wanted);

} // namespace tt::test

#endif
