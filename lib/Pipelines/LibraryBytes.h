//===- LibraryBytes.h - Libraries that are not put in place yet -*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_LIBRARYBYTES_H
#define TT_LIB_PIPELINES_LIBRARYBYTES_H

#include "tt/AOT/Library.h"
#include "tt/Pipelines/Compile.h"
#include "tt/runtime/Model.h"

#include <map>

namespace tt {

/// The levels of `mask` that this machine can run, as tt_bind_options wants
/// them.
std::vector<uint32_t> runnableLevels(uint32_t mask);

/// Everything after the kernel stage up to plain data: emission, memory plan.
llvm::LogicalResult planLibrary(mlir::ModuleOp module, const CompileOptions &options,
                                uint32_t levels, llvm::StringRef name,
                                aot::KernelCompiler &compiler, aot::ModelPlan &plan);

/// Opens a library from its bytes, by way of a temporary file that is gone
/// when this returns. Null and a text on failure.
std::shared_ptr<const runtime::Library> openBytes(const aot::Object &bytes,
                                                  llvm::StringRef name,
                                                  std::string &error);

/// Values of parameters and inputs by name, as the library takes them.
using NamedBytes = std::map<std::string, std::vector<char>>;

/// Sets parameters and runs an entry. Inputs without a value are zero; step is
/// then 1. `outputs` are in the entry's order.
bool runEntry(runtime::Model &model, const std::string &entry, const NamedBytes &values,
              std::vector<std::vector<char>> &outputs, std::string &error);

} // namespace tt

#endif
