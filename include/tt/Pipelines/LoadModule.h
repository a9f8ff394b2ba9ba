//===- LoadModule.h - User files to modules ---------------------*- C++ -*-===//
#ifndef TT_PIPELINES_LOADMODULE_H
#define TT_PIPELINES_LOADMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tt {

/// Loads the dialects a graph may use.
void loadGraphDialects(mlir::MLIRContext &context);

/// Reads, pre-scans, parses and verifies a .mlir file; rules that are regions become
/// functions. On failure null, and
/// `error` starts with "FILE:LINE:COLUMN: error:". A module without a function
/// is refused.
mlir::OwningOpRef<mlir::ModuleOp> loadModule(mlir::MLIRContext &context,
                                             const std::string &path,
                                             std::string &error);

/// Collects diagnostics as text while it lives: the first error, its notes, and
/// nothing of lower severity.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context);
  ~DiagnosticText();
  const std::string &text() const { return collected; }

private:
  mlir::MLIRContext &context;
  uint64_t handler;
  std::string collected;
};

} // namespace tt

#endif
