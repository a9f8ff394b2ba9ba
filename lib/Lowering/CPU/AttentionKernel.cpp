//===- AttentionKernel.cpp - Kernels of attention and its adjoint ---------===//
#include "KernelEmitters.h"
#include "tt/Lowering/CPU/Attention.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static_assert(attention::kDefaultBlockK == kAttentionKeyBlock,
              "a kernel has the same numerics tiled and not tiled");

namespace {

/// Fills an AttentionSpec from the operands and results of a kernel by role.
class AttentionKernel {
public:
  /// Where a role lies; nothing if the kernel has not got it.
  using Roles = function_ref<FailureOr<std::optional<StridedOperand>>(StringRef)>;

  AttentionKernel(const KernelJob &job, Operation *anchor)
      : job(job), anchor(anchor) {}
  LogicalResult emit(EmittedKernel &emitted);
  LogicalResult emitTiled(const attention::TiledKernel &tiled,
                          EmittedKernel &emitted);

private:
  LogicalResult emitByRoles(const attention::TiledKernel &kernel, bool isAdjoint,
                            Roles roles, EmittedKernel &emitted);
  LogicalResult readMandatory(bool isAdjoint, Roles roles);
  LogicalResult readOptional(Roles roles);
  FailureOr<std::optional<StridedOperand>> storageOf(Value value, bool isResult);
  LogicalResult fill(const StridedOperand &storage, HeadsOperand &heads);
  LogicalResult fillDense(Roles roles, StringRef role, std::optional<unsigned> &number);
  LogicalResult fillSegments(Roles roles, StringRef role,
                             std::optional<SegmentsOperand> &segments);
  LogicalResult fillBias(Roles roles, StringRef role, std::optional<HeadsOperand> &bias);
  LogicalResult fillDLse(Roles roles);
  /// Another way to the same bits, for tests: smaller tiles, split backward.
  void chooseSchedule() {
    KernelOp kernel = job.kernel;
    if (!kernel.getSchedule().contains("alternate"))
      return;
    spec.blockQ = 32;
    spec.splitBackward = true;
  }

  const KernelJob &job;
  Operation *anchor;
  AttentionSpec spec;
};

} // namespace

static InFlightDiagnostic refuseElement(Operation *anchor, Type element) {
  return anchor->emitError() << "'" << anchor->getName() << "' of element type "
                             << element << " is not lowered on the CPU yet";
}

LogicalResult AttentionKernel::fill(const StridedOperand &storage,
                                    HeadsOperand &heads) {
  if (!storage.element.isF32())
    return refuseElement(anchor, storage.element);
  if (storage.strides[3] != 1 && storage.shape[3] != 1)
    return anchor->emitError()
           << "expected the head dimension of '" << anchor->getName()
           << "' to be contiguous, but got stride " << storage.strides[3];
  heads = {storage.number, storage.strides[0], storage.strides[1],
           storage.strides[2]};
  return success();
}

/// A dense f32 vector, or the key.
LogicalResult AttentionKernel::fillDense(Roles roles, StringRef role,
                                         std::optional<unsigned> &number) {
  FailureOr<std::optional<StridedOperand>> storage = roles(role);
  if (failed(storage) || !*storage)
    return storage;
  if (role != "key" && !(*storage)->element.isF32())
    return refuseElement(anchor, (*storage)->element);
  if (!(*storage)->isDense())
    return anchor->emitError() << "expected the " << role << " of '"
                               << anchor->getName() << "' to be dense";
  number = (*storage)->number;
  return success();
}

LogicalResult
AttentionKernel::fillSegments(Roles roles, StringRef role,
                              std::optional<SegmentsOperand> &segments) {
  FailureOr<std::optional<StridedOperand>> storage = roles(role);
  if (failed(storage) || !*storage)
    return storage;
  const StridedOperand &found = **storage;
  if (found.strides[1] != 1 && found.shape[1] != 1)
    return anchor->emitError()
           << "expected the tokens of " << role << " of '" << anchor->getName()
           << "' to be contiguous, but got stride " << found.strides[1];
  segments = SegmentsOperand{found.number, found.strides[0],
                             found.element.isInteger(64)};
  return success();
}

LogicalResult AttentionKernel::fillBias(Roles roles, StringRef role,
                                        std::optional<HeadsOperand> &bias) {
  FailureOr<std::optional<StridedOperand>> storage = roles(role);
  if (failed(storage) || !*storage)
    return storage;
  bias.emplace();
  if (failed(fill(**storage, *bias)))
    return failure();
  spec.biasBatch = (*storage)->shape[0];
  spec.biasHeads = (*storage)->shape[1];
  if (spec.biasBatch == 1)
    bias->batch = 0;
  if (spec.biasHeads == 1)
    bias->head = 0;
  return success();
}

LogicalResult AttentionKernel::fillDLse(Roles roles) {
  FailureOr<std::optional<StridedOperand>> storage = roles("d_lse");
  if (failed(storage) || !*storage)
    return storage;
  const StridedOperand &found = **storage;
  if (found.strides[2] != 1 && found.shape[2] != 1)
    return anchor->emitError()
           << "expected the queries of d_lse of '" << anchor->getName()
           << "' to be contiguous, but got stride " << found.strides[2];
  spec.dLse = HeadsOperand{found.number, found.strides[0], found.strides[1], 1};
  return success();
}

LogicalResult AttentionKernel::readMandatory(bool isAdjoint, Roles roles) {
  SmallVector<std::pair<StringRef, HeadsOperand *>> operands = {
      {"q", &spec.q}, {"k", &spec.k}, {"v", &spec.v}, {"output", &spec.out}};
  if (isAdjoint)
    operands.append({{"d_output", &spec.dOut},
                     {"dq", &spec.dq},
                     {"dk", &spec.dk},
                     {"dv", &spec.dv}});
  auto missing = [&](StringRef role) {
    return anchor->emitError() << "expected a tiled attention kernel with its "
                               << role << " among arguments and results";
  };
  for (auto [role, heads] : operands) {
    FailureOr<std::optional<StridedOperand>> storage = roles(role);
    if (failed(storage))
      return failure();
    if (!*storage)
      return missing(role);
    if (failed(fill(**storage, *heads)))
      return failure();
    ArrayRef<int64_t> shape = (*storage)->shape;
    if (role == "q")
      spec.batch = shape[0], spec.heads = shape[1], spec.queries = shape[2],
      spec.headSize = shape[3];
    if (role == "k")
      spec.kvHeads = shape[1], spec.keys = shape[2];
  }
  std::optional<unsigned> lse;
  if (failed(fillDense(roles, "lse", lse)))
    return failure();
  if (!lse)
    return missing("lse");
  spec.lseOperand = *lse;
  return success();
}

LogicalResult AttentionKernel::readOptional(Roles roles) {
  return success(succeeded(fillSegments(roles, "q_segments", spec.qSegments)) &&
                 succeeded(fillSegments(roles, "k_segments", spec.kSegments)) &&
                 succeeded(fillDense(roles, "slopes", spec.slopes)) &&
                 succeeded(fillDense(roles, "sinks", spec.sinks)) &&
                 succeeded(fillDense(roles, "key", spec.key)) &&
                 succeeded(fillBias(roles, "bias", spec.bias)) &&
                 succeeded(fillBias(roles, "d_bias", spec.dBias)) &&
                 succeeded(fillDLse(roles)));
}

LogicalResult AttentionKernel::emitByRoles(const attention::TiledKernel &kernel,
                                           bool isAdjoint, Roles roles,
                                           EmittedKernel &emitted) {
  if (failed(readMandatory(isAdjoint, roles)) || failed(readOptional(roles)))
    return failure();
  const AttentionMask &mask = kernel.mask;
  spec.causal = mask.causal;
  spec.scale = mask.scale;
  spec.windowLeft = mask.left.value_or(attention::kNoWindow);
  if (!mask.causal)
    spec.windowRight = mask.right.value_or(attention::kNoWindow);
  spec.prefix = mask.prefix;
  spec.softcap = mask.softcap;
  spec.dropout = mask.dropout;
  spec.site = mask.site;
  spec.blockK = kernel.blockK;
  spec.numOperands = job.signature.numOperands();
  chooseSchedule();
  auto emitter = isAdjoint ? emitAttentionBackward : emitAttentionForward;
  emitted = emitter(job.module, job.loc(), job.symbol, job.target, spec);
  return success();
}

LogicalResult AttentionKernel::emitTiled(const attention::TiledKernel &tiled,
                                         EmittedKernel &emitted) {
  size_t arguments = job.signature.arguments.size();
  auto roles = [&](StringRef role) -> FailureOr<std::optional<StridedOperand>> {
    std::optional<unsigned> number = tiled.operand(role);
    if (!number || *number >= job.signature.numOperands())
      return std::optional<StridedOperand>();
    return std::optional<StridedOperand>(
        *number < arguments ? job.signature.arguments[*number]
                            : job.signature.results[*number - arguments]);
  };
  return emitByRoles(tiled, tiled.isAdjoint(), roles, emitted);
}

FailureOr<std::optional<StridedOperand>> AttentionKernel::storageOf(Value value,
                                                                    bool isResult) {
  if (!isResult) {
    if (std::optional<StridedOperand> view = viewOfArgument(job.signature, value))
      return view;
    return anchor->emitError()
           << "expected the operand of '" << anchor->getName()
           << "' to be an argument of its kernel, or a view of one, but got "
           << value;
  }
  for (auto [yielded, result] :
       llvm::zip_equal(job.yield().getValues(), job.signature.results)) {
    ResultView view =
        viewOfResult(result, yielded, [&](Value v) { return v == value; });
    if (view.value == value)
      return std::optional<StridedOperand>(view.storage);
  }
  return anchor->emitError()
         << "expected all results of '" << anchor->getName()
         << "' to be yielded as they are, or as views, but got no yield of "
         << value;
}

LogicalResult AttentionKernel::emit(EmittedKernel &emitted) {
  if (job.yield().getValues().size() != anchor->getNumResults())
    return anchor->emitError()
           << "expected a kernel that yields the results of '"
           << anchor->getName() << "' and nothing else";
  auto operands = attention::operandsByRole(anchor);
  auto results = attention::resultsByRole(anchor);
  auto roles = [&](StringRef role) -> FailureOr<std::optional<StridedOperand>> {
    for (auto [name, value] : operands)
      if (name == role && value)
        return storageOf(value, /*isResult=*/false);
    for (auto [name, value] : results)
      if (name == role)
        return storageOf(value, /*isResult=*/true);
    return std::optional<StridedOperand>();
  };
  return emitByRoles(attention::TiledKernel::of(anchor, DictionaryAttr()),
                     isa<AttentionBwdOp>(anchor), roles, emitted);
}

LogicalResult
tt::cpu::emitTiledAttentionKernel(const KernelJob &job,
                                  const attention::TiledKernel &tiled,
                                  EmittedKernel &emitted) {
  return AttentionKernel(job, job.kernel).emitTiled(tiled, emitted);
}

LogicalResult tt::cpu::emitAttentionKernel(const KernelJob &job,
                                           Operation *anchor,
                                           EmittedKernel &emitted) {
  return AttentionKernel(job, anchor).emit(emitted);
}
