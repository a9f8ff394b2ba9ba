//===- Certify.h - The certificate of a library -----------------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_CERTIFY_H
#define TT_LIB_PIPELINES_CERTIFY_H

#include "LibraryBytes.h"
#include "tt/Certify/Certificate.h"

#include "mlir/IR/OwningOpRef.h"

namespace tt {

/// Runs the parts of a certificate in the order in which a compilation can:
/// twin before the graph is changed, kernels and selfcheck once it is linked.
/// Every part prints a line; the first that fails ends the compilation.
class Certifier {
public:
  Certifier(const CompileOptions &options, uint32_t levels);

  /// Gradients of the twin, then its compiled forms against each other.
  bool checkTwin(mlir::ModuleOp graph, std::string &error);
  /// Every kernel of a library at its real shape. `forms` holds the kernels as
  /// they were formed, `planned` as they were emitted.
  bool checkKernels(mlir::ModuleOp forms, mlir::ModuleOp planned,
                    const aot::Object &library, llvm::StringRef name,
                    std::string &error);
  /// Runs the library's self-check and gives the numbers that it must find.
  bool recordSelfcheck(const aot::Object &library, llvm::StringRef name,
                       std::vector<double> &projections, std::string &error);
  /// That the library with these numbers in it passes.
  bool checkSelfcheck(const aot::Object &library, llvm::StringRef name,
                      std::string &error);

  const certify::Certificate &certificate() const { return result; }

private:
  using Body = std::function<bool(certify::Part &)>;
  bool runPart(llvm::StringRef name, std::string &error, const Body &body);
  bool checkSameBits(mlir::ModuleOp twin, certify::Part &part, std::string &error);

  CompileOptions options;
  uint32_t levels;
  certify::Certificate result;
};

} // namespace tt

#endif
