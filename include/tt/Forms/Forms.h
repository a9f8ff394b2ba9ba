//===- Forms.h - Contracts between the stages -------------------*- C++ -*-===//
//
// A form is what one room may rely on and the former one promises. Each check
// reports every violation as an error on the op that breaks the contract.
//
//===----------------------------------------------------------------------===//
#ifndef TT_FORMS_FORMS_H
#define TT_FORMS_FORMS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tt {

enum class Form { Graph, Adjoint, Training, Kernels, Step, Planned };

/// The form called `name`; nullopt if there is none.
std::optional<Form> parseForm(llvm::StringRef name);

/// Fails, with diagnostics, unless `module` is in `form`.
llvm::LogicalResult verifyForm(mlir::ModuleOp module, Form form);

} // namespace tt

#endif
