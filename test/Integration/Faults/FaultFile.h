//===- FaultFile.h - A reported fault with its right values -----*- C++ -*-===//
//
// A .mlir file with a public function @f in f32 and comment lines:
//
//   // input: 1 0 -inf          values of the next argument, row-major
//   // input: fill(37,11)       (((37 i + 11) mod 129) - 64) / 64
//   // input: full(1)           one number everywhere
//   // cotangent: ...           of the next float result; default full(1)
//   // result 0: 1.5 2          what @f returns
//   // gradient 1: ...          in argument 1
//   // gradient 1 abs-sum: 88.5 the sum of absolute values
//   // gradient 1 at 64: 0.25   one element
//   // gradient 1 as: result 0  the same numbers, to the bit, as another one found
//   // gradient 2: none          @f has no gradient in argument 2
//   // tolerance: 1e-5          relative, and absolute; this is the default
//   // absolute-tolerance: 0    another absolute one, where right values are tiny
//   // f32-tolerance: 1e-3      the relative one of paths that round to f32
//   // not on PATH: why         the path refuses the file or misses the values
//
// `result` and `gradient` take the forms of `input` too. Paths are in FaultPaths.h.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_FAULTS_FAULTFILE_H
#define TT_TEST_FAULTS_FAULTFILE_H

#include "tt/Reference/Derivatives.h"

#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tt::test {

/// One line that says what is right.
struct RightValue {
  enum Form { All, AbsSum, At, As, None } form = All;
  bool isGradient = false;
  unsigned index = 0;
  int64_t element = 0;
  std::string numbers;
  std::string line; // as written
};

class FaultFile {
public:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  reference::Values inputs, cotangents;
  std::vector<RightValue> right;
  double tolerance = 1e-5;
  std::optional<double> absoluteTolerance, f32Tolerance;
  std::map<std::string, std::string> notOn; // path to reason

  /// False with an error if the file cannot be read or says nothing.
  bool read(mlir::MLIRContext &context, const std::string &path, std::string &error);
  bool hasGradients() const;
  /// How far from `wanted` a number may be; infinities and NaN must be met.
  double allowed(double wanted, bool isF32) const;

private:
  bool readLine(llvm::StringRef line, std::string &error);
  bool readRight(llvm::StringRef line, llvm::StringRef key, llvm::StringRef numbers,
                 std::string &error);
  bool fillUp(std::string &error);
  std::vector<std::string> inputLines, cotangentLines;
};

/// Values of `numbers` in a tensor of `type`.
bool parseNumbers(llvm::StringRef numbers, mlir::Type type, reference::AnyTensor<double> &value,
                  std::string &error);

} // namespace tt::test

#endif
