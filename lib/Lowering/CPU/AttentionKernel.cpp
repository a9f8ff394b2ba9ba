//===- AttentionKernel.cpp - Kernels of attention and its adjoint ---------===//
#include "KernelEmitters.h"
#include "tt/Lowering/CPU/Attention.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

static_assert(attention::kDefaultBlockK == kAttentionKeyBlock,
              "a kernel has the same numerics tiled and not tiled");

namespace {

class AttentionKernel {
public:
  AttentionKernel(const KernelJob &job, Operation *anchor)
      : job(job), anchor(anchor) {}
  LogicalResult emit(EmittedKernel &emitted);
  LogicalResult emitTiled(const attention::TiledKernel &tiled,
                          EmittedKernel &emitted);

private:
  FailureOr<StridedOperand> inRole(const attention::TiledKernel &tiled,
                                   StringRef role);
  LogicalResult readArgument(Value value, HeadsOperand &heads);
  LogicalResult readResult(Value value, HeadsOperand &heads);
  FailureOr<StridedOperand> resultStorage(Value value);
  LogicalResult fill(const StridedOperand &storage, HeadsOperand &heads);
  template <typename Op> void readShape(Op op);
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

LogicalResult AttentionKernel::fill(const StridedOperand &storage,
                                    HeadsOperand &heads) {
  if (!storage.element.isF32())
    return anchor->emitError()
           << "'" << anchor->getName() << "' of element type "
           << storage.element << " is not lowered on the CPU yet";
  if (storage.strides[3] != 1 && storage.shape[3] != 1)
    return anchor->emitError()
           << "expected the head dimension of '" << anchor->getName()
           << "' to be contiguous, but got stride " << storage.strides[3];
  heads = {storage.number, storage.strides[0], storage.strides[1],
           storage.strides[2]};
  return success();
}

LogicalResult AttentionKernel::readArgument(Value value, HeadsOperand &heads) {
  std::optional<StridedOperand> view = viewOfArgument(job.signature, value);
  if (!view)
    return anchor->emitError()
           << "expected the operand of '" << anchor->getName()
           << "' to be an argument of its kernel, or a view of one, but got "
           << value;
  return fill(*view, heads);
}

FailureOr<StridedOperand> AttentionKernel::resultStorage(Value value) {
  for (auto [yielded, result] :
       llvm::zip_equal(job.yield().getValues(), job.signature.results)) {
    ResultView view =
        viewOfResult(result, yielded, [&](Value v) { return v == value; });
    if (view.value == value)
      return view.storage;
  }
  return anchor->emitError()
         << "expected all results of '" << anchor->getName()
         << "' to be yielded as they are, or as views, but got no yield of "
         << value;
}

LogicalResult AttentionKernel::readResult(Value value, HeadsOperand &heads) {
  FailureOr<StridedOperand> storage = resultStorage(value);
  return failed(storage) ? failure() : fill(*storage, heads);
}

template <typename Op> void AttentionKernel::readShape(Op op) {
  ArrayRef<int64_t> q = op.getQ().getType().getShape();
  ArrayRef<int64_t> k = op.getK().getType().getShape();
  spec.batch = q[0], spec.heads = q[1], spec.queries = q[2],
  spec.headSize = q[3];
  spec.kvHeads = k[1], spec.keys = k[2];
  spec.causal = op.getCausal();
  spec.scale = op.getScale().convertToDouble();
  spec.blockK = op.getBlockK().value_or(0);
  spec.numOperands = job.signature.numOperands();
  chooseSchedule();
}

static LogicalResult checkLse(Operation *anchor,
                              const StridedOperand &storage) {
  if (storage.isDense())
    return success();
  return anchor->emitError()
         << "expected the lse of '" << anchor->getName() << "' to be dense";
}

LogicalResult AttentionKernel::emit(EmittedKernel &emitted) {
  StringRef missing = unloweredAttentionFeature(anchor);
  if (!missing.empty())
    return anchor->emitError() << "'" << anchor->getName() << "' with "
                               << missing << " is not lowered on the CPU yet";
  if (job.yield().getValues().size() != anchor->getNumResults())
    return anchor->emitError()
           << "expected a kernel that yields the results of '"
           << anchor->getName() << "' and nothing else";
  if (auto op = dyn_cast<AttentionOp>(anchor)) {
    readShape(op);
    FailureOr<StridedOperand> lse = resultStorage(op.getLse());
    if (failed(readArgument(op.getQ(), spec.q)) ||
        failed(readArgument(op.getK(), spec.k)) ||
        failed(readArgument(op.getV(), spec.v)) ||
        failed(readResult(op.getOutput(), spec.out)) || failed(lse) ||
        failed(checkLse(op, *lse)))
      return failure();
    spec.lseOperand = lse->number;
    emitted = emitAttentionForward(job.module, job.loc(), job.symbol,
                                   job.target, spec);
    return success();
  }
  auto op = cast<AttentionBwdOp>(anchor);
  readShape(op);
  std::optional<StridedOperand> lse =
      viewOfArgument(job.signature, op.getLse());
  if (!lse)
    return anchor->emitError() << "expected the lse of '" << anchor->getName()
                               << "' to be an argument of its kernel";
  if (failed(readArgument(op.getQ(), spec.q)) ||
      failed(readArgument(op.getK(), spec.k)) ||
      failed(readArgument(op.getV(), spec.v)) ||
      failed(readArgument(op.getOutput(), spec.out)) ||
      failed(readArgument(op.getDOutput(), spec.dOut)) ||
      failed(readResult(op.getDq(), spec.dq)) ||
      failed(readResult(op.getDk(), spec.dk)) ||
      failed(readResult(op.getDv(), spec.dv)) || failed(checkLse(op, *lse)))
    return failure();
  spec.lseOperand = lse->number;
  emitted = emitAttentionBackward(job.module, job.loc(), job.symbol, job.target,
                                  spec);
  return success();
}

/// The operand in this role of a tiled kernel.
FailureOr<StridedOperand>
AttentionKernel::inRole(const attention::TiledKernel &tiled, StringRef role) {
  std::optional<unsigned> number = tiled.operand(role);
  size_t arguments = job.signature.arguments.size();
  if (!number || *number >= job.signature.numOperands())
    return anchor->emitError() << "expected a tiled attention kernel with its "
                               << role << " among arguments and results";
  return *number < arguments ? job.signature.arguments[*number]
                             : job.signature.results[*number - arguments];
}

LogicalResult AttentionKernel::emitTiled(const attention::TiledKernel &tiled,
                                         EmittedKernel &emitted) {
  SmallVector<std::pair<StringRef, HeadsOperand *>> operands = {
      {"q", &spec.q}, {"k", &spec.k}, {"v", &spec.v}, {"output", &spec.out}};
  if (tiled.isAdjoint())
    operands.append({{"d_output", &spec.dOut},
                     {"dq", &spec.dq},
                     {"dk", &spec.dk},
                     {"dv", &spec.dv}});
  for (auto [role, heads] : operands) {
    FailureOr<StridedOperand> storage = inRole(tiled, role);
    if (failed(storage) || failed(fill(*storage, *heads)))
      return failure();
    ArrayRef<int64_t> shape = storage->shape;
    if (role == "q")
      spec.batch = shape[0], spec.heads = shape[1], spec.queries = shape[2],
      spec.headSize = shape[3];
    if (role == "k")
      spec.kvHeads = shape[1], spec.keys = shape[2];
  }
  FailureOr<StridedOperand> lse = inRole(tiled, "lse");
  if (failed(lse) || failed(checkLse(anchor, *lse)))
    return failure();
  spec.lseOperand = lse->number;
  spec.causal = tiled.causal;
  spec.scale = tiled.scale;
  spec.blockK = tiled.blockK;
  spec.numOperands = job.signature.numOperands();
  chooseSchedule();
  auto emitter = tiled.isAdjoint() ? emitAttentionBackward : emitAttentionForward;
  emitted = emitter(job.module, job.loc(), job.symbol, job.target, spec);
  return success();
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
