//===- AutodiffPass.cpp - --tt-autodiff -----------------------------------===//
#include "tt/AD/Adjoint.h"
#include "tt/AD/Decompose.h"
#include "tt/AD/Passes.h"

#include "tt/IR/TTDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {
#define GEN_PASS_DEF_AUTODIFFPASS
#include "tt/AD/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

func::FuncOp tt::findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      module.emitError() << "expected a function of name @" << name;
    return function;
  }
  func::FuncOp only;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    if (only) {
      function.emitError() << "expected one public function or the option "
                              "function=, but found @" << only.getSymName()
                           << " and @" << function.getSymName();
      return {};
    }
    only = function;
  }
  if (!only)
    module.emitError() << "expected a public function to differentiate, found none";
  return only;
}

FailureOr<llvm::BitVector> tt::parseWrt(func::FuncOp function, StringRef wrt) {
  llvm::BitVector active(function.getNumArguments());
  if (wrt == "params" || wrt == "all") {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      bool wanted = wrt == "all" || (function.getArgAttr(i, kParamAttr) &&
                                     !function.getArgAttr(i, kFrozenAttr));
      if (wanted && isDifferentiable(function.getArgument(i).getType()))
        active.set(i);
    }
    if (active.none())
      return function.emitError() << "expected an argument to differentiate "
                                     "(wrt=" << wrt << "), but @"
                                  << function.getSymName() << " has none";
    return active;
  }
  SmallVector<StringRef> parts;
  wrt.split(parts, ',');
  for (StringRef part : parts) {
    unsigned i = 0;
    if (part.trim().getAsInteger(10, i) || i >= active.size())
      return function.emitError() << "expected wrt to be params, all or argument "
                                     "numbers below " << active.size()
                                  << ", but got '" << part << "'";
    if (!isDifferentiable(function.getArgument(i).getType()))
      return function.emitError() << "expected argument " << i
                                  << " to be a float tensor, but it is "
                                  << function.getArgument(i).getType();
    active.set(i);
  }
  return active;
}

LogicalResult tt::checkReached(const AdjointPair &pair, const llvm::BitVector &wrt,
                               StringRef hint) {
  for (unsigned i : wrt.set_bits()) {
    if (pair.active.test(i))
      continue;
    func::FuncOp function = pair.primal;
    InFlightDiagnostic diag = mlir::emitError(function.getArgument(i).getLoc());
    // Of results that are not differentiated it may depend.
    if (pair.live.all() || pair.live.count() != 1)
      diag << "the results of @" << function.getSymName() << " do not depend on argument ";
    else
      diag << "result " << pair.live.find_first() << " of @" << function.getSymName()
           << ", the one that is differentiated, does not depend on argument ";
    diag << i;
    if (auto name = function.getArgAttrOfType<StringAttr>(i, kParamAttr))
      diag << " (parameter " << name << ")";
    diag << ": freeze it with tt.frozen";
    return hint.empty() ? diag : diag << ", or " << hint;
  }
  return success();
}

namespace {
struct AutodiffPass final : tt::impl::AutodiffPassBase<AutodiffPass> {
  using AutodiffPassBase::AutodiffPassBase;

  LogicalResult run() {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry || failed(checkCallTree(entry)))
      return failure();
    FailureOr<llvm::BitVector> active = parseWrt(entry, wrt);
    if (failed(active) || failed(decomposeForDerivatives(entry, *active)))
      return failure();
    if (mode == "jvp") {
      TangentBuilder builder(getOperation());
      return success(builder.get(entry, *active) != nullptr);
    }
    if (mode != "vjp")
      return entry.emitError() << "expected mode to be vjp or jvp, but got '"
                               << mode << "'";
    llvm::BitVector live(entry.getNumResults());
    for (auto [i, type] : llvm::enumerate(entry.getFunctionType().getResults()))
      if (isDifferentiable(type))
        live.set(i);
    if (live.none())
      return entry.emitError() << "expected a float result to differentiate, but @"
                               << entry.getSymName() << " returns ("
                               << entry.getResultTypes()
                               << "): return the float value that is to be differentiated";
    AdjointBuilder builder(getOperation());
    // The cotangent of a result that no active argument reaches would be read by nothing.
    llvm::BitVector reached = builder.getActivity().get(entry, *active, live).variedResults;
    if (reached.any())
      live &= reached;
    if (failed(builder.checkRules(entry, *active, live)))
      return failure();
    const AdjointPair *pair = builder.get(entry, *active, live);
    if (!pair)
      return failure();
    numAdjoints += builder.numPairs();
    numResiduals += pair->residuals.size();
    return allowUnreached ? success() : checkReached(*pair, *active, unreachedHint);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }
};
} // namespace
