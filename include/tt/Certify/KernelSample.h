//===- KernelSample.h - Some rows of a kernel -------------------*- C++ -*-===//
//
// A kernel at its real shape is too large for the interpreter, but most of its
// dimensions are independent: the rows of a product, the samples of an
// attention, the columns of a sum over rows. Leaving out positions of such
// dimensions gives a small kernel whose results are exactly those of the large
// one at the positions that are left.
//
//===----------------------------------------------------------------------===//
#ifndef TT_CERTIFY_KERNELSAMPLE_H
#define TT_CERTIFY_KERNELSAMPLE_H

#include "tt/Certify/Certificate.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace tt::certify {

/// The positions that are left of each dimension of one operand, in order.
using Positions = std::vector<std::vector<int64_t>>;

struct KernelSample {
  mlir::OwningOpRef<mlir::ModuleOp> module; // holds the kernel, by its name
  std::vector<Positions> arguments, results;
  double work = 0;   // multiply-adds of the sample, about
  int64_t depth = 1; // terms in the longest chain of sums behind a result
  double kept = 1;   // share of the result elements
};

/// Leaves at most `maxWork` multiply-adds, if the kernel allows it. False, with
/// an error that names the op, if its sizes are not understood.
bool sampleKernel(tt::KernelOp kernel, double maxWork, uint64_t seed,
                  KernelSample &sample, std::string &error);

/// The factor of what rounding each op does in the bound of compareResult.
inline constexpr double kTypedFactor = 4;

/// Fills value, bound, result and note of `finding`: a result of a kernel against the
/// interpreter's, ideal and with each op rounded. With u = 2^-24 the bound is
///
///   8 u sqrt(depth) max|ideal| + 4 max|typed - ideal|
///
/// `depth` is the number of terms behind an element: that many roundings of random
/// signs add up to u sqrt(depth) (Higham and Mary 2019, with lambda 8). The second
/// part is what rounding the result of each op alone does, which an ill-conditioned
/// kernel makes larger than that; where it is not enough the certificate moves `typed`
/// away so that its part is kElementFactor spreads of tt/Check/ErrorBound.h: terms that
/// cancel. A value that is not finite must be so in the interpreter, ideal or rounded,
/// too, and some must be numbers; integers are equal.
void compareResult(const reference::AnyTensor<double> &found,
                   const reference::AnyTensor<double> &ideal,
                   const reference::AnyTensor<double> &typed, int64_t depth,
                   Finding &finding);

} // namespace tt::certify

#endif
