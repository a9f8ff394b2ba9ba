//===- ElementwiseEmitter.cpp - Kernels without an anchor -----------------===//
#include "CollapseDims.h"
#include "ElementwiseNests.h"
#include "KernelEmitters.h"

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

SmallVector<NestItem> tt::cpu::yieldedItems(const KernelJob &job) {
  SmallVector<NestItem> items;
  for (auto [value, result] :
       llvm::zip_equal(job.yield().getValues(), job.signature.results))
    items.push_back({value, result});
  return items;
}

/// Replaces an item that is a concat, perhaps seen through reshapes and
/// transposes, by its parts.
static void splitConcats(NestItem item, SmallVectorImpl<NestItem> &parts) {
  ResultView view = viewOfResult(item.storage, item.value,
                                 [](Value) { return false; });
  auto concat = view.value.getDefiningOp<ConcatOp>();
  if (!concat) {
    parts.push_back(item);
    return;
  }
  int64_t dim = concat.getDim();
  for (Value input : concat.getInputs()) {
    StridedOperand storage = view.storage;
    storage.shape[dim] =
        cast<RankedTensorType>(input.getType()).getDimSize(dim);
    splitConcats({input, storage}, parts);
    view.storage.offset += storage.shape[dim] * storage.strides[dim];
  }
}

/// True if the lanes of some leaf below `value` do not lie side by side.
static bool hasFarLanes(const KernelJob &job, Value value,
                        llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const StridedOperand &operand =
        job.signature.arguments[argument.getArgNumber()];
    return !operand.strides.empty() && operand.strides.back() > 1;
  }
  Operation *op = value.getDefiningOp();
  if (!seen.insert(op).second)
    return false;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    if (transpose.getPermutation().back() !=
        int64_t(transpose.getPermutation().size()) - 1)
      return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return hasFarLanes(job, operand, seen);
  });
}

std::vector<ElementwiseNest> tt::cpu::planNests(const KernelJob &job,
                                                ArrayRef<NestItem> items) {
  SmallVector<NestItem> parts;
  for (const NestItem &item : items)
    splitConcats(item, parts);
  SmallVector<SmallVector<NestItem>> groups;
  for (const NestItem &part : parts) {
    auto *group = llvm::find_if(groups, [&](ArrayRef<NestItem> other) {
      return other.front().storage.shape == part.storage.shape;
    });
    if (group == groups.end())
      groups.push_back({part});
    else
      group->push_back(part);
  }
  std::vector<ElementwiseNest> nests;
  for (SmallVector<NestItem> &group : groups) {
    SmallVector<Value> values;
    SmallVector<StridedOperand> storage;
    for (const NestItem &item : group) {
      values.push_back(item.value);
      storage.push_back(item.storage);
    }
    JoinedDims dims = joinableDims(job.signature, values, storage);
    LoopNest loops(storage.front().shape, dims.joined);
    llvm::SmallPtrSet<Operation *, 16> seen;
    if (llvm::any_of(values, [&](Value value) {
          return hasFarLanes(job, value, seen);
        }))
      loops.setBlocked();
    nests.push_back({std::move(group), loops, dims.linear});
  }
  return nests;
}

static void emitNest(LoopEmitter &e, ElementBuilder &builder,
                     const ElementwiseNest &nest, Value task) {
  builder.setLinear(nest.linear);
  nest.loops.emit(e, task, [&](const Position &at) {
    ElementBuilder::Scope scope(builder);
    // All values first: a store may overwrite an argument in place.
    SmallVector<Value> values;
    for (const NestItem &item : nest.items)
      values.push_back(builder.element(item.value, at));
    for (auto [value, item] : llvm::zip_equal(values, nest.items))
      builder.store(item.storage, at, value);
  });
}

int64_t tt::cpu::emitNests(LoopEmitter &e, ElementBuilder &builder,
                           ArrayRef<ElementwiseNest> nests, Value task) {
  if (nests.size() == 1) {
    emitNest(e, builder, nests[0], task);
    return nests[0].loops.tasks();
  }
  int64_t first = 0;
  for (const ElementwiseNest &nest : nests) {
    int64_t tasks = nest.loops.tasks();
    LaneMath math(e);
    Value local = e.sub(task, e.index(first));
    e.ifThen(math.inRange(math.uniform(local), tasks), [&] {
      ElementBuilder::Scope scope(builder);
      emitNest(e, builder, nest, local);
    });
    first += tasks;
  }
  return first;
}

LogicalResult tt::cpu::emitElementwiseKernel(const KernelJob &job,
                                             EmittedKernel &emitted) {
  PhaseShell shell(job.module, job.loc(), job.phaseSymbol(),
                   job.signature.numOperands(), job.mayAlias());
  LoopEmitter e(shell);
  ElementBuilder builder(e, job);
  std::vector<ElementwiseNest> nests = planNests(job, yieldedItems(job));
  int64_t tasks = emitNests(e, builder, nests, shell.task());
  emitted.phases.push_back(shell.finish(tasks));
  return success();
}
